/* Sums of two trace ratios over subspaces (trace_ratios.h has the formulas). */
#include "math/optimize/trace_ratios.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

ald_status ald_trace_ratios_prepare(ald_run *run, ald_trace_ratios *problem)
{
    const int64_t q = problem->q, k = problem->k;
    double **const small[] = {&problem->m, &problem->n, &problem->inverse, &problem->dm, &problem->dn};
    for (int i = 0; i < ald_ratio_squares; i++) {
        ALD_TRY(ald_scratch_reals(run, q, k, &problem->tall[i]));
        ALD_TRY(ald_geodesic_form_new(run, k, &problem->forms[i]));
    }
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) ALD_TRY(ald_scratch_reals(run, k, k, small[i]));
    return ald_scratch_reals(run, q, k, &problem->other);
}

/* out (q x k) = S a. */
static ald_status multiply_square(ald_run *run, const ald_trace_ratios *f, int which, const double *a,
                                  double *out)
{
    const ald_square *s = &f->squares[which];
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

/* Adds factor tr(M^-1 A'N A) to *value, its derivative to g and the length of the derivative's first term to
 * *size; N the matrix `above`, D the one after it. */
static ald_status add_ratio(ald_run *run, ald_trace_ratios *f, int above, const double *a, double *value,
                            double *g, double *size)
{
    const int64_t q = f->q, k = f->k;
    const double factor = f->factors[above / 2];
    const ald_area na = ald_at(f->tall[above], q, k), da = ald_at(f->tall[above + 1], q, k);
    const ald_area m = ald_at(f->m, k, k), n = ald_at(f->n, k, k);
    const ald_view columns = ald_of(a, q, k), inverse = ald_of(f->inverse, k, k);
    ALD_TRY(multiply_square(run, f, above, a, na.data));
    ALD_TRY(multiply_square(run, f, above + 1, a, da.data));
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
    ald_trace_ratios *f = self;
    *value = *size = 0.0;
    memset(g, 0, (size_t)(f->q * f->k) * sizeof *g);
    ALD_TRY(add_ratio(run, f, 0, a, value, g, size));
    return add_ratio(run, f, 2, a, value, g, size);
}

static ald_status line(ald_run *run, void *self, const ald_geodesic *at)
{
    ald_trace_ratios *f = self;
    for (int i = 0; i < ald_ratio_squares; i++) {
        ALD_TRY(multiply_square(run, f, i, at->x, f->tall[i]));
        ALD_TRY(multiply_square(run, f, i, at->u, f->other));
        ALD_TRY(ald_geodesic_form_set(run, at, f->tall[i], f->other, &f->forms[i]));
    }
    return ALD_OK;
}

/* With K = M^-1 N: d tr K = tr(M^-1 (dN - dM K)). */
static ald_status add_along(ald_run *run, ald_trace_ratios *f, int above, const ald_geodesic *at,
                            double *value, double *slope)
{
    const int64_t k = f->k;
    const double factor = f->factors[above / 2];
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
    ald_trace_ratios *f = self;
    *value = *slope = 0.0;
    ALD_TRY(add_along(run, f, 0, at, value, slope));
    return add_along(run, f, 2, at, value, slope);
}

ald_grassmann_objective ald_trace_ratios_objective(ald_trace_ratios *problem)
{
    return (ald_grassmann_objective){problem->q, problem->k, problem, gradient, line, along};
}
