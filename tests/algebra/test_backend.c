/* Both backends: their results satisfy what defines them, and they agree. */
#include "support/support.h"

#include "math/backend/backend.h"
#include "math/backend/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *openblas_get_corename(void);

static const char *const names[] = {"openblas", "plain"};

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    const ald_backend *backend;
} fixture;

static void begin(fixture *f, const char *name)
{
    f->context = support_context(2, name);
    support_run(&f->run, f->context, &f->error);
    f->backend = ald_backend_of(&f->run);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static void products_are_right(void **state)
{
    (void)state;
    enum { m = 7, n = 5, k = 6 };
    double *a = support_normals(1, m * k), *b = support_normals(2, k * n), *c0 = support_normals(3, m * n);
    double want[m * n], got[m * n];
    for (int which = 0; which < 2; which++)
        for (int ta = 0; ta < 2; ta++)
            for (int tb = 0; tb < 2; tb++) {
                fixture f;
                begin(&f, names[which]);
                support_multiply(ta, tb, m, n, k, a, b, want);
                for (int i = 0; i < m * n; i++) want[i] = 2.0 * want[i] - 0.5 * c0[i];
                memcpy(got, c0, sizeof got);
                assert_done(
                    f.backend->gemm(&f.run, ta, tb, m, n, k, 2.0, a, ta ? m : k, b, tb ? k : n, -0.5, got, n),
                    f.error);
                assert_below(support_largest_difference(m * n, want, got), 1e-13);
                end(&f);
            }
    free(a);
    free(b);
    free(c0);
}

static void one_column_products_are_right(void **state)
{
    (void)state;
    enum { m = 9, k = 4 };
    double *a = support_normals(1, m * k), *b = support_normals(2, m);
    double want[m], got[m];
    for (int which = 0; which < 2; which++) {
        fixture f;
        begin(&f, names[which]);
        support_multiply(0, 0, m, 1, k, a, b, want);
        assert_done(f.backend->gemm(&f.run, 0, 0, m, 1, k, 1.0, a, k, b, 1, 0.0, got, 1), f.error);
        assert_below(support_largest_difference(m, want, got), 1e-14);
        support_multiply(1, 0, k, 1, m, a, b, want);
        assert_done(f.backend->gemm(&f.run, 1, 0, k, 1, m, 1.0, a, k, b, 1, 0.0, got, 1), f.error);
        assert_below(support_largest_difference(k, want, got), 1e-14);
        end(&f);
    }
    free(a);
    free(b);
}

static void symmetric_square_is_right(void **state)
{
    (void)state;
    enum { n = 6, k = 9 };
    double *a = support_normals(4, n * k);
    double want[n * n], got[n * n];
    for (int which = 0; which < 2; which++)
        for (int trans = 0; trans < 2; trans++) {
            fixture f;
            begin(&f, names[which]);
            support_multiply(trans, !trans, n, n, k, a, a, want);
            memset(got, 0, sizeof got);
            assert_done(f.backend->syrk(&f.run, trans, n, k, 1.0, a, trans ? n : k, 0.0, got, n), f.error);
            for (int i = 0; i < n; i++)
                for (int j = i; j < n; j++) assert_close(got[i * n + j], want[i * n + j], 1e-13);
            end(&f);
        }
    free(a);
}

static void eigenpairs_satisfy_their_equation(void **state)
{
    (void)state;
    enum { n = 30, wanted = 7 };
    double *b = support_normals(5, n * n);
    double a[n * n], copy[n * n], all[2][n], values[n];
    double *vectors = malloc(n * n * sizeof *vectors);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = 0.5 * (b[i * n + j] + b[j * n + i]);
    for (int which = 0; which < 2; which++) {
        fixture f;
        begin(&f, names[which]);
        memcpy(copy, a, sizeof a);
        assert_done(f.backend->eigen(&f.run, n, copy, n, all[which], NULL), f.error);
        memcpy(copy, a, sizeof a);
        assert_done(f.backend->eigen(&f.run, n, copy, wanted, values, vectors), f.error);
        for (int k = 0; k < wanted; k++) {
            double av[n];
            support_multiply(0, 0, n, 1, n, a, vectors + k * n, av);
            for (int i = 0; i < n; i++) assert_close(av[i], values[k] * vectors[k * n + i], 1e-12);
            assert_close(support_norm(n, vectors + k * n), 1.0, 1e-13);
            assert_close(values[k], all[which][k], 1e-12);
            if (k) assert_true(values[k] <= values[k - 1]);
        }
        end(&f);
    }
    assert_below(support_largest_difference(n, all[0], all[1]), 1e-12);
    free(b);
    free(vectors);
}

/* A centred kernel of small width is I - 11'/n: all eigenvalues but one are 1, and LAPACK's fastest way may
 * find fewer of them than were asked for. */
static void eigenvalues_that_are_alike_are_all_found(void **state)
{
    (void)state;
    enum { most = 100, most_wanted = 10 };
    static double a[most * most], copy[most * most];
    double values[most_wanted], vectors[most_wanted * most], av[most];
    for (int n = 20; n <= most; n += 40)
        for (int wanted = 1; wanted <= most_wanted; wanted++) {
            fixture f;
            begin(&f, "openblas");
            for (int i = 0; i < n * n; i++) a[i] = copy[i] = (i / n == i % n) - 1.0 / n;
            assert_done(f.backend->eigen(&f.run, n, copy, wanted, values, vectors), f.error);
            for (int k = 0; k < wanted; k++) {
                assert_close(values[k], 1.0, 1e-13);
                support_multiply(0, 0, n, 1, n, a, vectors + k * n, av);
                assert_below(support_largest_difference(n, av, vectors + k * n), 1e-13);
                assert_close(support_norm(n, vectors + k * n), 1.0, 1e-13);
            }
            end(&f);
        }
}

static void svd_rebuilds_the_matrix(void **state)
{
    (void)state;
    const int64_t shapes[][2] = {{8, 5}, {5, 8}, {6, 6}, {1, 4}, {4, 1}};
    double singular[2][8];
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const int64_t m = shapes[k][0], n = shapes[k][1], p = m < n ? m : n;
        for (int which = 0; which < 2; which++) {
            double *a = support_normals(6, m * n);
            double copy[64], u[64], vt[64], back[64];
            double *s = singular[which];
            fixture f;
            begin(&f, names[which]);
            memcpy(copy, a, (size_t)(m * n) * sizeof *a);
            assert_done(f.backend->svd(&f.run, m, n, copy, u, s, vt), f.error);
            for (int64_t i = 0; i < m; i++)
                for (int64_t j = 0; j < p; j++) u[i * p + j] *= s[j];
            support_multiply(0, 0, m, n, p, u, vt, back);
            assert_below(support_largest_difference(m * n, a, back), 1e-13);
            for (int64_t j = 1; j < p; j++) assert_true(s[j] <= s[j - 1]);
            end(&f);
            free(a);
        }
        assert_below(support_largest_difference(p, singular[0], singular[1]), 1e-13);
    }
}

