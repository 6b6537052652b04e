/* What rsir minimises, in coordinates that suit it. The function of the span of A (q x k), A'A = I, is
 *
 *   F(A) = -tr((A'Sg A)^-1 A'Gt A) + eta tr((A'St A)^-1 A'Qt A),
 *
 * a sum of two trace ratios (optimize/trace_ratios.h). In the coordinates of the definition Sg = I and St =
 * diag(Lt), where the first ratio is tr(A'Gt A). F is a function of the span in any coordinates, and these
 * are badly scaled where Sigma says nothing: its curvature is that of Sigma + eta Q / s, s the spread of a
 * projection. ald_rsir_precondition changes to coordinates in which this is I (for s a thirtieth of the
 * spread at the start) and Sg and Qt are diagonal: ten times fewer steps on images. */
#include "methods/rsir/rsir_matrices.h"

#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

/* rows (q x q) scaled by 1 / scale; out = rows S rows'. */
static ald_status congruence(ald_run *run, int64_t q, const double *rows, const ald_square *s, double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *half;
    ALD_TRY(ald_scratch_reals(run, q, q, &half));
    if (s->dense)
        ALD_TRY(ald_product(run, ald_of(rows, q, q), ald_of(s->dense, q, q), ald_at(half, q, q)));
    else
        for (int64_t i = 0; i < q; i++)
            for (int64_t j = 0; j < q; j++) half[i * q + j] = rows[i * q + j] * s->diagonal[j];
    ALD_TRY(ald_product(run, ald_of(half, q, q), ald_t(ald_of(rows, q, q)), ald_at(out, q, q)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The mean of a'St a over the columns of the orthonormal a. */
static double spread_of(const ald_trace_ratios *f, const double *a)
{
    double sum = 0.0;
    for (int64_t i = 0; i < f->q; i++)
        for (int64_t j = 0; j < f->k; j++)
            sum += f->squares[ALD_RSIR_SPREAD].diagonal[i] * a[i * f->k + j] * a[i * f->k + j];
    return sum / (double)f->k;
}

ald_status ald_rsir_precondition(ald_run *run, const ald_trace_ratios *problem, const double *start,
                                 ald_trace_ratios *better, ald_rsir_turn *turn)
{
    const int64_t q = problem->q;
    const double weight = 30.0 * problem->factors[1] / spread_of(problem, start);
    double *values, *rows, *gamma, *spread, *sigma, *quad;
    ALD_TRY(ALD_SCRATCH(run, {&turn->e, q, q}, {&turn->scale, q, 1}, {&gamma, q, q}, {&spread, q, q},
                        {&sigma, q, 1}, {&quad, q, 1}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&values, q, 1}, {&rows, q, q}));
    memcpy(rows, problem->squares[ALD_RSIR_QUAD].dense, (size_t)(q * q) * sizeof *rows);
    ALD_TRY(ald_eigen(run, ald_at(rows, q, q), values, ald_at(turn->e, q, q)));
    for (int64_t i = 0; i < q; i++) {
        const double omega = values[i] > 0.0 ? values[i] : 0.0;
        turn->scale[i] = 1.0 / sqrt(1.0 + weight * omega);
        sigma[i] = 1.0 / (1.0 + weight * omega);
        quad[i] = omega / (1.0 + weight * omega);
        for (int64_t j = 0; j < q; j++) rows[i * q + j] = turn->scale[i] * turn->e[i * q + j];
    }
    ALD_TRY(congruence(run, q, rows, &problem->squares[ALD_RSIR_GAMMA], gamma));
    ALD_TRY(congruence(run, q, rows, &problem->squares[ALD_RSIR_SPREAD], spread));
    ald_arena_release(&run->scratch, mark);
    *better = (ald_trace_ratios){
        .q = q,
        .k = problem->k,
        .factors = {-1.0, problem->factors[1]},
        .squares = {{gamma, NULL}, {NULL, sigma}, {NULL, quad}, {spread, NULL}},
    };
    return ald_trace_ratios_prepare(run, better);
}

ald_status ald_rsir_there(ald_run *run, const ald_trace_ratios *problem, const ald_rsir_turn *turn,
                          const double *a, double *out)
{
    const int64_t q = problem->q, k = problem->k;
    ALD_TRY(ald_product(run, ald_of(turn->e, q, q), ald_of(a, q, k), ald_at(out, q, k)));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) out[i * k + j] /= turn->scale[i];
    return ALD_OK;
}

ald_status ald_rsir_back(ald_run *run, const ald_trace_ratios *problem, const ald_rsir_turn *turn,
                         const double *a, double *out)
{
    const int64_t q = problem->q, k = problem->k;
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) problem->other[i * k + j] = turn->scale[i] * a[i * k + j];
    return ald_product(run, ald_t(ald_of(turn->e, q, q)), ald_of(problem->other, q, k), ald_at(out, q, k));
}
