/* The minimum may have fewer directions than were asked for: W W' of lower rank than r, and columns of W that
 * are 0. A projection of full rank is still wanted, as what is fitted on it (least squares at r = d) should
 * lose nothing. Such columns are given 1e-8 of the length of the longest, which changes J by 1e-16 J(0),
 * along the directions in which pairs differ most (the first columns of M) less what the other columns have
 * of them. */
#include "methods/sdpp/sdpp_terms.h"

#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

static const double part = 1e-8;

/* v (d) less its parts along the columns of q (orthonormal rows, k x d), and its length then. */
static double take_out(int64_t d, int64_t k, const double *q, double *v)
{
    for (int pass = 0; pass < 2; pass++)
        for (int64_t c = 0; c < k; c++) {
            const double inner = ald_dot(d, q + c * d, v);
            for (int64_t j = 0; j < d; j++) v[j] -= inner * q[c * d + j];
        }
    return ald_norm(d, v);
}

/* At least one of p orthogonal directions has 1/p of its square outside the k < p that there are. */
static ald_status next_direction(ald_run *run, const ald_basis *basis, int64_t k, double *q)
{
    const int64_t d = basis->d, p = basis->p;
    double *pick, *v = q + k * d;
    ALD_TRY(ald_scratch_zeros(run, p, 1, &pick));
    for (int64_t j = 0; j < p; j++) {
        if (!(basis->lengths[j] > 0.0)) continue;
        pick[j] = 1.0 / sqrt(basis->lengths[j]);
        ALD_TRY(ald_basis_directions(run, basis, pick, 1, v));
        pick[j] = 0.0;
        const double length = take_out(d, k, q, v);
        for (int64_t i = 0; i < d; i++) v[i] /= length > 0.0 ? length : 1.0;
        if (length * length > 0.5 / (double)p) break;
    }
    return ALD_OK;
}

ald_status ald_sdpp_fill(ald_run *run, const ald_basis *basis, ald_model *model, ald_sdpp_result *out)
{
    const int64_t d = basis->d, r = out->r;
    const double longest = sqrt(out->lengths[0]);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    int64_t rank = 0;
    double *q;
    while (longest > 0.0 && rank < r && sqrt(out->lengths[rank]) > 10.0 * part * longest) rank++;
    if (rank == r) return ALD_OK;
    if (rank == 0)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the minimum is at W = 0, so there is no direction: lower `ridge`, `ridge_rel` or `manifold`");
    ALD_TRY(ald_scratch_reals(run, r, d, &q));
    for (int64_t k = 0; k < r; k++) {
        for (int64_t j = 0; k < rank && j < d; j++) q[k * d + j] = out->w[j * r + k] / sqrt(out->lengths[k]);
        if (k < rank) continue;
        ALD_TRY(next_direction(run, basis, k, q));
        out->lengths[k] = part * part * out->lengths[0];
        for (int64_t j = 0; j < d; j++) out->w[j * r + k] = part * longest * q[k * d + j];
    }
    ald_arena_release(&run->scratch, mark);
    return ald_model_set_printed(
        run, model, "alidade.resolved.rank",
        "%lld: the minimum has no more directions; the others are 1e-8 long and only keep the "
        "projection of full rank",
        (long long)rank);
}
