/* Colored maximum variance unfolding.
 *
 * The rows are given places with the inner products K = V A V', V (n x M) the smoothest functions on their
 * neighbourhood graph (embedding.h), E its edges:
 *
 *   minimise nu/|E| sum_{ij in E} (v_ij'A v_ij - D_ij)^2 - tr(A V'H L H V)/n   over A >= 0 (M x M)
 *
 *   v_ij = v_i - v_j
 *   D    = the squared distances of neighbours
 *   L    = the kernel of the targets, H centring
 *
 * places that depend on the target as much as they can while neighbours stay as far apart as they are. It
 * is the problem of sdpp over the rows of V with a linear term, and the same first-order method solves it
 * and certifies it (convex/convex.h). nu has the dimension of 1/distance^2: to rescale X by c, divide nu
 * by c^2.
 *
 * Cost: the graph, Lanczos for V, |E| M^4 / 4 to add up the edges, M^4 / 2 + 100 M^3 per step, some hundred
 * steps; M up to 62.
 *
 * Edge cases: rows without a target have no part in L; n counts those that have one. The problem is
 * unbounded on a graph of several parts, which are therefore joined by the edges of a shortest tree between
 * them.
 *
 * Reference: Song, Smola, Borgwardt and Gretton (2007). */
#include "base/settings/settings.h"
#include "math/convex/convex.h"
#include "math/graph/graph_params.h"
#include "math/graph/pairs.h"
#include "math/linalg/linalg.h"
#include "methods/engines/embedding.h"

#include <math.h>
#include <string.h>

enum { most_steps = 20000 };

static const ald_param nu_param =
    ALD_REAL_PARAM("nu", "0", 0, ALD_NO_LIMIT,
                   "how much the distances of neighbours count against the target; 0: chosen by the data "
                   "(docs/methods/cmvu.md)");
static const ald_param tol_param = ALD_TOL_PARAM(
    "1e-09", 1e-14, "stop when the value is this close to the minimum, as a part of the value at 0");
static const ald_param n_basis_param =
    ALD_INT_PARAM("n_basis", "10", 1, 62, "number of functions on the graph that the embedding is made of");

static const ald_param *const params[] = {
    &nu_param,
    &tol_param,
    &n_basis_param,
    NULL,
};

/* The undirected edges, each with weight 1, and their squared lengths. */
static ald_status find_edges(ald_run *run, const ald_graph *graph, ald_pairs *pairs, double **squares)
{
    ALD_TRY(ald_pairs_merge(run, graph->n, graph->pointers, graph->neighbours, NULL, NULL, pairs));
    ALD_TRY(ald_scratch_zeros(run, pairs->count, 2, squares));
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++) {
            const int64_t j = graph->neighbours[e];
            int64_t at = pairs->pointers[i], back = pairs->pointers[j];
            while (pairs->partners[at] != j) at++;
            while (pairs->partners[back] != i) back++;
            (*squares)[at] = (*squares)[back] = graph->squares[e];
        }
    for (int64_t e = 0; e < 2 * pairs->count; e++) pairs->weights[e] = 1.0;
    pairs->total = (double)pairs->count;
    return ALD_OK;
}

/* -V'f f'V / l in the coordinates of the basis (p x p), and the largest eigenvalue of its opposite. */
static ald_status find_pull(ald_run *run, const ald_labelled *labelled, const double *factor, int64_t k,
                            ald_stress *stress)
{
    const int64_t n = stress->basis->n, p = stress->basis->p;
    double *all, *b, *linear, *copy;
    double largest;
    ALD_TRY(ald_scratch_zeros(run, n, k, &all));
    ALD_TRY(ALD_SCRATCH(run, {&b, p, k}, {&linear, p, p}, {&copy, p, p}));
    for (int64_t i = 0; i < labelled->count; i++)
        memcpy(all + labelled->which[i] * k, factor + i * k, (size_t)k * sizeof *all);
    ALD_TRY(ald_basis_apply_transposed(run, stress->basis, all, k, b));
    ALD_TRY(ald_product_add(run, 1.0 / (double)labelled->count, ald_of(b, p, k), ald_t(ald_of(b, p, k)), 0.0,
                            ald_at(copy, p, p)));
    for (int64_t i = 0; i < p * p; i++) linear[i] = -copy[i];
    ALD_TRY(ald_eigenvalues(run, ald_at(copy, p, p), 1, &largest));
    stress->linear = linear;
    stress->pull = fmax(largest, 0.0);
    return ALD_OK;
}

/* D in units of its mean, which it gives. With D = unit D' and A = unit A' the objective is unit times the
 * same with nu' = unit nu: neither the squares of D nor A depend on the units of X then. */
