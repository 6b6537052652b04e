/* The operator against the prepared matrix written out: every storage, every kind of preparation, one and two
 * threads.
 */
#include "support/storages.h"
#include "support/support.h"

#include "math/operator/operator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 97, d = 41, k = 3 };

typedef struct preparation {
    double shift[n], factor[n], weight[n], mean[d], inverse[d];
} preparation;

/* Entries are floats, and three in four are 0. */
static double *sparse_floats(uint64_t seed, int64_t count)
{
    ald_random random;
    double *x = support_normals(seed, count);
    ald_random_seed(&random, seed, 2);
    for (int64_t i = 0; i < count; i++) x[i] = ald_random_below(&random, 4) ? 0.0 : (double)(float)x[i];
    return x;
}

static void random_preparation(preparation *p)
{
    ald_random random;
    ald_random_seed(&random, 11, 0);
    for (int i = 0; i < n; i++) {
        p->shift[i] = ald_random_normal(&random);
        p->factor[i] = 0.5 + ald_random_uniform(&random);
        p->weight[i] = ald_random_uniform(&random);
    }
    for (int j = 0; j < d; j++) {
        p->mean[j] = ald_random_normal(&random);
        p->inverse[j] = 0.5 + ald_random_uniform(&random);
    }
}

/* Bits of `parts` choose what of the preparation is there. */
static ald_operator make_operator(const ald_matrix *x, const preparation *p, int parts)
{
    return (ald_operator){
        .x = *x,
        .row_shift = parts & 1 ? p->shift : NULL,
        .row_factor = parts & 2 ? p->factor : NULL,
        .mean = parts & 4 ? p->mean : NULL,
        .inverse_scale = parts & 8 ? p->inverse : NULL,
        .row_weight = parts & 16 ? p->weight : NULL,
    };
}

static void write_out(const ald_operator *z, const double *x, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            double v = x[i * d + j];
            if (z->row_shift) v -= z->row_shift[i];
            if (z->row_factor) v *= z->row_factor[i];
            if (z->mean) v -= z->mean[j];
            if (z->inverse_scale) v *= z->inverse_scale[j];
            if (z->row_weight) v *= z->row_weight[i];
            out[i * d + j] = v;
        }
}

static void check_products(ald_run *run, const ald_operator *z, const double *full)
{
    double *v = support_normals(21, d * k), *u = support_normals(22, n * k),
           *want = malloc(n * n * sizeof *want), *got = malloc(n * n * sizeof *got),
           *between = malloc(n * k * sizeof *between);
    double norm;
    support_multiply(0, 0, n, k, d, full, v, want);
    assert_done(ald_operator_apply(run, z, ald_of(v, d, k), ald_at(got, n, k)), *run->error);
    assert_below(support_largest_difference(n * k, want, got), 1e-12);
    support_multiply(1, 0, d, k, n, full, u, want);
    assert_done(ald_operator_apply_transposed(run, z, ald_of(u, n, k), ald_at(got, d, k)), *run->error);
    assert_below(support_largest_difference(d * k, want, got), 1e-12);
    support_multiply(0, 0, n, k, d, full, v, between);
    support_multiply(1, 0, d, k, n, full, between, want);
    assert_done(ald_operator_normal(run, z, ald_of(v, d, k), ald_at(got, d, k)), *run->error);
    assert_below(support_largest_difference(d * k, want, got), 1e-11);
    const double alpha[k] = {0.5, -2.0, 3.0};
    double *step = support_normals(22, n * k);
    for (int i = 0; i < n * k; i++) between[i] -= alpha[i % k] * u[i];
    support_multiply(1, 0, d, k, n, full, between, want);
    assert_done(ald_operator_advance(run, z, ald_of(v, d, k), alpha, ald_at(step, n, k), ald_at(got, d, k)),
                *run->error);
    assert_below(support_largest_difference(d * k, want, got), 1e-11);
    assert_below(support_largest_difference(n * k, between, step), 1e-12);
    free(step);
    support_multiply(1, 0, d, d, n, full, full, want);
    assert_done(ald_operator_scatter(run, z, ald_at(got, d, d)), *run->error);
    assert_below(support_largest_difference(d * d, want, got), 1e-11);
    support_multiply(0, 1, n, n, d, full, full, want);
    assert_done(ald_operator_gram(run, z, ald_at(got, n, n)), *run->error);
    assert_below(support_largest_difference(n * n, want, got), 1e-11);
    assert_done(ald_operator_square_norm(run, z, &norm), *run->error);
    assert_close(sqrt(norm), support_norm(n * d, full), 1e-11);
    free(v);
    free(u);
    free(want);
    free(got);
    free(between);
}

