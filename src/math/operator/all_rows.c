/* Sums over divided rows (all_rows.h), and the storage of an operator whose part of the rows is in
 * memory. A part may be without rows.
 *
 * Means and deviations of columns, with n_p, m_p and s_p the weight, the mean and the deviation of part
 * p, and n = sum_p n_p:
 *
 *   m   = sum_p n_p m_p / n                      twice: the second takes off what rounding left of the first
 *   s^2 = sum_p n_p (s_p^2 + (m_p - m)^2) / n
 *
 * The squares are of numbers divided by the largest of them over the parts, so that none overflows. */
#include "math/operator/all_rows.h"

#include "math/operator/storage.h"

#include <math.h>
#include <string.h>

static const ald_all_rows *all_of(const ald_operator *z)
{
    return z ? z->all : NULL;
}

int64_t ald_rows_total(const ald_operator *z)
{
    if (z->remote) return z->remote->rows;
    return z->all ? z->all->rows : z->x.rows;
}

double ald_rows_weight(const ald_operator *z)
{
    double sum = 0.0;
    if (z->all) return z->all->weight;
    if (!z->row_weight) return (double)z->x.rows;
    for (int64_t i = 0; i < z->x.rows; i++) sum += z->row_weight[i] * z->row_weight[i];
    return sum;
}

int ald_is_first(const ald_all_rows *all)
{
    return !all || all->part == 0;
}

ald_status ald_all_rows_agree(ald_run *run, const ald_all_rows *all, ald_status status)
{
    return all ? all->agree(run, status) : status;
}

ald_status ald_all_rows_sum(ald_run *run, const ald_all_rows *all, double *values, int64_t count)
{
    return all ? all->sum(run, values, count) : ALD_OK;
}

ald_status ald_all_rows_count(ald_run *run, const ald_all_rows *all, int64_t *values, int64_t count)
{
    return all ? all->count(run, values, count) : ALD_OK;
}

ald_status ald_all_rows_settle(ald_run *run, const ald_all_rows *all, void *bytes, int64_t size)
{
    return all ? all->settle(run, bytes, size) : ALD_OK;
}

ald_status ald_all_rows_of(ald_run *run, const ald_all_rows *all, int64_t rows, double weight,
                           ald_all_rows *whole)
{
    *whole = *all;
    whole->rows = rows;
    whole->weight = weight;
    ALD_TRY(all->count(run, &whole->rows, 1));
    return all->sum(run, &whole->weight, 1);
}

ald_status ald_rows_agree(ald_run *run, const ald_operator *z, ald_status status)
{
    return ald_all_rows_agree(run, all_of(z), status);
}

ald_status ald_rows_sum(ald_run *run, const ald_operator *z, double *values, int64_t count)
{
    return ald_all_rows_sum(run, all_of(z), values, count);
}

ald_status ald_rows_largest(ald_run *run, const ald_operator *z, double *values, int64_t count)
{
    const ald_all_rows *all = all_of(z);
    return all ? all->largest(run, values, count) : ALD_OK;
}

ald_status ald_rows_settle(ald_run *run, const ald_operator *z, void *bytes, int64_t size)
{
    return ald_all_rows_settle(run, all_of(z), bytes, size);
}

ald_status ald_rows_gather(ald_run *run, const ald_operator *z, const double *part, int64_t count,
                           const double **all, int64_t *first)
{
    const int64_t size = (int64_t)sizeof *part;
    ald_gathered gathered;
    *all = part;
    *first = 0;
    if (!z->all) return ALD_OK;
    ALD_TRY(z->all->gather(run, ALD_OK, part, count * size, &gathered));
    *all = (const double *)(const void *)gathered.bytes;
    *first = gathered.begin[z->all->part] / size;
    return ALD_OK;
}

/* A sum of the part, made with `status`, becomes that over all rows. */
static ald_status sum_over_all(ald_run *run, const ald_operator *z, ald_status status, double *values,
                               int64_t count)
{
    ALD_TRY(z->all->agree(run, status));
    return z->all->sum(run, values, count);
}

/* The part by itself. */
static ald_operator part_of(const ald_operator *z)
{
    ald_operator part = *z;
    part.all = NULL;
    return part;
}

static ald_status divided_apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    const ald_operator part = part_of(z);
    const int64_t n = z->x.rows;
    return n > 0 ? ald_operator_apply(run, &part, ald_of(v, z->x.cols, k), ald_at(u, n, k)) : ALD_OK;
}