static ald_status take_unit(ald_run *run, int64_t edges, double *squares, double *unit)
{
    *unit = 0.0;
    for (int64_t e = 0; e < 2 * edges; e++) *unit += 0.5 * squares[e] / (double)edges;
    if (!(*unit > 0.0))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "all neighbours are equal rows, so there is no distance to keep: raise `n_neighbors`");
    if (!isfinite(*unit)) return ald_too_large(run);
    for (int64_t e = 0; e < 2 * edges; e++) squares[e] /= *unit;
    return ALD_OK;
}

static ald_status resolve_nu(ald_run *run, double unit, ald_stress *stress, ald_model *model)
{
    double nu = ald_setting_real(run, &nu_param) * unit;
    if (nu == 0.0) nu = stress->pull > 0.0 ? stress->pull : 1.0;
    if (!isfinite(nu))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "nu is too large for distances of this size");
    stress->scale = nu / (double)stress->pairs->count;
    return ald_model_set_real(run, model, "alidade.resolved.nu", nu / unit);
}

static ald_status report(ald_run *run, const ald_psd_solution *solution, double at_zero, double unit,
                         ald_model *model)
{
    const double relative = solution->gap / at_zero;
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver", solution->solver));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)solution->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", unit * solution->value));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective_at_zero", unit * at_zero));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.relative_gap", "%.1e", relative));
    if (relative > 1e-5)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "the minimum is known to %.1e of the value at 0 only: scale X (`scale=standard`), or lower "
                 "`n_basis`",
                 relative);
    return ALD_OK;
}

/* The minimum over P in the coordinates of the basis, and A = W W' of W = M factor, the columns of V. */
static ald_status cmvu_solve(ald_run *run, const ald_stress *stress, double unit, ald_model *model, double *a)
{
    const int64_t m = stress->basis->d;
    ald_quadratic quadratic;
    ald_convex f;
    ald_psd_solution solution;
    double *w;
    ALD_TRY(ald_quadratic_of_stress(run, stress, 1, 1, &quadratic));
    ALD_TRY(ald_convex_of_quadratic(run, stress, &quadratic, &f));
    ALD_TRY(ald_psd_first_order(run, &f, ald_setting_real(run, &tol_param), most_steps, &solution));
    ALD_TRY(report(run, &solution, f.at_zero, unit, model));
    const int64_t rank = solution.rank;
    memset(a, 0, (size_t)(m * m) * sizeof *a);
    if (rank == 0) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, m, rank, &w));
    ALD_TRY(ald_basis_directions(run, stress->basis, solution.factor, rank, w));
    return ald_product_add(run, unit, ald_of(w, m, rank), ald_t(ald_of(w, m, rank)), 0.0, ald_at(a, m, m));
}

static ald_status cmvu_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_graph_basis functions;
    ald_labelled labelled;
    ald_pairs pairs;
    ald_basis basis;
    double *factor, *squares, *a;
    double unit;
    int64_t k;
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    ALD_TRY(ald_graph_basis_find(run, problem, 1, model, &functions));
    ALD_TRY(find_edges(run, &functions.graph, &pairs, &squares));
    ALD_TRY(take_unit(run, pairs.count, squares, &unit));
    ALD_TRY(ald_target_factor(run, &labelled.target, 1.0, model, &factor, &k));
    const ald_operator rows = {.x = ald_matrix_row_major(functions.v, functions.n, functions.m, functions.m)};
    ALD_TRY(ald_basis_of_pairs(run, &rows, &pairs, 0, &basis));
    ald_stress stress = {
        .basis = &basis,
        .pairs = &pairs,
        .squares = squares,
        .divergence = ald_divergence_find("squared"),
    };
    ALD_TRY(find_pull(run, &labelled, factor, k, &stress));
    ALD_TRY(resolve_nu(run, unit, &stress, model));
    ALD_TRY(ald_scratch_reals(run, functions.m, functions.m, &a));
    ALD_TRY(cmvu_solve(run, &stress, unit, model, a));
    return ald_add_embedding(run, problem, &functions, a, model);
}

const ald_method ald_method_cmvu = {
    .name = "cmvu",
    .title = "Colored maximum variance unfolding",
    .synonyms = "cmvu, maximum variance unfolding, semidefinite embedding, mvu, manifold learning",
    .summary = "Places for the given rows that keep the distances of neighbours and follow the target.",
    .reference = "Song, Smola, Borgwardt and Gretton (2007)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_UNLABELLED,
    .bounds = ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, ald_embedding_params, ald_graph_params, NULL},
    .fit = cmvu_fit,
};