static void products_match_the_matrix(void **state)
{
    (void)state;
    double *x = sparse_floats(5, n * d), *full = malloc(n * d * sizeof *full);
    preparation p;
    random_preparation(&p);
    for (int which = 0; which < support_storage_count; which++)
        for (int parts = 0; parts < 32; parts++)
            for (int threads = 1; threads <= 3; threads += 2) {
                support_matrix m = support_storage(which, x, n, d);
                ald_context *context = support_context(threads, NULL);
                ald_run run;
                ald_error error;
                support_run(&run, context, &error);
                const ald_operator z = make_operator(&m.view, &p, parts);
                write_out(&z, x, full);
                check_products(&run, &z, full);
                ald_run_end(&run, ALD_OK);
                ald_context_free(context);
                support_storage_free(&m);
            }
    free(x);
    free(full);
}

/* Sizes above the thresholds below which work is not cut into blocks and parts. */
static void large_products_agree(void **state)
{
    (void)state;
    const int64_t shapes[][2] = {{3001, 301}, {37, 20011}, {9001, 65}};
    for (int s = 0; s < 3; s++) {
        const int64_t rows = shapes[s][0], cols = shapes[s][1];
        double *x = support_normals(31, rows * cols), *mean = support_normals(32, cols),
               *v = support_normals(33, cols * 2), *one = malloc((size_t)(rows + cols) * 2 * sizeof *one),
               *two = malloc((size_t)(rows + cols) * 2 * sizeof *two);
        double *want = calloc((size_t)rows * 2, sizeof *want);
        const ald_operator z = {.x = ald_matrix_row_major(x, rows, cols, cols), .mean = mean};
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                for (int c = 0; c < 2; c++) want[i * 2 + c] += (x[i * cols + j] - mean[j]) * v[j * 2 + c];
        for (int threads = 1; threads <= 2; threads++) {
            ald_context *context = support_context(threads, NULL);
            ald_run run;
            ald_error error;
            support_run(&run, context, &error);
            assert_done(ald_operator_apply(&run, &z, ald_of(v, cols, 2), ald_at(one, rows, 2)), error);
            assert_below(support_largest_difference(rows * 2, one, want), 1e-10);
            assert_done(ald_operator_apply_transposed(&run, &z, ald_of(one, rows, 2), ald_at(two, cols, 2)),
                        error);
            assert_done(ald_operator_normal(&run, &z, ald_of(v, cols, 2), ald_at(one, cols, 2)), error);
            assert_below(support_largest_difference(cols * 2, one, two) / support_norm(cols * 2, two), 1e-13);
            ald_run_end(&run, ALD_OK);
            ald_context_free(context);
        }
        free(x);
        free(mean);
        free(v);
        free(one);
        free(two);
        free(want);
    }
}

static void check_statistics(ald_run *run, const ald_operator *z, const double *full, const double *weights)
{
    double mean[d], deviation[d], low[d], high[d];
    const ald_column_moments moments = {.mean = mean, .deviation = deviation, .low = low, .high = high};
    assert_done(ald_column_statistics(run, z, weights, moments), *run->error);
    for (int j = 0; j < d; j++) {
        double sum = 0.0, square = 0.0, smallest = INFINITY, largest = -INFINITY;
        for (int i = 0; i < n; i++) {
            sum += (weights ? weights[i] : 1.0) * full[i * d + j];
            smallest = fmin(smallest, full[i * d + j]);
            largest = fmax(largest, full[i * d + j]);
        }
        sum /= n;
        for (int i = 0; i < n; i++)
            square += (weights ? weights[i] : 1.0) * (full[i * d + j] - sum) * (full[i * d + j] - sum);
        assert_close(mean[j], sum, 1e-13);
        assert_close(deviation[j], sqrt(square / n), 1e-13);
        assert_close(low[j], smallest, 1e-15);
        assert_close(high[j], largest, 1e-15);
    }
}

