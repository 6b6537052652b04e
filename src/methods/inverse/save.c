/* Sliced average variance estimation.
 *
 * On whitened rows u_i (whiten.h; p columns), cut into slices by the target (slices.h; classes are slices),
 *
 *   M = sum_h f_h (I - V_h)^2 = E diag(lambda) E'               with a ridge: diag(s) - V_h
 *   B = T E,   the directions of the largest lambda,            B'(Sigma + ridge I) B = I
 *
 *   f_h = the share of the rows in slice h
 *   V_h = their covariance (divisor n_h)
 *
 * Where the covariance within slices differs from the whole one, there is something to see: also where the
 * means of all slices are equal (y = x^2), which sir cannot find.
 *
 * Several responses are cut one by one, and M is the mean of theirs (Saracco 2005; slices.h).
 *
 * Cost beside the whitening: n p^2 + slices p^3 + 4/3 p^3; memory n p + 2 p^2. From statistics (streamed,
 * updated) the scatter of each slice is there: slices (d^2 p + p^3), memory slices d^2. Sparse X stays
 * sparse where d <= n (slice_moments.h).
 *
 * Edge cases: at most p directions, the rank of the covariance. A slice of one row has V_h = 0, and a warning
 * says so; a slice of few rows (below p) has a poor V_h too, and gives noise: choose fewer slices.
 *
 * Reference: Cook and Weisberg (1991). */
#include "math/linalg/linalg.h"
#include "methods/moments/moments.h"
#include "methods/moments/slice_moments.h"

static const ald_param n_slices_param = ALD_INT_PARAM(
    "n_slices", "10", 2, 1e9, "number of slices of a real response, by its ranks; classes are slices",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_SLICES);

static const ald_param *const params[] = {
    &n_slices_param,
    NULL,
};

/* M += f_h (diag(s) - V_h)^2. */
static ald_status add_slice(ald_run *run, const ald_whitening *w, const ald_slice_moments *slice, void *m)
{
    const ald_area v = ald_at(slice->covariance, w->p, w->p);
    ald_scale(-1.0, v);
    for (int64_t a = 0; a < w->p; a++) v.data[a * w->p + a] += w->share[a];
    return ald_gram_add(run, slice->share, ald_read(v), 1.0, ald_at(m, w->p, w->p));
}

/* Statistics know the weight of a slice only. */
static int64_t count_single(const ald_problem *problem, const ald_slices *slices, int64_t *rows)
{
    const double *weights = problem->weights;
    int64_t single = 0;
    for (int64_t h = 0; h < slices->count; h++) rows[h] = 0;
    for (int64_t i = 0; i < problem->n; i++) rows[slices->of[i]] += !weights || weights[i] > 0.0;
    for (int64_t h = 0; h < slices->count; h++)
        single += problem->moments ? slices->weight[h] < 1.5 : rows[h] == 1;
    return single;
}

static ald_status reserve_single_rows(ald_run *run, const ald_problem *problem, const ald_slices *slices)
{
    const int cut = slices->edges || (problem->moments && problem->moments->edges);
    int64_t *rows;
    ALD_TRY(ald_scratch(run, slices->count, 1, sizeof *rows, &rows));
    const int64_t single = count_single(problem, slices, rows);
    if (single == 0) return ALD_OK;
    ald_warn(run, ALD_RANK_REDUCED, "%lld of %lld %s %s one row, whose covariance was taken as 0: %s",
             (long long)single, (long long)slices->count, cut ? "slices" : "classes",
             single == 1 ? "has" : "have",
             cut ? "lower `n_slices`" : "leave out or merge classes of one row");
    return ALD_OK;
}

static ald_status save_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    ald_slicings slicings;
    double *m, *values, *vectors;
    ALD_TRY(ald_whiten(run, problem, model, &w));
    ALD_TRY(ald_problem_slicings(run, problem, model, &slicings));
    ALD_TRY(ald_scratch_zeros(run, w.p, w.p, &m));
    ALD_TRY(ALD_SCRATCH(run, {&values, problem->r, 1}, {&vectors, problem->r, w.p}));
    for (int64_t j = 0; j < slicings.count; j++) {
        ALD_TRY(reserve_single_rows(run, problem, &slicings.each[j]));
        ALD_TRY(ald_visit_slices(run, problem, &w, &slicings.each[j], add_slice, m));
    }
    ald_scale(1.0 / (double)slicings.count, ald_at(m, w.p, w.p));
    ALD_TRY(ald_eigen(run, ald_at(m, w.p, w.p), values, ald_at(vectors, problem->r, w.p)));
    return ald_add_whitened(run, problem, &w, values, vectors, model);
}

const ald_method ald_method_save = {
    .name = "save",
    .title = "Sliced average variance estimation",
    .synonyms = "sliced average variance, sufficient dimension reduction",
    .summary = "Directions along which the spread of the rows changes with the target.",
    .reference = "Cook and Weisberg (1991)",
    ALD_SLICE_METHOD,
    .tables = (const ald_param_table[]){params, ald_whiten_params, NULL},
    .fit = save_fit,
};
