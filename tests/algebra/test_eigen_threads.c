/* A few eigenvectors of a symmetric matrix: quick lots of pieces, the tridiagonal form on several threads,
 * bisection, and all of it together beside one thread of LAPACK. */
#include "base/threads/team.h"
#include "math/backend/backend.h"
#include "math/backend/tridiagonal.h"
#include "support/support.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { parts_of_lots = 5, lots = 2000 };

typedef struct counting {
    atomic_int pieces[parts_of_lots];
    int lot, wrong;
} counting;

static void count_piece(void *work, int part)
{
    atomic_fetch_add(&((counting *)work)->pieces[part], 1);
}

static void count_lots(ald_quick *quick, void *work)
{
    counting *c = work;
    for (c->lot = 1; c->lot <= lots; c->lot++) {
        ald_quick_lot(quick, count_piece, c);
        for (int part = 0; part < parts_of_lots; part++) c->wrong += atomic_load(&c->pieces[part]) != c->lot;
    }
}

static void every_piece_is_done_once(void **state)
{
    (void)state;
    counting c;
    memset(&c, 0, sizeof c);
    ald_quick_run(parts_of_lots, count_lots, &c);
    assert_int_equal(c.wrong, 0);
    for (int part = 0; part < parts_of_lots; part++) assert_int_equal(atomic_load(&c.pieces[part]), lots);
}

/* X'X of a normal X with columns of falling size. */
static double *scatter(uint64_t seed, int64_t n)
{
    double *x = support_normals(seed, 2 * n * n), *a = malloc((size_t)(n * n) * sizeof *a);
    for (int64_t i = 0; i < 2 * n; i++)
        for (int64_t j = 0; j < n; j++) x[i * n + j] *= 3.0 - 2.5 * (double)j / (double)n;
    support_multiply(1, 0, n, n, 2 * n, x, x, a);
    free(x);
    return a;
}

/* m <- H m for the reflection i of `reduced`, m n x n. */
static void apply_reflection(int64_t n, const double *reduced, double tau, int64_t i, double *m)
{
    for (int64_t c = 0; c < n; c++) {
        double product = m[(i + 1) * n + c];
        for (int64_t j = i + 2; j < n; j++) product += reduced[i * n + j] * m[j * n + c];
        m[(i + 1) * n + c] -= tau * product;
        for (int64_t j = i + 2; j < n; j++) m[j * n + c] -= tau * product * reduced[i * n + j];
    }
}

/* Q T Q' with Q = H_0 H_1 .. must be A. */
static double reduction_error(int64_t n, const double *a, const double *reduced, const double *tridiagonal)
{
    const double *diagonal = tridiagonal, *beside = diagonal + n, *tau = beside + n;
    double *m = calloc((size_t)(n * n), sizeof *m), *turned = malloc((size_t)(n * n) * sizeof *m);
    for (int64_t i = 0; i < n; i++) {
        m[i * n + i] = diagonal[i];
        if (i + 1 < n) m[i * n + i + 1] = m[(i + 1) * n + i] = beside[i];
    }
    for (int side = 0; side < 2; side++) {
        for (int64_t i = n - 2; i >= 0; i--) apply_reflection(n, reduced, tau[i], i, m);
        for (int64_t i = 0; i < n * n; i++) turned[i] = m[i % n * n + i / n];
        memcpy(m, turned, (size_t)(n * n) * sizeof *m);
    }
    const double error = support_largest_difference(n * n, a, m) / support_norm(n * n, a);
    free(m);
    free(turned);
    return error;
}

static void reduce(int64_t n, int parts, const double *a, double *reduced, double *tridiagonal)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    memset(tridiagonal, 0, (size_t)(3 * n) * sizeof *tridiagonal);
    const ald_reduction to = {
        .n = n,
        .a = reduced,
        .diagonal = tridiagonal,
        .beside = tridiagonal + n,
        .tau = tridiagonal + 2 * n,
    };
    assert_done(ald_tridiagonalise(&run, parts, a, &to), error);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* A = Q T Q', to the same bytes by any number of threads; also where there is nothing to reflect, and where
 * squares of entries are hardly numbers. */