static void statistics_match_the_matrix(void **state)
{
    (void)state;
    double *x = sparse_floats(6, n * d), *full = malloc(n * d * sizeof *full);
    double sum = 0.0;
    preparation p;
    random_preparation(&p);
    for (int i = 0; i < n; i++) sum += p.weight[i];
    for (int i = 0; i < n; i++) p.weight[i] *= n / sum;
    for (int which = 0; which < support_storage_count; which++)
        for (int parts = 0; parts < 8; parts++) {
            support_matrix m = support_storage(which, x, n, d);
            ald_context *context = support_context(2, NULL);
            ald_run run;
            ald_error error;
            support_run(&run, context, &error);
            const ald_operator z = make_operator(&m.view, &p, parts & 3);
            write_out(&z, x, full);
            check_statistics(&run, &z, full, parts & 4 ? p.weight : NULL);
            ald_run_end(&run, ALD_OK);
            ald_context_free(context);
            support_storage_free(&m);
        }
    free(x);
    free(full);
}

/* A constant column is constant, whatever its value and storage: nothing is left after the mean is taken off.
 */
static void constant_columns_are_constant(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1e8 + 0.1, -7.3, 1e-300};
    double *x = sparse_floats(12, n * d);
    double mean[d], deviation[d], weights[n], sum = 0.0;
    ald_random random;
    ald_random_seed(&random, 5, 0);
    for (int i = 0; i < n; i++) sum += weights[i] = ald_random_uniform(&random);
    for (int i = 0; i < n; i++) weights[i] *= n / sum;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) x[i * d + j] = values[j];
    for (int which = 0; which < support_storage_count; which++)
        for (int weighted = 0; weighted < 2; weighted++) {
            support_matrix m = support_storage(which, x, n, d);
            ald_context *context = support_context(2, NULL);
            ald_run run;
            ald_error error;
            support_run(&run, context, &error);
            const ald_operator z = {.x = m.view};
            const ald_column_moments moments = {.mean = mean, .deviation = deviation};
            assert_done(ald_column_statistics(&run, &z, weighted ? weights : NULL, moments), error);
            for (int j = 0; j < 4; j++) {
                assert_true(deviation[j] == 0.0);
                assert_true(mean[j] == (m.view.type == ALD_F64 ? values[j] : (double)(float)values[j]));
            }
            ald_run_end(&run, ALD_OK);
            ald_context_free(context);
            support_storage_free(&m);
        }
    free(x);
}

/* The deviation of a sparse column with a mean of a million of it keeps its digits. */
static void sparse_deviations_do_not_cancel(void **state)
{
    (void)state;
    double x[n], low = 0.0, mean, deviation;
    for (int i = 0; i < n; i++) x[i] = 1048576.0 + (i % 2 ? 0.5 : -0.5);
    support_matrix m = support_storage(5, x, n, 1);
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    const ald_operator z = {.x = m.view};
    assert_done(
        ald_column_statistics(&run, &z, NULL, (ald_column_moments){.mean = &mean, .deviation = &deviation}),
        error);
    for (int i = 0; i < n; i++) low += (x[i] - mean) * (x[i] - mean) / n;
    assert_close(deviation, sqrt(low), 1e-14);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    support_storage_free(&m);
}

/* Enough entries that sparse products are cut into parts, with very uneven slices. */
static void large_sparse_products_agree(void **state)
{
    (void)state;
    enum { rows = 3000, cols = 700, many = 4 };
    double *x = calloc(rows * cols, sizeof *x), *v = support_normals(41, cols * many),
           *u = support_normals(42, rows * many);
    double *left = malloc(rows * many * sizeof *left), *right = malloc(cols * many * sizeof *right),
           *got = malloc(rows * many * sizeof *got);
    ald_random random;
    ald_random_seed(&random, 8, 0);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (ald_random_below(&random, 1 + j / 4) == 0)
                x[i * cols + j] = (double)(float)ald_random_normal(&random);
    support_multiply(0, 0, rows, many, cols, x, v, left);
    support_multiply(1, 0, cols, many, rows, x, u, right);
    for (int which = 5; which < support_storage_count; which++)
        for (int threads = 1; threads <= 4; threads++) {
            support_matrix m = support_storage(which, x, rows, cols);
            ald_context *context = support_context(threads, NULL);
            ald_run run;
            ald_error error;
            support_run(&run, context, &error);
            const ald_operator z = {.x = m.view};
            assert_done(ald_operator_apply(&run, &z, ald_of(v, cols, many), ald_at(got, rows, many)), error);
            assert_below(support_largest_difference(rows * many, left, got), 1e-11);
            assert_done(
                ald_operator_apply_transposed(&run, &z, ald_of(u, rows, many), ald_at(got, cols, many)),
                error);
            assert_below(support_largest_difference(cols * many, right, got), 1e-11);
            ald_run_end(&run, ALD_OK);
            ald_context_free(context);
            support_storage_free(&m);
        }
    free(x);
    free(v);
    free(u);
    free(left);
    free(right);
    free(got);
}

