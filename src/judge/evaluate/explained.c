/* What scores explain, by least squares with an intercept.
 *
 * With weights w (sum n) and <a, b> = sum_i w_i a_i b_i, q_1 .. q_r come from the centred scores one after
 * the other by Gram-Schmidt (each step twice, so that they are orthogonal to rounding). What the first k
 * explain of columns Y about their means is
 *
 *   share_k = sum_{j <= k} sum_c <q_j, y_c>^2 / sum_c <y_c - m_c, y_c - m_c>,
 *
 * which rises with k and depends on the span of the first k scores only. For X the sum over its columns is
 * |X'W q_j|^2: one product with X for all k. Cost: n r^2 + n r (d + q), memory (n + d) r. */
#include "judge/evaluate/explained.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double weight(const double *w, int64_t i)
{
    return w ? w[i] : 1.0;
}

/* Sums over all rows (operator/all_rows.h). The first failure stays, and nothing is summed after it. */
typedef struct summing {
    ald_run *run;
    const ald_operator *z; /* NULL: all rows are here */
    ald_status status;
} summing;

static double sum_of(summing *s, double value)
{
    if (s->status >= 0) s->status = ald_rows_sum(s->run, s->z, &value, 1);
    return value;
}

static double largest_of(summing *s, double value)
{
    if (s->status >= 0) s->status = ald_rows_largest(s->run, s->z, &value, 1);
    return value;
}

/* Twice: what the rounding of the first mean leaves is taken off by the second, so that columns of 0.1
 * throughout do not seem to vary. */
static void find_means(summing *s, int64_t n, int64_t m, const double *y, const double *w, double *mean)
{
    double part = 0.0;
    memset(mean, 0, (size_t)m * sizeof *mean);
    for (int64_t i = 0; i < n; i++) part += weight(w, i);
    const double total = sum_of(s, part);
    for (int pass = 0; total > 0.0 && pass < 2; pass++)
        for (int64_t c = 0; c < m; c++) {
            double sum = 0.0;
            for (int64_t i = 0; i < n; i++) sum += weight(w, i) * (y[i * m + c] - mean[c]);
            mean[c] += sum_of(s, sum) / total;
        }
}

void ald_weighted_means(int64_t n, int64_t m, const double *y, const double *w, double *mean)
{
    summing alone = {0};
    find_means(&alone, n, m, y, w, mean);
}

ald_status ald_divided_means(ald_run *run, const ald_operator *z, int64_t m, const double *y, const double *w,
                             double *mean)
{
    summing sums = {.run = run, .z = z};
    find_means(&sums, z->x.rows, m, y, w, mean);
    return sums.status;
}

static double inner(summing *s, int64_t n, int64_t r, const double *q, const double *w, int64_t a, int64_t b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += weight(w, i) * q[i * r + a] * q[i * r + b];
    return sum_of(s, sum);
}

/* Takes the mean off column k, scaled to at most 1 so that squares neither overflow nor vanish. */
static void centre_column(summing *s, int64_t n, int64_t r, const double *w, int64_t k, double *q)
{
    double total = 0.0, mean = 0.0, largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(q[i * r + k]));
    largest = largest_of(s, largest);
    if (!(largest > 0.0)) return;
    for (int64_t i = 0; i < n; i++) {
        q[i * r + k] /= largest;
        total += weight(w, i);
        mean += weight(w, i) * q[i * r + k];
    }
    total = sum_of(s, total);
    mean = sum_of(s, mean) / total;
    for (int64_t i = 0; i < n; i++) q[i * r + k] -= mean;
}

static void make_basis(summing *s, int64_t n, int64_t r, const double *z, const double *w, double *q)
{
    const double rows = (double)(s->z ? ald_rows_total(s->z) : n);
    if (q != z && n > 0) memcpy(q, z, (size_t)(n * r) * sizeof *q);
    for (int64_t k = 0; k < r; k++) {
        centre_column(s, n, r, w, k, q);
        const double begun = inner(s, n, r, q, w, k, k);
        for (int step = 0; step < 2 * k; step++) {
            const int64_t j = step % k;
            const double along = inner(s, n, r, q, w, j, k);
            for (int64_t i = 0; i < n; i++) q[i * r + k] -= along * q[i * r + j];
        }
        const double left = inner(s, n, r, q, w, k, k);
        const double factor = left > 1e-24 * begun && left > 1e-28 * rows ? 1.0 / sqrt(left) : 0.0;
        for (int64_t i = 0; i < n; i++) q[i * r + k] *= factor;
    }
}

