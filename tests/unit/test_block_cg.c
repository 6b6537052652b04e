/* Conjugate gradients for a block of columns, the product Z Z'u they use, and the route of ridge regression
 * that is made of them. */
#include "support/support.h"

#include "math/operator/operator.h"
#include "math/operator/sparse.h"
#include "math/solvers/block_cg.h"
#include "math/solvers/ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 60, d = 150, most = 40 };

/* A sparse Z with everything an operator can have: two of three entries are 0, some columns and rows whole.
 */
typedef struct example {
    double *dense; /* n x d, prepared */
    int64_t pointers[d + 1], indices[n * d], row_pointers[n + 1], row_indices[n * d];
    double values[n * d], row_values[n * d];
    double shift[n], factor[n], weight[n], mean[d], inverse[d];
    ald_operator by_columns, by_rows;
} example;

/* The entries that are not 0. Of the slices, and of the entries in each: how many, and how far apart in x. */
static void fill_slices(const double *x, const int slices[2], const int entries[2], int64_t *pointers,
                        int64_t *indices, double *values)
{
    int64_t count = 0;
    for (int s = 0; s < slices[0]; s++) {
        for (int e = 0; e < entries[0]; e++) {
            const double value = x[s * slices[1] + e * entries[1]];
            if (value == 0.0) continue;
            indices[count] = e;
            values[count++] = value;
        }
        pointers[s + 1] = count;
    }
}

static void fill_preparation(example *e)
{
    for (int i = 0; i < n; i++) {
        e->shift[i] = 0.1 * sin(i);
        e->factor[i] = 1.0 + 0.3 * cos(i);
        e->weight[i] = 0.5 + (i % 3);
    }
    for (int j = 0; j < d; j++) {
        e->mean[j] = 0.2 * cos(j);
        e->inverse[j] = 1.0 / (1.0 + j % 4);
    }
}

static example *make_example(void)
{
    example *e = calloc(1, sizeof *e);
    double *x = support_normals(1, n * d);
    for (int i = 0; i < n * d; i++)
        if (i % 3 != 0 || (i % d) % 17 == 5) x[i] = 0.0;
    fill_preparation(e);
    const int rows[] = {n, d}, columns_of_x[] = {d, 1};
    fill_slices(x, rows, columns_of_x, e->row_pointers, e->row_indices, e->row_values);
    fill_slices(x, columns_of_x, rows, e->pointers, e->indices, e->values);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            x[i * d + j] =
                e->weight[i] * (e->factor[i] * (x[i * d + j] - e->shift[i]) - e->mean[j]) * e->inverse[j];
    e->dense = x;
    const ald_operator prepared = {
        .row_shift = e->shift,
        .row_factor = e->factor,
        .row_weight = e->weight,
        .mean = e->mean,
        .inverse_scale = e->inverse,
    };
    e->by_columns = e->by_rows = prepared;
    e->by_columns.x = ald_matrix_csr(n, d, e->pointers, e->indices, e->values);
    e->by_columns.x.storage = ALD_CSC;
    e->by_rows.x = ald_matrix_csr(n, d, e->row_pointers, e->row_indices, e->row_values);
    return e;
}

static void free_example(example *e)
{
    free(e->dense);
    free(e);
}

/* Z Z'u for every number of columns that pads to another number of lines. */
static void outer_product_is_right(void **state)
{
    (void)state;
    example *e = make_example();
    double *u = support_normals(2, n * most);
    double *between = malloc(d * most * sizeof *between), *wanted = malloc(n * most * sizeof *wanted),
           *found = malloc(n * most * sizeof *found);
    for (int threads = 1; threads <= 3; threads += 2)
        for (int k = 1; k <= most; k += 3) {
            ald_context *context = support_context(threads, NULL);
            ald_run run;
            ald_error error;
            support_run(&run, context, &error);
            assert_done(ald_run_end(&run, ald_sparse_outer(&run, &e->by_columns, ald_of(u, n, k),
                                                           ald_at(found, n, k))),
                        error);
            support_multiply(1, 0, d, k, n, e->dense, u, between);
            support_multiply(0, 0, n, k, d, e->dense, between, wanted);
            assert_below(support_largest_difference(n * k, found, wanted),
                         1e-12 * support_norm(n * k, wanted));
            ald_context_free(context);
        }
    free(u);
    free(between);
    free(wanted);
    free(found);
    free_example(e);
}

enum { order = 50, columns = 6 };

/* A diagonal matrix: the solution is written down, and what a step does is seen by the number of values. */
static ald_status apply_diagonal(ald_run *run, void *self, const double *p, int64_t k, double *out)
{
    const double *diagonal = self;
    (void)run;
    for (int64_t i = 0; i < order * k; i++) out[i] = diagonal[i / k] * p[i];
    return ALD_OK;
}

