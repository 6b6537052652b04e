/* Value, gradient and line search of the stress of several points at once (stress.h has the formulas). */
#include "math/optimize/stress.h"

#include "base/threads/threads.h"
#include "math/linalg/vector.h"
#include "math/optimize/quadratic.h"
#include "math/optimize/stress_on_card.h"
#include "math/optimize/stress_rows.h"

#include <math.h>
#include <string.h>

/* A pass over the pairs, cut by rows; each part has sums of its own, 5 a group. */
typedef struct pass {
    const ald_stress *s;
    int parts;
    double *sums;
    int64_t rows[ALD_MOST_PARTS + 1]; /* where the parts begin */
} pass;

static void cut_rows(pass *p)
{
    for (int part = 0; part <= p->parts; part++)
        p->rows[part] = ald_part_begin(p->s->pairs->n, p->parts, part);
}

/* `once`: each pair is met from its lower row only. */
static ald_status run_pass(ald_run *run, const ald_stress *s, ald_part_fn fn, int once, double *sums)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t each = 5 * s->groups;
    pass p = {.s = s, .parts = ald_parts(run, s->pairs->count * s->r * s->groups, 10000)};
    ALD_TRY(ald_scratch_zeros(run, p.parts, each, &p.sums));
    if (once)
        ald_pairs_cut(s->pairs, p.parts, p.rows);
    else
        cut_rows(&p);
    ald_parallel(p.parts, fn, &p);
    memset(sums, 0, (size_t)each * sizeof *sums);
    for (int part = 0; part < p.parts; part++)
        for (int64_t k = 0; k < each; k++) sums[k] += p.sums[part * each + k];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_stress_prepare(ald_run *run, ald_stress *s, int64_t r, int64_t groups)
{
    const int64_t n = s->basis->n, p = s->basis->p, columns = r * groups, width = ald_stress_width(r, groups);
    s->line = NULL;
    ALD_TRY(ALD_SCRATCH(run, {&s->w, p, columns}, {&s->v, p, columns}, {&s->lanes, p, width},
                        {&s->u, n, width}, {&s->uv, n, width}, {&s->work, n, width}));
    return s->divergence->quartic ? ALD_OK : ald_scratch_reals(run, s->pairs->count, 3, &s->line);
}

static int64_t columns_of(const ald_stress *s)
{
    return s->r * s->groups;
}

static int64_t width_of(const ald_stress *s)
{
    return ald_stress_width(s->r, s->groups);
}

/* u = F w, w with its points one after the other. */
static ald_status apply(ald_run *run, const ald_stress *s, const double *w, double *u)
{
    const int64_t columns = columns_of(s), width = width_of(s), p = s->basis->p;
    if (s->groups == 1) return ald_basis_apply(run, s->basis, w, columns, u);
    memset(s->lanes, 0, (size_t)(p * width) * sizeof *w);
    for (int64_t i = 0; i < p; i++)
        for (int64_t c = 0; c < columns; c++)
            s->lanes[i * width + ald_stress_place(s->r, s->groups, c / s->r, c % s->r)] = w[i * columns + c];
    return ald_basis_apply(run, s->basis, s->lanes, width, u);
}

/* g = F'u. */
static ald_status apply_transposed(ald_run *run, const ald_stress *s, const double *u, double *g)
{
    const int64_t columns = columns_of(s), width = width_of(s), p = s->basis->p;
    if (s->groups == 1) return ald_basis_apply_transposed(run, s->basis, u, columns, g);
    ALD_TRY(ald_basis_apply_transposed(run, s->basis, u, width, s->lanes));
    for (int64_t i = 0; i < p; i++)
        for (int64_t c = 0; c < columns; c++)
            g[i * columns + c] = s->lanes[i * width + ald_stress_place(s->r, s->groups, c / s->r, c % s->r)];
    return ALD_OK;
}

