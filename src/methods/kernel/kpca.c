/* Kernel principal component analysis.
 *
 * pca in the space of engines/kernel_space.h: Phi'Phi w = lambda w, <w, w> = 1, the largest lambda. In
 * coordinates Q a = lambda a: with u a unit eigenvector of the centred kernel, a = u / sqrt(lambda) (dual)
 * and the scores of the training rows are sqrt(lambda) u; with explicit features a is the unit eigenvector
 * itself. `eigenvalues` are those of HKH (or of Phi'Phi, the same numbers), `explained_variance_ratio` their
 * share of its trace. A linear kernel gives pca.
 *
 * Cost: that of the space, and 4/3 order^3 for a small order, else Lanczos: order^2 a product with Q.
 *
 * Edge cases: at most n - 1 directions, and no more than the rank of Q: eigenvalues up to order eps of the
 * first are rounding and refused, and so is a kernel of equal rows. Negative eigenvalues (precomputed
 * kernels) are never taken.
 */
#include "math/linalg/view.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"

#include <float.h>
#include <math.h>

static int64_t rank_of(const ald_top *top, double total)
{
    int64_t rank = 0;
    const double floor = (double)top->order * DBL_EPSILON * fmax(top->values[0], total);
    while (rank < top->wanted && top->values[rank] > floor) rank++;
    return rank;
}

static ald_status kpca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = problem->r;
    ald_kernel_space space;
    ald_top top;
    double *ratio;
    ALD_TRY(ald_kernel_space_make(run, problem, model, NULL, 0, ALD_KERNEL_SPACE_TOP, &space));
    const int64_t most = space.order < problem->n - 1 ? space.order : problem->n - 1;
    if (r > most) return ald_too_many_components(run, problem, most, "rows - 1, or the number of features");
    const double total = space.q ? ald_trace(space.order, space.q) : space.trace;
    ALD_TRY(ald_kernel_space_top(run, &space, r, model, &top));
    const int64_t rank = rank_of(&top, total);
    if (rank < r) return ald_too_many_components(run, problem, rank, "the rank of the centred kernel");
    for (int64_t i = 0; space.dual && i < space.order; i++)
        for (int64_t k = 0; k < r; k++) top.vectors[i * r + k] /= sqrt(top.values[k]);
    ALD_TRY(ald_scratch_reals(run, r, 1, &ratio));
    for (int64_t k = 0; k < r; k++) ratio[k] = top.values[k] / total;
    ALD_TRY(ald_kernel_space_finish(run, &space, r, top.vectors, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", r, top.values));
    return ald_model_add_vector(run, model, "explained_variance_ratio", r, ratio);
}

const ald_method ald_method_kpca = {
    .name = "kpca",
    .title = "Kernel principal component analysis",
    .synonyms = "kernel pca, nonlinear pca",
    .summary = "Curved directions of largest variance, by a kernel; the target is not used.",
    .reference = "Schölkopf, Smola and Müller (1998)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_NO_TARGET |
                    ALD_CAN_SPARSE | ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_IS_NESTED,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_ROWS,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){ald_kernel_params, ald_features_params, ald_top_params, NULL},
    .fit = kpca_fit,
};
