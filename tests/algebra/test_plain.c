/* The plain backend beside OpenBLAS, on sizes around those of its blocks and on matrices that are hard: of
 * low rank, graded, of extreme size, with values that are alike. Bounds are backward errors: a small
 * multiple of the order times a rounding times the size of the matrix, whatever its condition. */
#include "support/support.h"

#include "math/backend/backend.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n_kinds = 6 };

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    const ald_backend *plain, *blas;
} fixture;

static void begin(fixture *f)
{
    f->context = support_context(1, "plain");
    support_run(&f->run, f->context, &f->error);
    f->plain = ald_backend_of(&f->run);
    f->blas = ald_backend_find(NULL);
    assert_string_equal(f->plain->name, "plain");
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static double *copy_of(int64_t count, const double *a)
{
    double *copy = malloc((size_t)(count + 1) * sizeof *copy);
    memcpy(copy, a, (size_t)count * sizeof *copy);
    return copy;
}

/* Ordinary; of rank 3; columns graded downwards, and upwards; huge; tiny. */
static double *draw(int kind, uint64_t seed, int64_t m, int64_t n)
{
    double *a = support_normals(seed, m * n);
    if (kind == 1) {
        double *b = support_normals(seed + 1, m * 3), *c = support_normals(seed + 2, 3 * n);
        support_multiply(0, 0, m, n, 3, b, c, a);
        free(b);
        free(c);
    }
    for (int64_t i = 0; i < m * n; i++) {
        const double part = 10.0 * (double)(i % n) / (double)n;
        if (kind == 2) a[i] *= pow(10.0, -part);
        if (kind == 3) a[i] *= pow(10.0, part - 10.0);
        if (kind == 4) a[i] *= 1e200;
        if (kind == 5) a[i] *= 1e-200;
    }
    return a;
}

static double size_of(int64_t count, const double *a)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}

/* Rows of v (count x n). */
static void assert_orthonormal(int64_t count, int64_t n, const double *v)
{
    double *gram = malloc((size_t)(count * count) * sizeof *gram);
    support_multiply(0, 1, count, count, n, v, v, gram);
    for (int64_t i = 0; i < count * count; i++)
        assert_close(gram[i], i / count == i % count, 20.0 * (double)n * DBL_EPSILON);
    free(gram);
}

typedef struct product_case {
    int trans_a, trans_b, is_square;
    int64_t m, n, k;
} product_case;

static ald_status compute(fixture *f, const ald_backend *backend, const product_case *p, const double *a,
                          const double *b, double *c)
{
    const int64_t lda = p->trans_a ? p->m : p->k, ldb = p->trans_b ? p->k : p->n;
    if (p->is_square) return backend->syrk(&f->run, p->trans_a, p->n, p->k, 1.5, a, lda, -0.5, c, p->n);
    return backend->gemm(&f->run, p->trans_a, p->trans_b, p->m, p->n, p->k, 1.5, a, lda, b, ldb, -0.5, c,
                         p->n);
}

static void check_product(fixture *f, const product_case *p)
{
    double *a = support_normals(1, p->m * p->k), *b = support_normals(2, p->k * p->n);
    double *want = support_normals(3, p->m * p->n), *got = copy_of(p->m * p->n, want);
    assert_done(compute(f, f->blas, p, a, b, want), f->error);
    assert_done(compute(f, f->plain, p, a, b, got), f->error);
    for (int64_t i = 0; i < p->m * p->n; i++)
        assert_close(got[i], want[i], 40.0 * DBL_EPSILON * (1.0 + (double)p->k));
    free(a);
    free(b);
    free(want);
    free(got);
}

static void products_are_those_of_blas(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {
        {1, 7, 300}, {7, 1, 300}, {5, 3, 2},      {4, 4, 256}, {13, 9, 257},
        {129, 6, 5}, {6, 515, 3}, {131, 33, 260}, {70, 70, 1}, {3, 3, 1},
    };
    fixture f;
    begin(&f);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int flags = 0; flags < 6; flags++) {
            const int is_square = flags >= 4;
            const int64_t m = sizes[s][0], n = is_square ? m : sizes[s][1];
            check_product(&f, &(product_case){flags & 1, flags >> 1 & 1, is_square, m, n, sizes[s][2]});
        }
    end(&f);
}

