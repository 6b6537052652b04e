/* Adding up the pairs to A, b and c (quadratic.h), and the objective that they make. */
#include "math/optimize/quadratic.h"

#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

enum { pairs_at_once = 512 };
static const double root_two = 1.41421356237309504880;

void ald_svec(int64_t p, const double *m, double *x)
{
    for (int64_t i = 0; i < p; i++) {
        *x++ = m[i * p + i];
        for (int64_t j = i + 1; j < p; j++) *x++ = root_two * m[i * p + j];
    }
}

void ald_svec_matrix(int64_t p, const double *x, double *m)
{
    for (int64_t i = 0; i < p; i++) {
        m[i * p + i] = *x++;
        for (int64_t j = i + 1; j < p; j++) m[i * p + j] = m[j * p + i] = *x++ / root_two;
    }
}

typedef struct gathering {
    ald_run *run;
    const ald_stress *stress;
    const double *rows;
    int64_t p, s, begin, end; /* rows of this round */
    int parts;
    double *a, *b, *blocks; /* one per part: s x s, s, and the t of some pairs */
    double c[ALD_MOST_PARTS];
    ald_status status[ALD_MOST_PARTS];
} gathering;

/* svec(tau tau') of the differences of two rows. */
static void outer_product(int64_t p, const double *f, const double *g, double *tau, double *t)
{
    for (int64_t k = 0; k < p; k++) tau[k] = f[k] - g[k];
    for (int64_t i = 0; i < p; i++) {
        *t++ = tau[i] * tau[i];
        const double twice = root_two * tau[i];
        for (int64_t j = i + 1; j < p; j++) *t++ = twice * tau[j];
    }
}

static void gather_part(void *work, int part)
{
    gathering *g = work;
    const ald_pairs *pairs = g->stress->pairs;
    const int64_t s = g->s, rows = g->end - g->begin;
    double *a = g->a + part * s * s, *b = g->b + part * s,
           *block = g->blocks + part * (pairs_at_once * (s + 1) + g->p), *root = block + pairs_at_once * s,
           *tau = root + pairs_at_once;
    int64_t filled = 0, i = g->begin + ald_part_begin(rows, g->parts, part);
    const int64_t end = g->begin + ald_part_begin(rows, g->parts, part + 1);
    for (; i < end; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            const double w = pairs->weights[e], square = g->stress->squares[e];
            double *t = block + filled * s;
            outer_product(g->p, g->rows + i * g->p, g->rows + pairs->partners[e] * g->p, tau, t);
            root[filled] = sqrt(w);
            ald_add_times(s, w * square, t, b);
            for (int64_t k = 0; k < s; k++) t[k] *= root[filled];
            g->c[part] += w * square * square;
            if (++filled < pairs_at_once) continue;
            const ald_status status =
                ald_gram_add(g->run, 1.0, ald_of(block, filled, s), 1.0, ald_at(a, s, s));
            if (status < 0) g->status[part] = status;
            filled = 0;
        }
    const ald_status status =
        filled ? ald_gram_add(g->run, 1.0, ald_of(block, filled, s), 1.0, ald_at(a, s, s)) : ALD_OK;
    if (status < 0) g->status[part] = status;
}

/* Rows of a round: some tenth of a second of each part, and blocks that are filled. */
static int64_t round_of(const gathering *g)
{
    const double operations = 1e9, most = 1e5;
    const double per_row = (double)g->stress->pairs->count / (double)g->stress->pairs->n,
                 pairs = fmax(operations / ((double)g->s * (double)g->s), 2.0 * pairs_at_once);
    return (int64_t)fmin(most, 1.0 + pairs * (double)g->parts / fmax(per_row, 1.0));
}

/* Sums over all pairs, a round of rows at a time so that it can be cancelled. */
static ald_status gather(ald_run *run, gathering *g)
{
    const int64_t n = g->stress->pairs->n, round = round_of(g);
    for (g->begin = 0; g->begin < n; g->begin = g->end) {
        g->end = n - g->begin > round ? g->begin + round : n;
        ald_parallel(g->parts, gather_part, g);
        for (int part = 0; part < g->parts; part++) ALD_TRY(g->status[part]);
        ALD_TRY(ald_progress(run, "adding up pairs", (double)g->end / (double)n));
    }
    return ALD_OK;
}

