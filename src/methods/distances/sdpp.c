/* Supervised distance preserving projection.
 *
 *   J(W) = (1/n) sum over i and its neighbours j of (|W'(x_i - x_j)|^2 - delta_ij^2)^2,
 *
 * delta the distance of the targets: |y_i - y_j| for numbers and labels, 0 or 1 for classes, or given. Among
 * rows that are near each other in X, distances of the projection should be distances of the target, which
 * makes a nonlinear dependence on a subspace visible to a linear map. The gradient, the exact line search and
 * the penalties are in optimize/stress.h, the coordinates in optimize/basis.h, the convex form and the
 * certificate in optimize/convex.h, how they are used in sdpp_solve.c.
 *
 * Invariances: X -> X Q + c; y -> a y + b gives W -> |a| W and J -> a^4 J. J(W Q) = J(W): W is turned to U S
 * of its SVD.
 *
 * Cost: the graph (n^2 d flops when exact), then a step of the conjugate gradient two products with X; or,
 * where s = d (d + 1) / 2 is small, s^2 a pair once and s^2 a step whatever n is. Memory beyond X: the pairs,
 * 3 n r, and one square of order min(d, n, 2000). */
#include "math/graph/graph_params.h"
#include "math/linalg/view.h"
#include "methods/sdpp/sdpp_cost.h"
#include "methods/sdpp/sdpp_solve.h"

static ald_status sdpp_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ald_operator z = problem->x;
    ald_sdpp_pairs pairs;
    ald_sdpp_result result;
    double *components;
    z.row_weight = NULL; /* weights are of pairs here */
    ald_sdpp_plan(run, problem, &settings, problem->d);
    ALD_TRY(ald_sdpp_common_pairs(run, problem, &z, &settings, model, &pairs));
    ALD_TRY(ald_sdpp_solve(run, problem, &z, &settings, &pairs, model, &result));
    ALD_TRY(ald_scratch_reals(run, result.r, problem->d, &components));
    ald_transpose(problem->d, result.r, result.w, components);
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", result.r, result.lengths));
    return ald_add_components(run, problem, result.r, components, NULL, model);
}

const ald_method ald_method_sdpp = {
    .name = "sdpp",
    .title = "Supervised distance preserving projection",
    .synonyms = "distance preserving projection, supervised distances, metric regression",
    .summary = "Directions in which near rows are as far apart as their targets.",
    .reference = "Zhu (2011); Zhu, Simila and Corona (2013)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_UNLABELLED | ALD_CAN_GRAPH | ALD_CAN_DISTANCES |
                    ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_IS_LINEAR,
    .relation = ALD_BY_OBJECTIVE,
    .own_rule = ALD_BY_ITS_OPTIMUM,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){ald_sdpp_params, ald_sdpp_penalty_params, ald_graph_params, NULL},
    .fit = sdpp_fit,
};
