/* The dense generalized eigenproblem by Cholesky (the contract is in pencil.h):
 *
 *   B + rho I     = R'R
 *   R'^-1 A R^-1  = V diag(lambda) V'
 *   W             = R^-1 V
 *
 * Cost: about 5 k^3 operations for matrices of order k; memory 2 k^2 besides A and B.
 *
 * Edge cases: B + rho I counts as singular where a pivot of R is below sqrt(k eps) of the largest, which is
 * the error that the caller has a message for. There are no more than k directions: the caller compares r
 * with k. */
#include "methods/engines/pencil.h"

#include "math/linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* rho, added to the diagonal of B. */
static ald_status add_ridge(ald_run *run, ald_generalized *g)
{
    const int64_t k = g->k;
    double *copy;
    double largest;
    ALD_TRY(ald_scratch_reals(run, k, k, &copy));
    memcpy(copy, g->b, (size_t)(k * k) * sizeof *copy);
    ALD_TRY(ald_eigenvalues(run, ald_at(copy, k, k), 1, &largest));
    g->rho = g->ridge + g->ridge_rel * fmax(largest, 0.0);
    ald_add_ridge(g->rho, ald_at(g->b, k, k));
    return ALD_OK;
}

/* b <- R. */
static ald_status factor(ald_run *run, const ald_generalized *g)
{
    double least = INFINITY, most = 0.0;
    const ald_status status = ald_cholesky(run, ald_at(g->b, g->k, g->k));
    if (status < 0 && status != ALD_ERROR_NUMERICAL) return status;
    for (int64_t i = 0; status >= 0 && i < g->k; i++) {
        least = fmin(least, fabs(g->b[i * g->k + i]));
        most = fmax(most, fabs(g->b[i * g->k + i]));
    }
    if (status >= 0 && least > sqrt((double)g->k * DBL_EPSILON) * most) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_NUMERICAL, "%s", g->singular);
}

/* a <- R'^-1 a R^-1: one side, transposed, then the other. */
static ald_status whiten(ald_run *run, const ald_generalized *g)
{
    const int64_t k = g->k;
    for (int side = 0; side < 2; side++) {
        ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(g->b, k, k)), ald_at(g->a, k, k)));
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = i + 1; j < k; j++) {
                const double keep = g->a[i * k + j];
                g->a[i * k + j] = g->a[j * k + i];
                g->a[j * k + i] = keep;
            }
    }
    return ALD_OK;
}

ald_status ald_generalized_solve(ald_run *run, ald_generalized *g)
{
    const int64_t k = g->k, r = g->r;
    double *rows;
    ALD_TRY(ALD_SCRATCH(run, {&g->values, r, 1}, {&g->w, k, r}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, r, k, &rows));
    if (g->b) {
        ALD_TRY(add_ridge(run, g));
        ALD_TRY(factor(run, g));
        ALD_TRY(whiten(run, g));
    }
    ALD_TRY(ald_eigen(run, ald_at(g->a, k, k), g->values, ald_at(rows, r, k)));
    ald_transpose(r, k, rows, g->w);
    ald_arena_release(&run->scratch, mark);
    return g->b ? ald_solve_triangular(run, ald_of(g->b, k, k), ald_at(g->w, k, r)) : ALD_OK;
}
