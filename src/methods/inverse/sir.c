/* Sliced inverse regression.
 *
 *   Gamma b = lambda (Sigma + ridge I) b,   b'(Sigma + ridge I) b = 1,   the largest lambda
 *
 *   Sigma = the covariance of x
 *   Gamma = the covariance of the means of x within slices of y            (both with divisor n)
 *
 * Times n it is the pencil of engines/pencil.h with the slice indicators H_h = 1_h / sqrt(n_h): n ridge
 * stands there for the ridge, and W is multiplied by sqrt(n).
 *
 * Cost: pencil.h with k = the number of slices.
 *
 * Several responses are cut one by one, and Gamma is the mean of theirs (Saracco 2005; slices.h).
 *
 * Edge cases: classes are slices, and then it equals lda. At most one direction fewer than there are
 * slices, for each response. sir cannot see a y that is even in a direction: save and phd can.
 *
 * Reference: Li (1991). */
#include "methods/engines/engine_params.h"
#include "methods/engines/pencil.h"
#include "methods/engines/slices.h"

#include <math.h>

static const ald_param *const params[] = {
    &ald_covariance_ridge_param,
    NULL,
};

static ald_status sir_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const double *w = problem->weights;
    ald_slicings slicings;
    ald_pencil pencil = {
        .ridge_unit = problem->total,
        .unit = sqrt(problem->total),
        .limit = "the number of slices less one, or the rank of the data",
    };
    ALD_TRY(ald_problem_slicings(run, problem, model, &slicings));
    pencil.k = slicings.slices;
    ALD_TRY(ald_scratch_zeros(run, problem->n, pencil.k, &pencil.h));
    for (int64_t j = 0, first = 0; j < slicings.count; first += slicings.each[j++].count) {
        const ald_slices *s = &slicings.each[j];
        for (int64_t i = 0; i < problem->n; i++) {
            const double size = s->weight[s->of[i]] * (double)slicings.count;
            if (size > 0.0) pencil.h[i * pencil.k + first + s->of[i]] = sqrt((w ? w[i] : 1.0) / size);
        }
    }
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_sir = {
    .name = "sir",
    .title = "Sliced inverse regression",
    .synonyms = "inverse regression, sufficient dimension reduction, effective dimension reduction, edr",
    .summary = "Directions along which the mean of x moves as the response moves from slice to slice.",
    .reference = "Li (1991)",
    ALD_PENCIL_METHOD(ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES),
    .chi_square = 1,
    .tables = (const ald_param_table[]){params, ald_slices_params, ald_pencil_params, NULL},
    .fit = sir_fit,
};
