/* LSQR for many columns: solves what it should, each column in its own time, of minimum norm, damped, and
 * says when it did not. */
#include "support/support.h"

#include "math/operator/operator.h"
#include "math/solvers/lsqr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 80, d = 30, k = 6 };

static ald_status advance(ald_run *run, void *self, const double *v, int64_t columns, const double *alpha,
                          double *u, double *w)
{
    return ald_operator_advance(run, self, ald_of(v, d, columns), alpha, ald_at(u, n, columns),
                                ald_at(w, d, columns));
}

static ald_lsqr solve(const double *x, const double *b, double damp, double tol, int64_t most, double *out,
                      int64_t *iterations)
{
    ald_context *context = support_context(2, NULL);
    ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    ald_run run;
    ald_error error;
    ald_lsqr task = {
        .advance = advance,
        .self = &z,
        .n = n,
        .d = d,
        .k = k,
        .b = b,
        .damp = damp,
        .tol = tol,
        .max_iter = most,
        .stage = "test",
        .x = out,
        .iterations = iterations,
    };
    support_run(&run, context, &error);
    assert_done(ald_run_end(&run, ald_lsqr_solve(&run, &task)), error);
    ald_context_free(context);
    return task;
}

/* The normal equations hold: Z'(Z x - b) + damp^2 x = 0. */
static double worst_gradient(const double *x, const double *b, double damp, const double *solution)
{
    double *residual = malloc(n * k * sizeof *residual);
    double gradient[d * k];
    support_multiply(0, 0, n, k, d, x, solution, residual);
    for (int i = 0; i < n * k; i++) residual[i] -= b[i];
    support_multiply(1, 0, d, k, n, x, residual, gradient);
    for (int i = 0; i < d * k; i++) gradient[i] += damp * damp * solution[i];
    free(residual);
    return support_norm(d * k, gradient);
}

static void normal_equations_hold(void **state)
{
    (void)state;
    double *x = support_normals(1, n * d), *b = support_normals(2, n * k);
    double solution[d * k];
    const double damps[] = {0.0, 0.1, 10.0};
    for (int i = 0; i < 3; i++) {
        const ald_lsqr task = solve(x, b, damps[i], 1e-15, 1000, solution, NULL);
        assert_int_equal(task.unfinished, 0);
        assert_below(worst_gradient(x, b, damps[i], solution), 1e-10);
    }
    free(x);
    free(b);
}

/* Column c of b lies in a space of c + 1 right singular directions, so it needs c + 1 steps and leaves then.
 */
static void columns_leave_when_they_are_done(void **state)
{
    (void)state;
    double x[n * d] = {0}, b[n * k] = {0}, solution[d * k];
    int64_t iterations[k];
    for (int i = 0; i < d; i++) x[i * d + i] = 1.0 + i;
    for (int c = 0; c < k; c++)
        for (int i = 0; i <= c; i++) b[i * k + c] = 1.0;
    const ald_lsqr task = solve(x, b, 0.0, 1e-14, 100, solution, iterations);
    for (int c = 0; c < k; c++) {
        assert_int_equal(iterations[c], c + 1);
        for (int i = 0; i < d; i++) assert_close(solution[i * k + c], i <= c ? 1.0 / (1.0 + i) : 0.0, 1e-13);
    }
    assert_int_equal(task.most_iterations, k);
}

/* Two equal columns of Z share the coefficient: any other division has a larger norm. A zero column gets 0.
 */
static void the_norm_is_smallest(void **state)
{
    (void)state;
    double *x = support_normals(3, n * d), *b = support_normals(4, n * k);
    double solution[d * k];
    for (int i = 0; i < n; i++) {
        x[i * d + 1] = x[i * d];
        x[i * d + 2] = 0.0;
    }
    const ald_lsqr task = solve(x, b, 0.0, 1e-15, 1000, solution, NULL);
    assert_int_equal(task.unfinished, 0);
    for (int c = 0; c < k; c++) {
        assert_close(solution[c], solution[k + c], 1e-12);
        assert_true(solution[2 * k + c] == 0.0);
    }
    assert_below(worst_gradient(x, b, 0.0, solution), 1e-10);
    free(x);
    free(b);
}

static void zero_columns_and_limits(void **state)
{
    (void)state;
    double *x = support_normals(5, n * d), *b = support_normals(6, n * k);
    double solution[d * k];
    int64_t iterations[k];
    for (int i = 0; i < n; i++) b[i * k + 3] = 0.0;
    const ald_lsqr task = solve(x, b, 0.0, 1e-15, 2, solution, iterations);
    assert_int_equal(task.unfinished, k - 1);
    assert_int_equal(iterations[3], 0);
    for (int i = 0; i < d; i++) assert_true(solution[i * k + 3] == 0.0);
    free(x);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_equations_hold),
        cmocka_unit_test(columns_leave_when_they_are_done),
        cmocka_unit_test(the_norm_is_smallest),
        cmocka_unit_test(zero_columns_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