static void tridiagonal_form(void **state)
{
    (void)state;
    static const int64_t orders[] = {1, 2, 3, 9, 64, 67, 130};
    static const double sizes[] = {1.0, 1e142, 1e-145};
    for (size_t k = 0; k < 6 * sizeof orders / sizeof *orders; k++) {
        const int64_t n = orders[k / 6];
        double *a = scatter(k, n), *first = malloc((size_t)(n * n) * sizeof *a),
               *again = malloc((size_t)(n * n) * sizeof *a);
        double one[3 * 130], more[3 * 130];
        for (int64_t i = 0; k % 2 && i < n * n; i++) a[i] = (i / n == i % n) * (1.0 + (double)(i / n % 3));
        for (int64_t i = 0; i < n * n; i++) a[i] *= sizes[k % 3];
        reduce(n, 1, a, first, one);
        assert_below(reduction_error(n, a, first, one), 1e-14);
        for (int parts = 2; parts <= 100; parts *= 7) {
            reduce(n, parts, a, again, more);
            assert_memory_equal(first, again, (size_t)(n * n) * sizeof *a);
            assert_memory_equal(one, more, (size_t)(3 * n) * sizeof *one);
        }
        free(a);
        free(first);
        free(again);
    }
}

/* Second differences: 2 - 2 cos(k pi / (n + 1)). */
static void bisection_by_formula(void **state)
{
    (void)state;
    enum { n = 150 };
    static const int64_t counts[] = {1, 15, 16, 17, 150};
    double diagonal[n], beside[n], squares[n], values[n];
    for (int i = 0; i < n; i++) {
        diagonal[i] = 2.0;
        beside[i] = i % 3 ? 1.0 : -1.0;
    }
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const int64_t wanted = counts[c];
        assert_true(ald_bisect(n, diagonal, beside, wanted, squares, values));
        for (int64_t i = 0; i < wanted; i++) {
            const double k = (double)(n - wanted + i + 1);
            assert_below(fabs(values[i] - (2.0 - 2.0 * cos(k * acos(-1.0) / (n + 1)))), 1e-14);
        }
    }
    beside[70] = 0.0;
    assert_false(ald_bisect(n, diagonal, beside, 3, squares, values));
    beside[70] = NAN;
    assert_false(ald_bisect(n, diagonal, beside, 3, squares, values));
    for (int i = 0; i < n; i++) diagonal[i] = beside[i] = 1e200;
    assert_false(ald_bisect(n, diagonal, beside, 3, squares, values));
}

static void find(int threads, int64_t n, const double *a, int64_t wanted, double *values, double *vectors)
{
    ald_context *context = support_context(threads, NULL);
    ald_error error;
    ald_run run;
    double *copy = malloc((size_t)(n * n) * sizeof *a);
    memcpy(copy, a, (size_t)(n * n) * sizeof *a);
    support_run(&run, context, &error);
    assert_done(ald_backend_of(&run)->eigen(&run, n, copy, wanted, values, vectors), error);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(copy);
}

/* |A v - l v| and |V V' - I| for unit rows v. */
static double equation_error(int64_t n, const double *a, int64_t wanted, const double *values,
                             const double *vectors)
{
    double worst = 0.0;
    for (int64_t k = 0; k < wanted; k++) {
        const double *v = vectors + k * n;
        for (int64_t i = 0; i < n; i++) {
            double sum = -values[k] * v[i];
            for (int64_t j = 0; j < n; j++) sum += a[i * n + j] * v[j];
            worst = fmax(worst, fabs(sum) / values[0]);
        }
        for (int64_t l = 0; l <= k; l++) {
            double product = l == k ? -1.0 : 0.0;
            for (int64_t i = 0; i < n; i++) product += v[i] * vectors[l * n + i];
            worst = fmax(worst, fabs(product));
        }
    }
    return worst;
}

/* One thread takes LAPACK's reduction, eight take ours: the same values, and vectors that satisfy the same.
 * Matrices that fall into parts, or whose eigenvalues are alike, are found another way. */
static void few_by_one_and_by_many_threads(void **state)
{
    (void)state;
    enum { n = 230, wanted = 20 };
    double one[wanted], many[wanted];
    double *first = malloc(sizeof(double) * wanted * n), *second = malloc(sizeof(double) * wanted * n);
    for (int kind = 0; kind < 3; kind++) {
        double *a = scatter(7, n);
        for (int64_t i = 0; kind > 0 && i < n * n; i++) {
            const int64_t row = i / n, column = i % n;
            if (kind == 1 && (row < 100) != (column < 100)) a[i] = 0.0;
            if (kind == 2) a[i] = (row == column) - 1.0 / n;
        }
        find(1, n, a, wanted, one, first);
        find(8, n, a, wanted, many, second);
        assert_below(support_largest_difference(wanted, one, many) / one[0], 1e-13);
        assert_below(equation_error(n, a, wanted, one, first), 1e-12);
        assert_below(equation_error(n, a, wanted, many, second), 1e-12);
        free(a);
    }
    free(first);
    free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once),
        cmocka_unit_test(tridiagonal_form),
        cmocka_unit_test(bisection_by_formula),
        cmocka_unit_test(few_by_one_and_by_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
