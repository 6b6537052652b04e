/* Outer product of gradients.
 *
 * The slopes b_j of the target about every row, by local linear fits with weights that follow the subspace
 * found so far (local_fits.h: u, weights, bandwidths, when it stops), point into the central mean subspace:
 *
 *   b_j = (S_j + ridge tr(S_j)/p I)^-1 s_j
 *   M   = mean of b_j b_j' = E diag(lambda) E'       summed over responses, or 0/1 columns of classes
 *   C   = the leading r of E,    B = T C,    B'Sigma B = I
 *
 * No condition on the distribution of x is needed, other than for sir, save and dr; with classes the columns
 * are densities, and what is found is the central subspace (Xia 2007).
 *
 * Cost of a sweep: m n p^2 + m p^3 / 3 for m centres; `centres` bounds m. Memory n p and a block.
 *
 * Edge cases: at most p directions, the rank of the covariance. A centre from which all others are so far
 * that their weights are 0 has no slope. A target without any slope has no direction.
 *
 * Reference: Xia, Tong, Li and Zhu (2002). */
#include "methods/engines/local_fits.h"

#include "math/linalg/view.h"

static ald_status step(ald_run *run, const ald_local_rows *rows, const double *from, double h, double *c,
                       void *values)
{
    return ald_local_outer(run, rows, from, h, c, values);
}

static ald_status opg_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = problem->r;
    ald_whitening w;
    ald_local_rows rows;
    double *c, *values, *turned;
    double h;
    ald_local_announce(run, problem);
    ALD_TRY(ald_whiten_plain(run, problem, model, &w));
    ALD_TRY(ald_local_rows_make(run, problem, &w, &rows));
    ALD_TRY(ALD_SCRATCH(run, {&c, w.p, r}, {&values, r, 1}, {&turned, r, w.p}));
    ALD_TRY(ald_local_descend(run, &rows, step, values, model, c, &h));
    if (!(values[0] > 0.0)) return ald_no_direction(run, problem);
    ald_transpose(w.p, r, c, turned);
    return ald_add_whitened(run, problem, &w, values, turned, model);
}

const ald_method ald_method_opg = {
    .name = "opg",
    .title = "Outer product of gradients",
    .synonyms = "average derivative, gradient outer product, sufficient dimension reduction",
    .summary = "Directions along which the target changes, by its local slopes.",
    .reference = "Xia, Tong, Li and Zhu (2002)",
    ALD_LOCAL_METHOD,
    .fit = opg_fit,
};