static void qr_is_orthonormal_and_rebuilds(void **state)
{
    (void)state;
    enum { m = 11, k = 4 };
    double *a = support_normals(7, m * k);
    double q[m * k], r[k * k], back[m * k], gram[k * k];
    for (int which = 0; which < 2; which++) {
        fixture f;
        begin(&f, names[which]);
        memcpy(q, a, sizeof q);
        assert_done(f.backend->qr(&f.run, m, k, q, r), f.error);
        support_multiply(0, 0, m, k, k, q, r, back);
        assert_below(support_largest_difference(m * k, a, back), 1e-13);
        double copy[m * k], alone[k * k];
        memcpy(copy, a, sizeof copy);
        assert_done(f.backend->triangle(&f.run, m, k, copy, alone), f.error);
        assert_below(support_largest_difference(k * k, r, alone), 1e-13);
        support_multiply(1, 0, k, k, m, q, q, gram);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++) {
                assert_close(gram[i * k + j], i == j, 1e-13);
                if (j < i) assert_true(r[i * k + j] == 0.0);
            }
        for (int i = 0; i < k; i++) assert_true(r[i * k + i] > 0.0);
        end(&f);
    }
    free(a);
}

static void cholesky_solves_and_refuses(void **state)
{
    (void)state;
    enum { n = 5, m = 3 };
    double *b = support_normals(8, n * n);
    double a[n * n], rhs[n * m], x[n * m], back[n * m];
    double *want = support_normals(9, n * m);
    support_multiply(1, 0, n, n, n, b, b, a);
    for (int i = 0; i < n; i++) a[i * n + i] += 1.0;
    support_multiply(0, 0, n, m, n, a, want, rhs);
    for (int which = 0; which < 2; which++) {
        fixture f;
        double r[n * n], bad[4] = {1.0, 2.0, 2.0, 1.0};
        begin(&f, names[which]);
        memcpy(r, a, sizeof r);
        memcpy(x, rhs, sizeof x);
        assert_done(f.backend->cholesky(&f.run, n, r), f.error);
        assert_done(f.backend->solve_triangular(&f.run, 1, n, m, r, x, m), f.error);
        assert_done(f.backend->solve_triangular(&f.run, 0, n, m, r, x, m), f.error);
        support_multiply(0, 0, n, m, n, a, x, back);
        assert_below(support_largest_difference(n * m, back, rhs), 1e-12);
        assert_int_equal(f.backend->cholesky(&f.run, 2, bad), ALD_ERROR_NUMERICAL);
        end(&f);
    }
    free(b);
    free(want);
}