static void finish_sums(const gathering *g, double scale, ald_quadratic *q)
{
    const int64_t s = q->s;
    memset(q->b, 0, (size_t)s * sizeof *q->b);
    q->c = 0.0;
    for (int part = 0; part < g->parts; part++) {
        for (int64_t k = 0; k < s; k++) q->b[k] -= 2.0 * scale * g->b[part * s + k];
        q->c += scale * g->c[part];
    }
    for (int64_t i = 0; i < s; i++)
        for (int64_t j = i; j < s; j++) {
            double sum = 0.0;
            for (int part = 0; part < g->parts; part++) sum += g->a[part * s * s + i * s + j];
            q->a[i * s + j] = q->a[j * s + i] = scale * sum;
        }
}

ald_status ald_stress_linear_term(ald_run *run, const ald_stress *stress, const double *rows, double *term)
{
    const int64_t n = stress->basis->n, p = stress->basis->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *lrows;
    memset(term, 0, (size_t)(p * p) * sizeof *term);
    if (stress->smooth) {
        ALD_TRY(ald_scratch_reals(run, n, p, &lrows));
        ALD_TRY(ald_pairs_laplacian(run, stress->smooth, NULL, rows, p, lrows));
        ALD_TRY(ald_product_add(run, stress->smoothness, ald_t(ald_of(rows, n, p)), ald_of(lrows, n, p), 0.0,
                                ald_at(term, p, p)));
    }
    if (stress->spread != 0.0)
        ALD_TRY(ald_product_add(run, -stress->spread, ald_t(ald_of(rows, n, p)), ald_of(rows, n, p), 1.0,
                                ald_at(term, p, p)));
    for (int64_t j = 0; j < p; j++) term[j * p + j] += stress->ridge * stress->basis->lengths[j];
    for (int64_t i = 0; i < p * p && stress->linear; i++) term[i] += stress->linear[i];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* R joins b. */
static ald_status add_linear_term(ald_run *run, const ald_stress *stress, ald_quadratic *q)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const double *rows = NULL;
    double *term, *x;
    ALD_TRY(ALD_SCRATCH(run, {&term, q->p, q->p}, {&x, q->s, 1}));
    if (stress->smooth || stress->spread != 0.0) ALD_TRY(ald_basis_rows(run, stress->basis, &rows));
    ALD_TRY(ald_stress_linear_term(run, stress, rows, term));
    ald_svec(q->p, term, x);
    for (int64_t k = 0; k < q->s; k++) q->b[k] += x[k];
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_quadratic_sum(ald_run *run, const ald_stress *stress, ald_quadratic *q)
{
    gathering g = {.run = run, .stress = stress, .p = stress->basis->p, .s = ald_svec_size(stress->basis->p)};
    *q = (ald_quadratic){.p = g.p, .s = g.s};
    ALD_TRY(ALD_SCRATCH(run, {&q->a, q->s, q->s}, {&q->b, q->s, 1}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    g.parts = ald_parts(run, stress->pairs->count, 4 * pairs_at_once);
    ALD_TRY(ald_basis_rows(run, stress->basis, &g.rows));
    ALD_TRY(ald_scratch_zeros(run, g.parts, g.s * g.s, &g.a));
    ALD_TRY(ald_scratch_zeros(run, g.parts, g.s, &g.b));
    ALD_TRY(ald_scratch_reals(run, g.parts, pairs_at_once * (g.s + 1) + g.p, &g.blocks));
    ALD_TRY(gather(run, &g));
    finish_sums(&g, stress->scale, q);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_quadratic_of_sums(ald_run *run, const ald_stress *stress, const ald_quadratic *sums,
                                 int64_t columns, int64_t groups, ald_quadratic *q)
{
    const int64_t p = sums->p, s = sums->s;
    *q = *sums;
    ALD_TRY(ALD_SCRATCH(run, {&q->b, s, 1}, {&q->w, p, columns}, {&q->v, p, columns}, {&q->at, groups, s},
                        {&q->a_at, groups, s}, {&q->line, 2 * groups, s}, {&q->a_line, 2 * groups, s}));
    memcpy(q->b, sums->b, (size_t)s * sizeof *q->b);
    return add_linear_term(run, stress, q);
}

ald_status ald_quadratic_of_stress(ald_run *run, const ald_stress *stress, int64_t columns, int64_t groups,
                                   ald_quadratic *q)
{
    ald_quadratic sums;
    ALD_TRY(ald_quadratic_sum(run, stress, &sums));
    return ald_quadratic_of_sums(run, stress, &sums, columns, groups, q);
}

/* x = svec((w v' + v w') / 2) of one group's columns. */
static void svec_product(const ald_quadratic *q, int64_t group, const double *w, const double *v, double *x)
{
    const int64_t r = q->r, columns = r * q->groups;
    w += group * r;
    v += group * r;
    for (int64_t i = 0; i < q->p; i++)
        for (int64_t j = i; j < q->p; j++) {
            const double sum =
                ald_dot(r, w + i * columns, v + j * columns) + ald_dot(r, v + i * columns, w + j * columns);
            *x++ = i == j ? 0.5 * sum : 0.5 * root_two * sum;
        }
}

/* The products of A with `count` vectors, rows of x. */
static ald_status times(ald_run *run, const ald_quadratic *q, int64_t count, const double *x, double *ax)
{
    return ald_product(run, ald_of(x, count, q->s), ald_of(q->a, q->s, q->s), ald_at(ax, count, q->s));
}

static ald_status place(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    ald_quadratic *q = self;
    q->r = r;
    q->groups = groups;
    memcpy(q->w, w, (size_t)(q->p * r * groups) * sizeof *w);
    for (int64_t g = 0; g < groups; g++) svec_product(q, g, w, w, q->at + g * q->s);
    return times(run, q, groups, q->at, q->a_at);
}

static ald_status gradient(ald_run *run, void *self, double *values, double *out)
{
    ald_quadratic *q = self;
    const int64_t p = q->p, s = q->s, columns = q->r * q->groups;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *x, *z;
    ALD_TRY(ALD_SCRATCH(run, {&x, s, 1}, {&z, p, p}));
    for (int64_t g = 0; g < q->groups; g++) {
        const double *at = q->at + g * s, *a_at = q->a_at + g * s;
        for (int64_t k = 0; k < s; k++) x[k] = 2.0 * a_at[k] + q->b[k];
        ald_svec_matrix(p, x, z);
        values[g] = ald_dot(s, at, a_at) + ald_dot(s, q->b, at) + q->c;
        const ald_view w = ald_view_block(ald_of(q->w, p, columns), 0, g * q->r, p, q->r);
        const ald_area zw = ald_area_block(ald_at(out, p, columns), 0, g * q->r, p, q->r);
        ALD_TRY(ald_product_add(run, 2.0, ald_of(z, p, p), w, 0.0, zw));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* P along the line is P + t P1 + t^2 P2. */
static void line_coefficients(const ald_quadratic *q, int64_t group, double c[5])
{
    const double *a_at = q->a_at + group * q->s, *x1 = q->line + 2 * group * q->s, *x2 = x1 + q->s,
                 *a1 = q->a_line + 2 * group * q->s, *a2 = a1 + q->s;
    for (int64_t k = 0; k < q->s; k++) {
        const double z = 2.0 * a_at[k] + q->b[k];
        c[1] += z * x1[k];
        c[2] += z * x2[k] + x1[k] * a1[k];
        c[3] += 2.0 * x1[k] * a2[k];
        c[4] += x2[k] * a2[k];
    }
}

static ald_status quadratic_search(ald_run *run, void *self, const double *v, double *steps, double *changes)
{
    ald_quadratic *q = self;
    const int64_t s = q->s;
    memcpy(q->v, v, (size_t)(q->p * q->r * q->groups) * sizeof *v);
    for (int64_t g = 0; g < q->groups; g++) {
        svec_product(q, g, q->w, v, q->line + 2 * g * s);
        svec_product(q, g, v, v, q->line + (2 * g + 1) * s);
        for (int64_t k = 0; k < s; k++) q->line[2 * g * s + k] *= 2.0;
    }
    ALD_TRY(times(run, q, 2 * q->groups, q->line, q->a_line));
    for (int64_t g = 0; g < q->groups; g++) {
        double c[5] = {0};
        line_coefficients(q, g, c);
        steps[g] = ald_quartic_lowest(c, changes + g);
    }
    return ALD_OK;
}

static ald_status quadratic_move(ald_run *run, void *self, const double *steps)
{
    ald_quadratic *q = self;
    const int64_t s = q->s;
    (void)run;
    for (int64_t i = 0; i < q->p * q->r * q->groups; i++) q->w[i] += steps[i / q->r % q->groups] * q->v[i];
    for (int64_t g = 0; g < q->groups; g++)
        for (int64_t k = 0; k < s; k++) {
            const double t = steps[g];
            q->at[g * s + k] += t * (q->line[2 * g * s + k] + t * q->line[(2 * g + 1) * s + k]);
            q->a_at[g * s + k] += t * (q->a_line[2 * g * s + k] + t * q->a_line[(2 * g + 1) * s + k]);
        }
    return ALD_OK;
}

ald_objective ald_quadratic_objective(ald_quadratic *q)
{
    return (ald_objective){q->p, q, place, gradient, quadratic_search, quadratic_move};
}

ald_status ald_quadratic_matrix(ald_run *run, const ald_quadratic *sums, const double *w, int64_t r,
                                double *z)
{
    const int64_t p = sums->p, s = sums->s;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *x, *ax;
    ALD_TRY(ALD_SCRATCH(run, {&x, s, 1}, {&ax, s, 1}));
    memset(ax, 0, (size_t)s * sizeof *ax);
    if (r > 0) {
        ALD_TRY(ald_product(run, ald_of(w, p, r), ald_t(ald_of(w, p, r)), ald_at(z, p, p)));
        ald_svec(p, z, x);
        ALD_TRY(times(run, sums, 1, x, ax));
    }
    for (int64_t k = 0; k < s; k++) ax[k] = 2.0 * ax[k] + sums->b[k];
    ald_svec_matrix(p, ax, z);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_remote_matrix(ald_run *run, const ald_stress *stress, const double *w, int64_t r, double *z)
{
    const ald_remote_stress *remote = stress->remote;
    if (stress->sums) return ald_quadratic_matrix(run, stress->sums, w, r, z);
    return remote->matrix(run, remote->self, w, stress->basis->p, r, z);
}

/* The lowest point of a polynomial of degree four. Its derivative 4 c4 t^3 + 3 c3 t^2 + 2 c2 t + c1 is
 * brought to monic form by the substitution t = s x, which keeps the coefficients near 1 whatever the units;
 * its real roots come from the cosine form (three) or Cardano's (one), and are polished by Newton's steps. */
static double quartic_at(const double c[5], double t)
{
    return t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
}

/* Real roots of x^3 + a x^2 + b x + c. */
static int cubic_roots(double a, double b, double c, double roots[3])
{
    const double shift = a / 3.0, q = (a * a - 3.0 * b) / 9.0,
                 h = (a * (2.0 * a * a - 9.0 * b) + 27.0 * c) / 54.0;
    if (h * h < q * q * q) {
        const double angle = acos(fmax(-1.0, fmin(1.0, h / sqrt(q * q * q)))), size = -2.0 * sqrt(q),
                     third = 2.0943951023931954923;
        for (int k = 0; k < 3; k++) roots[k] = size * cos(angle / 3.0 + third * (k - 1)) - shift;
        return 3;
    }
    const double big = -copysign(cbrt(fabs(h) + sqrt(h * h - q * q * q)), h);
    roots[0] = big + (big != 0.0 ? q / big : 0.0) - shift;
    roots[1] = -0.5 * (big + (big != 0.0 ? q / big : 0.0)) - shift; /* the double root, where there is one */
    return 2;
}

static double polish(double a, double b, double c, double x)
{
    for (int k = 0; k < 4; k++) {
        const double f = ((x + a) * x + b) * x + c, slope = (3.0 * x + 2.0 * a) * x + b;
        const double step = slope != 0.0 ? f / slope : 0.0;
        if (!isfinite(step) || fabs(step) > 0.1 * (1.0 + fabs(x))) break;
        x -= step;
    }
    return x;
}

double ald_quartic_lowest(const double c[5], double *change)
{
    double best = 0.0, roots[3];
    *change = 0.0;
    const double size = fmax(fabs(c[1]), fmax(fabs(c[2]), fmax(fabs(c[3]), fabs(c[4]))));
    if (!(size > 0.0) || !isfinite(size)) return 0.0;
    if (!(c[4] > 0.0)) {
        if (!(c[2] > 0.0) || c[3] != 0.0) return 0.0;
        best = -0.5 * c[1] / c[2];
        *change = quartic_at(c, best);
        return best;
    }
    /* s: where the quartic term balances the largest of the others. */
    const double s = fmax(cbrt(fabs(c[1]) / c[4]), fmax(sqrt(fabs(c[2]) / c[4]), fabs(c[3]) / c[4]));
    if (!(s > 0.0) || !isfinite(s)) return 0.0;
    const double a = 0.75 * c[3] / c[4] / s, b = 0.5 * c[2] / c[4] / (s * s),
                 e = 0.25 * c[1] / c[4] / (s * s * s);
    const int count = cubic_roots(a, b, e, roots);
    for (int k = 0; k < count; k++) {
        const double t = s * polish(a, b, e, roots[k]), v = quartic_at(c, t);
        if (v < *change) {
            *change = v;
            best = t;
        }
    }
    return best;
}
