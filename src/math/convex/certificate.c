/* Z v = F'(L_q + smoothness L - spread) F v + ridge M'M v with entries q = 2 c w (D - t). Up to an order of
 * 1000 Z is written out, a block of columns at a time, and decomposed; above that its lowest eigenvalues come
 * from block Lanczos on sigma I - Z, sigma the largest eigenvalue of the same with |q|.
 *
 * Where the pairs do not have the scatter I but some C, lambda_min is that of the pencil (Z, C): the least
 * alpha with Z + alpha C >= 0 is found by alpha <- -v'Zv / v'Cv with v the lowest eigenvector of Z + alpha C,
 * which grows to it (Dinkelbach 1967). C has the pairs of Z, so that Z + alpha C only adds alpha w / sum w to
 * the entries. */
#include "math/convex/certificate.h"

#include "base/numbers/ordering.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/quadratic.h"
#include "math/solvers/lanczos.h"

#include <math.h>
#include <string.h>

enum { largest_written = 1000, columns_at_once = 32, most_rounds = 8 };

typedef struct curved {
    const ald_stress *stress;
    double *entries;     /* q of the pairs */
    double *matrix;      /* p x p: F'L_q F, where the pairs have been added up; NULL: they are here, */
    double remote;       /* or, not 0, F'L_q F v is this times that of the remote pairs */
    double *used;        /* the entries that products use: q, |q|, q + alpha w / sum w */
    double shift;        /* products are shift v - Z v; 0: Z v */
    int bare;            /* F'L F alone, without ridge, smoothness and spread */
    const double *scale; /* p: S, for the steepest directions */
} curved;

/* w = F'(L_q + smoothness L - spread) F v by the pairs. */
static ald_status times_pairs(ald_run *run, const curved *c, const double *v, int64_t k, double *w)
{
    const ald_stress *s = c->stress;
    const int64_t n = s->basis->n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *lu, *more = NULL;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, k}, {&lu, n, k}));
    ALD_TRY(ald_basis_apply(run, s->basis, v, k, u));
    ALD_TRY(ald_pairs_laplacian(run, s->pairs, c->used, u, k, lu));
    if (s->smooth && !c->bare) {
        ALD_TRY(ald_scratch_reals(run, n, k, &more));
        ALD_TRY(ald_pairs_laplacian(run, s->smooth, NULL, u, k, more));
    }
    for (int64_t i = 0; i < n * k && !c->bare; i++)
        lu[i] += (more ? s->smoothness * more[i] : 0.0) - s->spread * u[i];
    ALD_TRY(ald_basis_apply_transposed(run, s->basis, lu, k, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status times_remote(ald_run *run, const curved *c, const double *v, int64_t k, double *w)
{
    const ald_stress *s = c->stress;
    ALD_TRY(s->remote->times(run, s->remote->self, v, s->basis->p, k, w));
    for (int64_t i = 0; i < s->basis->p * k; i++) w[i] *= c->remote;
    return ALD_OK;
}

static ald_status times(ald_run *run, const curved *c, const double *v, int64_t k, double *w)
{
    const ald_stress *s = c->stress;
    const int64_t p = s->basis->p;
    if (c->matrix)
        ALD_TRY(ald_product(run, ald_of(c->matrix, p, p), ald_of(v, p, k), ald_at(w, p, k)));
    else if (c->remote != 0.0)
        ALD_TRY(times_remote(run, c, v, k, w));
    else
        ALD_TRY(times_pairs(run, c, v, k, w));
    for (int64_t j = 0; j < p && !c->bare; j++)
        for (int64_t i = j * k; i < (j + 1) * k; i++) {
            w[i] += s->ridge * s->basis->lengths[j] * v[i];
            if (c->shift > 0.0) w[i] = c->shift * v[i] - w[i];
        }
    return ALD_OK;
}

static ald_status shifted(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    return times(run, self, v, k, w);
}

/* q = 2 c w (D - t) at U = F W. */
static ald_status find_entries(ald_run *run, const ald_stress *s, const double *w, int64_t r, double *entries)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_pairs *pairs = s->pairs;
    double *u;
    ALD_TRY(ald_scratch_reals(run, s->basis->n, r, &u));
    ALD_TRY(ald_basis_apply(run, s->basis, w, r, u));
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->pointers[i]; e < pairs->pointers[i + 1]; e++) {
            const double *a = u + i * r, *b = u + pairs->partners[e] * r;
            double d = 0.0;
            for (int64_t k = 0; k < r; k++) d += (a[k] - b[k]) * (a[k] - b[k]);
            entries[e] = 2.0 * s->scale * pairs->weights[e] * (d - s->squares[e]);
        }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* z (p x p), a block of columns at a time. */
static ald_status write_out(ald_run *run, const curved *c, double *z)
{
    const int64_t p = c->stress->basis->p;
    double *pick, *out;
    ALD_TRY(ALD_SCRATCH(run, {&pick, p, columns_at_once}, {&out, p, columns_at_once}));
    for (int64_t j0 = 0; j0 < p; j0 += columns_at_once) {
        const int64_t cols = p - j0 < columns_at_once ? p - j0 : columns_at_once;
        memset(pick, 0, (size_t)(p * cols) * sizeof *pick);
        for (int64_t j = 0; j < cols; j++) pick[(j0 + j) * cols + j] = 1.0;
        ALD_TRY(times(run, c, pick, cols, out));
        for (int64_t i = 0; i < p; i++) memcpy(z + i * p + j0, out + i * cols, (size_t)cols * sizeof *z);
    }
    return ALD_OK;
}

/* The lowest eigenvalues of Z and their vectors as columns (p x wanted). */
typedef struct lowest {
    int64_t wanted;
    double *values, *vectors;
} lowest;

static ald_status lowest_dense(ald_run *run, const curved *c, lowest *out)
{
    const int64_t p = c->stress->basis->p;
    double *z, *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&z, p, p}, {&values, p, 1}, {&vectors, p, p}));
    ALD_TRY(write_out(run, c, z));
    ALD_TRY(ald_eigen(run, ald_at(z, p, p), values, ald_at(vectors, p, p)));
    for (int64_t k = 0; k < out->wanted; k++) {
        out->values[k] = values[p - 1 - k];
        for (int64_t i = 0; i < p; i++) out->vectors[i * out->wanted + k] = vectors[(p - 1 - k) * p + i];
    }
    return ALD_OK;
}

