/* Kernel supervised principal component analysis: spca over a kernel.
 *
 *   maximise tr(W'Phi'L Phi W)   over <w_i, w_j> = delta_ij
 *
 * in the space of engines/kernel_space.h, L = c I + F F' a kernel on the targets
 * (engines/response_kernel.h). As coefficients b of training rows the directions are the generalized
 * eigenvectors of (KHLHK, K), b'Kb = I. `eigenvalues` are those of Phi'L Phi. They come from
 * engines/dependence.h; solver=direct is the definition by the letter, for comparison (n^3, without
 * landmarks and features only):
 *
 *   HKH = U E U'                                        eigenvalues above 1e-10 of the first
 *   g   = the eigenvectors of E^(1/2) U'L U E^(1/2)
 *   b   = U E^(-1/2) g
 *
 * Kernels of the graph of the rows (engines/graph_kernel.h) are explicit features of these rows, which are
 * then all that is embedded: supervised Isomap, locally linear embedding and Laplacian eigenmaps.
 *
 * F has the dummies of classes, the responses or labels, or what incomplete Cholesky makes of an rbf kernel
 * on the responses (1e-12 of its trace): nothing n x n is made of the targets. L = I gives kpca, a linear
 * kernel spca.
 *
 * Edge cases: without identity no more directions than the rank of F as centred; eigenvalues up to 1e-10 of
 * the first are refused.
 *
 * Reference: Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011). */
#include "base/settings/settings.h"
#include "math/graph/graph_params.h"
#include "methods/engines/dependence.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/graph_kernel.h"

#include "base/threads/large_copy.h"
#include "math/linalg/linalg.h"

#include <math.h>

/* The kernel functions, and then ald_graph_kernels. */
static const char *const kernels[] = {
    "linear",      "rbf",    "laplacian", "polynomial",          "cosine",
    "precomputed", "isomap", "lle",       "laplacian-eigenmaps", NULL,
};
static const char *const solvers[] = {"auto", "direct", "dual", "lanczos", "randomized", NULL};
enum { solver_auto, solver_direct };

static const ald_param solver_param = ALD_SOLVER_PARAM(
    solvers,
    "how: by the n x n problem, by the smaller dual one, or by products with the matrix of the latter, which "
    "randomized ends after a fixed number, with an estimate of its error");
static const ald_param kernel_param = ALD_CHOICE_PARAM(
    "kernel", "rbf", kernels,
    "similarity of rows; precomputed: X is the kernel matrix itself; isomap and those after it use "
    "the graph of the rows and have no map for new rows",
    .traits = ALD_PARAM_IS_KERNEL);
static const ald_param kernel_width_param = ALD_REAL_PARAM(
    "kernel_width", "0", 0, ALD_NO_LIMIT,
    "rbf, laplacian: width s in the units of X; 0: the median distance of rows; laplacian-eigenmaps: "
    "of neighbours",
    .grid = "0.5,1,2", .grid_when = "kernel=rbf", .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_KERNEL_WIDTH | ALD_PARAM_ZERO_IS_AUTO | ALD_PARAM_GRID_IS_RELATIVE);
