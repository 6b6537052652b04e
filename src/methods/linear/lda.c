/* Linear discriminant analysis (Fisher's): the pencil of engines/pencil.h with a column of H per class,
 *
 *   H_c = 1_c / sqrt(n_c)      with weights: the roots of the weights over the root of their sum
 *
 * so that Z'H H'Z is the between-class scatter Sb, and Z'Z = Sb + Sw is the total one:
 *
 *   lambda = f / (1 + f),      f the ratio of (Sb, Sw), lambda the squared canonical correlation
 *
 * Cost: pencil.h with k = C.
 *
 * Edge cases: X is centred, so the columns of Z'H, each times sqrt(n_c), add up to 0: at most C - 1
 * directions.
 *
 * Reference: Fisher (1936). */
#include "methods/engines/pencil.h"

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0", 0, "added to the diagonal of X'X, the total scatter");

static const ald_param *const params[] = {
    &ridge_param,
    NULL,
};

static ald_status lda_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_pencil pencil = {
        .ridge_unit = 1.0,
        .unit = 1.0,
        .limit = "the number of classes less one, or the rank of the data",
    };
    ALD_TRY(ald_pencil_of_classes(run, problem, &pencil));
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_lda = {
    .name = "lda",
    .title = "Linear discriminant analysis",
    .synonyms = "fda, fisher discriminant, discriminant analysis, canonical variates, dapc",
    .summary = "Directions along which the classes lie apart most, measured against their spread.",
    .reference = "Fisher (1936); Sun, Ceran and Ye (2010) for the two-stage solver",
    ALD_PENCIL_METHOD(ALD_CAN_CLASSES),
    .tables = (const ald_param_table[]){params, ald_pencil_params, NULL},
    .fit = lda_fit,
};
