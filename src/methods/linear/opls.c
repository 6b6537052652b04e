/* Orthonormalized partial least squares: the pencil of engines/pencil.h with
 *
 *   H = Yc,   the centred target (responses, dummies of classes, or labels)
 *
 * The directions whose scores, made uncorrelated, predict Y best: |Yc - Z W Q|^2 is least over W of rank r.
 *
 * Cost: pencil.h with k = the number of responses.
 *
 * Edge cases: at most as many directions as the rank of Yc.
 *
 * Reference: Worsley et al. (1998). */
#include "methods/engines/pencil.h"

static ald_status opls_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_pencil pencil = {
        .ridge_unit = 1.0,
        .unit = 1.0,
        .limit = "the rank of the centred target, or of the data",
    };
    ALD_TRY(ald_problem_responses(run, problem, &pencil.h, &pencil.k));
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_opls = {
    .name = "opls",
    .title = "Orthonormalized partial least squares",
    .synonyms = "orthonormalised pls, multilinear regression, redundancy analysis, rda; not the orthogonal "
                "pls (o-pls) of Trygg and Wold",
    .summary = "Uncorrelated directions that predict all responses together best.",
    .reference = "Worsley et al. (1998); Sun, Ceran and Ye (2010) for the two-stage solver",
    ALD_PENCIL_METHOD(ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS),
    .tables = (const ald_param_table[]){ald_pencil_params, NULL},
    .fit = opls_fit,
};