static const ald_param n_neighbors_param =
    ALD_INT_PARAM("n_neighbors", "0", 0, 1e9, "knn: neighbours of a row; 0: 10",
                  .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_NEIGHBORS | ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {
    &solver_param, &kernel_param, &kernel_width_param, &n_neighbors_param, NULL,
};

typedef ald_dependence kspca;

/* root (n x p) = U E^(1/2) on the range of Q, and E. */
static ald_status range_of(ald_run *run, const ald_kernel_space *space, double *root, double *e,
                           int64_t *rank)
{
    const int64_t n = space->order;
    double *copy, *rows;
    ALD_TRY(ALD_SCRATCH(run, {&copy, n, n}, {&rows, n, n}));
    ALD_TRY(ald_copy_large(run, n * n, space->q, copy));
    ALD_TRY(ald_eigen(run, ald_at(copy, n, n), e, ald_at(rows, n, n)));
    *rank = 0;
    while (*rank < n && e[*rank] > 1e-10 * e[0] && e[*rank] > 0.0) ++*rank;
    for (int64_t k = 0; k < *rank; k++) ald_scale(sqrt(e[k]), ald_at(rows + k * n, 1, n));
    return ald_transpose_large(run, *rank, n, rows, root);
}

static ald_status solve_direct(ald_run *run, kspca *p, ald_model *model)
{
    const int64_t n = p->space.order, m = p->m, r = p->r;
    double *root, *e, *square, *cross, *rows;
    int64_t rank;
    ALD_TRY(ALD_SCRATCH(run, {&root, n, n}, {&e, n, 1}));
    ALD_TRY(range_of(run, &p->space, root, e, &rank));
    if (r > rank)
        return ald_too_many_components(run, p->space.problem, rank, "the rank of the centred kernel");
    ALD_TRY(ald_scratch_zeros(run, rank, rank, &square));
    ALD_TRY(ALD_SCRATCH(run, {&cross, rank, m}, {&rows, r, rank}));
    for (int64_t k = 0; k < rank && p->kernel.identity; k++) square[k * rank + k] = e[k];
    if (m > 0) {
        ALD_TRY(
            ald_product(run, ald_t(ald_of(root, n, rank)), ald_of(p->space.b, n, m), ald_at(cross, rank, m)));
        ALD_TRY(ald_product_add(run, 1.0, ald_of(cross, rank, m), ald_t(ald_of(cross, rank, m)), 1.0,
                                ald_at(square, rank, rank)));
    }
    ALD_TRY(ald_eigen(run, ald_at(square, rank, rank), p->values, ald_at(rows, r, rank)));
    for (int64_t k = 0; k < r; k++)
        for (int64_t j = 0; j < rank; j++) rows[k * rank + j] /= e[j];
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver", "direct"));
    return ald_product(run, ald_of(root, n, rank), ald_t(ald_of(rows, r, rank)), ald_at(p->a, n, r));
}

static ald_status too_many(ald_run *run, const ald_problem *problem, const kspca *p, int64_t rank)
{
    if (rank == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "nothing in X varies together with the target: kspca has no direction here");
    return ald_too_many_components(run, problem, rank,
                                   problem->target->kind == ALD_TARGET_CLASSES && !p->kernel.identity
                                       ? "the rank of KHLHK; response_kernel=delta+identity has more"
                                       : "the rank of KHLHK");
}

static ald_status check_settings(ald_run *run)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int approximate = ald_kernel_is_approximate(&asked);
    const int direct = ald_setting_choice(run, &solver_param) == solver_direct;
    if (ald_graph_kernel_asked(run) && (approximate || direct))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`kernel=%s` takes neither landmarks nor features, and no `solver=direct`: leave "
                        "them out, or use kernel=rbf",
                        asked.name);
    if (approximate && direct)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`solver=direct` is for the exact kernel: leave it at auto with landmarks or features");
    return ALD_OK;
}

static ald_status make_space(ald_run *run, const ald_problem *problem, ald_kernel_space_need need, kspca *p,
                             ald_model *model)
{
    double *phi;
    int64_t columns;
    if (!ald_graph_kernel_asked(run))
        return ald_kernel_space_make(run, problem, model, p->kernel.f, p->m, need, &p->space);
    ALD_TRY(ald_graph_kernel_rows(run, problem, model, &phi, &columns));
    return ald_kernel_space_of_features(run, problem, ald_at(phi, problem->n, columns),
                                        ald_of(p->kernel.f, problem->n, p->m), need, &p->space);
}

static ald_status kspca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    kspca p = {.r = problem->r, .kernel = {.factored = 1}};
    if (p.r > problem->n - 1) return ald_too_many_components(run, problem, problem->n - 1, "rows - 1");
    ALD_TRY(check_settings(run));
    ALD_TRY(ald_response_kernel_make(run, problem, model, &p.kernel));
    p.m = p.kernel.m;
    const int direct = ald_setting_choice(run, &solver_param) == solver_direct,
              small = !p.kernel.identity && !direct;
    ALD_TRY(make_space(run, problem, small ? ALD_KERNEL_SPACE_INNER : ALD_KERNEL_SPACE_SQUARE, &p, model));
    const int64_t order = p.space.order, most = small && p.m < order ? p.m : order;
    if (p.r > most) return too_many(run, problem, &p, most);
    ALD_TRY(ALD_SCRATCH(run, {&p.values, p.r, 1}, {&p.a, order, p.r}));
    ALD_TRY((direct && p.space.dual ? solve_direct : ald_dependence_solve)(run, &p, model));
    const int64_t rank = ald_dependence_rank(&p);
    if (rank < p.r) return too_many(run, problem, &p, rank);
    ALD_TRY(ald_kernel_space_finish(run, &p.space, p.r, p.a, model));
    return ald_model_add_vector(run, model, "eigenvalues", p.r, p.values);
}

const ald_method ald_method_kspca = {
    .name = "kspca",
    .title = "Kernel supervised principal component analysis",
    .synonyms = "kernel supervised pca, hsic, dependence maximisation",
    .summary = "Curved directions on which the projection depends most on the target, by kernels on both.",
    .reference = "Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_CAN_RESPONSE_KERNEL | ALD_IS_NESTED,
    .bounds = ALD_BY_ROWS,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){params, ald_response_kernel_params, ald_kernel_params,
                                        ald_features_params, ald_graph_params, ald_top_params, NULL},
    .fit = kspca_fit,
};
