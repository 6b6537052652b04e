/* Products with few columns beside plain sums in long double: for every number of columns, lengths of rows
 * around those at which the way changes, both types, with and without what is taken off and added; nothing
 * is written beyond the result, and a row has the same bytes whichever rows stand beside it, stored by rows
 * or by columns. And kernel values in tiles beside values one by one, with any number of threads. */
#include "support/support.h"

#include "base/numbers/random.h"
#include "base/threads/threads.h"
#include "math/kernel/gram.h"
#include "math/kernel/tiles.h"
#include "math/linalg/few_columns.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_d = 70, m = 21, stride = most_d + 3 };

static const int64_t lengths[] = {1, 5, 31, 32, 33, 40, 70};
enum { n_lengths = sizeof lengths / sizeof *lengths };

static double wide[m * stride], v[most_d * ald_few_most], mean[most_d], scale[most_d], offset[ald_few_most];
static float narrow[m * stride];

static void fill(ald_random *random, int64_t count, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = ald_random_normal(random);
}

static void fill_all(void)
{
    ald_random random;
    ald_random_seed(&random, 7, 0);
    fill(&random, m * stride, wide);
    fill(&random, most_d * ald_few_most, v);
    fill(&random, most_d, mean);
    fill(&random, most_d, scale);
    fill(&random, ald_few_most, offset);
    for (int64_t i = 0; i < m * stride; i++) wide[i] = narrow[i] = (float)wide[i];
}

/* An entry, and the sum of the moduli of its terms, of which d roundings may each take an eps. */
static void check_entry(int64_t d, int64_t k, int extras, int64_t i, int64_t c, double got)
{
    long double sum = extras ? offset[c] : 0.0L, size = fabsl(sum);
    for (int64_t j = 0; j < d; j++) {
        const long double entry = (long double)wide[i * stride + j] - (extras ? mean[j] : 0.0),
                          term = entry * v[j * k + c] * (extras ? scale[j] : 1.0);
        sum += term;
        size += fabsl(term);
    }
    assert_true(fabsl(got - sum) <= 2.0L * (long double)(d + 3) * DBL_EPSILON * size);
}

/* The same rows stored by columns give the same bytes, whichever of them are asked for. */
static void check_by_columns(const ald_few *few, int64_t d, const double *out)
{
    static double turned[most_d * m], sums[ald_few_tile_room], got[m * ald_few_most];
    static float turned_floats[most_d * m];
    const int64_t k = few->k;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < d; j++) turned[j * m + i] = turned_floats[j * m + i] = narrow[i * stride + j];
    for (int type = 0; type < 2; type++)
        for (int64_t first = 0; first < m; first += 5) {
            const ald_matrix x = {
                .type = type == 0 ? ALD_F64 : ALD_F32,
                .rows = m,
                .cols = d,
                .values = type == 0 ? (const void *)turned : turned_floats,
                .row_stride = 1,
                .col_stride = m,
            };
            ald_few_multiply_columns(few, &x, first, m - first, sums, got);
            assert_memory_equal(got, out + first * k, (size_t)((m - first) * k) * sizeof *got);
        }
}

static void check_product(ald_run *run, int64_t d, int64_t k, int extras)
{
    const ald_matrix doubles = {.rows = m, .cols = d, .values = wide, .row_stride = stride, .col_stride = 1},
                     floats = {
                         .type = ALD_F32,
                         .rows = m,
                         .cols = d,
                         .values = narrow,
                         .row_stride = stride,
                         .col_stride = 1,
                     };
    const double mark = 12345.0;
    double out[(m + 2) * ald_few_most], one[ald_few_most];
    ald_few few;
    assert_int_equal(ald_few_pack(run, ald_of(v, d, k), extras ? scale : NULL, extras ? mean : NULL,
                                  extras ? offset : NULL, &few),
                     ALD_OK);
    for (int type = 0; type < 2; type++) {
        for (int64_t i = 0; i < (m + 2) * k; i++) out[i] = mark;
        ald_few_multiply(&few, type == 0 ? &doubles : &floats, 0, m, out);
        for (int64_t i = 0; i < m; i++) {
            for (int64_t c = 0; c < k; c++) check_entry(d, k, extras, i, c, out[i * k + c]);
            ald_few_multiply(&few, &doubles, i, 1, one);
            assert_memory_equal(one, out + i * k, (size_t)k * sizeof *one);
        }
        for (int64_t i = m * k; i < (m + 2) * k; i++) assert_true(out[i] == mark);
        check_by_columns(&few, d, out);
    }
}

