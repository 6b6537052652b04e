/* Kernel supervised distance preserving projection: sdpp in the space of engines/kernel_space.h. With
 * phi(x) the features of a row and N_i the neighbours of row i,
 *
 *   minimise J(w_1 .. w_r) = (1/n) sum_i sum_{j in N_i} (sum_k <w_k, phi(x_i) - phi(x_j)>^2 - delta_ij^2)^2
 *
 * Only the part of w_k in the span of the training rows matters, so rows F with F F' = HKH replace X:
 *
 *   exact      HKH = U E U',  F = U E^(1/2)     kernel PCA coordinates, eigenvalues above 1e-10 of the first;
 *                                               W of sdpp on F is w = Phi'a with a = U E^(-1/2) W
 *   explicit   F = Phi itself                   landmarks, random features; w = W
 *
 * That is the model z = Omega'k(x) of the paper, with K Omega = F W, in coordinates whose conditioning is
 * the root of that of K. Turning F does not change J, so a linear kernel gives sdpp, with d x d nowhere:
 * for d far above n.
 *
 * Neighbours are those of the rows of X, as for sdpp (with rbf these are also the nearest by the kernel);
 * for a precomputed kernel, the nearest by |phi(x_i) - phi(x_j)|^2 = K_ii + K_jj - 2 K_ij. delta as for
 * sdpp, or with response_kernel=rbf the distance in the feature space of that kernel. kernel_width = 0 is
 * half the median distance: J looks at neighbours only, which a wider kernel hardly separates.
 *
 * The columns of F are as many as the rows where nothing limits them, so that J comes near 0 along whole
 * valleys: where in one the search ends shows the rounding of the first sums, magnified to 1e-4 of the
 * scores. Up to 1000 rows everything is summed on one thread, so that the result is the same to the last
 * bit for any number of threads.
 *
 * Cost: n^2 d and 9 n^3 for F, memory 3 n^2; with m landmarks or features n m (d + m) and n m; then that of
 * sdpp on p columns.
 *
 * Reference: Zhu, Simila and Corona (2013), section 2.2; the formula for new rows there lacks the centring.
 */
#include "base/settings/settings.h"
#include "base/threads/threads.h"
#include "math/graph/graph_params.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"
#include "methods/sdpp/sdpp_cost.h"
#include "methods/sdpp/sdpp_remote.h"
#include "methods/sdpp/sdpp_solve.h"

#include <math.h>

static const ald_param kernel_width_param =
    ALD_REAL_PARAM("kernel_width", "0", 0, ALD_NO_LIMIT,
                   "rbf, laplacian: width s in the units of X; 0: half the median distance of rows",
                   .grid = "0.5,1,2", .grid_when = "kernel=rbf", .simpler = ALD_SIMPLER_LARGER,
                   .traits = ALD_PARAM_IS_KERNEL_WIDTH | ALD_PARAM_ZERO_IS_AUTO | ALD_PARAM_GRID_IS_RELATIVE);
static const ald_param pca_dims_param = ALD_INT_PARAM(
    "pca_dims", "0", 0, 1e9, "use only this many principal components of the kernel; 0: all of the kernel",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {
    &kernel_width_param,
    &pca_dims_param,
    NULL,
};

static const double width_part = 0.5, smallest_part = 1e-10;

typedef struct coordinates {
    int64_t p;
    double *f;    /* exact: n x p, in scratch */
    double *back; /* exact: E^(-1/2) U', p x n; NULL: W is the direction itself */
} coordinates;

static int is_precomputed(const ald_kernel_space *space)
{
    return space->features.kernel.kind == ALD_KERNEL_PRECOMPUTED;
}

/* The leading `pca_dims` eigenpairs, or all, as the distances of a precomputed kernel need. Q is overwritten
 * by F. */
static ald_status exact_rows(ald_run *run, ald_kernel_space *space, coordinates *c)
{
    const int64_t n = space->n, asked = ald_setting_int(run, &pca_dims_param);
    const int64_t wanted = asked > 0 && asked < n && !is_precomputed(space) ? asked : n;
    double *e;
    ALD_TRY(ALD_SCRATCH(run, {&e, n, 1}, {&c->back, wanted, n}));
    ALD_TRY(ald_kernel_space_own(run, space));
    ALD_TRY(ald_progress(run, "decomposing the kernel", -1.0));
    ALD_TRY(ald_eigen(run, ald_at(space->q, n, n), e, ald_at(c->back, wanted, n)));
    for (c->p = 0; c->p < wanted && e[c->p] > smallest_part * e[0] && e[c->p] > 0.0;) c->p++;
    if (c->p == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "by this kernel all rows are equal: ksdpp has no direction here");
    c->f = space->q;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c->p; k++) c->f[i * c->p + k] = c->back[k * n + i] * sqrt(e[k]);
    for (int64_t k = 0; k < c->p; k++)
        for (int64_t i = 0; i < n; i++) c->back[k * n + i] /= sqrt(e[k]);
    return ALD_OK;
}

