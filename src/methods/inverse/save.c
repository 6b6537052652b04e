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
 * Cost beside the whitening: n p^2 + slices p^3 + 4/3 p^3; memory n p + 2 p^2. From statistics (streamed,
 * updated) the scatter of each slice is there: slices (d^2 p + p^3), memory slices d^2.
 *
 * Edge cases: at most p directions, the rank of the covariance. A slice of one row has V_h = 0, and a warning
 * says so; a slice of few rows (below p) has a poor V_h too, and gives noise: choose fewer slices.
 *
 * Reference: Cook and Weisberg (1991). */
#include "math/linalg/linalg.h"
#include "methods/engines/slices.h"
#include "methods/engines/whiten.h"
#include "methods/moments/moments.h"

#include <string.h>

static const ald_param n_slices_param = ALD_INT_PARAM(
    "n_slices", "10", 2, 1e9, "number of slices of a real response, by its ranks; classes are slices",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_SLICES);

static const ald_param *const params[] = {
    &n_slices_param,
    NULL,
};

enum { block_rows = 256 };

/* Rows of one slice: members[0 .. count - 1]. */
typedef struct slice {
    const int64_t *members;
    int64_t count;
} slice;

/* The rows in order of their slice; begin[h] is where slice h begins, begin[count] = n. */
static ald_status group_rows(ald_run *run, int64_t n, const ald_slices *slices, int64_t **members,
                             int64_t **begin)
{
    int64_t *next;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **members, members));
    ALD_TRY(ald_scratch(run, slices->count + 1, 1, sizeof **begin, begin));
    ALD_TRY(ald_scratch(run, slices->count, 1, sizeof *next, &next));
    (*begin)[0] = 0;
    for (int64_t h = 0; h < slices->count; h++) (*begin)[h + 1] = (*begin)[h] + (int64_t)slices->weight[h];
    memcpy(next, *begin, (size_t)slices->count * sizeof *next);
    for (int64_t i = 0; i < n; i++) (*members)[next[slices->of[i]]++] = i;
    return ALD_OK;
}

static void mean_of(const ald_whitening *w, slice s, double *mean)
{
    memset(mean, 0, (size_t)w->p * sizeof *mean);
    for (int64_t k = 0; k < s.count; k++) {
        const double *u = w->rows + s.members[k] * w->p;
        for (int64_t a = 0; a < w->p; a++) mean[a] += u[a] / (double)s.count;
    }
}

/* difference (p x p) = diag(s) - V_h. */
static ald_status covariance_missing(ald_run *run, const ald_whitening *w, slice s, double *block,
                                     double *mean, double *difference)
{
    const int64_t p = w->p;
    mean_of(w, s, mean);
    memset(difference, 0, (size_t)(p * p) * sizeof *difference);
    for (int64_t a = 0; a < p; a++) difference[a * p + a] = w->share[a];
    for (int64_t begin = 0; begin < s.count; begin += block_rows) {
        const int64_t rows = s.count - begin < block_rows ? s.count - begin : block_rows;
        for (int64_t k = 0; k < rows; k++)
            for (int64_t a = 0; a < p; a++)
                block[k * p + a] = w->rows[s.members[begin + k] * p + a] - mean[a];
        ALD_TRY(
            ald_gram_add(run, -1.0 / (double)s.count, ald_of(block, rows, p), 1.0, ald_at(difference, p, p)));
    }
    ald_mirror(ald_at(difference, p, p));
    return ALD_OK;
}

static void reserve_single_rows(ald_run *run, const ald_problem *problem, const ald_slices *slices)
{
    const int cut = slices->edges || (problem->moments && problem->moments->edges);
    int64_t single = 0;
    for (int64_t h = 0; h < slices->count; h++) single += slices->weight[h] < 1.5;
    if (single == 0) return;
    ald_warn(run, ALD_RANK_REDUCED, "%lld of %lld %s %s one row, whose covariance was taken as 0: %s",
             (long long)single, (long long)slices->count, cut ? "slices" : "classes",
             single == 1 ? "has" : "have",
             cut ? "lower `n_slices`" : "leave out or merge classes of one row");
}

static ald_status sum_over_slices(ald_run *run, const ald_whitening *w, const ald_slices *slices, double *m)
{
    double *block, *mean, *difference;
    int64_t *members, *begin;
    ALD_TRY(group_rows(run, w->n, slices, &members, &begin));
    ALD_TRY(ALD_SCRATCH(run, {&block, block_rows, w->p}, {&mean, w->p, 1}, {&difference, w->p, w->p}));
    for (int64_t h = 0; h < slices->count; h++) {
        const slice s = {members + begin[h], begin[h + 1] - begin[h]};
        ALD_TRY(covariance_missing(run, w, s, block, mean, difference));
        ALD_TRY(ald_gram_add(run, (double)s.count / (double)w->n, ald_of(difference, w->p, w->p), 1.0,
                             ald_at(m, w->p, w->p)));
        ALD_TRY(ald_progress(run, "comparing slices", (double)(h + 1) / (double)slices->count));
    }
    return ALD_OK;
}

/* M of the scatters of the slices, which are classes there: V_h = T'S_h T / n_h. */
static ald_status sum_over_moments(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                                   double *m)
{
    const ald_moments *sums = problem->moments;
    const int64_t p = w->p, d = w->d;
    double *difference;
    ALD_TRY(ald_scratch_reals(run, p, p, &difference));
    for (int64_t c = 0; c < sums->patterns; c++) {
        const double count = sums->count[c];
        if (!(count > 0.0)) continue;
        ALD_TRY(ald_whiten_square(run, problem, w, sums->within + c * d * d, difference));
        for (int64_t i = 0; i < p * p; i++) difference[i] /= -count;
        for (int64_t a = 0; a < p; a++) difference[a * p + a] += w->share[a];
        ALD_TRY(ald_gram_add(run, count / sums->weight, ald_of(difference, p, p), 1.0, ald_at(m, p, p)));
        ALD_TRY(ald_progress(run, "comparing slices", (double)(c + 1) / (double)sums->patterns));
    }
    return ALD_OK;
}

static ald_status save_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    ald_slices slices;
    double *m, *values, *vectors;
    ALD_TRY(ald_whiten(run, problem, model, &w));
    ALD_TRY(ald_problem_slices(run, problem, ald_slices_asked(run), model, &slices));
    reserve_single_rows(run, problem, &slices);
    ALD_TRY(ald_scratch_zeros(run, w.p, w.p, &m));
    ALD_TRY(ALD_SCRATCH(run, {&values, problem->r, 1}, {&vectors, problem->r, w.p}));
    ALD_TRY(problem->moments ? sum_over_moments(run, problem, &w, m) : sum_over_slices(run, &w, &slices, m));
    ALD_TRY(ald_eigen(run, ald_at(m, w.p, w.p), values, ald_at(vectors, problem->r, w.p)));
    return ald_add_whitened(run, problem, &w, values, vectors, model);
}

const ald_method ald_method_save = {
    .name = "save",
    .title = "Sliced average variance estimation",
    .synonyms = "sliced average variance, sufficient dimension reduction",
    .summary = "Directions along which the spread of the rows changes with the target.",
    .reference = "Cook and Weisberg (1991)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    .class_scatters = 1,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .scale_free = 1,
    .tables = (const ald_param_table[]){params, ald_whiten_params, NULL},
    .fit = save_fit,
};
