/* Reduced-rank regression: least squares of Y on X with coefficients of rank r.
 *
 *   minimise |Yc - Z C|^2 + ridge |C|^2   over C of rank r
 *
 * with Z the prepared X and Yc the centred target (responses, dummies of classes, or labels). Solution:
 *
 *   B = (Z'Z + ridge I)^-1 Z'Yc                         d x k, the coefficients of least squares
 *   V = the r leading eigenvectors of Yc'Z B,           V'V = I
 *   C = B V V'
 *
 * `components` are the rows of (B V)'.
 *
 * Normalisation. The scores T = Z B V are fitted responses, in their units: the regression of Yc on them has
 * the coefficients V' (without a ridge), so that T V' is the fit of rank r and `predictor=linear` gives it. T
 * is uncorrelated, T'T = diag(l) without a ridge, and `eigenvalues` l are the sums of squares of Yc that the
 * components explain. opls has the same directions with scores of length one; cca measures Yc by its own
 * covariance.
 *
 * Cost: it is the pencil of engines/pencil.h with H = Yc, k = the number of responses.
 *
 * Edge cases: at most as many components as the rank of Yc.
 *
 * Reference: Anderson (1951); Izenman (1975). */
#include "methods/engines/pencil.h"

static ald_status rrr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_pencil pencil = {
        .ridge_unit = 1.0,
        .length = ALD_PENCIL_FITTED,
        .limit = "the rank of the centred target, or of the data",
    };
    ALD_TRY(ald_problem_responses(run, problem, &pencil.h, &pencil.k));
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_rrr = {
    .name = "rrr",
    .title = "Reduced-rank regression",
    .synonyms = "reduced rank regression, redundancy analysis, rda",
    .summary = "Components whose scores give the best least squares fit of all responses with coefficients "
               "of low rank.",
    .reference = "Anderson (1951); Izenman (1975); Sun, Ceran and Ye (2010) for the two-stage solver",
    ALD_PENCIL_METHOD(ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS),
    .tables = (const ald_param_table[]){ald_pencil_params, NULL},
    .fit = rrr_fit,
};
