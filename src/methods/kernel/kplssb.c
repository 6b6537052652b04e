/* Kernel partial least squares, Sampson-Bookstein form.
 *
 * Scores t of the training rows are eigenvectors of Kx Ky, both kernels centred, Ky = Y Y' the linear
 * kernel of the responses (dummies of classes: the delta kernel) or another, Y its factor
 * (engines/response_kernel.h):
 *
 *   Y'Kx Y c = lambda c      q x q; `eigenvalues` holds lambda
 *   t = Kx Y c               to unit length
 *
 * That is plssb in the space of engines/kernel_space.h, whose direction is w = Phi'Y c. New rows, and
 * training rows alike, are mapped by equation (30) of Barshan et al. (2011),
 *
 *   K_new W (T'Kx W)^-1,   W = Ky T,
 *
 * which amounts to the coordinates A (T'T)^-1 with A = B c / |t|, as
 *
 *   T'Kx W = T'T diag(lambda),   W = Y c lambda / |t|.
 *
 * T is not orthogonal, so the projection of the training rows is T (T'T)^-1, not T.
 *
 * response_kernel=linear+identity has Ky = H(YY' + I)H, as in the paper's experiments: the directions are
 * then those of kspca (engines/dependence.h), of which there are up to n - 1, and what is said of W and T
 * holds as it stands.
 *
 * Cost: that of the space and two products with Q; without landmarks n x n is stored up to 5000 rows only.
 *
 * Edge cases: at most q directions, C - 1 for classes; n_components = 0 gives all: eigenvalues above 1e-10
 * of the first. */
#include "base/settings/settings.h"
#include "methods/engines/dependence.h"
#include "methods/engines/engine_params.h"

#include "base/threads/large_copy.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

static const char *const response_kernels[] = {
    "linear", "linear+identity", "rbf", "polynomial", "delta", "given", NULL,
};
enum { kernel_linear, kernel_with_identity };

static const ald_param response_kernel_param =
    ALD_CHOICE_PARAM("response_kernel", "linear", response_kernels,
                     "similarity of targets, of classes equal or not; with the identity there are more "
                     "directions than responses; given: a matrix that comes with the rows",
                     .traits = ALD_PARAM_IS_RESPONSE_KERNEL);

static const ald_param *const params[] = {
    &response_kernel_param,
    NULL,
};

/* T'T (r x r) for directions a: (Q a)'(Q a) dual, a'Q a primal. */
static ald_status score_products(ald_run *run, ald_kernel_space *space, int64_t r, const double *a,
                                 double *tt)
{
    double *qa;
    ALD_TRY(ald_scratch_reals(run, space->order, r, &qa));
    ALD_TRY(ald_kernel_space_apply(run, space, a, r, qa));
    return ald_product(run, ald_t(ald_of(space->dual ? qa : a, space->order, r)), ald_of(qa, space->order, r),
                       ald_at(tt, r, r));
}

/* a <- a D (D T'T D)^-1 = a (T'T)^-1 D^-1, D = 1/|t|: by the Cholesky factor of D T'T D. */
static ald_status normalize(ald_run *run, int64_t order, int64_t r, double *tt, double *a)
{
    double *length, *rows;
    ALD_TRY(ALD_SCRATCH(run, {&length, r, 1}, {&rows, r, order}));
    for (int64_t k = 0; k < r; k++) length[k] = sqrt(tt[k * r + k]);
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) tt[i * r + j] /= length[i] * length[j];
    for (int64_t k = 0; k < r; k++)
        for (int64_t i = 0; i < order; i++) rows[k * order + i] = a[i * r + k] / length[k];
    ALD_TRY(ald_cholesky(run, ald_at(tt, r, r)));
    ALD_TRY(ald_solve_cholesky(run, ald_of(tt, r, r), ald_at(rows, r, order)));
    ald_transpose(r, order, rows, a);
    return ALD_OK;
}

/* Coordinates a (order x r) of the directions of Y'Kx Y and their eigenvalues: of all q, and then of those
 * that were asked for. */
