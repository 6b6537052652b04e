/* Directional regression.
 *
 * On whitened rows u_i (whiten.h; p columns), cut into slices by the target (slices.h; classes are slices),
 *
 *   G = 2 sum_h f_h (S_h - S)^2 + 2 M^2 + 2 tr(M) M = E diag(lambda) E'
 *   B = T E,   the directions of the largest lambda,            B'(Sigma + ridge I) B = I
 *
 *   f_h = the share of the rows in slice h,   m_h = their mean
 *   S_h = the mean of u u' over them,         S = that over all rows: I without a ridge
 *   M   = sum_h f_h m_h m_h'
 *
 * That is the mean over pairs of slices of what the direction u - v of two rows misses of I,
 *
 *   G = sum_h sum_k f_h f_k (2 I - A_hk)^2,   A_hk = E (u - v)(u - v)',  u of slice h, v of slice k.
 *
 * The first term sees what save sees, the others what sir sees: where all slice means vanish G is 2 save's.
 * Several responses are cut one by one, and G is the mean of theirs (Saracco 2005; slices.h).
 *
 * Cost beside the whitening: n p^2 + slices p^3 + 4/3 p^3; memory n p + 4 p^2. From statistics (streamed,
 * updated) the scatter of each slice is there: slices (d^2 p + p^3), memory slices d^2. Sparse X stays
 * sparse where d <= n (slice_moments.h).
 *
 * Edge cases: at most p directions, the rank of the covariance. Slices of few rows (below p) have a poor S_h:
 * choose fewer slices.
 *
 * Reference: Li and Wang (2007). */
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/moments/slice_moments.h"

#include <string.h>

/* The sums over the slices of one response, p x p each. */
typedef struct sums {
    double *squares; /* sum f_h (S_h - S)^2 */
    double *means;   /* M */
} sums;

static ald_status add_slice(ald_run *run, const ald_whitening *w, const ald_slice_moments *slice, void *self)
{
    const sums *s = self;
    const int64_t p = w->p;
    for (int64_t a = 0; a < p; a++) {
        ald_add_times(p, slice->mean[a], slice->mean, slice->covariance + a * p);
        slice->covariance[a * p + a] -= w->share[a];
        ald_add_times(p, slice->share * slice->mean[a], slice->mean, s->means + a * p);
    }
    return ald_gram_add(run, slice->share, ald_of(slice->covariance, p, p), 1.0, ald_at(s->squares, p, p));
}

/* g += 2 sum f_h (S_h - S)^2 + 2 M^2 + 2 tr(M) M of one response; upper triangle. */
static ald_status add_response(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                               const ald_slices *slices, double *g)
{
    const int64_t p = w->p;
    sums s;
    ALD_TRY(ALD_SCRATCH(run, {&s.squares, p, p}, {&s.means, p, p}));
    memset(s.squares, 0, (size_t)(p * p) * sizeof *s.squares);
    memset(s.means, 0, (size_t)(p * p) * sizeof *s.means);
    ALD_TRY(ald_visit_slices(run, problem, w, slices, add_slice, &s));
    ALD_TRY(ald_gram_add(run, 1.0, ald_of(s.means, p, p), 1.0, ald_at(s.squares, p, p)));
    ald_add_times(p * p, ald_trace(p, s.means), s.means, s.squares);
    ald_add_times(p * p, 2.0, s.squares, g);
    return ALD_OK;
}

static ald_status dr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    ald_slicings slicings;
    double *g, *values, *vectors;
    ALD_TRY(ald_whiten(run, problem, model, &w));
    ALD_TRY(ald_problem_slicings(run, problem, model, &slicings));
    ALD_TRY(ald_scratch_zeros(run, w.p, w.p, &g));
    ALD_TRY(ALD_SCRATCH(run, {&values, problem->r, 1}, {&vectors, problem->r, w.p}));
    for (int64_t j = 0; j < slicings.count; j++)
        ALD_TRY(add_response(run, problem, &w, &slicings.each[j], g));
    ald_scale(1.0 / (double)slicings.count, ald_at(g, w.p, w.p));
    ALD_TRY(ald_eigen(run, ald_at(g, w.p, w.p), values, ald_at(vectors, problem->r, w.p)));
    return ald_add_whitened(run, problem, &w, values, vectors, model);
}

const ald_method ald_method_dr = {
    .name = "dr",
    .title = "Directional regression",
    .synonyms = "directional regression, sufficient dimension reduction",
    .summary = "Directions along which the mean or the spread of the rows changes with the target.",
    .reference = "Li and Wang (2007)",
    ALD_SLICE_METHOD,
    .tables = (const ald_param_table[]){ald_slices_params, ald_whiten_params, NULL},
    .fit = dr_fit,
};
