#include "optimize/stress.h"

#include "backend/threads.h"
#include "optimize/quartic.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

typedef struct pass {
    const ald_stress *s;
    int parts;
    double sums[ALD_MOST_PARTS][5];
} pass;

static int64_t rows_begin(const pass *p, int part)
{
    return ald_part_begin(p->s->pairs->n, p->parts, part);
}

static pass new_pass(ald_run *run, const ald_stress *s)
{
    return (pass){.s = s, .parts = ald_parts(run->context, s->pairs->count * s->r, 10000)};
}

static void add_sums(const pass *p, double c[5])
{
    for (int part = 0; part < p->parts; part++)
        for (int k = 0; k < 5; k++) c[k] += p->sums[part][k];
}

ald_status ald_stress_prepare(ald_run *run, ald_stress *s, int64_t columns)
{
    const int64_t n = s->basis->n, p = s->basis->p;
    s->capacity = columns;
    s->line = NULL;
    ALD_TRY(ald_scratch_reals(run, p, columns, &s->w));
    ALD_TRY(ald_scratch_reals(run, p, columns, &s->v));
    ALD_TRY(ald_scratch_reals(run, n, columns, &s->u));
    ALD_TRY(ald_scratch_reals(run, n, columns, &s->uv));
    ALD_TRY(ald_scratch_reals(run, n, columns, &s->work));
    return s->divergence->quartic ? ALD_OK : ald_scratch_reals(run, s->pairs->count, 3, &s->line);
}

static ald_status place(ald_run *run, void *self, const double *w, int64_t r)
{
    ald_stress *s = self;
    s->r = r;
    memcpy(s->w, w, (size_t)(s->basis->p * r) * sizeof *w);
    return ald_basis_apply(run, s->basis, w, r, s->u);
}

/* work_i = sum_j q_ij (u_i - u_j), and the value; each pair is met twice, from both its rows. */
static void gradient_rows(void *work, int part)
{
    pass *p = work;
    const ald_stress *s = p->s;
    const ald_divergence *f = s->divergence;
    const int64_t r = s->r, end = rows_begin(p, part + 1);
    double value = 0.0;
    for (int64_t i = rows_begin(p, part); i < end; i++) {
        const double *own = s->u + i * r;
        double *sum = s->work + i * r;
        memset(sum, 0, (size_t)r * sizeof *sum);
        for (int64_t e = s->pairs->pointers[i]; e < s->pairs->pointers[i + 1]; e++) {
            const double *other = s->u + s->pairs->partners[e] * r, w = s->pairs->weights[e], t = s->squares[e];
            double d = 0.0;
            for (int64_t k = 0; k < r; k++) d += (own[k] - other[k]) * (own[k] - other[k]);
            double q = 2.0 * w * (d - t);
            if (f->quartic) {
                value += w * (d - t) * (d - t);
            } else {
                value += w * f->value(d + s->floor, t + s->floor);
                q = w * f->slope(d + s->floor, t + s->floor);
            }
            for (int64_t k = 0; k < r; k++) sum[k] += q * (own[k] - other[k]);
        }
    }
    p->sums[part][0] = 0.5 * value;
}

/* sum_j lengths_j a_j . b_j: <M a, M b>. */
static double dot_directions(const ald_stress *s, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < s->basis->p; j++) sum += s->basis->lengths[j] * ald_dot(s->r, a + j * s->r, b + j * s->r);
    return sum;
}

static int has_row_terms(const ald_stress *s)
{
    return s->smooth || s->spread != 0.0;
}

/* ku (n x r) = smoothness L u - spread u. */
static ald_status row_terms(ald_run *run, const ald_stress *s, const double *u, double *ku)
{
    const int64_t count = s->basis->n * s->r;
    memset(ku, 0, (size_t)count * sizeof *ku);
    if (s->smooth) ALD_TRY(ald_pairs_laplacian(run, s->smooth, NULL, u, s->r, ku));
    for (int64_t i = 0; i < count; i++) ku[i] = s->smoothness * ku[i] - s->spread * u[i];
    return ALD_OK;
}

