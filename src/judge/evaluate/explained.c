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

#include "judge/evaluate/shared_statistics.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double weight(const double *w, int64_t i)
{
    return w ? w[i] : 1.0;
}

/* Sums over the rows of all ranks. The first failure stays, and nobody is asked any more. */
typedef struct summing {
    ald_run *run;
    const ald_shared_rows *shared; /* NULL: all rows are here */
    ald_status status;
} summing;

static double sum_of(summing *s, double own)
{
    if (s->shared && s->status >= 0) s->status = s->shared->sum(s->run, &own, 1);
    return own;
}

static double largest_of(summing *s, double own)
{
    if (s->shared && s->status >= 0) s->status = s->shared->largest(s->run, &own, 1);
    return own;
}

/* Twice: what the rounding of the first mean leaves is taken off by the second, so that columns of 0.1
 * throughout do not seem to vary. */
static void find_means(summing *s, int64_t n, int64_t m, const double *y, const double *w, double *mean)
{
    double own = 0.0;
    memset(mean, 0, (size_t)m * sizeof *mean);
    for (int64_t i = 0; i < n; i++) own += weight(w, i);
    const double total = sum_of(s, own);
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

ald_status ald_shared_means(ald_run *run, const ald_shared_rows *shared, int64_t n, int64_t m,
                            const double *y, const double *w, double *mean)
{
    summing sums = {.run = run, .shared = shared};
    find_means(&sums, n, m, y, w, mean);
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
    const double rows = (double)(s->shared ? s->shared->rows : n);
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

ald_status ald_shared_basis(ald_run *run, const ald_shared_rows *shared, int64_t n, int64_t r,
                            const double *z, const double *w, double *q)
{
    summing sums = {.run = run, .shared = shared};
    make_basis(&sums, n, r, z, w, q);
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

/* For this rank's rows: |Z|^2 and Z'q, with the mean and the roots of the weights. */
static ald_status add_up_rows(ald_run *run, const ald_operator *centred, int64_t r, const double *q,
                              double *total, double *along)
{
    const int64_t n = centred->x.rows, d = centred->x.cols;
    double *weighted;
    *total = 0.0;
    memset(along, 0, (size_t)(d * r) * sizeof *along);
    if (n == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, r, &weighted));
    for (int64_t i = 0; i < n * r; i++)
        weighted[i] = q[i] * (centred->row_weight ? centred->row_weight[i / r] : 1.0);
    ALD_TRY(ald_operator_square_norm(run, centred, total));
    return ald_operator_apply_transposed(run, centred, ald_of(weighted, n, r), ald_at(along, d, r));
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

ald_status ald_explained_rows(ald_run *run, const ald_shared_rows *shared, const ald_operator *x, int64_t r,
                              const double *q, const double *w, double *share)
{
    const int64_t d = x->x.cols;
    ald_operator centred = *x;
    double *mean, *along;
    double total = 0.0;
    ald_status status = ALD_SCRATCH(run, {&mean, d, 1}, {&along, d, r});
    if (status >= 0) status = roots_of(run, x->x.rows, w, &centred.row_weight);
    if (shared) status = shared->agree(run, status);
    if (status >= 0) status = ald_shared_statistics(run, shared, x, w, mean, NULL);
    centred.mean = mean;
    if (status >= 0) status = add_up_rows(run, &centred, r, q, &total, along);
    if (shared) status = shared->agree(run, status);
    ALD_TRY(status);
    if (shared) ALD_TRY(shared->sum(run, &total, 1));
    if (shared) ALD_TRY(shared->sum(run, along, d * r));
    for (int64_t k = 0; k < r; k++) {
        share[k] = 0.0;
        for (int64_t j = 0; j < d; j++) share[k] += along[j * r + k] * along[j * r + k];
    }
    accumulate(r, total, share);
    return ALD_OK;
}