static ald_status divided_apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                                           double *v)
{
    const ald_operator part = part_of(z);
    const int64_t n = z->x.rows, d = z->x.cols;
    ald_status status = ALD_OK;
    memset(v, 0, (size_t)(d * k) * sizeof *v);
    if (n > 0) status = ald_operator_apply_transposed(run, &part, ald_of(u, n, k), ald_at(v, d, k));
    return sum_over_all(run, z, status, v, d * k);
}

static ald_status divided_scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                                  double *b)
{
    const ald_operator part = part_of(z);
    const int64_t d = z->x.cols;
    ald_status status = ALD_OK;
    memset(c, 0, (size_t)(d * d) * sizeof *c);
    if (z->x.rows > 0) status = ald_operator_scatter_upper(run, &part, ald_at(c, d, d));
    ALD_TRY(sum_over_all(run, z, status, c, d * d));
    return k > 0 ? divided_apply_transposed(run, z, h, k, b) : ALD_OK;
}

static ald_status divided_square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    const ald_operator part = part_of(z);
    ald_status status = ALD_OK;
    *sum = 0.0;
    if (z->x.rows > 0) status = ald_operator_square_norm(run, &part, sum);
    return sum_over_all(run, z, status, sum, 1);
}

static ald_status divided_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    const ald_operator part = part_of(z);
    return ald_operator_rows(run, &part, i0, ald_at(rows, m, z->x.cols));
}

/* Columns of the part, d each; `size` and `sums` are room for what becomes of all rows. */
typedef struct part_columns {
    int64_t d;
    double weight, total; /* of the part, of all rows */
    double *mean, *deviation, *size, *sums;
} part_columns;

static ald_status describe_part(ald_run *run, const ald_operator *z, const double *w, part_columns *part)
{
    const ald_operator rows = part_of(z);
    const int64_t d = z->x.cols;
    *part = (part_columns){.d = d};
    ALD_TRY(ald_scratch_zeros(run, d, 1, &part->mean));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &part->deviation));
    ALD_TRY(ALD_SCRATCH(run, {&part->size, d, 1}, {&part->sums, d, 1}));
    for (int64_t i = 0; i < z->x.rows; i++) part->weight += w ? w[i] : 1.0;
    part->total = part->weight;
    if (!(part->weight > 0.0)) return ALD_OK;
    return ald_column_statistics(run, &rows, w,
                                 (ald_column_moments){.mean = part->mean, .deviation = part->deviation});
}

static ald_status unite_means(ald_run *run, const ald_operator *z, const part_columns *part, double *mean)
{
    memset(mean, 0, (size_t)part->d * sizeof *mean);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t j = 0; j < part->d; j++) part->sums[j] = part->weight * (part->mean[j] - mean[j]);
        ALD_TRY(ald_rows_sum(run, z, part->sums, part->d));
        for (int64_t j = 0; j < part->d; j++) mean[j] += part->sums[j] / part->total;
    }
    return ALD_OK;
}

static ald_status unite_deviations(ald_run *run, const ald_operator *z, const part_columns *part,
                                   const double *mean, double *deviation)
{
    const int any = part->weight > 0.0;
    for (int64_t j = 0; j < part->d; j++)
        part->size[j] = any ? fmax(part->deviation[j], fabs(part->mean[j] - mean[j])) : 0.0;
    ALD_TRY(ald_rows_largest(run, z, part->size, part->d));
    for (int64_t j = 0; j < part->d; j++) {
        const double size = part->size[j] > 0.0 ? part->size[j] : 1.0;
        const double spread = part->deviation[j] / size, away = (part->mean[j] - mean[j]) / size;
        part->sums[j] = any ? part->weight * (spread * spread + away * away) : 0.0;
    }
    ALD_TRY(ald_rows_sum(run, z, part->sums, part->d));
    for (int64_t j = 0; j < part->d; j++) deviation[j] = part->size[j] * sqrt(part->sums[j] / part->total);
    return ALD_OK;
}

static ald_status divided_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                     ald_column_moments moments)
{
    part_columns part;
    ALD_TRY(ald_rows_agree(run, z, describe_part(run, z, weights, &part)));
    ALD_TRY(ald_rows_sum(run, z, &part.total, 1));
    ALD_TRY(unite_means(run, z, &part, moments.mean));
    return moments.deviation ? unite_deviations(run, z, &part, moments.mean, moments.deviation) : ALD_OK;
}

const ald_storage_ops ald_divided_storage = {
    .apply = divided_apply,
    .apply_transposed = divided_apply_transposed,
    .advance = ald_advance_in_two,
    .scatter = divided_scatter,
    .rows = divided_rows,
    .square_norm = divided_square_norm,
    .column_statistics = divided_statistics,
    .lacks = "divided rows are not compared with each other",
};