static ald_status place(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    ald_stress *s = self;
    s->r = r;
    s->groups = groups;
    memcpy(s->w, w, (size_t)(s->basis->p * r * groups) * sizeof *w);
    if (s->remote) return s->remote->place(run, s->remote->self, w, r, groups);
    ald_stress_where where;
    ALD_TRY(ald_stress_card_place(run, s, &where));
    return where == ALD_STRESS_DONE ? ALD_OK : apply(run, s, w, s->u);
}

/* work_i = sum_j q_ij (u_i - u_j), and the value; each pair is met twice, from both its rows. */
static void gradient_rows(void *work, int part)
{
    const pass *p = work;
    const ald_stress *s = p->s;
    const ald_divergence *f = s->divergence;
    const int64_t r = s->r, begin = p->rows[part], end = p->rows[part + 1];
    double *sums = p->sums + 5 * s->groups * part;
    if (f->quartic) {
        ald_stress_gradient_rows(s, begin, end, sums);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const double *own = s->u + i * r;
        double *sum = s->work + i * r;
        memset(sum, 0, (size_t)r * sizeof *sum);
        for (int64_t e = s->pairs->pointers[i]; e < s->pairs->pointers[i + 1]; e++) {
            const double *other = s->u + s->pairs->partners[e] * r;
            const double w = s->pairs->weights[e], t = s->squares[e] + s->floor;
            double d = s->floor;
            for (int64_t k = 0; k < r; k++) d += (own[k] - other[k]) * (own[k] - other[k]);
            sums[0] += 0.5 * w * f->value(d, t);
            const double q = w * f->slope(d, t);
            for (int64_t k = 0; k < r; k++) sum[k] += q * (own[k] - other[k]);
        }
    }
}

/* a.b over the columns of one group, rows as u has them. */
static double group_dot(const ald_stress *s, int64_t group, const double *a, const double *b)
{
    const int64_t width = width_of(s);
    double sum = 0.0;
    for (int64_t k = 0; k < s->r; k++) {
        const int64_t at = ald_stress_place(s->r, s->groups, group, k);
        for (int64_t i = 0; i < s->basis->n; i++) sum += a[i * width + at] * b[i * width + at];
    }
    return sum;
}

/* sum_j lengths_j a_j . b_j over the columns of one group: <M a, M b>. */
static double dot_directions(const ald_stress *s, int64_t group, const double *a, const double *b)
{
    const int64_t columns = columns_of(s), first = group * s->r;
    double sum = 0.0;
    for (int64_t j = 0; j < s->basis->p; j++)
        sum += s->basis->lengths[j] * ald_dot(s->r, a + j * columns + first, b + j * columns + first);
    return sum;
}

static int has_row_terms(const ald_stress *s)
{
    return s->smooth || s->spread != 0.0;
}

/* ku = smoothness L u - spread u. */
static ald_status row_terms(ald_run *run, const ald_stress *s, const double *u, double *ku)
{
    const int64_t count = s->basis->n * width_of(s);
    memset(ku, 0, (size_t)count * sizeof *ku);
    if (s->smooth) ALD_TRY(ald_pairs_laplacian(run, s->smooth, NULL, u, width_of(s), ku));
    for (int64_t i = 0; i < count; i++) ku[i] = s->smoothness * ku[i] - s->spread * u[i];
    return ALD_OK;
}

/* The quadratic terms of a group between u and v: u'K v + ridge <M w, M direction>; ku is K u. */
static double quadratic(const ald_stress *s, int64_t group, const double *ku, const double *v,
                        const double *w, const double *direction)
{
    return (ku ? group_dot(s, group, ku, v) : 0.0) +
           (s->ridge > 0.0 ? s->ridge * dot_directions(s, group, w, direction) : 0.0);
}

