/* With n_r, m_r and s_r the weight, the mean and the deviation of the rows of rank r, and n = sum n_r:
 *
 *   m = sum_r n_r m_r / n        twice, so that what the rounding of the first leaves is taken off
 *   s^2 = sum_r n_r (s_r^2 + (m_r - m)^2) / n
 *
 * The squares are of numbers divided by the largest of them over the ranks, so that none overflows. */
#include "judge/evaluate/shared_statistics.h"

#include <math.h>
#include <string.h>

/* Of this rank, d each; `size` and `sums` are room for what the ranks tell each other. */
typedef struct own_columns {
    int64_t d;
    double weight;
    double *mean, *deviation, *size, *sums;
} own_columns;

static ald_status look_at_own(ald_run *run, const ald_operator *z, const double *w, own_columns *own)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    *own = (own_columns){.d = d};
    ALD_TRY(ald_scratch_zeros(run, d, 1, &own->mean));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &own->deviation));
    ALD_TRY(ALD_SCRATCH(run, {&own->size, d, 1}, {&own->sums, d, 1}));
    for (int64_t i = 0; i < n; i++) own->weight += w ? w[i] : 1.0;
    if (!(own->weight > 0.0)) return ALD_OK;
    const ald_column_moments moments = {.mean = own->mean, .deviation = own->deviation};
    return ald_column_statistics(run, z, w, moments);
}

static ald_status unite_means(ald_run *run, const ald_shared_rows *shared, const own_columns *own,
                              double *mean)
{
    memset(mean, 0, (size_t)own->d * sizeof *mean);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t j = 0; j < own->d; j++) own->sums[j] = own->weight * (own->mean[j] - mean[j]);
        ALD_TRY(shared->sum(run, own->sums, own->d));
        for (int64_t j = 0; j < own->d; j++) mean[j] += own->sums[j] / shared->weight;
    }
    return ALD_OK;
}

static ald_status unite_deviations(ald_run *run, const ald_shared_rows *shared, const own_columns *own,
                                   const double *mean, double *deviation)
{
    const int any = own->weight > 0.0;
    for (int64_t j = 0; j < own->d; j++)
        own->size[j] = any ? fmax(own->deviation[j], fabs(own->mean[j] - mean[j])) : 0.0;
    ALD_TRY(shared->largest(run, own->size, own->d));
    for (int64_t j = 0; j < own->d; j++) {
        const double size = own->size[j] > 0.0 ? own->size[j] : 1.0;
        const double spread = own->deviation[j] / size, away = (own->mean[j] - mean[j]) / size;
        own->sums[j] = any ? own->weight * (spread * spread + away * away) : 0.0;
    }
    ALD_TRY(shared->sum(run, own->sums, own->d));
    for (int64_t j = 0; j < own->d; j++) deviation[j] = own->size[j] * sqrt(own->sums[j] / shared->weight);
    return ALD_OK;
}

ald_status ald_shared_statistics(ald_run *run, const ald_shared_rows *shared, const ald_operator *z,
                                 const double *w, double *mean, double *deviation)
{
    own_columns own;
    if (!shared)
        return ald_column_statistics(run, z, w, (ald_column_moments){.mean = mean, .deviation = deviation});
    ALD_TRY(shared->agree(run, look_at_own(run, z, w, &own)));
    ALD_TRY(unite_means(run, shared, &own, mean));
    return deviation ? unite_deviations(run, shared, &own, mean, deviation) : ALD_OK;
}
