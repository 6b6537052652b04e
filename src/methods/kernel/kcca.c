/* Kernel canonical correlation analysis, with a ridge on both sides: equation (35) of Barshan et al.
 * (2011),
 *
 *   Ky (Ky + kappa I)^-1 Kx a = lambda^2 (Kx + kappa I) a
 *
 * both kernels centred, Ky = Y Y' the linear kernel of the responses (dummies of classes: the delta kernel)
 * or another (engines/response_kernel.h, Y its factor), kappa = ridge. With Y centred and
 *
 *   Hy = Y (Y'Y + kappa I)^(-1/2),     Ky (Ky + kappa I)^-1 = Hy Hy',
 *
 * it is, in the space of engines/kernel_space.h, the pencil of cca with a ridge,
 *
 *   Phi'Hy Hy'Phi w = lambda^2 (Phi'Phi + kappa I) w,   W'(Phi'Phi + kappa I) W = I,
 *
 * solved in two stages:
 *
 *   X = (Q + kappa I)^-1 B
 *   M = (G B)'X = V L V'          L = lambda^2 (`eigenvalues`)
 *   a = X V L^(-1/2)
 *
 * `ridge_rel` adds that part of the largest eigenvalue of Q to the ridge on X's side.
 *
 * Cost: that of the space and order^3 / 3.
 *
 * Edge cases: at most as many directions as the rank of the centred Ky, with the linear kernel the number of
 * responses, C - 1 for classes; n_components = 0 gives all. */
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"
#include "methods/engines/response_kernel.h"

#include "base/threads/large_copy.h"
#include "math/linalg/linalg.h"
#include "math/solvers/lanczos.h"

#include <math.h>

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0.1", 0, "added to the diagonal of both centred kernels");
static const ald_param ridge_rel_param = ALD_RIDGE_REL_PARAM(
    "0", "the ridge of X as a part of the largest eigenvalue of its kernel; the two are added");

static const char *const response_kernels[] = {"linear", "rbf", "polynomial", "delta", "given", NULL};
static const ald_param response_kernel_param =
    ALD_CHOICE_PARAM("response_kernel", "linear", response_kernels,
                     "similarity of targets; linear of classes is delta: equal or not; given: a matrix that "
                     "comes with the rows",
                     .traits = ALD_PARAM_IS_RESPONSE_KERNEL);

static const ald_param *const params[] = {
    &ridge_param,
    &ridge_rel_param,
    &response_kernel_param,
    NULL,
};

/* The factor of the response kernel, its columns centred. */
static ald_status responses(ald_run *run, const ald_problem *problem, ald_model *model, double **y,
                            int64_t *q)
{
    const int64_t n = problem->n;
    ald_response_kernel kernel = {.factored = 1};
    ALD_TRY(ald_response_kernel_named(
        run, problem, model, response_kernels[ald_setting_choice(run, &response_kernel_param)], &kernel));
    *y = kernel.f;
    *q = kernel.m;
    for (int64_t c = 0; c < *q; c++) {
        double mean = 0.0;
        for (int64_t i = 0; i < n; i++) mean += (*y)[i * *q + c] / (double)n;
        for (int64_t i = 0; i < n; i++) (*y)[i * *q + c] -= mean;
    }
    return ald_ask_after(run, 4.0 * (double)n * (double)*q);
}

/* y (n x q) <- Y (Y'Y + ridge I)^(-1/2); without a ridge eigenvalues up to 1e-12 of the first are left out.
 */
static ald_status whiten(ald_run *run, int64_t n, int64_t q, double ridge, double *y)
{
    double *gram, *values, *rows, *root, *copy; /* gram is used again, for rows times factors */
    ALD_TRY(ALD_SCRATCH(run, {&gram, q, q}, {&values, q, 1}, {&rows, q, q}, {&root, q, q}, {&copy, n, q}));
    ALD_TRY(ald_gram(run, ald_of(y, n, q), ald_at(gram, q, q)));
    ALD_TRY(ald_eigen(run, ald_at(gram, q, q), values, ald_at(rows, q, q)));
    ALD_TRY(ald_copy_large(run, n * q, y, copy));
    int64_t rank = 0;
    while (rank < q && values[rank] > 1e-12 * values[0]) rank++;
    for (int64_t k = 0; k < rank; k++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)q));
        for (int64_t j = 0; j < q; j++) gram[k * q + j] = rows[k * q + j] / sqrt(values[k] + ridge);
    }
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, rank, q)), ald_of(gram, rank, q), ald_at(root, q, q)));
    return ald_product(run, ald_of(copy, n, q), ald_of(root, q, q), ald_at(y, n, q));
}

static ald_status kcca_multiply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    return ald_kernel_space_apply(run, self, v, k, w);
}

static ald_status largest(ald_run *run, ald_kernel_space *space, double *value)
{
    ald_lanczos task = {
        .apply = kcca_multiply,
        .self = space,
        .n = space->order,
        .wanted = 1,
        .tol = 1e-6,
        .max_products = 1000,
        .seed = ald_seed(run),
        .stage = "measuring the kernel",
        .values = value,
    };
    return ald_lanczos_solve(run, &task);
}

static ald_status kcca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    static const char limit[] = "the rank of the response kernel as centred, C - 1 for classes";
    const double kappa = ald_setting_real(run, &ridge_param),
                 relative = ald_setting_real(run, &ridge_rel_param);
    ald_kernel_space space;
    double *y, *s;
    double top = 0.0;
    int64_t q;
    ALD_TRY(responses(run, problem, model, &y, &q));
    ALD_TRY(ald_check_bounds(run, problem, limit));
    ALD_TRY(whiten(run, problem->n, q, kappa, y));
    ALD_TRY(ald_kernel_space_make(run, problem, model, y, q, ALD_KERNEL_SPACE_SQUARE, &space));
    const int64_t order = space.order;
    if (relative > 0.0) ALD_TRY(largest(run, &space, &top));
    const double ridge = kappa + relative * top;
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.ridge", ridge));
    ALD_TRY(ald_scratch_reals(run, order, order, &s));
    ALD_TRY(ald_copy_large(run, order * order, space.q, s));
    ald_add_ridge(ridge, ald_at(s, order, order));
    return ald_kernel_space_pencil(run, &space, s, limit, model);
}

const ald_method ald_method_kcca = {
    .name = "kcca",
    .title = "Kernel canonical correlation analysis",
    .synonyms = "kernel cca",
    .summary = "Curved directions of largest correlation with the responses, by a kernel and a ridge.",
    .reference = "Fyfe and Lai (2000); Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011), eq. (35)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_CAN_RESPONSE_KERNEL | ALD_IS_NESTED,
    .own_rule = ALD_ALL_THERE_ARE,
    .bounds = ALD_BY_ROWS | ALD_BY_TARGET,
    .inverse = ALD_INVERTS_OTHER,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){params, ald_response_shape_params, ald_kernel_params,
                                        ald_features_params, NULL},
    .fit = kcca_fit,
};
