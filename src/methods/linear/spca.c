/* Supervised principal component analysis.
 *
 *   maximise tr(W'Z'L Z W)   over W'W = I
 *
 * with Z the prepared X (centred) and L = c I + F F' a kernel on the targets (engines/response_kernel.h).
 * Up to a factor it is the Hilbert-Schmidt independence criterion between the projection under a linear
 * kernel and the target under L: directions on which the projection depends most on the target. The rows of
 * `components` are the unit eigenvectors of the largest eigenvalues of Z'L Z, and `eigenvalues` are these.
 * Z does the centring of L: (HX)'L(HX) = X'HLHX. L = I is pca, a linear L is plssb.
 *
 * Cost: that of engines/spectral.h, with m columns of F: the number of classes, responses or labels, or for
 * rbf what incomplete Cholesky needs (n m^2; a few dozen for one response), or n^2 (q + d) by products with
 * the whole kernel. Dual for d > n: an order of n + C for classes.
 *
 * Edge cases: at most min(n - 1, d) directions, and without identity no more than the rank of L as centred:
 * C - 1 for delta, q for linear; asking for more is refused with the number there is. Targets that no
 * column of X varies with give no direction. delta needs classes, rbf needs numbers. From statistics
 * (streamed, updated) all but rbf, which compares all targets with each other.
 *
 * Reference: Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011). */
#include "base/numbers/ordering.h"
#include "methods/engines/response_kernel.h"
#include "methods/engines/spectral.h"

/* What the number of directions is at most, for the message. */
static const char *limit(const ald_problem *problem, const ald_response_kernel *kernel)
{
    if (kernel->identity) return "the rank of the data";
    if (problem->target->kind != ALD_TARGET_CLASSES) return "the rank of X'L X";
    return "the rank of X'L X; response_kernel=delta+identity has more";
}

static ald_status spca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t most = ald_least((int64_t)problem->samples - 1, problem->d), r = problem->r;
    ald_response_kernel kernel = {.factored = 0};
    if (r > most) return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    ALD_TRY(ald_response_kernel_make(run, problem, model, &kernel));
    const int64_t wanted = !kernel.identity && kernel.m < r ? kernel.m : r;
    ald_spectral s = {
        .z = &problem->x,
        .identity = kernel.identity,
        .f = kernel.f,
        .m = kernel.multiply ? 0 : kernel.m,
        .multiply = kernel.multiply,
        .self = kernel.self,
        .r = wanted,
    };
    ALD_TRY(ald_spectral_solve(run, &s, model));
    return ald_spectral_add(run, problem, &s, limit(problem, &kernel), model);
}

const ald_method ald_method_spca = {
    .name = "spca",
    .title = "Supervised principal component analysis",
    .synonyms = "supervised pca, hsic, barshan",
    .summary = "Orthogonal directions on which the projection depends most on the target.",
    .reference = "Barshan, Ghodsi, Azimifar and Zolghadri Jahromi (2011)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS |
                    ALD_CAN_RESPONSE_KERNEL | ALD_IS_NESTED | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .shares_products = 1,
    .check_moments = ald_response_kernel_check_moments,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){ald_response_kernel_params, ald_spectral_params, NULL},
    .fit = spca_fit,
};