static void row_moments_match(void **state)
{
    (void)state;
    double *x = sparse_floats(7, n * d);
    double mean[n], deviation[n], length[n];
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        ald_context *context = support_context(1, NULL);
        ald_run run;
        ald_error error;
        support_run(&run, context, &error);
        assert_done(ald_row_moments(&run, &m.view, mean, deviation, length), error);
        for (int i = 0; i < n; i++) {
            double sum = 0.0, square = 0.0;
            for (int j = 0; j < d; j++) sum += x[i * d + j] / d;
            for (int j = 0; j < d; j++) square += (x[i * d + j] - sum) * (x[i * d + j] - sum) / d;
            assert_close(mean[i], sum, 1e-14);
            assert_close(deviation[i], sqrt(square), 1e-14);
            assert_close(length[i], support_norm(d, x + i * d), 1e-13);
        }
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
        support_storage_free(&m);
    }
    free(x);
}

static void bad_entries_are_found(void **state)
{
    ald_error error;
    ald_run run;
    ald_context *context = support_context(3, NULL);
    (void)state;
    support_run(&run, context, &error);
    double *x = sparse_floats(8, n * d);
    x[17 * d + 29] = NAN;
    x[60 * d + 3] = INFINITY;
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        int64_t row, column;
        ald_matrix_find_bad(&run, &m.view, &row, &column);
        assert_true((row == 17 && column == 29) || (m.view.storage == ALD_CSC && row == 60 && column == 3));
        support_storage_free(&m);
    }
    free(x);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* A mean a million times the deviation costs a dense scatter no digits beyond those that the entries lost
 * themselves.
 */
static void large_means_do_not_cost_digits(void **state)
{
    (void)state;
    double *x = support_normals(9, n * d), *moved = malloc(n * d * sizeof *moved);
    double mean[d], zero[d] = {0}, a[d * d], b[d * d];
    for (int i = 0; i < n * d; i++) {
        x[i] = ldexp(nearbyint(ldexp(x[i], 20)), -20); /* exact after the move */
        moved[i] = x[i] + 1048576.0;
    }
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    ald_operator z = {.x = ald_matrix_row_major(x, n, d, d), .mean = zero};
    assert_done(ald_column_statistics(&run, &z, NULL, (ald_column_moments){.mean = mean}), error);
    z.mean = mean;
    assert_done(ald_operator_scatter(&run, &z, ald_at(a, d, d)), error);
    for (int j = 0; j < d; j++) mean[j] += 1048576.0;
    z.x.values = moved;
    assert_done(ald_operator_scatter(&run, &z, ald_at(b, d, d)), error);
    assert_below(support_largest_difference(d * d, a, b), 1e-7);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(x);
    free(moved);
}

static void wrong_shapes_are_caught(void **state)
{
    (void)state;
    enum { rows = 4, cols = 3 };
    double x[rows * cols] = {0}, a[64] = {0}, b[64];
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    const ald_operator z = {.x = ald_matrix_row_major(x, rows, cols, cols)};
    assert_int_equal(ald_operator_apply(&run, &z, ald_of(a, 4, 2), ald_at(b, 4, 2)), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "4 x 3 and 4 x 2"));
    assert_int_equal(ald_operator_apply(&run, &z, ald_of(a, 3, 2), ald_at(b, 4, 1)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_operator_apply_transposed(&run, &z, ald_of(a, 3, 2), ald_at(b, 3, 2)),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_operator_normal(&run, &z, ald_of(a, 3, 2), ald_at(b, 4, 2)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_operator_scatter(&run, &z, ald_at(b, 4, 4)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_operator_gram(&run, &z, ald_at(b, 3, 3)), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_operator_rows(&run, &z, 3, ald_at(b, 2, 3)), ALD_ERROR_ARGUMENT);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_match_the_matrix),      cmocka_unit_test(large_products_agree),
        cmocka_unit_test(statistics_match_the_matrix),    cmocka_unit_test(row_moments_match),
        cmocka_unit_test(constant_columns_are_constant),  cmocka_unit_test(sparse_deviations_do_not_cancel),
        cmocka_unit_test(large_sparse_products_agree),    cmocka_unit_test(bad_entries_are_found),
        cmocka_unit_test(large_means_do_not_cost_digits), cmocka_unit_test(wrong_shapes_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
