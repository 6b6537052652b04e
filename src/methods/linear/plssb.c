/* Partial least squares, the Sampson-Bookstein form: all directions at once, without deflation.
 *
 *   maximise |Y'Z W|_F^2   over W'W = I
 *
 * the sum of squared covariances between the scores and the responses, with Z the prepared X and Y the
 * centred target (responses, dummies of classes, labels). The rows of `components` are the unit
 * eigenvectors of the positive eigenvalues of Z'Y Y'Z, the left singular vectors of Z'Y, and `eigenvalues`
 * are these. The first one is that of pls, the others are not: pls deflates. It is spca with a linear
 * kernel on the targets.
 *
 * Cost: B = Z'Y is one pass over X (4 n d q); then q^3 + d q^2 (dual, q <= d), or d^3 (engines/spectral.h,
 * c = 0).
 *
 * Edge cases: the rank is at most q as centred (C - 1 for classes), and no more than min(n - 1, d); asking
 * for more is refused with the number there is, and n_components = 0 gives all there is: eigenvalues above
 * max(n, d) eps times the first. A target that no column of X varies with gives no direction.
 *
 * Reference: Sampson, Streissguth, Barr and Bookstein (1989). */
#include "base/numbers/ordering.h"
#include "methods/engines/spectral.h"

/* Most directions there can be with q responses. */
static int64_t most_of(const ald_problem *problem, int64_t q)
{
    const int64_t of_x = ald_least((int64_t)problem->samples - 1, problem->d);
    return q < of_x ? q : of_x;
}

static ald_status plssb_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_spectral s = {.z = &problem->x, .identity = 0};
    double *y;
    ALD_TRY(ald_problem_responses(run, problem, &y, &s.m));
    s.f = y;
    const int64_t most = most_of(problem, s.m);
    s.r = problem->r > 0 && problem->r < most ? problem->r : most;
    ALD_TRY(ald_spectral_solve(run, &s, model));
    return ald_spectral_add(run, problem, &s, "the rank of X'Y, centred", model);
}

const ald_method ald_method_plssb = {
    .name = "plssb",
    .title = "Partial least squares, Sampson-Bookstein form",
    .synonyms = "pls-svd, plssvd, svd of the cross-covariance, co-inertia, bookstein pls",
    .summary = "Orthogonal directions of largest covariance with the responses, all found at once.",
    .reference = "Sampson, Streissguth, Barr and Bookstein (1989)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS |
                    ALD_IS_NESTED | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .shares_products = 1,
    .own_rule = ALD_ALL_THERE_ARE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS | ALD_BY_TARGET,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){ald_spectral_params, NULL},
    .fit = plssb_fit,
};
