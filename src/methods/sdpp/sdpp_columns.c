/* The differences of pairs lie in the span of M, whose columns are orthogonal, M'M = D: z_i - z_j = N tau
 * with N = M D^-1 and tau the difference of coordinates. So |W'(z_i - z_j)| = |(N'W)'tau|, and with x = N'W,
 * K(x) the criterion in coordinates with its ridge |M x|^2 = |M N'W|^2,
 *
 *   J(W) = K(x) + ridge (|W|^2 - |M x|^2),   gradient N K'(x) + 2 ridge (W - M x).
 */
#include "methods/sdpp/sdpp_columns.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <string.h>

ald_status ald_sdpp_columns_new(ald_run *run, const ald_objective *inner, const ald_basis *basis,
                                double ridge, int64_t r, ald_sdpp_columns *c)
{
    const int64_t d = basis->d, p = basis->p;
    *c = (ald_sdpp_columns){.inner = *inner, .basis = basis, .ridge = ridge, .r = r};
    return ALD_SCRATCH(run, {&c->w, d, r}, {&c->along, d, r}, {&c->x, p, r}, {&c->g, p, r});
}

static void divide_by_lengths(const ald_sdpp_columns *c, double *x)
{
    for (int64_t i = 0; i < c->basis->p * c->r; i++) {
        const double length = c->basis->lengths[i / c->r];
        x[i] = length > 0.0 ? x[i] / length : 0.0; /* 0: a column that does not vary */
    }
}

/* x = M'w, p x r. */
static ald_status transpose_apply(ald_run *run, const ald_basis *b, const double *w, int64_t r, double *x)
{
    if (b->matrix)
        return ald_product(run, ald_t(ald_of(b->matrix, b->d, b->p)), ald_of(w, b->d, r), ald_at(x, b->p, r));
    for (int64_t i = 0; i < b->d * r; i++) x[i] = b->diagonal[i / r] * w[i];
    return ALD_OK;
}

static ald_status place(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    ald_sdpp_columns *c = self;
    const ald_basis *b = c->basis;
    (void)groups;
    memcpy(c->w, w, (size_t)(b->d * r) * sizeof *w);
    ALD_TRY(transpose_apply(run, b, w, r, c->x));
    divide_by_lengths(c, c->x);
    ALD_TRY(ald_basis_directions(run, b, c->x, r, c->along));
    return c->inner.place(run, c->inner.self, c->x, r, 1);
}

static ald_status gradient(ald_run *run, void *self, double *values, double *g)
{
    ald_sdpp_columns *c = self;
    const int64_t count = c->basis->d * c->r;
    ALD_TRY(c->inner.gradient(run, c->inner.self, values, c->g));
    divide_by_lengths(c, c->g);
    ALD_TRY(ald_basis_directions(run, c->basis, c->g, c->r, g));
    values[0] += c->ridge * (ald_dot(count, c->w, c->w) - ald_dot(count, c->along, c->along));
    for (int64_t i = 0; i < count; i++) g[i] += 2.0 * c->ridge * (c->w[i] - c->along[i]);
    return ALD_OK;
}

ald_objective ald_sdpp_columns_objective(ald_sdpp_columns *columns)
{
    return (ald_objective){.p = columns->basis->d, .self = columns, .place = place, .gradient = gradient};
}
