/* Kernel partial least squares, Sampson-Bookstein form.
 *
 * Scores t of the training rows are eigenvectors of Kx Ky, both kernels centred, Ky = Y Y' the linear kernel of the
 * responses (dummies of classes: the delta kernel). With Y'Kx Y c = lambda c (q x q), t = Kx Y c, to unit length; that
 * is plssb in the space of methods/kernel_space.h, whose direction w = Phi'Y c. New rows, and training rows alike, are
 * mapped by equation (30) of Barshan et al. (2011),
 *
 *   K_new W (T'Kx W)^-1,  W = Ky T,
 *
 * which comes to the coordinates A (T'T)^-1 with A = B c / |t|: T'Kx W = T'T diag(lambda) and W = Y c lambda / |t|. T
 * is not orthogonal, so the projection of the training rows is T (T'T)^-1, not T. `eigenvalues` holds lambda.
 *
 * Cost: that of the space and two products with Q; without landmarks n x n is stored up to 5000 rows only. At most q
 * directions, C - 1 for classes; n_components = 0 gives all: eigenvalues above 1e-10 of the first. */
#include "methods/kernel_space.h"

#include "linalg/linalg.h"

#include <math.h>

static const ald_param params[] = {ALD_KERNEL_PARAMS, {NULL, ALD_PARAM_INT, NULL, 0, 0, NULL, NULL}};

/* Y'Kx Y = B'G B and its eigenvectors as rows; how many of them count. */
static ald_status decompose(ald_run *run, ald_space *space, double *values, double *rows, int64_t *available)
{
    const int64_t q = space->k;
    double *gb, *m;
    ALD_TRY(ald_scratch_reals(run, space->order, q, &gb));
    ALD_TRY(ald_scratch_reals(run, q, q, &m));
    ALD_TRY(ald_space_inner(run, space, space->b, q, gb));
    ALD_TRY(ald_gemm(run, 1, 0, q, q, space->order, 1.0, space->b, q, gb, q, 0.0, m, q));
    ALD_TRY(ald_eigen(run, q, m, q, values, rows));
    *available = 0;
    while (*available < q && values[*available] > 1e-10 * values[0] && values[*available] > 0.0) ++*available;
    return ALD_OK;
}

/* T'T (r x r) for directions a: (Q a)'(Q a) dual, a'Q a primal. */
static ald_status score_products(ald_run *run, ald_space *space, int64_t r, const double *a, double *tt)
{
    double *qa;
    ALD_TRY(ald_scratch_reals(run, space->order, r, &qa));
    ALD_TRY(ald_space_apply(run, space, a, r, qa));
    return ald_gemm(run, 1, 0, r, r, space->order, 1.0, space->dual ? qa : a, r, qa, r, 0.0, tt, r);
}

/* a <- a D (D T'T D)^-1 = a (T'T)^-1 D^-1, D = 1/|t|: by the Cholesky factor of D T'T D. */
static ald_status normalize(ald_run *run, int64_t order, int64_t r, double *tt, double *a)
{
    double *length, *rows;
    ALD_TRY(ald_scratch_reals(run, r, 1, &length));
    ALD_TRY(ald_scratch_reals(run, r, order, &rows));
    for (int64_t k = 0; k < r; k++) length[k] = sqrt(tt[k * r + k]);
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) tt[i * r + j] /= length[i] * length[j];
    for (int64_t k = 0; k < r; k++)
        for (int64_t i = 0; i < order; i++) rows[k * order + i] = a[i * r + k] / length[k];
    ALD_TRY(ald_cholesky(run, r, tt));
    ALD_TRY(ald_solve_triangular(run, 1, r, order, tt, rows));
    ALD_TRY(ald_solve_triangular(run, 0, r, order, tt, rows));
    for (int64_t k = 0; k < r; k++)
        for (int64_t i = 0; i < order; i++) a[i * r + k] = rows[k * order + i];
    return ALD_OK;
}

static ald_status fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_space space;
    double *y, *values, *rows, *a, *tt;
    int64_t q, available;
    ALD_TRY(ald_problem_responses(run, problem, &y, &q));
    ALD_TRY(ald_space_make(run, problem, model, y, q, ALD_SPACE_PRODUCTS, &space));
    ALD_TRY(ald_scratch_reals(run, q, 1, &values));
    ALD_TRY(ald_scratch_reals(run, q, q, &rows));
    ALD_TRY(decompose(run, &space, values, rows, &available));
    if (available == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "nothing in X varies together with the target: kplssb has no direction");
    const int64_t r = problem->r == 0 ? available : problem->r;
    if (r > available) return ald_too_many_components(run, problem, available, "the rank of Ky, C - 1 for classes");
    ALD_TRY(ald_scratch_reals(run, space.order, r, &a));
    ALD_TRY(ald_scratch_reals(run, r, r, &tt));
    ALD_TRY(ald_gemm(run, 0, 1, space.order, r, q, 1.0, space.b, q, rows, q, 0.0, a, r));
    ALD_TRY(score_products(run, &space, r, a, tt));
    ALD_TRY(normalize(run, space.order, r, tt, a));
    ALD_TRY(ald_space_finish(run, &space, r, a, model));
    return ald_model_add_vector(run, model, "eigenvalues", r, values);
}

const ald_method ald_method_kplssb = {
    .name = "kplssb",
    .title = "Kernel partial least squares, Sampson-Bookstein form",
    .summary = "Curved directions of largest covariance with the responses, all found at once.",
    .reference = "Rosipal and Trejo (2001); Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011), section 7.1",
    .capabilities =
        ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE | ALD_CAN_MAP_NEW_ROWS,
    .params = params,
    .fit = fit};