/* A bound of the eigenvalues where the entries are not known: the largest sum of |z| along a row. */
static ald_status modulus_of_matrix(ald_run *run, const curved *c, double *value)
{
    const ald_stress *s = c->stress;
    const int64_t p = s->basis->p;
    (void)run;
    *value = 0.0;
    for (int64_t i = 0; i < p; i++) {
        double sum = s->ridge * s->basis->lengths[i];
        for (int64_t j = 0; j < p; j++) sum += fabs(c->matrix[i * p + j]);
        *value = fmax(*value, sum);
    }
    return ALD_OK;
}

static ald_status largest_modulus(ald_run *run, curved *c, uint64_t seed, double *value)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *const used = c->used;
    if (c->matrix) return modulus_of_matrix(run, c, value);
    const int64_t entries = c->stress->pairs->pointers[c->stress->pairs->n];
    ALD_TRY(ald_scratch_reals(run, entries, 1, &c->used));
    for (int64_t e = 0; e < entries; e++) c->used[e] = fabs(used[e]);
    c->shift = 0.0;
    ald_lanczos task = {
        .apply = shifted,
        .self = c,
        .n = c->stress->basis->p,
        .wanted = 1,
        .tol = 1e-2,
        .max_products = 500,
        .seed = seed,
        .stage = "certificate",
        .values = value,
    };
    ALD_TRY(ald_lanczos_solve(run, &task));
    *value *= 1.1;
    c->used = used;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status lowest_lanczos(ald_run *run, curved *c, uint64_t seed, lowest *out)
{
    const int64_t p = c->stress->basis->p;
    double sigma;
    ALD_TRY(largest_modulus(run, c, seed, &sigma));
    c->shift = sigma;
    ald_lanczos task = {
        .apply = shifted,
        .self = c,
        .n = p,
        .wanted = out->wanted,
        .tol = 1e-9,
        .max_products = 20000,
        .seed = seed,
        .stage = "certificate",
        .values = out->values,
        .vectors = out->vectors,
    };
    ALD_TRY(ald_lanczos_solve(run, &task));
    for (int64_t k = 0; k < out->wanted; k++) out->values[k] = sigma - out->values[k];
    out->values[0] -= sigma * task.residual;
    c->shift = 0.0;
    return ALD_OK;
}