static ald_status make_coordinates(ald_run *run, const ald_problem *problem, ald_model *model,
                                   ald_kernel_space *space, coordinates *c)
{
    const ald_kernel_settings asked = ald_kernel_settings_of(run);
    const int approximate = ald_kernel_is_approximate(&asked);
    *c = (coordinates){0};
    ALD_TRY(ald_kernel_space_make_narrow(run, problem, model, width_part,
                                         approximate ? ALD_KERNEL_SPACE_INNER : ALD_KERNEL_SPACE_SQUARE,
                                         space));
    if (!space->dual) {
        c->p = space->order;
        return ALD_OK;
    }
    ALD_TRY(exact_rows(run, space, c));
    return ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld", (long long)c->p);
}

/* a (order x r) from W (p x r). */
static ald_status finish(ald_run *run, ald_kernel_space *space, const coordinates *c,
                         const ald_sdpp_result *result, ald_model *model)
{
    double *a = result->w;
    if (c->back) {
        ALD_TRY(ald_scratch_reals(run, space->n, result->r, &a));
        ALD_TRY(ald_product(run, ald_t(ald_of(c->back, c->p, space->n)), ald_of(result->w, c->p, result->r),
                            ald_at(a, space->n, result->r)));
    }
    ALD_TRY(ald_kernel_space_finish(run, space, result->r, a, model));
    return ald_model_add_vector(run, model, "eigenvalues", result->r, result->lengths);
}

static ald_status fit_rows(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ald_kernel_space space;
    coordinates c;
    ald_sdpp_pairs pairs;
    ald_sdpp_result result;
    ALD_TRY(make_coordinates(run, problem, model, &space, &c));
    ald_sdpp_plan(run, problem, &settings, c.p);
    ald_operator f = {.x = ald_matrix_row_major(c.f, problem->n, c.p, c.p)};
    ALD_TRY(ald_sdpp_common_pairs(run, problem, is_precomputed(&space) ? &f : &problem->x, &settings, model,
                                  &pairs));
    if (!space.dual) {
        const ald_feature_map map = {space.features, space.t, space.order, space.mean};
        ALD_TRY(ald_sdpp_map(run, problem, &map, &space.rows, &f));
    }
    ALD_TRY(ald_sdpp_solve(run, problem, &f, &settings, &pairs, model, &result));
    return finish(run, &space, &c, &result, model);
}

static ald_status ksdpp_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    enum { most_rows_alone = 1000 };
    const int threads = run->call.threads;
    if (problem->n > most_rows_alone) return fit_rows(run, problem, model);
    run->call.threads = 1;
    ald_threads_pause();
    const ald_status status = fit_rows(run, problem, model);
    ald_threads_resume();
    run->call.threads = threads;
    return status;
}

const ald_method ald_method_ksdpp = {
    .name = "ksdpp",
    .title = "Kernel supervised distance preserving projection",
    .synonyms = "kernel sdpp, nonlinear sdpp",
    .summary = "Curved directions in which near rows are as far apart as their targets, by a kernel.",
    .reference = "Zhu (2012); Zhu, Simila and Corona (2013)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_UNLABELLED | ALD_CAN_GRAPH | ALD_CAN_DISTANCES | ALD_CAN_MAP_NEW_ROWS |
                    ALD_CAN_DISTRIBUTE,
    .relation = ALD_BY_OBJECTIVE,
    .own_rule = ALD_BY_ITS_OPTIMUM,
    .bounds = ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, ald_sdpp_response_params, ald_kernel_params,
                                        ald_features_params, ald_sdpp_params, ald_graph_params, NULL},
    .fit = ksdpp_fit,
};