static void check_eigen(fixture *f, int kind, int64_t n, int64_t wanted)
{
    double *b = draw(kind, (uint64_t)n, n, n), *a = copy_of(n * n, b), *av = copy_of(n * n, b);
    double *values = copy_of(n, b), *want = copy_of(n, b), *vectors = copy_of(n * n, b);
    for (int64_t i = 0; i < n * n; i++) a[i] = 0.5 * (b[i] + b[i % n * n + i / n]);
    const double size = (double)n * size_of(n * n, a), bound = 20.0 * (double)n * DBL_EPSILON * size;
    memcpy(b, a, (size_t)(n * n) * sizeof *b);
    assert_done(f->blas->eigen(&f->run, n, b, wanted, want, NULL), f->error);
    for (int with = 0; with < 2; with++) {
        memcpy(b, a, (size_t)(n * n) * sizeof *b);
        for (int64_t i = 1; i < n; i++) b[i * n] = NAN; /* the other triangle is not read */
        assert_done(f->plain->eigen(&f->run, n, b, wanted, values, with ? vectors : NULL), f->error);
        for (int64_t k = 0; k < wanted; k++) assert_close(values[k], want[k], bound);
    }
    assert_orthonormal(wanted, n, vectors);
    support_multiply(0, 0, wanted, n, n, vectors, a, av);
    for (int64_t i = 0; i < wanted * n; i++) assert_close(av[i], values[i / n] * vectors[i], bound);
    free(b);
    free(a);
    free(av);
    free(values);
    free(want);
    free(vectors);
}

static void eigenpairs_of_hard_matrices(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {3, 1}, {9, 9}, {33, 10}, {80, 80}};
    fixture f;
    begin(&f);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < n_kinds; kind++) check_eigen(&f, kind, sizes[s][0], sizes[s][1]);
    end(&f);
}

static void check_svd(fixture *f, int kind, int64_t m, int64_t n)
{
    const int64_t p = m < n ? m : n, q = m < n ? n : m;
    double *a = draw(kind, (uint64_t)(m * n), m, n), *copy = copy_of(m * n, a), *back = copy_of(m * n, a);
    double *u = support_normals(1, m * p), *vt = support_normals(1, p * n), *ut = support_normals(1, m * p);
    double *s = support_normals(1, p), *want = support_normals(1, p);
    const double bound = 20.0 * (double)(q * p) * DBL_EPSILON * size_of(m * n, a);
    assert_done(f->blas->svd(&f->run, m, n, copy, u, want, vt), f->error);
    memcpy(copy, a, (size_t)(m * n) * sizeof *a);
    assert_done(f->plain->svd(&f->run, m, n, copy, u, s, vt), f->error);
    for (int64_t k = 0; k < p; k++) {
        assert_close(s[k], want[k], bound);
        assert_true(s[k] >= 0.0 && (k == 0 || s[k] <= s[k - 1]));
    }
    for (int64_t i = 0; i < m * p; i++) ut[i % p * m + i / p] = u[i];
    assert_orthonormal(p, m, ut);
    assert_orthonormal(p, n, vt);
    for (int64_t i = 0; i < m * p; i++) u[i] *= s[i % p];
    support_multiply(0, 0, m, n, p, u, vt, back);
    for (int64_t i = 0; i < m * n; i++) assert_close(back[i], a[i], bound);
    free(a);
    free(copy);
    free(back);
    free(u);
    free(vt);
    free(ut);
    free(s);
    free(want);
}

static void singular_values_of_hard_matrices(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {1, 6}, {6, 1}, {9, 9}, {50, 34}, {34, 50}, {70, 70}};
    fixture f;
    begin(&f);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < n_kinds; kind++) check_svd(&f, kind, sizes[s][0], sizes[s][1]);
    end(&f);
}

/* Values that are equal but for roundings: what a rotation leaves beside the diagonal is of their size. */
static void equal_values_are_found(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (int64_t trial = 0; trial < 600; trial++) {
        const int64_t p = 2 + trial % 7;
        double *q = support_normals((uint64_t)trial + 1, p * p), *gram = copy_of(p * p, q);
        double u[64], vt[64], s[8], values[8], r[64];
        assert_done(f.plain->qr(&f.run, p, p, q, r), f.error);
        support_multiply(1, 0, p, p, p, q, q, gram);
        assert_done(f.plain->svd(&f.run, p, p, q, u, s, vt), f.error);
        assert_done(f.plain->eigen(&f.run, p, gram, p, values, vt), f.error);
        for (int64_t k = 0; k < p; k++) {
            assert_close(s[k], 1.0, 20.0 * (double)p * DBL_EPSILON);
            assert_close(values[k], 1.0, 20.0 * (double)p * DBL_EPSILON);
        }
        free(q);
        free(gram);
    }
    end(&f);
}