/* Pairs and rows that are here: values, and the gradient but for the ridge. */
static ald_status gradient_here(ald_run *run, ald_stress *s, double *values, double *g)
{
    const int64_t n = s->basis->n, width = width_of(s);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *sums, *ku = NULL;
    ald_stress_where where;
    ALD_TRY(ald_stress_card_gradient(run, s, values, g, &where));
    for (int64_t k = 0; where == ALD_STRESS_DONE && k < s->groups; k++)
        values[k] += quadratic(s, k, NULL, NULL, s->w, s->w);
    if (where == ALD_STRESS_DONE) return ALD_OK;
    if (where == ALD_STRESS_LEFT) ALD_TRY(apply(run, s, s->w, s->u));
    ALD_TRY(ald_scratch_reals(run, s->groups, 5, &sums));
    ALD_TRY(run_pass(run, s, gradient_rows, 0, sums));
    for (int64_t i = 0; i < n * width; i++) s->work[i] *= 2.0 * s->scale;
    if (has_row_terms(s)) {
        ALD_TRY(ald_scratch_reals(run, n, width, &ku));
        ALD_TRY(row_terms(run, s, s->u, ku));
        ald_add_times(n * width, 2.0, ku, s->work);
    }
    for (int64_t k = 0; k < s->groups; k++)
        values[k] = s->scale * sums[5 * k] + quadratic(s, k, ku, s->u, s->w, s->w);
    ALD_TRY(apply_transposed(run, s, s->work, g));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status gradient_remote(ald_run *run, const ald_stress *s, double *values, double *g)
{
    ALD_TRY(s->remote->gradient(run, s->remote->self, s->groups, values, s->basis->p * columns_of(s), g));
    for (int64_t k = 0; k < s->groups; k++) values[k] += quadratic(s, k, NULL, NULL, s->w, s->w);
    return ALD_OK;
}

static ald_status gradient(ald_run *run, void *self, double *values, double *g)
{
    ald_stress *s = self;
    const int64_t columns = columns_of(s);
    ALD_TRY(s->remote ? gradient_remote(run, s, values, g) : gradient_here(run, s, values, g));
    for (int64_t j = 0; s->ridge > 0.0 && j < s->basis->p; j++)
        for (int64_t k = j * columns; k < (j + 1) * columns; k++)
            g[k] += 2.0 * s->ridge * s->basis->lengths[j] * s->w[k];
    return ALD_OK;
}

static void line_rows(void *work, int part)
{
    const pass *p = work;
    const ald_stress *s = p->s;
    const int64_t r = s->r, begin = p->rows[part], end = p->rows[part + 1];
    double *line = s->line;
    if (!line) {
        ald_stress_line_rows(s, begin, end, p->sums + 5 * s->groups * part);
        return;
    }
    for (int64_t i = 0; i < begin; i++) line += 3 * (s->pairs->pointers[i + 1] - s->pairs->upper[i]);
    for (int64_t i = begin; i < end; i++)
        for (int64_t e = s->pairs->upper[i]; e < s->pairs->pointers[i + 1]; e++, line += 3) {
            const int64_t own = i * r, other = s->pairs->partners[e] * r;
            double c0 = 0.0, c1 = 0.0, c2 = 0.0;
            for (int64_t k = 0; k < r; k++) {
                const double a = s->u[own + k] - s->u[other + k], b = s->uv[own + k] - s->uv[other + k];
                c0 += a * a;
                c1 += a * b;
                c2 += b * b;
            }
            memcpy(line, (double[3]){c0, 2.0 * c1, c2}, 3 * sizeof c0);
        }
}

/* Pairs and rows that are here: the coefficients but for the terms of rows and ridge. */
static ald_status line_here(ald_run *run, ald_stress *s, const double *v, double *c)
{
    ald_stress_where where;
    ALD_TRY(ald_stress_card_line(run, s, v, c, &where));
    if (where == ALD_STRESS_DONE) return ALD_OK;
    if (where == ALD_STRESS_LEFT) ALD_TRY(apply(run, s, s->w, s->u));
    ALD_TRY(apply(run, s, v, s->uv));
    ALD_TRY(run_pass(run, s, line_rows, 1, c));
    for (int64_t k = 0; k < 5 * s->groups; k++) c[k] *= s->scale;
    return ALD_OK;
}

ald_status ald_stress_line(ald_run *run, ald_stress *s, const double *v, double *c)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *kv = NULL;
    const int64_t count = s->basis->p * columns_of(s);
    memcpy(s->v, v, (size_t)count * sizeof *v);
    if (s->remote)
        ALD_TRY(s->remote->line(run, s->remote->self, count, v, s->groups, c));
    else
        ALD_TRY(line_here(run, s, v, c));
    if (has_row_terms(s)) {
        ALD_TRY(ald_scratch_reals(run, s->basis->n, width_of(s), &kv));
        ALD_TRY(row_terms(run, s, s->uv, kv));
    }
    for (int64_t g = 0; g < s->groups; g++) {
        c[5 * g + 1] += 2.0 * quadratic(s, g, kv, s->u, v, s->w);
        c[5 * g + 2] += quadratic(s, g, kv, s->uv, v, v);
    }
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

/* The first minimum along a line of descent: Newton's steps kept between the ends of an interval in which the
 * slope changes sign. */
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

static ald_status stress_search(ald_run *run, void *self, const double *v, double *steps, double *changes)
{
    ald_stress *s = self;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *c;
    ALD_TRY(ald_scratch_reals(run, s->groups, 5, &c));
    ALD_TRY(ald_stress_line(run, s, v, c));
    for (int64_t g = 0; g < s->groups; g++) {
        changes[g] = 0.0;
        steps[g] = s->line ? first_minimum(s, c, changes) : ald_quartic_lowest(c + 5 * g, changes + g);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* w += steps v, steps by column: `columns` of them. */
static void add_steps(int64_t rows, int64_t columns, const double *steps, const double *v, double *w)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < columns; c++) w[i * columns + c] += steps[c] * v[i * columns + c];
}

static ald_status stress_move(ald_run *run, void *self, const double *steps)
{
    ald_stress *s = self;
    const int64_t columns = columns_of(s), width = width_of(s);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *by_column, *by_lane;
    ALD_TRY(ald_scratch_reals(run, columns, 1, &by_column));
    ALD_TRY(ald_scratch_zeros(run, width, 1, &by_lane));
    for (int64_t c = 0; c < columns; c++) {
        by_column[c] = steps[c / s->r];
        by_lane[ald_stress_place(s->r, s->groups, c / s->r, c % s->r)] = steps[c / s->r];
    }
    add_steps(s->basis->p, columns, by_column, s->v, s->w);
    ald_stress_where where;
    ALD_TRY(ald_stress_card_move(run, s, steps, &where));
    if (s->remote)
        ALD_TRY(s->remote->move(run, s->remote->self, s->groups, steps));
    else if (where == ALD_STRESS_HERE)
        add_steps(s->basis->n, width, by_lane, s->uv, s->u);
    else if (where == ALD_STRESS_LEFT)
        ALD_TRY(apply(run, s, s->w, s->u));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_objective ald_stress_objective(ald_stress *s)
{
    return (ald_objective){s->basis->p, s, place, gradient, stress_search, stress_move};
}

double ald_stress_at_zero(const ald_stress *s)
{
    double sum = 0.0;
    if (s->sums) return s->sums->c;
    if (s->remote) return s->remote->at_zero;
    for (int64_t i = 0; i < s->pairs->n; i++)
        for (int64_t e = s->pairs->upper[i]; e < s->pairs->pointers[i + 1]; e++) {
            const double floor = s->divergence->quartic ? 0.0 : s->floor;
            sum += s->pairs->weights[e] * s->divergence->value(floor, s->squares[e] + floor);
        }
    return s->scale * sum;
}