static ald_block_cg solve(double *diagonal, const double *b, int64_t max_iter, double *x, ald_status *status)
{
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    ald_block_cg task = {
        .apply = apply_diagonal,
        .self = diagonal,
        .n = order,
        .k = columns,
        .b = b,
        .tol = 1e-12,
        .max_iter = max_iter,
        .stage = "test",
        .x = x,
    };
    support_run(&run, context, &error);
    *status = ald_run_end(&run, ald_block_cg_solve(&run, &task));
    ald_context_free(context);
    return task;
}

/* Fifty values: six columns have met all of them after nine steps, each by itself after fifty; one more for
 * rounding. Columns may be equal, or 0. */
static void columns_share_a_space(void **state)
{
    (void)state;
    double diagonal[order], x[order * columns];
    double *b = support_normals(3, order * columns);
    ald_status status;
    for (int i = 0; i < order; i++) diagonal[i] = 1.0 + i;
    const ald_block_cg plain = solve(diagonal, b, 100, x, &status);
    assert_int_equal(status, ALD_OK);
    assert_true(plain.iterations <= 10 && plain.unfinished == 0 && plain.error <= 1e-12);
    for (int i = 0; i < order * columns; i++) assert_close(x[i], b[i] / diagonal[i / columns], 1e-11);
    for (int i = 0; i < order; i++) {
        b[i * columns + 1] = b[i * columns];
        b[i * columns + 2] = 0.0;
    }
    const ald_block_cg alike = solve(diagonal, b, 100, x, &status);
    assert_int_equal(status, ALD_OK);
    assert_int_equal(alike.unfinished, 0);
    for (int i = 0; i < order * columns; i++) assert_close(x[i], b[i] / diagonal[i / columns], 1e-11);
    free(b);
}

static void limits_and_wrong_matrices_are_told(void **state)
{
    (void)state;
    double diagonal[order], x[order * columns];
    double *b = support_normals(4, order * columns);
    ald_status status;
    for (int i = 0; i < order; i++) diagonal[i] = 1.0 + i;
    const ald_block_cg stopped = solve(diagonal, b, 2, x, &status);
    assert_int_equal(status, ALD_OK);
    assert_true(stopped.iterations == 2 && stopped.unfinished == columns && stopped.error > 1e-12);
    for (int i = 0; i < order; i++) diagonal[i] = -1.0;
    solve(diagonal, b, 2, x, &status);
    assert_int_equal(status, ALD_ERROR_NUMERICAL);
    free(b);
}

static ald_ridge_task fit(const ald_operator *z, const double *h, int64_t k, double ridge, double *w,
                          double *b)
{
    ald_context *context = support_context(2, NULL);
    ald_run run;
    ald_error error;
    ald_ridge_task task = {
        .z = z,
        .h = h,
        .k = k,
        .ridge = ridge,
        .tol = 1e-15,
        .max_iter = 1000,
        .w = w,
        .b = b,
    };
    support_run(&run, context, &error);
    assert_done(ald_run_end(&run, ald_ridge_lsqr(&run, &task)), error);
    ald_context_free(context);
    return task;
}

/* Z'(Z W - H) + ridge W, as a part of Z'H. */
static double gradient_of(const example *e, const double *h, int64_t k, double ridge, const double *w,
                          const double *b)
{
    double *left = malloc((size_t)(n * k) * sizeof *left), *slope = malloc((size_t)(d * k) * sizeof *slope);
    support_multiply(0, 0, n, k, d, e->dense, w, left);
    for (int64_t i = 0; i < n * k; i++) left[i] -= h[i];
    support_multiply(1, 0, d, k, n, e->dense, left, slope);
    for (int64_t i = 0; i < d * k; i++) slope[i] += ridge * w[i];
    const double part = support_norm(d * k, slope) / support_norm(d * k, b);
    free(left);
    free(slope);
    return part;
}

/* By rows or by columns, in one group of columns or two; without a ridge as before. */
static void ridge_takes_the_route_where_it_can(void **state)
{
    (void)state;
    example *e = make_example();
    double *h = support_normals(5, n * most), *w = malloc(d * most * sizeof *w),
           *b = malloc(d * most * sizeof *b);
    const ald_operator *const forms[] = {&e->by_columns, &e->by_rows};
    for (int form = 0; form < 2; form++)
        for (int64_t k = 20; k <= 30; k += 10) {
            const ald_ridge_task damped = fit(forms[form], h, k, 3.0, w, b);
            assert_string_equal(damped.how, "conjugate gradients on X X'");
            assert_below(gradient_of(e, h, k, 3.0, w, b), 1e-12);
            const ald_ridge_task little = fit(forms[form], h, k, 1e-9, w, b);
            assert_string_equal(little.how, "LSQR");
        }
    free(h);
    free(w);
    free(b);
    free_example(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outer_product_is_right),
        cmocka_unit_test(columns_share_a_space),
        cmocka_unit_test(limits_and_wrong_matrices_are_told),
        cmocka_unit_test(ridge_takes_the_route_where_it_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