static void sizes_beyond_blas_are_refused(void **state)
{
    (void)state;
    fixture f;
    double one = 1.0;
    begin(&f, "openblas");
    assert_int_equal(
        f.backend->gemm(&f.run, 0, 0, INT64_C(3000000000), 1, 1, 1.0, &one, 1, &one, 1, 0.0, &one, 1),
        ALD_ERROR_MEMORY);
    end(&f);
}

/* Old kernels are changed only where the processor runs better ones; kernels of names we do not know never.
 */
static void old_kernels_are_told(void **state)
{
    (void)state;
    assert_string_equal(ald_blas_faster_than("Prescott", 1, 1), "SkylakeX");
    assert_string_equal(ald_blas_faster_than("Nehalem", 1, 0), "Haswell");
    assert_null(ald_blas_faster_than("Prescott", 0, 0));
    assert_null(ald_blas_faster_than("Haswell", 1, 1));
    assert_null(ald_blas_faster_than("SapphireRapids", 1, 1));
    assert_null(ald_blas_faster_than("of a later year", 1, 1));
    setenv("OPENBLAS_CORETYPE", "Prescott", 1);
    assert_null(ald_backend_faster()); /* who has chosen is left alone */
    unsetenv("OPENBLAS_CORETYPE");
}

static void keep_line(void *user, ald_log_level level, const char *line)
{
    char *kept = user;
    if (level == ALD_LOG_WARNING) snprintf(kept, ALD_MESSAGE_SIZE, "%s", line);
}

extern char **environ;

/* Old kernels give way while the program runs; as long as they are in use, a context with a log warns. */
static void kernels_change_without_a_restart(void **state)
{
    (void)state;
    char line[ALD_MESSAGE_SIZE] = "", faster[40], before[40];
    const ald_options options = {.size = sizeof options, .log = keep_line, .log_user = line};
    ald_context *context;
    ald_error error;
    if (getenv("OPENBLAS_CORETYPE")) skip();
    assert_null(ald_backend_faster()); /* as OpenBLAS was loaded with the library */
    snprintf(before, sizeof before, "%s", openblas_get_corename());
    char **const variables = environ; /* other threads may be reading them */
    if (!ald_blas_take("Nehalem") || !ald_backend_faster()) skip();
    assert_ptr_equal(environ, variables);
    assert_null(getenv("OPENBLAS_CORETYPE"));
    assert_string_equal(openblas_get_corename(), "Nehalem");
    assert_non_null(strstr(ald_backend_name(), "Nehalem"));
    snprintf(faster, sizeof faster, "%s", ald_backend_faster());
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_context_free(context);
    assert_non_null(strstr(line, faster));
    assert_true(ald_blas_take(faster));
    assert_string_equal(openblas_get_corename(), faster);
    assert_null(ald_backend_faster());
    line[0] = '\0';
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_context_free(context);
    assert_string_equal(line, "");
    ald_blas_take(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_change_without_a_restart),
        cmocka_unit_test(old_kernels_are_told),
        cmocka_unit_test(eigenvalues_that_are_alike_are_all_found),
        cmocka_unit_test(products_are_right),
        cmocka_unit_test(one_column_products_are_right),
        cmocka_unit_test(symmetric_square_is_right),
        cmocka_unit_test(eigenpairs_satisfy_their_equation),
        cmocka_unit_test(svd_rebuilds_the_matrix),
        cmocka_unit_test(qr_is_orthonormal_and_rebuilds),
        cmocka_unit_test(cholesky_solves_and_refuses),
        cmocka_unit_test(sizes_beyond_blas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