void ald_weighted_basis(int64_t n, int64_t r, const double *z, const double *w, double *q)
{
    summing alone = {0};
    make_basis(&alone, n, r, z, w, q);
}

ald_status ald_divided_basis(ald_run *run, const ald_operator *z, int64_t r, const double *scores,
                             const double *w, double *q)
{
    summing sums = {.run = run, .z = z};
    make_basis(&sums, z->x.rows, r, scores, w, q);
    return sums.status;
}

/* From the explained part of each column of q to the share of the first k. */
static void accumulate(int64_t r, double total, double *share)
{
    double sum = 0.0;
    for (int64_t k = 0; k < r; k++) {
        sum += share[k];
        share[k] = total > 0.0 ? fmin(sum / total, 1.0) : (double)NAN;
    }
}

ald_status ald_explained_columns(ald_run *run, int64_t n, int64_t r, const double *q, const double *w,
                                 int64_t m, const double *y, double *share)
{
    double *mean, *along;
    double total = 0.0, rounding = 0.0;
    ALD_TRY(ald_scratch_reals(run, m, 1, &mean));
    ALD_TRY(ald_scratch_zeros(run, r, m, &along));
    ald_weighted_means(n, m, y, w, mean);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < m; c++) {
            const double about = y[i * m + c] - mean[c], weighted = weight(w, i) * about;
            total += weighted * about;
            for (int64_t k = 0; k < r; k++) along[k * m + c] += q[i * r + k] * weighted;
        }
    for (int64_t k = 0; k < r; k++) {
        share[k] = 0.0;
        for (int64_t c = 0; c < m; c++) share[k] += along[k * m + c] * along[k * m + c];
    }
    for (int64_t c = 0; c < m; c++)
        rounding += 16.0 * DBL_EPSILON * DBL_EPSILON * (double)n * mean[c] * mean[c];
    accumulate(r, total > rounding ? total : 0.0, share);
    return ALD_OK;
}

/* The roots of the weights; NULL: there are none. */
static ald_status roots_of(ald_run *run, int64_t n, const double *w, const double **roots)
{
    double *made;
    *roots = NULL;
    if (!w) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, 1, &made));
    for (int64_t i = 0; i < n; i++) made[i] = sqrt(w[i]);
    *roots = made;
    return ALD_OK;
}

/* Mean, roots of the weights, and W q. */
static ald_status centre_rows(ald_run *run, int64_t r, const double *q, const double *w,
                              ald_operator *centred, double **mean, double **weighted)
{
    const int64_t n = centred->x.rows;
    ALD_TRY(roots_of(run, n, w, &centred->row_weight));
    ALD_TRY(ALD_SCRATCH(run, {mean, centred->x.cols, 1}, {weighted, n, r}));
    for (int64_t i = 0; i < n * r; i++)
        (*weighted)[i] = q[i] * (centred->row_weight ? centred->row_weight[i / r] : 1.0);
    centred->mean = *mean;
    return ALD_OK;
}

ald_status ald_explained_rows(ald_run *run, const ald_operator *x, int64_t r, const double *q,
                              const double *w, double *share)
{
    const int64_t n = x->x.rows, d = x->x.cols;
    ald_operator centred = *x;
    double *mean, *along = NULL, *weighted;
    double total;
    ald_status status = ald_scratch_reals(run, d, r, &along);
    if (status >= 0) status = centre_rows(run, r, q, w, &centred, &mean, &weighted);
    ALD_TRY(ald_rows_agree(run, x, status));
    ALD_TRY(ald_column_statistics(run, x, w, (ald_column_moments){.mean = mean}));
    ALD_TRY(ald_operator_square_norm(run, &centred, &total));
    ALD_TRY(ald_operator_apply_transposed(run, &centred, ald_of(weighted, n, r), ald_at(along, d, r)));
    for (int64_t k = 0; k < r; k++) {
        share[k] = 0.0;
        for (int64_t j = 0; j < d; j++) share[k] += along[j * r + k] * along[j * r + k];
    }
    accumulate(r, total, share);
    return ALD_OK;
}
