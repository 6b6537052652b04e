/* Ridge least squares by every route against the solution written down: Z = P diag(s) Q' with reflections P
 * and Q, so W = Q diag(s / (s^2 + ridge)) P'H. */
#include "support/support.h"

#include "math/solvers/ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 12, d = 15, k = 2 };

typedef struct example {
    double z[n * d], h[n * k], w[d * k];
    int64_t pointers[n + 1], indices[n * d];
} example;

/* a (rows x columns) <- (I - 2 v v'/v'v) a with v = (1, 2, ..., rows). */
static void reflect(int64_t rows, int64_t columns, double *a)
{
    double square = 0.0;
    for (int64_t i = 0; i < rows; i++) square += (double)((i + 1) * (i + 1));
    for (int64_t c = 0; c < columns; c++) {
        double dot = 0.0;
        for (int64_t i = 0; i < rows; i++) dot += (double)(i + 1) * a[i * columns + c];
        for (int64_t i = 0; i < rows; i++) a[i * columns + c] -= 2.0 * dot / square * (double)(i + 1);
    }
}

/* Singular values 1, 1/step, 1/step^2, ...; H = P times small numbers. */
static void make(double step, double ridge, example *e)
{
    double transposed[d * n] = {0};
    memset(e, 0, sizeof *e);
    for (int64_t i = 0; i < n; i++) transposed[i * n + i] = pow(step, -(double)i);
    reflect(d, n, transposed);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) e->z[i * d + j] = transposed[j * n + i];
    reflect(n, d, e->z);
    for (int64_t i = 0; i < n * k; i++) e->h[i] = i % k == 0 ? 1.0 : (double)(i / k) - 5.0;
    for (int64_t i = 0; i < n * k; i++) {
        const double s = pow(step, -(double)(i / k));
        e->w[i] = s / (s * s + ridge) * e->h[i];
    }
    reflect(n, k, e->h);
    reflect(d, k, e->w);
    for (int64_t i = 0; i <= n; i++) e->pointers[i] = i * d;
    for (int64_t i = 0; i < n * d; i++) e->indices[i] = i % d;
}

typedef ald_status (*route_fn)(ald_run *run, ald_ridge_task *task);

/* Largest error of W as a part of its largest entry. */
static double error_of(const example *e, route_fn route, int sparse, double ridge, int64_t *rank)
{
    ald_context *context = support_context(1, NULL);
    const ald_operator z = {
        .x = sparse ? ald_matrix_csr(n, d, e->pointers, e->indices, e->z)
                    : ald_matrix_row_major(e->z, n, d, d),
    };
    double w[d * k], b[d * k], largest = 0.0;
    ald_ridge_task task = {
        .z = &z,
        .h = e->h,
        .k = k,
        .ridge = ridge,
        .tol = 1e-15,
        .max_iter = 1000,
        .w = w,
        .b = b,
    };
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    assert_done(ald_run_end(&run, route(&run, &task)), error);
    ald_context_free(context);
    *rank = task.rank;
    for (int i = 0; i < d * k; i++) largest = fmax(largest, fabs(e->w[i]));
    return support_largest_difference(d * k, w, e->w) / largest;
}

/* Singular values from 1 down to 1e-8 and 1e-10, which no route may leave out, whatever the ridge. By squares
 * the error is 1e-12 cond at the most, cond that of the ridge's problem. */
static void routes_keep_small_singular_values(void **state)
{
    (void)state;
    const double ridges[] = {0.0, 1e-16, 1e-9, 1e-4, 1.0, 1e3};
    int64_t rank;
    for (int i = 0; i < 6; i++)
        for (int power = 4; power <= 10; power += 2) {
            const double step = pow(10.0, (double)power / (n - 1));
            const double bound = 1e-13 + 1e-12 * fmin(pow(10.0, power), 1.0 / sqrt(ridges[i]));
            example e;
            make(step, ridges[i], &e);
            for (int sparse = 0; sparse < 2; sparse++) {
                assert_below(error_of(&e, ald_ridge_direct, sparse, ridges[i], &rank), bound);
                assert_true(rank == n || rank == d);
                assert_below(error_of(&e, ald_ridge_dual, sparse, ridges[i], &rank), bound);
                assert_int_equal(rank, n);
            }
            if (power <= 6) assert_below(error_of(&e, ald_ridge_lsqr, 0, ridges[i], &rank), bound + 1e-9);
        }
}

/* Singular values below rounding are none: of 1, 1e-4, 1e-8, 1e-12, 1e-16, ... the first ones are kept. */
static void rounding_is_left_out(void **state)
{
    (void)state;
    example e;
    int64_t rank;
    make(1e4, 0.0, &e);
    for (int sparse = 0; sparse < 2; sparse++) {
        error_of(&e, ald_ridge_direct, sparse, 0.0, &rank);
        assert_in_range(rank, 3, 4); /* 1e-12 is on the border */
        error_of(&e, ald_ridge_dual, sparse, 0.0, &rank);
        assert_in_range(rank, 3, 4);
    }
}

/* W of rows less their weighted mean; `near` is how far the second row is from the first. */
static void solve_centred(route_fn route, double near, int weighted, double *w, int64_t *rank)
{
    double *x = support_normals(21, n * d), *h = support_normals(22, n * k);
    double mean[d] = {0}, roots[n], b[d * k], total = 0.0;
    for (int64_t j = 0; j < d; j++) x[d + j] = x[j] + near * x[d + j];
    for (int64_t i = 0; i < n; i++) {
        roots[i] = weighted ? 0.5 + (double)(i % 3) : 1.0;
        total += roots[i] * roots[i];
    }
    for (int64_t i = 0; i < n * d; i++) mean[i % d] += roots[i / d] * roots[i / d] * x[i] / total;
    const ald_operator z = {
        .x = ald_matrix_row_major(x, n, d, d),
        .mean = mean,
        .row_weight = weighted ? roots : NULL,
    };
    ald_ridge_task task = {.z = &z, .h = h, .k = k, .w = w, .b = b};
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    assert_done(ald_run_end(&run, route(&run, &task)), error);
    ald_context_free(context);
    *rank = task.rank;
    free(x);
    free(h);
}

/* The direct route takes orthogonal transformations of them, which square nothing; the dual one Cholesky with
 * corrections, until rows are too near each other. */
static void centred_rows_have_one_direction_less(void **state)
{
    (void)state;
    const double near[] = {1.0, 1e-3, 1e-5, 1e-7, 1e-9};
    for (int i = 0; i < 5; i++)
        for (int weighted = 0; weighted < 2; weighted++) {
            double direct[d * k], dual[d * k];
            int64_t rank;
            solve_centred(ald_ridge_direct, near[i], weighted, direct, &rank);
            assert_int_equal(rank, n - 1);
            solve_centred(ald_ridge_dual, near[i], weighted, dual, &rank);
            assert_int_equal(rank, n - 1);
            assert_below(support_largest_difference(d * k, direct, dual) / support_norm(d * k, direct),
                         1e-13 / near[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_keep_small_singular_values),
        cmocka_unit_test(rounding_is_left_out),
        cmocka_unit_test(centred_rows_have_one_direction_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
