/* Products with rows that stand on a card (math/device): each is computed there, or, where the card fails
 * and was not asked for by name, by the processor. Dense rows are written out in the memory of the host,
 * where they stand too unless they are the caller's and came on the card.
 *
 * Costs: what goes in and comes out is copied, 8 k (n + d) bytes of a product with k columns, 8 d^2 of a
 * scatter; X is not. */
#include "math/operator/on_card.h"

#include "math/operator/dense.h"
#include "math/operator/sparse.h"

#include <math.h>
#include <string.h>

ald_card_rows ald_card_rows_of(const ald_run *run, const ald_operator *z, const ald_held **held)
{
    ald_card_rows rows = {
        .n = z->x.rows,
        .d = z->x.cols,
        .row_shift = z->row_shift,
        .row_factor = z->row_factor,
        .row_weight = z->row_weight,
        .mean = z->mean,
        .inverse_scale = z->inverse_scale,
    };
    *held = z->source || z->all ? NULL : ald_card_find(run, &z->x, &rows.first);
    if (*held) rows.x = (*held)->on_card;
    return rows;
}

static const ald_storage_ops *by_processor(const ald_operator *z)
{
    return z->x.storage == ALD_DENSE ? &ald_dense_storage : &ald_sparse_storage;
}

/* Z where the processor has its rows: those that were taken on the card are copied once more. */
static ald_status at_home(ald_run *run, const ald_operator *z, ald_operator *home)
{
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, z, &held);
    const int64_t n = rows.n, d = rows.d;
    double *copy;
    *home = *z;
    if (!held->home_rows) return ALD_OK;
    const ald_operator all = {.x = held->home};
    ALD_TRY(ald_scratch_reals(run, n, d, &copy));
    for (int64_t i = 0; i < n; i++)
        ald_dense_write_rows(&all, held->home_rows[rows.first + i], 1, copy + i * d);
    home->x = ald_matrix_row_major(copy, n, d, d);
    return ALD_OK;
}

/* On the card; where that fails, OTHERWISE, with z at home. */
#define ON_CARD(run, z, function, otherwise, ...)                                                            \
    do {                                                                                                     \
        const ald_device *device = (run)->context->device;                                                   \
        const ald_held *held;                                                                                \
        const ald_card_rows rows = ald_card_rows_of(run, z, &held);                                          \
        ald_operator home;                                                                                   \
        int failed;                                                                                          \
        ALD_TRY(ald_card_outcome(run, held, device->table->function(device->card, &rows, __VA_ARGS__),       \
                                 &failed));                                                                  \
        if (!failed) return ALD_OK;                                                                          \
        ALD_TRY(at_home(run, z, &home));                                                                     \
        (z) = &home;                                                                                         \
        return (otherwise);                                                                                  \
    } while (0)

static ald_status apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    ON_CARD(run, z, apply, by_processor(z)->apply(run, z, v, k, u), v, k, u);
}

static ald_status apply_squared(ald_run *run, const ald_operator *z, ald_view v, ald_view f, double *u)
{
    ON_CARD(run, z, apply_squared, ald_apply_squared_by(run, by_processor(z), z, v, f, u), v.data, v.cols,
            f.data, f.cols, u);
}

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    ON_CARD(run, z, apply_transposed, by_processor(z)->apply_transposed(run, z, u, k, v), u, k, v);
}

static ald_status advance(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                          const double *alpha, double *u, double *w)
{
    ON_CARD(run, z, advance, by_processor(z)->advance(run, z, v, k, alpha, u, w), v, k, alpha, u, w);
}

static ald_status scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                          double *b)
{
    ON_CARD(run, z, scatter, by_processor(z)->scatter(run, z, h, k, c, b), h, k, c, b);
}

/* Where the card fails H is written out. */
static ald_status scatter_codes_here(ald_run *run, const ald_operator *z, const ald_codes *h, double *c,
                                     double *b)
{
    double *out;
    ALD_TRY(ald_scratch_reals(run, z->x.rows, h->k, &out));
    ald_codes_write(h, 0, z->x.rows, 0, h->k, out);
    return ald_dense_storage.scatter(run, z, out, h->k, c, b);
}

static ald_status scatter_codes(ald_run *run, const ald_operator *z, const ald_codes *h, double *c, double *b)
{
    ON_CARD(run, z, scatter_codes, scatter_codes_here(run, z, h, c, b), h->code, h->value, h->k, c, b);
}

static ald_status gram(ald_run *run, const ald_operator *z, double *g)
{
    ON_CARD(run, z, gram, ald_dense_storage.gram(run, z, g), g);
}

