/* Principal component analysis.
 *
 *   maximise |Z W|_F^2   over W'W = I
 *
 * with Z the prepared X (centred; `center=0` leaves the mean in, which is latent semantic indexing). The
 * rows w_k of `components` are the unit eigenvectors of the largest eigenvalues of Z'Z, `eigenvalues` are
 * these, and `explained_variance_ratio` is their share of |Z|_F^2. With weights, Z'Z = sum_i w_i z_i z_i'.
 *
 * Solved as engines/spectral.h describes with L = I:
 *
 *   direct    Z'Z (n d^2) and its top eigenvectors (4/3 d^3); memory d^2
 *   dual      for d > n: Z Z' = U L U' (d n^2 + 4/3 n^3), w = Z'u / sqrt(l); memory n^2
 *   lanczos   block Lanczos on the smaller of the two as an operator: one or two passes over X per step,
 *             memory O(min(n, d) r)
 *   randomized  a random sample of the range of Z'Z, a fixed number of passes, memory O(d r)
 *
 * Edge cases: at most min(n - 1, d) directions (n when not centred), and no more than the numerical rank:
 * eigenvalues up to max(n, d) eps times the first are noise, and asking for them is refused. A constant X
 * has no direction at all.
 *
 * Reference: Pearson (1901); Hotelling (1933). */
#include "base/settings/settings.h"
#include "math/operator/all_rows.h"
#include "methods/engines/spectral.h"
#include "methods/gaps/gaps.h"

#include <math.h>
#include <stdio.h>

static const ald_param center_param = ALD_FLAG_PARAM(
    "center", "1", "subtract the column means; 0 is latent semantic indexing", .traits = ALD_PARAM_IS_CENTER);

static const ald_param *const params[] = {
    &center_param,
    NULL,
};

/* Without centring the model's mean is what scaling alone subtracts. */
static ald_status add_shift(ald_run *run, const ald_problem *problem, ald_model *model)
{
    double *zeros;
    ALD_TRY(ald_scratch_zeros(run, problem->d, 1, &zeros));
    return ald_model_add_vector(run, model, "mean", problem->d, problem->shift ? problem->shift : zeros);
}

/* Cells are missing: their principal components over those that are there. */
static ald_status fit_with_gaps(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_gaps gaps = {0};
    ALD_TRY(ald_gaps_solve(run, problem, NULL, 0, &gaps));
    ALD_TRY(ald_gaps_add(run, problem, 0, &gaps, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", problem->r, gaps.squares));
    return ald_model_add_vector(run, model, "explained_variance_ratio", problem->r, gaps.x_share);
}

/* The rank is a numerical one: small directions are lost beside large ones. */
static const char *describe_rank(const ald_spectral *s, char text[160])
{
    const int64_t rank = ald_spectral_rank(s);
    const double next = rank > 0 && rank < s->r ? fmax(s->values[rank], 0.0) : 0.0;
    snprintf(text, 160,
             "the rank of the data: the next eigenvalue is %.1e of the largest, and below %.1e is rounding",
             next / s->values[0], ald_spectral_rounding(s) / s->values[0]);
    return text;
}

static ald_status pca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int centred = ald_setting_int(run, &center_param) != 0;
    const int64_t n = ald_rows_total(&problem->x) - centred, most = n < problem->d ? n : problem->d;
    const int64_t r = problem->r;
    ald_operator z = problem->x;
    ald_spectral s = {.z = &z, .identity = 1, .r = r};
    double *ratio;
    char limit[160];
    if (problem->gappy) return fit_with_gaps(run, problem, model);
    if (!centred) z.mean = problem->shift;
    if (r > most)
        return ald_too_many_components(run, problem, most,
                                       centred ? "the smaller of rows - 1 and columns"
                                               : "the smaller of rows and columns");
    ALD_TRY(ald_scratch_reals(run, r, 1, &ratio));
    ALD_TRY(ald_spectral_solve(run, &s, model));
    for (int64_t k = 0; k < r; k++) ratio[k] = s.values[k] / s.total;
    if (!centred) ALD_TRY(add_shift(run, problem, model));
    ALD_TRY(ald_spectral_add(run, problem, &s, describe_rank(&s, limit), model));
    if (centred) ALD_TRY(ald_add_score_variances(run, problem, r, s.values, model));
    return ald_model_add_vector(run, model, "explained_variance_ratio", r, ratio);
}

const ald_method ald_method_pca = {
    .name = "pca",
    .title = "Principal component analysis",
    .synonyms = "principal components, karhunen-loeve, eof, pcr, principal component regression, singular "
                "value decomposition, svd",
    .summary = "Orthogonal directions of largest variance; the target is not used.",
    .reference = "Pearson (1901), Hotelling (1933)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_NO_TARGET |
                    ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .shares_products = 1,
    .relation = ALD_BY_RESPONSE,
    .regression = "pcr",
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, ald_spectral_params, ald_gaps_params, NULL},
    .fit = pca_fit,
};