/* The quadratic terms between u and v: u'K v + ridge <M w, M v>; ku is K u. */
static double quadratic(const ald_stress *s, const double *ku, const double *v, const double *w,
                        const double *direction)
{
    return (ku ? ald_dot(s->basis->n * s->r, ku, v) : 0.0) +
           (s->ridge > 0.0 ? s->ridge * dot_directions(s, w, direction) : 0.0);
}

static ald_status gradient(ald_run *run, void *self, double *value, double *g)
{
    ald_stress *s = self;
    const int64_t r = s->r, n = s->basis->n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double sums[5] = {0}, *ku = NULL;
    pass p = new_pass(run, s);
    ald_parallel(p.parts, gradient_rows, &p);
    add_sums(&p, sums);
    for (int64_t i = 0; i < n * r; i++) s->work[i] *= 2.0 * s->scale;
    if (has_row_terms(s)) {
        ALD_TRY(ald_scratch_reals(run, n, r, &ku));
        ALD_TRY(row_terms(run, s, s->u, ku));
        for (int64_t i = 0; i < n * r; i++) s->work[i] += 2.0 * ku[i];
    }
    *value = s->scale * sums[0] + quadratic(s, ku, s->u, s->w, s->w);
    ALD_TRY(ald_basis_apply_transposed(run, s->basis, s->work, r, g));
    for (int64_t j = 0; s->ridge > 0.0 && j < s->basis->p; j++)
        for (int64_t k = 0; k < r; k++) g[j * r + k] += 2.0 * s->ridge * s->basis->lengths[j] * s->w[j * r + k];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* D, 2 a.b and |b|^2 of each pair, to sums of their products or to the line. */
static void line_rows(void *work, int part)
{
    pass *p = work;
    const ald_stress *s = p->s;
    const int64_t r = s->r, end = rows_begin(p, part + 1);
    double c[5] = {0};
    int64_t pair = 0;
    for (int64_t i = 0; s->line && i < rows_begin(p, part); i++) pair += s->pairs->pointers[i + 1] - s->pairs->upper[i];
    for (int64_t i = rows_begin(p, part); i < end; i++)
        for (int64_t e = s->pairs->upper[i]; e < s->pairs->pointers[i + 1]; e++) {
            const int64_t j = s->pairs->partners[e];
            double c0 = 0.0, c1 = 0.0, c2 = 0.0;
            for (int64_t k = 0; k < r; k++) {
                const double a = s->u[i * r + k] - s->u[j * r + k], b = s->uv[i * r + k] - s->uv[j * r + k];
                c0 += a * a;
                c1 += a * b;
                c2 += b * b;
            }
            c1 *= 2.0;
            if (s->line) {
                double *line = s->line + 3 * pair++;
                line[0] = c0;
                line[1] = c1;
                line[2] = c2;
                continue;
            }
            const double w = s->pairs->weights[e];
            c0 -= s->squares[e];
            c[0] += w * c0 * c0;
            c[1] += w * 2.0 * c0 * c1;
            c[2] += w * (c1 * c1 + 2.0 * c0 * c2);
            c[3] += w * 2.0 * c1 * c2;
            c[4] += w * c2 * c2;
        }
    memcpy(p->sums[part], c, sizeof c);
}

/* Goes over the pairs along v; c becomes the quartic, or only the quadratic terms where f is none. */
ald_status ald_stress_line(ald_run *run, ald_stress *s, const double *v, double c[5])
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *kv = NULL;
    memcpy(s->v, v, (size_t)(s->basis->p * s->r) * sizeof *v);
    ALD_TRY(ald_basis_apply(run, s->basis, v, s->r, s->uv));
    pass p = new_pass(run, s);
    memset(c, 0, 5 * sizeof *c);
    ald_parallel(p.parts, line_rows, &p);
    add_sums(&p, c);
    for (int k = 0; k < 5; k++) c[k] *= s->scale;
    if (has_row_terms(s)) {
        ALD_TRY(ald_scratch_reals(run, s->basis->n, s->r, &kv));
        ALD_TRY(row_terms(run, s, s->uv, kv));
    }
    c[1] += 2.0 * quadratic(s, kv, s->u, v, s->w);
    c[2] += quadratic(s, kv, s->uv, v, v);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The change of J at `step` along the line, its slope and curvature. */
static void along(const ald_stress *s, const double c[5], double step, double out[3])
{
    const ald_divergence *f = s->divergence;
    double value = 0.0, slope = 0.0, curvature = 0.0;
    const double *line = s->line;
    for (int64_t i = 0; i < s->pairs->n; i++)
        for (int64_t e = s->pairs->upper[i]; e < s->pairs->pointers[i + 1]; e++, line += 3) {
            const double w = s->pairs->weights[e], t = s->squares[e] + s->floor, d0 = line[0] + s->floor,
                         d = fmax(line[0] + step * (line[1] + step * line[2]), 0.0) + s->floor,
                         d1 = line[1] + 2.0 * step * line[2], f1 = f->slope(d, t);
            value += w * (f->value(d, t) - f->value(d0, t));
            slope += w * f1 * d1;
            curvature += w * (f->curvature(d, t) * d1 * d1 + 2.0 * f1 * line[2]);
        }
    out[0] = s->scale * value + step * (c[1] + step * c[2]);
    out[1] = s->scale * slope + c[1] + 2.0 * step * c[2];
    out[2] = s->scale * curvature + 2.0 * c[2];
}

/* The first minimum along a line of descent: Newton's steps kept between the ends of an interval in which the slope
 * changes sign. */
static double first_minimum(const ald_stress *s, const double c[5], double *change)
{
    double low = 0.0, high = INFINITY, at[3], step = 0.0;
    along(s, c, 0.0, at);
    if (!(at[1] < 0.0)) return 0.0;
    double next = at[2] > 0.0 ? -at[1] / at[2] : 1.0;
    for (int k = 0; k < 60; k++) {
        step = next;
        along(s, c, step, at);
        /* Not at a maximum, such as W = 0 on the line through it. */
        if (at[2] > 0.0 && fabs(at[1] * step) <= 1e-13 * fabs(at[0])) break;
        if (at[1] < 0.0 && at[0] <= 0.0)
            low = step;
        else
            high = step;
        next = at[2] > 0.0 ? step - at[1] / at[2] : INFINITY;
        if (!(next > low && next < high)) next = isfinite(high) ? 0.5 * (low + high) : 4.0 * step;
        if (!isfinite(next) || next == step) break;
    }
    *change = at[0];
    return at[0] < 0.0 ? step : 0.0;
}

static ald_status search(ald_run *run, void *self, const double *v, double *step, double *change)
{
    ald_stress *s = self;
    double c[5];
    *change = 0.0;
    ALD_TRY(ald_stress_line(run, s, v, c));
    *step = s->divergence->quartic ? ald_quartic_lowest(c, change) : first_minimum(s, c, change);
    return ALD_OK;
}

static ald_status move(ald_run *run, void *self, double step)
{
    ald_stress *s = self;
    (void)run;
    for (int64_t i = 0; i < s->basis->p * s->r; i++) s->w[i] += step * s->v[i];
    for (int64_t i = 0; i < s->basis->n * s->r; i++) s->u[i] += step * s->uv[i];
    return ALD_OK;
}

ald_objective ald_stress_objective(ald_stress *s)
{
    return (ald_objective){s->basis->p, s, place, gradient, search, move};
}

double ald_stress_at_zero(const ald_stress *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->pairs->n; i++)
        for (int64_t e = s->pairs->upper[i]; e < s->pairs->pointers[i + 1]; e++) {
            const double floor = s->divergence->quartic ? 0.0 : s->floor;
            sum += s->pairs->weights[e] * s->divergence->value(floor, s->squares[e] + floor);
        }
    return s->scale * sum;
}