static ald_status find_lowest(ald_run *run, curved *c, uint64_t seed, lowest *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(c->stress->basis->p <= largest_written ? lowest_dense(run, c, out)
                                                   : lowest_lanczos(run, c, seed, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* v'Cv of the first vector: C = F'L F / sum w. */
static ald_status scatter_along(ald_run *run, const ald_stress *s, const lowest *found, double *value)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *v, *u, *lu;
    ALD_TRY(ALD_SCRATCH(run, {&v, s->basis->p, 1}, {&u, s->basis->n, 1}, {&lu, s->basis->n, 1}));
    for (int64_t i = 0; i < s->basis->p; i++) v[i] = found->vectors[i * found->wanted];
    ALD_TRY(ald_basis_apply(run, s->basis, v, 1, u));
    ALD_TRY(ald_pairs_laplacian(run, s->pairs, NULL, u, 1, lu));
    *value = ald_dot(s->basis->n, u, lu) / s->pairs->total;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The lowest eigenvalue of (Z, C) where C is not I; `found` are those of Z itself. */
static ald_status lowest_of_pencil(ald_run *run, curved *c, uint64_t seed, const lowest *found, double *value)
{
    const ald_pairs *pairs = c->stress->pairs;
    double alpha = 0.0, below = found->values[0], length;
    double *vectors;
    double one;
    lowest next = {1, &one, NULL};
    ALD_TRY(ald_scratch_reals(run, c->stress->basis->p, 1, &vectors));
    ALD_TRY(scatter_along(run, c->stress, found, &length));
    next.vectors = vectors;
    for (int round = 0; round < most_rounds && below < 0.0 && length > 0.0; round++) {
        const double more = -below / length;
        alpha += more;
        if (more < 1e-4 * alpha && round > 0) break;
        for (int64_t e = 0; e < pairs->pointers[pairs->n]; e++)
            c->used[e] = c->entries[e] + alpha * pairs->weights[e] / pairs->total;
        ALD_TRY(find_lowest(run, c, seed, &next));
        below = one;
        ALD_TRY(scatter_along(run, c->stress, &next, &length));
    }
    *value = -alpha;
    return ALD_OK;
}

static ald_status inner_product(ald_run *run, const curved *c, const double *w, int64_t r, double *value)
{
    const int64_t p = c->stress->basis->p;
    double *zw;
    ALD_TRY(ald_scratch_reals(run, p, r, &zw));
    ALD_TRY(times(run, c, w, r, zw));
    *value = fabs(ald_dot(p * r, w, zw));
    return ALD_OK;
}

static void copy_escapes(const lowest *found, int64_t p, double negligible, ald_certificate *out)
{
    out->found = 0;
    while (out->found < out->room && out->found < found->wanted && found->values[out->found] < -negligible)
        out->found++;
    for (int64_t i = 0; i < p && out->escape; i++)
        for (int64_t k = 0; k < out->found; k++)
            out->escape[i * out->found + k] = found->vectors[i * found->wanted + k];
}

/* What Z is made of at W: a matrix, or entries of the pairs. */
static ald_status curve_at(ald_run *run, curved *c, const double *w, int64_t r)
{
    const ald_stress *s = c->stress;
    if (ald_stress_is_remote(s)) {
        ALD_TRY(ald_scratch_reals(run, s->basis->p, s->basis->p, &c->matrix));
        return ald_remote_matrix(run, s, w, r, c->matrix);
    }
    const int64_t entries = s->pairs->pointers[s->pairs->n];
    ALD_TRY(ALD_SCRATCH(run, {&c->entries, entries, 1}, {&c->used, entries, 1}));
    ALD_TRY(find_entries(run, s, w, r, c->entries));
    memcpy(c->used, c->entries, (size_t)entries * sizeof *c->used);
    return ALD_OK;
}

ald_status ald_certify(ald_run *run, ald_stress *stress, const double *w, int64_t r, double value,
                       uint64_t seed, ald_certificate *out)
{
    const int64_t p = stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    curved c = {.stress = stress};
    lowest found = {.wanted = out->room > 1 ? ald_least(out->room, p) : 1};
    ALD_TRY(ALD_SCRATCH(run, {&found.values, found.wanted, 1}, {&found.vectors, p, found.wanted}));
    ALD_TRY(curve_at(run, &c, w, r));
    ALD_TRY(inner_product(run, &c, w, r, &out->inner));
    ALD_TRY(find_lowest(run, &c, seed, &found));
    copy_escapes(&found, p, 0.0, out);
    out->lowest = found.values[0];
    if (!stress->basis->whitened) ALD_TRY(lowest_of_pencil(run, &c, seed, &found, &out->lowest));
    out->gap = ald_gap_bound(stress, value, out->inner, out->lowest);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* What slopes f'(D, t) are of the size of: t f''(t, t), which is 2 t for the squares. */
static double slope_size(const ald_stress *s, double t)
{
    const double at = s->divergence->quartic ? t : t + s->floor;
    return at * s->divergence->curvature(at, at);
}

/* -2 t, the slope of the squares at D = 0. */
static double slope_at_zero(const ald_stress *s, double t)
{
    (void)s;
    return -2.0 * t;
}

/* Entries c w g(t). Where the pairs have been added up b is their matrix for -2 t, and slope_size is 2 t.
 */
static ald_status curve_of_targets(ald_run *run, curved *c, double (*g)(const ald_stress *s, double t))
{
    const ald_stress *s = c->stress;
    const int64_t p = s->basis->p;
    if (s->remote && !s->basis->whitened) {
        c->remote = g == slope_size ? -1.0 : 1.0;
        return ALD_OK;
    }
    if (ald_stress_is_remote(s)) {
        ALD_TRY(ald_scratch_reals(run, p, p, &c->matrix));
        ALD_TRY(ald_remote_matrix(run, s, NULL, 0, c->matrix));
        for (int64_t i = 0; i < p * p && g == slope_size; i++) c->matrix[i] = -c->matrix[i];
        return ALD_OK;
    }
    const int64_t entries = s->pairs->pointers[s->pairs->n];
    ALD_TRY(ald_scratch_reals(run, entries, 1, &c->used));
    for (int64_t e = 0; e < entries; e++) c->used[e] = s->scale * s->pairs->weights[e] * g(s, s->squares[e]);
    return ALD_OK;
}

ald_status ald_stress_size(ald_run *run, const ald_stress *stress, uint64_t seed, double *size)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    curved c = {.stress = stress, .bare = 1};
    ald_lanczos task = {
        .apply = shifted,
        .self = &c,
        .n = stress->basis->p,
        .wanted = 1,
        .tol = 1e-3,
        .max_products = 260,
        .seed = seed,
        .stage = "starts",
        .values = size,
    };
    ALD_TRY(curve_of_targets(run, &c, slope_size));
    ALD_TRY(ald_lanczos_solve(run, &task));
    *size *= 2.0;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* -S Z S v. */
static ald_status descending(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const curved *c = self;
    const int64_t count = c->stress->basis->p * k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *sv;
    ALD_TRY(ald_scratch_reals(run, count, 1, &sv));
    for (int64_t i = 0; i < count; i++) sv[i] = c->scale[i / k] * v[i];
    ALD_TRY(times(run, c, sv, k, w));
    for (int64_t i = 0; i < count; i++) w[i] *= -c->scale[i / k];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Lengths in which the steepest columns lead: the root of the eigenvalue, next to nothing where it is
 * negative. */
static double lead(double value, double first)
{
    if (value > 1e-2 * first) return sqrt(value / first);
    return 1e-2 * fmin(1.0, fabs(first) / (fabs(value) + 1e-300));
}

ald_status ald_stress_steepest(ald_run *run, const ald_stress *stress, const double *scale, uint64_t seed,
                               int64_t r, double *directions)
{
    const int64_t p = stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    curved c = {.stress = stress, .scale = scale};
    ald_lanczos task = {
        .apply = descending,
        .self = &c,
        .n = p,
        .wanted = r,
        .tol = 1e-3,
        .max_products = 60 * r + 200,
        .seed = seed,
        .stage = "starts",
        .vectors = directions,
    };
    ALD_TRY(curve_of_targets(run, &c, slope_at_zero));
    ALD_TRY(ald_lanczos_solve(run, &task));
    for (int64_t i = 0; i < p * r; i++) directions[i] *= lead(task.values[i % r], task.values[0]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