static ald_status square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    ON_CARD(run, z, square_norm, ald_dense_storage.square_norm(run, z, sum), sum);
}

/* The host has them as well, as a rule. */
static ald_status rows_out(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    const ald_device *device = run->context->device;
    const ald_held *held;
    const ald_operator slice = ald_operator_slice(z, i0, m);
    const ald_card_rows part = ald_card_rows_of(run, &slice, &held);
    ald_operator home;
    int failed;
    if (!held->only) return ald_dense_rows(run, z, i0, m, rows);
    ALD_TRY(ald_card_outcome(run, held, device->table->fetch(device->card, &part, rows), &failed));
    if (!failed) return ALD_OK;
    ALD_TRY(at_home(run, z, &home));
    return ald_dense_rows(run, &home, i0, m, rows);
}

static ald_status find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column)
{
    const ald_operator z = {.x = *x};
    const ald_device *device = run->context->device;
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, &z, &held);
    ald_operator home;
    int64_t place;
    int failed;
    ALD_TRY(ald_card_outcome(run, held, device->table->find_bad(device->card, &rows, &place), &failed));
    if (failed) ALD_TRY(at_home(run, &z, &home));
    if (failed) return ald_dense_find_bad(run, &home.x, row, column);
    if (place < 0) return ALD_OK;
    *row = place / x->cols;
    *column = place % x->cols;
    return ALD_OK;
}

static ald_status column_sums(ald_run *run, const ald_operator *z, const ald_card_sums *sums, int *failed)
{
    const ald_device *device = run->context->device;
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, z, &held);
    return ald_card_outcome(run, held, device->table->column_sums(device->card, &rows, sums), failed);
}

static ald_status statistics_here(ald_run *run, const ald_operator *z, const double *weights,
                                  ald_column_moments moments)
{
    ald_operator home;
    ALD_TRY(at_home(run, z, &home));
    return ald_dense_column_statistics(run, &home, weights, moments);
}

/* As dense_statistics.c: sums of differences from the first row, then squares about the means. */
static ald_status column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                    ald_column_moments moments)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double total = weights ? 0.0 : (double)n;
    double *base;
    int failed;
    for (int64_t i = 0; weights && i < n; i++) total += weights[i];
    ALD_TRY(ald_scratch_reals(run, d, 1, &base));
    ALD_TRY(rows_out(run, z, 0, 1, base));
    const ald_card_sums means = {
        .weights = weights,
        .base = base,
        .sums = moments.mean,
        .peak = moments.peak,
        .low = moments.low,
        .high = moments.high,
    };
    ALD_TRY(column_sums(run, z, &means, &failed));
    if (failed) return statistics_here(run, z, weights, moments);
    for (int64_t j = 0; j < d; j++) moments.mean[j] = base[j] + moments.mean[j] / total;
    if (!moments.deviation) return ALD_OK;
    const ald_card_sums squares = {.weights = weights, .base = moments.mean, .squares = moments.deviation};
    ALD_TRY(column_sums(run, z, &squares, &failed));
    if (failed) return statistics_here(run, z, weights, moments);
    for (int64_t j = 0; j < d; j++) moments.deviation[j] = sqrt(moments.deviation[j] / total);
    return ALD_OK;
}

const ald_storage_ops ald_card_storage = {
    .apply = apply,
    .apply_squared = apply_squared,
    .apply_transposed = apply_transposed,
    .advance = advance,
    .scatter = scatter,
    .scatter_codes = scatter_codes,
    .gram = gram,
    .rows = rows_out,
    .square_norm = square_norm,
    .row_moments = ald_dense_row_moments,
    .column_statistics = column_statistics,
    .find_bad = find_bad,
};

ald_status ald_card_entry_sums(ald_run *run, const ald_operator *z, const ald_card_entries *sums, int *done)
{
    const ald_device *device = run->context->device;
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, z, &held);
    int failed;
    *done = 0;
    if (!held) return ALD_OK;
    ALD_TRY(ald_card_outcome(run, held, device->table->entry_sums(device->card, &rows, sums), &failed));
    *done = !failed;
    return ALD_OK;
}

/* What is missing here is made of these, or of entry_sums. */
const ald_storage_ops ald_card_sparse_storage = {
    .apply = apply,
    .apply_squared = apply_squared,
    .apply_transposed = apply_transposed,
    .advance = advance,
    .scatter = scatter,
    .gram = ald_sparse_gram,
    .square_norm = ald_sparse_square_norm,
    .row_moments = ald_sparse_row_moments,
    .column_statistics = ald_sparse_column_statistics,
    .find_bad = ald_sparse_find_bad,
    .lacks = ALD_SPARSE_LACKS,
};