static void check_qr(fixture *f, int kind, int64_t m, int64_t k)
{
    double *a = draw(kind, (uint64_t)(m + k), m, k), *q = copy_of(m * k, a), *copy = copy_of(m * k, a);
    double *r = support_normals(1, k * k), *alone = support_normals(1, k * k),
           *qt = support_normals(1, m * k);
    const double bound = 20.0 * (double)(m * k) * DBL_EPSILON * size_of(m * k, a);
    assert_done(f->plain->qr(&f->run, m, k, q, r), f->error);
    assert_done(f->plain->triangle(&f->run, m, k, copy, alone), f->error);
    assert_memory_equal(r, alone, (size_t)(k * k) * sizeof *r);
    for (int64_t i = 0; i < k * k; i++) {
        if (i % k < i / k) assert_true(r[i] == 0.0);
        if (i % k == i / k) assert_true(r[i] >= 0.0);
    }
    for (int64_t i = 0; i < m * k; i++) qt[i % k * m + i / k] = q[i];
    assert_orthonormal(k, m, qt);
    support_multiply(0, 0, m, k, k, q, r, copy);
    for (int64_t i = 0; i < m * k; i++) assert_close(copy[i], a[i], bound);
    free(a);
    free(q);
    free(copy);
    free(r);
    free(alone);
    free(qt);
}

static void qr_of_hard_matrices(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {5, 1}, {5, 5}, {40, 33}, {150, 70}};
    fixture f;
    begin(&f);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < n_kinds; kind++) check_qr(&f, kind, sizes[s][0], sizes[s][1]);
    end(&f);
}

/* R from Cholesky solves with one and with many right sides; the residual is small beside |R| |x|. */
static void check_cholesky(fixture *f, int64_t n, int64_t m)
{
    double *b = support_normals((uint64_t)n, n * n), *a = copy_of(n * n, b), *r,
           *x = support_normals(3, n * m);
    support_multiply(1, 0, n, n, n, b, b, a);
    for (int64_t i = 0; i < n; i++) a[i * n + i] += 1.0;
    r = copy_of(n * n, a);
    assert_done(f->plain->cholesky(&f->run, n, r), f->error);
    assert_done(f->blas->cholesky(&f->run, n, a), f->error);
    for (int64_t i = 0; i < n * n; i++)
        if (i % n >= i / n) assert_close(r[i], a[i], 1e3 * (double)n * DBL_EPSILON * size_of(n * n, a));
    for (int trans = 0; trans < 2; trans++) {
        double *y = copy_of(n * m, x);
        assert_done(f->plain->solve_triangular(&f->run, trans, n, m, r, y, m), f->error);
        for (int64_t i = 0; i < n * m; i++) {
            double sum = 0.0, size = 0.0;
            for (int64_t l = trans ? 0 : i / m; l < (trans ? i / m + 1 : n); l++) {
                const double term = (trans ? r[l * n + i / m] : r[i / m * n + l]) * y[l * m + i % m];
                sum += term;
                size += fabs(term);
            }
            assert_close(sum, x[i], 8.0 * (double)n * DBL_EPSILON * (size + fabs(x[i])));
        }
        free(y);
    }
    free(a);
    free(b);
    free(r);
    free(x);
}

static void triangular_systems_in_blocks(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {64, 1}, {65, 2}, {150, 1}, {150, 20}};
    fixture f;
    begin(&f);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) check_cholesky(&f, sizes[s][0], sizes[s][1]);
    end(&f);
}

/* The pivot is named as OpenBLAS names it, in whatever block it is. */
static void indefinite_matrices_are_refused(void **state)
{
    (void)state;
    enum { n = 140 };
    static double a[n * n];
    static const int bad[] = {0, 63, 64, 139};
    fixture f;
    begin(&f);
    for (int k = 0; k < 4; k++)
        for (int is_nan = 0; is_nan < 2; is_nan++) {
            char text[40];
            for (int i = 0; i < n * n; i++) a[i] = i / n == i % n;
            a[bad[k] * (n + 1)] = is_nan ? NAN : -1.0;
            snprintf(text, sizeof text, "pivot %d of 140", bad[k] + 1);
            assert_int_equal(f.plain->cholesky(&f.run, n, a), ALD_ERROR_NUMERICAL);
            assert_non_null(strstr(f.error.message, text));
        }
    end(&f);
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    double a[9], b[9], s[3], u[9], v[9];
    fixture f;
    begin(&f);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 9; i++) a[i] = b[i] = 1.0;
        a[5] = b[5] = k ? INFINITY : NAN;
        assert_int_equal(f.plain->eigen(&f.run, 3, a, 3, s, u), ALD_ERROR_NUMERICAL);
        assert_int_equal(f.plain->svd(&f.run, 3, 3, b, u, s, v), ALD_ERROR_NUMERICAL);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_blas),       cmocka_unit_test(eigenpairs_of_hard_matrices),
        cmocka_unit_test(singular_values_of_hard_matrices), cmocka_unit_test(qr_of_hard_matrices),
        cmocka_unit_test(triangular_systems_in_blocks),     cmocka_unit_test(indefinite_matrices_are_refused),
        cmocka_unit_test(what_is_not_finite_is_refused),    cmocka_unit_test(equal_values_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
