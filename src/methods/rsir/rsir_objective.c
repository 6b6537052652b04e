/* What rsir minimises, as a function of the span of A (q x k), A'A = I:
 *
 *   F(A)                = -tr((A'Sg A)^-1 A'Gt A) + eta tr((A'St A)^-1 A'Qt A)
 *   d tr(M^-1 A'N A)/dA = 2 (N A - D A M^-1 A'N A) M^-1,   M = A'D A
 *
 * In the coordinates of the definition Sg = I and St = diag(Lt), where the first ratio is tr(A'Gt A). F is a
 * function of the span in any coordinates, and these are badly scaled where Sigma says nothing: its curvature
 * is that of Sigma + eta Q / s, s the spread of a projection. ald_rsir_precondition changes to coordinates in
 * which this is I (for s a thirtieth of the spread at the start) and Sg and Qt are diagonal: ten times fewer
 * steps on images.
 *
 * Cost of a step: two products with q x q matrices and k columns; of a trial of the line search: O(k^3). */
#include "methods/rsir/rsir_matrices.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

ald_status ald_rsir_prepare(ald_run *run, ald_rsir *problem)
{
    const int64_t q = problem->q, k = problem->k;
    double **const small[] = {&problem->m, &problem->n, &problem->inverse, &problem->dm, &problem->dn};
    for (int i = 0; i < ALD_RSIR_SQUARES; i++) {
        ALD_TRY(ald_scratch_reals(run, q, k, &problem->tall[i]));
        ALD_TRY(ald_geodesic_form_new(run, k, &problem->forms[i]));
    }
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) ALD_TRY(ald_scratch_reals(run, k, k, small[i]));
    return ald_scratch_reals(run, q, k, &problem->other);
}

/* out (q x k) = S a. */
static ald_status rsir_objective_multiply(ald_run *run, const ald_rsir *f, int which, const double *a,
                                          double *out)
{
    const ald_rsir_square *s = &f->squares[which];
    const int64_t q = f->q, k = f->k;
    if (s->dense) return ald_product(run, ald_of(s->dense, q, q), ald_of(a, q, k), ald_at(out, q, k));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) out[i * k + j] = (s->diagonal ? s->diagonal[i] : 1.0) * a[i * k + j];
    return ALD_OK;
}

/* inverse = m^-1; m is destroyed. */
static ald_status invert(ald_run *run, int64_t k, double *m, double *inverse)
{
    ald_make_identity(ald_at(inverse, k, k));
    ALD_TRY(ald_cholesky(run, ald_at(m, k, k)));
    return ald_solve_cholesky(run, ald_of(m, k, k), ald_at(inverse, k, k));
}

/* The factor of the ratio of the matrix `above` to the one after it. */
static double factor_of(const ald_rsir *f, int above)
{
    return above == ALD_RSIR_GAMMA ? -1.0 : f->eta;
}

/* Adds factor tr(M^-1 A'N A) to *value, its derivative to g and the length of the derivative's first term to
 * *size; N the matrix `above`, D the one after it. */
static ald_status add_ratio(ald_run *run, ald_rsir *f, int above, const double *a, double *value, double *g,
                            double *size)
{
    const int64_t q = f->q, k = f->k;
    const double factor = factor_of(f, above);
    const ald_area na = ald_at(f->tall[above], q, k), da = ald_at(f->tall[above + 1], q, k);
    const ald_area m = ald_at(f->m, k, k), n = ald_at(f->n, k, k);
    const ald_view columns = ald_of(a, q, k), inverse = ald_of(f->inverse, k, k);
    ALD_TRY(rsir_objective_multiply(run, f, above, a, na.data));
    ALD_TRY(rsir_objective_multiply(run, f, above + 1, a, da.data));
    ALD_TRY(ald_product(run, ald_t(columns), ald_read(da), m));
    ALD_TRY(ald_product(run, ald_t(columns), ald_read(na), n));
    ALD_TRY(invert(run, k, f->m, f->inverse));
    /* m = M^-1 A'N A, n = that times M^-1. */
    ALD_TRY(ald_product(run, inverse, ald_read(n), m));
    ALD_TRY(ald_product(run, ald_read(m), inverse, n));
    ALD_TRY(ald_product_add(run, 2.0 * factor, ald_read(na), inverse, 0.0, ald_at(f->other, q, k)));
    *value += factor * ald_trace(k, f->m);
    *size += ald_norm(q * k, f->other);
    for (int64_t i = 0; i < q * k; i++) g[i] += f->other[i];
    return ald_product_add(run, -2.0 * factor, ald_read(da), ald_read(n), 1.0, ald_at(g, q, k));
}

