/* Products that are shared among threads are those of one thread, to the last bit, however they are cut, and
 * those of the plain loops up to rounding. */
#include "support/support.h"

#include "base/threads/threads.h"
#include "math/backend/backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
} fixture;

static void begin(fixture *f)
{
    f->context = support_context(4, NULL);
    support_run(&f->run, f->context, &f->error);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

/* Sizes that are cut, along rows or columns, with and without a rest. */
static const int64_t sizes[][3] = {{700, 400, 330}, {211, 1001, 297}, {450, 450, 450}, {960, 990, 400}};
enum { n_sizes = sizeof sizes / sizeof *sizes };

/* One operation on a copy of `c` with so many threads. */
typedef struct operation {
    const char *name;
    ald_status (*call)(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                       const double *b, double *c);
} operation;

static ald_status multiply(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                           const double *b, double *c)
{
    const int64_t m = size[0], n = size[1], k = size[2];
    return backend->gemm(run, 0, 0, m, n, k, 1.5, a, k, b, n, -0.5, c, n);
}

static ald_status multiply_transposed(ald_run *run, const ald_backend *backend, const int64_t *size,
                                      const double *a, const double *b, double *c)
{
    const int64_t m = size[0], n = size[1], k = size[2];
    return backend->gemm(run, 1, 1, m, n, k, 1.0, a, m, b, k, 0.0, c, n);
}

static ald_status square(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                         const double *b, double *c)
{
    const int64_t n = size[1], k = size[2];
    (void)b;
    return backend->syrk(run, 1, n, k, 1.0, a, n, 1.0, c, n);
}

static ald_status square_rows(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                              const double *b, double *c)
{
    const int64_t n = size[0], k = size[2];
    (void)b;
    return backend->syrk(run, 0, n, k, 1.0, a, k, 0.0, c, n);
}

/* R has 1 on its diagonal and little beside it. */
static ald_status solve(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                        const double *b, double *c)
{
    const int64_t m = size[0], n = size[1];
    double *r = calloc((size_t)(m * m), sizeof *r);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = i; j < m; j++) r[i * m + j] = i == j ? 1.0 : 0.001 * a[i % size[2] + j];
    (void)b;
    const ald_status status = backend->solve_triangular(run, 1, m, n, r, c, n);
    free(r);
    return status;
}

/* Of I + B B' / m, which is far from singular, with the upper triangle of c as its place. */
static ald_status decompose(ald_run *run, const ald_backend *backend, const int64_t *size, const double *a,
                            const double *b, double *c)
{
    const int64_t m = size[0];
    (void)b;
    for (int64_t i = 0; i < m * m; i++) c[i] = i % (m + 1) == 0;
    ALD_TRY(ald_backend_plain.syrk(run, 0, m, 4, 1.0 / (double)m, a, 4, 1.0, c, m));
    return backend->cholesky(run, m, c);
}

static const operation operations[] = {
    {"product", multiply}, {"transposed", multiply_transposed},
    {"square", square},    {"rows", square_rows},
    {"solution", solve},   {"cholesky", decompose},
};

enum { most = 1001 * 1001 };

static void compare(const operation *o, const int64_t *size, const double *a, const double *b,
                    const double *c)
{
    double *results[4];
    fixture f;
    begin(&f);
    for (int threads = 0; threads < 4; threads++) { /* 0: plain loops */
        results[threads] = malloc((size_t)most * sizeof **results);
        memcpy(results[threads], c, (size_t)most * sizeof *c);
        ald_threads_begin(threads > 0 ? threads : 1);
        assert_done(o->call(&f.run, threads > 0 ? &ald_backend_openblas : &ald_backend_plain, size, a, b,
                            results[threads]),
                    f.error);
        ald_threads_end();
    }
    for (int threads = 2; threads < 4; threads++)
        if (memcmp(results[1], results[threads], (size_t)most * sizeof **results) != 0)
            fail_msg("%s of %d x %d x %d: not the same by %d threads", o->name, (int)size[0], (int)size[1],
                     (int)size[2], threads);
    assert_below(support_largest_difference(most, results[0], results[2]), 1e-10);
    for (int threads = 0; threads < 4; threads++) free(results[threads]);
    end(&f);
}

/* Under the sanitizers each operation with one of the sizes, in turn. */
static void shared_products_are_the_same(void **state)
{
    (void)state;
    double *a = support_normals(1, most), *b = support_normals(2, most), *c = support_normals(3, most);
    for (int i = 0; i < (int)(sizeof operations / sizeof *operations); i++)
        for (int k = 0; k < n_sizes; k++)
            if (support_stride() == 1 || k == i % n_sizes) compare(&operations[i], sizes[k], a, b, c);
    free(a);
    free(b);
    free(c);
}

/* The pivot that fails is counted from the first row, also in a later block. */
static void a_failing_pivot_is_named(void **state)
{
    (void)state;
    enum { n = 700, bad = 601 };
    double *a = calloc((size_t)n * n, sizeof *a);
    fixture f;
    begin(&f);
    for (int64_t i = 0; i < n; i++) a[i * (n + 1)] = i == bad ? -1.0 : 1.0;
    assert_int_equal(ald_backend_openblas.cholesky(&f.run, n, a), ALD_ERROR_NUMERICAL);
    assert_non_null(strstr(f.error.message, "pivot 602 of 700"));
    end(&f);
    free(a);
}

/* Several threads multiply at once by the plain loops too, each with memory of its own. */
static void plain_loops_share_nothing(void **state)
{
    (void)state;
    enum { n = 3000, d = 60 };
    static double x[n * d];
    for (int i = 0; i < n * d; i++) x[i] = sin(0.37 * i) + (i % 7) * cos(0.011 * i);
    const ald_matrix rows = ald_matrix_row_major(x, n, d, d);
    const char *const settings[][2] = {
        {"pca", "solver=lanczos n_components=3"},
        {"kpca", "landmarks=300 n_components=2"},
    };
    for (int k = 0; k < 2; k++) {
        ald_error error;
        ald_context *context = support_context(4, "plain");
        ald_settings *chosen = support_settings(context, settings[k][0], settings[k][1]);
        for (int repeat = 0; repeat < 5; repeat++) {
            ald_model *model;
            assert_true(ald_fit(context, chosen, &rows, NULL, &model, &error) >= 0);
            ald_model_free(model);
        }
        ald_settings_free(chosen);
        ald_context_free(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_products_are_the_same),
        cmocka_unit_test(a_failing_pivot_is_named),
        cmocka_unit_test(plain_loops_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