static ald_status find_linear(ald_run *run, const ald_problem *problem, ald_model *model, ald_dependence *p)
{
    const int64_t q = p->r = p->m;
    ALD_TRY(ald_kernel_space_make(run, problem, model, p->kernel.f, q, ALD_KERNEL_SPACE_PRODUCTS, &p->space));
    ALD_TRY(ALD_SCRATCH(run, {&p->values, q, 1}, {&p->a, p->space.order, q}));
    ALD_TRY(ald_dependence_solve(run, p, model));
    const int64_t available = ald_dependence_rank(p);
    if (available == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "nothing in X varies together with the target: kplssb has no direction");
    p->r = problem->r == 0 ? available : problem->r;
    if (p->r > available)
        return ald_too_many_components(
            run, problem, available,
            "the rank of Ky, C - 1 for classes; response_kernel=linear+identity has more");
    for (int64_t i = 0; i < p->space.order; i++)
        memmove(p->a + i * p->r, p->a + i * q, (size_t)p->r * sizeof *p->a);
    return ALD_OK;
}

/* Q of explicit features is destroyed when it is decomposed, and what follows needs it: a copy takes its
 * place. */
static ald_status solve_and_keep(ald_run *run, ald_dependence *p, ald_model *model)
{
    const int64_t order = p->space.order;
    double *const q = p->space.q;
    if (!p->space.dual) {
        ALD_TRY(ald_scratch_reals(run, order, order, &p->space.q));
        ALD_TRY(ald_copy_large(run, order * order, q, p->space.q));
    }
    ALD_TRY(ald_dependence_solve(run, p, model));
    p->space.q = q;
    return ALD_OK;
}

/* The same with the identity. */
static ald_status find_with_identity(ald_run *run, const ald_problem *problem, ald_model *model,
                                     ald_dependence *p)
{
    p->kernel.identity = 1;
    p->r = problem->r;
    if (p->r == 0) return ald_no_own_rule(run);
    if (p->r > problem->n - 1) return ald_too_many_components(run, problem, problem->n - 1, "rows - 1");
    ALD_TRY(
        ald_kernel_space_make(run, problem, model, p->kernel.f, p->m, ALD_KERNEL_SPACE_SQUARE, &p->space));
    const int64_t order = p->space.order;
    if (p->r > order) return ald_too_many_components(run, problem, order, "landmarks or features");
    ALD_TRY(ALD_SCRATCH(run, {&p->values, p->r, 1}, {&p->a, order, p->r}));
    ALD_TRY(solve_and_keep(run, p, model));
    const int64_t rank = ald_dependence_rank(p);
    if (rank < p->r) return ald_too_many_components(run, problem, rank, "the rank of Kx Ky");
    return ALD_OK;
}

static ald_status kplssb_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_dependence p = {.kernel = {.factored = 1}};
    const int which = ald_setting_choice(run, &response_kernel_param),
              identity = which == kernel_with_identity;
    double *tt;
    ALD_TRY(ald_response_kernel_named(run, problem, model, response_kernels[identity ? kernel_linear : which],
                                      &p.kernel));
    p.m = p.kernel.m;
    ALD_TRY((identity ? find_with_identity : find_linear)(run, problem, model, &p));
    ALD_TRY(ald_scratch_reals(run, p.r, p.r, &tt));
    ALD_TRY(score_products(run, &p.space, p.r, p.a, tt));
    ALD_TRY(normalize(run, p.space.order, p.r, tt, p.a));
    ALD_TRY(ald_kernel_space_finish(run, &p.space, p.r, p.a, model));
    return ald_model_add_vector(run, model, "eigenvalues", p.r, p.values);
}

const ald_method ald_method_kplssb = {
    .name = "kplssb",
    .title = "Kernel partial least squares, Sampson-Bookstein form",
    .synonyms = "kernel pls-svd, kernel svd of the cross-covariance",
    .summary = "Curved directions of largest covariance with the responses, all found at once.",
    .reference =
        "Rosipal and Trejo (2001); Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011), section 7.1",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_CAN_RESPONSE_KERNEL,
    .own_rule = ALD_ALL_THERE_ARE,
    .bounds = ALD_BY_ROWS,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){params, ald_response_shape_params, ald_kernel_params,
                                        ald_features_params, ald_top_params, NULL},
    .fit = kplssb_fit,
};
