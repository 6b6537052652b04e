/* Ridge least squares by every route against the solution written down: Z = P diag(s) Q' with reflections P and Q, so
 * W = Q diag(s / (s^2 + ridge)) P'H. */
#include "support/support.h"

#include "linalg/ridge.h"

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

/* Singular values 1, 1/step, 1/step^2, ...; H = P times ones, W as far as s > cut. */
static void make(double step, double ridge, double cut, example *e)
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
        e->w[i] = s > cut ? s / (s * s + ridge) * e->h[i] : 0.0;
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
    const ald_operator z = {.x = sparse ? ald_matrix_csr(n, d, e->pointers, e->indices, e->z)
                                        : ald_matrix_rows(e->z, n, d, d)};
    double w[d * k], b[d * k], largest = 0.0;
    ald_ridge_task task = {.z = &z, .h = e->h, .k = k, .ridge = ridge, .tol = 1e-15, .max_iter = 1000, .w = w, .b = b};
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    assert_done(ald_run_end(&run, route(&run, &task)), error);
    ald_context_free(context);
    *rank = task.rank;
    for (int i = 0; i < d * k; i++) largest = fmax(largest, fabs(e->w[i]));
    return support_largest_difference(d * k, w, e->w) / largest;
}

/* s down to 1e-8: its squares are all above rounding or carried by the ridge. Squares are known to 15 eps, so the error
 * is that against the ridge. */
static void a_ridge_makes_the_routes_agree(void **state)
{
    (void)state;
    const double step = pow(1e8, 1.0 / (n - 1)), ridges[] = {1e-9, 1e-4, 1.0, 1e3};
    int64_t rank;
    for (int i = 0; i < 4; i++) {
        example e;
        make(step, ridges[i], 0.0, &e);
        const double bound = 1e-14 + 100.0 * 2.2e-16 / ridges[i];
        assert_below(error_of(&e, ald_ridge_direct, 0, ridges[i], &rank), bound);
        assert_below(error_of(&e, ald_ridge_direct, 1, ridges[i], &rank), bound);
        assert_below(error_of(&e, ald_ridge_dual, 0, ridges[i], &rank), bound);
        assert_below(error_of(&e, ald_ridge_dual, 1, ridges[i], &rank), bound);
        assert_below(error_of(&e, ald_ridge_lsqr, 0, ridges[i], &rank), bound + 1e-13);
    }
}

/* Without one: the orthogonal route keeps 1e-8, the squares stop at about 6e-8; each has the solution of its rank. */
static void each_route_sees_what_it_says(void **state)
{
    (void)state;
    const double step = pow(1e8, 1.0 / (n - 1)), e_squares = 15 * 2.2e-16;
    example e;
    int64_t rank, seen = 0;
    while (pow(step, -2.0 * (double)seen) > e_squares) seen++;
    make(step, 0.0, 0.0, &e);
    assert_below(error_of(&e, ald_ridge_direct, 0, 0.0, &rank), 1e-6);
    assert_int_equal(rank, n);
    make(step, 0.0, sqrt(e_squares), &e);
    assert_true(seen < n);
    error_of(&e, ald_ridge_dual, 0, 0.0, &rank);
    assert_in_range(rank, seen - 1, seen);
    error_of(&e, ald_ridge_direct, 1, 0.0, &rank);
    assert_in_range(rank, seen - 1, seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ridge_makes_the_routes_agree),
                                       cmocka_unit_test(each_route_sees_what_it_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