static ald_status gradient(ald_run *run, void *self, const double *a, double *value, double *g, double *size)
{
    ald_rsir *f = self;
    *value = *size = 0.0;
    memset(g, 0, (size_t)(f->q * f->k) * sizeof *g);
    ALD_TRY(add_ratio(run, f, ALD_RSIR_GAMMA, a, value, g, size));
    return add_ratio(run, f, ALD_RSIR_QUAD, a, value, g, size);
}

static ald_status line(ald_run *run, void *self, const ald_geodesic *at)
{
    ald_rsir *f = self;
    for (int i = 0; i < ALD_RSIR_SQUARES; i++) {
        ALD_TRY(rsir_objective_multiply(run, f, i, at->x, f->tall[i]));
        ALD_TRY(rsir_objective_multiply(run, f, i, at->u, f->other));
        ALD_TRY(ald_geodesic_form_set(run, at, f->tall[i], f->other, &f->forms[i]));
    }
    return ALD_OK;
}

/* With K = M^-1 N: d tr K = tr(M^-1 (dN - dM K)). */
static ald_status add_along(ald_run *run, ald_rsir *f, int above, const ald_geodesic *at, double *value,
                            double *slope)
{
    const int64_t k = f->k;
    const double factor = factor_of(f, above);
    ald_geodesic_form_at(at, &f->forms[above], f->n, f->dn);
    ald_geodesic_form_at(at, &f->forms[above + 1], f->m, f->dm);
    ALD_TRY(invert(run, k, f->m, f->inverse));
    ALD_TRY(ald_product(run, ald_of(f->inverse, k, k), ald_of(f->n, k, k), ald_at(f->m, k, k)));
    ALD_TRY(ald_product_add(run, -1.0, ald_of(f->dm, k, k), ald_of(f->m, k, k), 1.0, ald_at(f->dn, k, k)));
    *value += factor * ald_trace(k, f->m);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) *slope += factor * f->inverse[i * k + j] * f->dn[j * k + i];
    return ALD_OK;
}

static ald_status along(ald_run *run, void *self, const ald_geodesic *at, double *value, double *slope)
{
    ald_rsir *f = self;
    *value = *slope = 0.0;
    ALD_TRY(add_along(run, f, ALD_RSIR_GAMMA, at, value, slope));
    return add_along(run, f, ALD_RSIR_QUAD, at, value, slope);
}

ald_grassmann_objective ald_rsir_objective(ald_rsir *problem)
{
    return (ald_grassmann_objective){problem->q, problem->k, problem, gradient, line, along};
}

/* rows (q x q) scaled by 1 / scale; out = rows S rows'. */
static ald_status congruence(ald_run *run, int64_t q, const double *rows, const ald_rsir_square *s,
                             double *out)
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
static double spread_of(const ald_rsir *f, const double *a)
{
    double sum = 0.0;
    for (int64_t i = 0; i < f->q; i++)
        for (int64_t j = 0; j < f->k; j++)
            sum += f->squares[ALD_RSIR_SPREAD].diagonal[i] * a[i * f->k + j] * a[i * f->k + j];
    return sum / (double)f->k;
}

ald_status ald_rsir_precondition(ald_run *run, const ald_rsir *problem, const double *start, ald_rsir *better,
                                 ald_rsir_turn *turn)
{
    const int64_t q = problem->q;
    const double weight = 30.0 * problem->eta / spread_of(problem, start);
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
    *better = (ald_rsir){
        .q = q,
        .k = problem->k,
        .eta = problem->eta,
        .squares = {{gamma, NULL}, {NULL, sigma}, {NULL, quad}, {spread, NULL}},
    };
    return ald_rsir_prepare(run, better);
}

ald_status ald_rsir_there(ald_run *run, const ald_rsir *problem, const ald_rsir_turn *turn, const double *a,
                          double *out)
{
    const int64_t q = problem->q, k = problem->k;
    ALD_TRY(ald_product(run, ald_of(turn->e, q, q), ald_of(a, q, k), ald_at(out, q, k)));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) out[i * k + j] /= turn->scale[i];
    return ALD_OK;
}

ald_status ald_rsir_back(ald_run *run, const ald_rsir *problem, const ald_rsir_turn *turn, const double *a,
                         double *out)
{
    const int64_t q = problem->q, k = problem->k;
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) problem->other[i * k + j] = turn->scale[i] * a[i * k + j];
    return ald_product(run, ald_t(ald_of(turn->e, q, q)), ald_of(problem->other, q, k), ald_at(out, q, k));
}