static void rows_times_few_columns(void **state)
{
    ald_error error;
    ald_run run;
    ald_context *context = support_context(1, NULL);
    (void)state;
    fill_all();
    support_run(&run, context, &error);
    for (int l = 0; l < n_lengths; l++)
        for (int64_t k = 0; k <= ald_few_most; k++)
            for (int extras = 0; extras < 2; extras++) check_product(&run, lengths[l], k, extras);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* B'B of every width, beside plain sums; the lower triangle and what is beside stay as they were. */
static void squares_of_narrow_rows(void **state)
{
    enum { rows = 301, apart = 135, order = 131 };
    static double b[rows * apart], c[order * order], before[order * order];
    ald_random random;
    (void)state;
    ald_random_seed(&random, 10, 0);
    fill(&random, rows * apart, b);
    fill(&random, order * order, before);
    for (int64_t d = 1; d < order; d++) {
        if (!ald_few_gram_serves(d)) continue;
        memcpy(c, before, sizeof c);
        ald_few_gram(rows, d, b, apart, c, order);
        for (int64_t i = 0; i < order; i++)
            for (int64_t j = 0; j < order; j += 1 + d % 5) {
                long double sum = before[i * order + j], size = fabsl(sum);
                for (int64_t r = 0; r < rows && i <= j && j < d; r++) {
                    sum += (long double)b[r * apart + i] * b[r * apart + j];
                    size += fabsl((long double)b[r * apart + i] * b[r * apart + j]);
                }
                assert_true(fabsl(c[i * order + j] - sum) <= (i <= j && j < d) * rows * DBL_EPSILON * size);
            }
    }
}

/* A symmetric matrix of an order that is no multiple of anything, large enough to be read by halves. */
static void symmetric_by_halves(void **state)
{
    enum { n = 1037, k = 11 };
    ald_error error;
    ald_run run;
    ald_random random;
    double *a = malloc(sizeof *a * n * n), *x = malloc(sizeof *x * n * k), *y = malloc(sizeof *y * n * k);
    (void)state;
    ald_random_seed(&random, 8, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) a[i * n + j] = a[j * n + i] = ald_random_normal(&random);
    fill(&random, n * k, x);
    for (int threads = 1; threads <= 6; threads++) {
        ald_context *context = support_context(threads, NULL);
        support_run(&run, context, &error);
        assert_int_equal(ald_symmetric_apply(&run, n, a, x, k, y), ALD_OK);
        for (int64_t i = 0; i < n; i += 7)
            for (int64_t c = 0; c < k; c++) {
                long double sum = 0.0L, size = 0.0L;
                for (int64_t j = 0; j < n; j++) {
                    sum += (long double)a[i * n + j] * x[j * k + c];
                    size += fabsl((long double)a[i * n + j] * x[j * k + c]);
                }
                assert_true(fabsl(y[i * k + c] - sum) <= 2.0L * n * DBL_EPSILON * size);
            }
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
    free(a), free(x), free(y);
}

/* Long rows are taken some columns at a time. */
enum { most_a = 263, most_b = 411, results = 3, room = 110000 };
static const struct {
    int64_t a, b, columns;
} tile_sizes[] = {{most_a, most_b, 37}, {50, 30, 2100}, {1, 25, 1}};

typedef struct tiles {
    int64_t a_rows, b_rows, columns;
    double a[room], b[room], a2[most_a], b2[most_b], c[most_b * results];
    double means[most_b], k[most_a * most_a], z[most_a * results], first_k[most_a * most_a],
        first_z[most_a * results];
} tiles;

static double value(const ald_kernel *kernel, int64_t columns, const double *a, const double *b)
{
    double square = 0.0, city = 0.0, product = 0.0;
    for (int64_t j = 0; j < columns; j++) {
        square += (a[j] - b[j]) * (a[j] - b[j]);
        city += fabs(a[j] - b[j]);
        product += a[j] * b[j];
    }
    if (kernel->kind == ALD_KERNEL_RBF) return exp(-0.5 * square / kernel->width / kernel->width);
    return kernel->kind == ALD_KERNEL_LAPLACIAN ? exp(-city / kernel->width) : product;
}

/* Values are of order one (a product up to some dozens), known to some eps of what they are made from. */
static void check_tiles(const ald_kernel *kernel, const tiles *t)
{
    const double tolerance = 1e-12;
    const int64_t n = t->a_rows, d = t->columns;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            assert_true(fabs(t->k[i * n + j] - value(kernel, d, t->a + i * d, t->a + j * d)) < tolerance);
    for (int64_t i = 0; i < n; i++)
        for (int64_t r = 0; r < results; r++) {
            double sum = 0.0, size = 1.0;
            for (int64_t j = 0; j < t->b_rows; j++) {
                const double term =
                    (value(kernel, d, t->a + i * d, t->b + j * d) - t->means[j]) * t->c[j * results + r];
                sum += term;
                size += fabs(term);
            }
            assert_true(fabs(t->z[i * results + r] - sum) < tolerance * size);
        }
}

static void with_threads(int threads, const ald_kernel *kernel, tiles *t)
{
    ald_error error;
    ald_run run;
    ald_context *context = support_context(threads, NULL);
    const int64_t a_rows = t->a_rows, b_rows = t->b_rows, columns = t->columns;
    const ald_operator a = {.x = ald_matrix_row_major(t->a, a_rows, columns, columns)},
                       b = {.x = ald_matrix_row_major(t->b, b_rows, columns, columns)};
    const ald_kernel_side first = {a_rows, t->a, t->a2}, second = {b_rows, t->b, t->b2};
    const ald_kernel_pairs own = {kernel, columns, first, first}, both = {kernel, columns, first, second};
    support_run(&run, context, &error);
    ald_threads_begin(threads);
    assert_int_equal(ald_tiles_rows(&run, &a, 0, a_rows, NULL, t->a2), ALD_OK);
    assert_int_equal(ald_tiles_rows(&run, &b, 0, b_rows, NULL, t->b2), ALD_OK);
    assert_int_equal(ald_tiles_square(&run, &own, t->k), ALD_OK);
    assert_int_equal(ald_tiles_apply(&run, &both, t->means, ald_of(t->c, b_rows, results), t->z), ALD_OK);
    ald_threads_end();
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* Rows of the same size, whatever their length. */
static void fill_tiles(tiles *t)
{
    ald_random random;
    ald_random_seed(&random, 9, 0);
    fill(&random, t->a_rows * t->columns, t->a);
    fill(&random, t->b_rows * t->columns, t->b);
    fill(&random, t->b_rows * results, t->c);
    fill(&random, t->b_rows, t->means);
    for (int64_t i = 0; i < t->a_rows * t->columns; i++) t->a[i] *= sqrt(37.0 / (double)t->columns);
    for (int64_t i = 0; i < t->b_rows * t->columns; i++) t->b[i] *= sqrt(37.0 / (double)t->columns);
}

static void check_kernel(const ald_kernel *kernel, tiles *t)
{
    for (int threads = 1; threads <= 5; threads += 2) {
        with_threads(threads, kernel, t);
        if (threads == 1) {
            check_tiles(kernel, t);
            memcpy(t->first_k, t->k, sizeof t->k);
            memcpy(t->first_z, t->z, sizeof t->z);
        }
        assert_memory_equal(t->k, t->first_k, sizeof t->k);
        assert_memory_equal(t->z, t->first_z, sizeof t->z);
    }
}

static void kernel_values_in_tiles(void **state)
{
    static const ald_kernel kernels[] = {
        {ALD_KERNEL_RBF, 6.0, 0.0, 0},
        {ALD_KERNEL_LAPLACIAN, 30.0, 0.0, 0},
        {ALD_KERNEL_LINEAR, 0.0, 0.0, 0},
    };
    tiles *t = calloc(1, sizeof *t);
    (void)state;
    for (size_t size = 0; size < sizeof tile_sizes / sizeof *tile_sizes; size++) {
        t->a_rows = tile_sizes[size].a;
        t->b_rows = tile_sizes[size].b;
        t->columns = tile_sizes[size].columns;
        fill_tiles(t);
        for (size_t kind = 0; kind < sizeof kernels / sizeof *kernels; kind++)
            check_kernel(&kernels[kind], t);
    }
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_times_few_columns),
        cmocka_unit_test(squares_of_narrow_rows),
        cmocka_unit_test(symmetric_by_halves),
        cmocka_unit_test(kernel_values_in_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
