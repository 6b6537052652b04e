/* The search along a geodesic looks for the root of the derivative, not for low values: near the end
 * differences of values drown in rounding while the derivative still tells left from right. From the last
 * step on it goes further out until the derivative is positive (or the value above the first one, past a
 * hill), then closes in by the secant with the Illinois rule. */
#include "math/optimize/grassmann.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

ald_status ald_geodesic_new(ald_run *run, int64_t p, int64_t k, ald_geodesic *line)
{
    *line = (ald_geodesic){.p = p, .k = k};
    return ALD_SCRATCH(run, {&line->x, p, k}, {&line->u, p, k}, {&line->work, p, k}, {&line->vt, k, k},
                       {&line->small, k, k}, {&line->rate, k, 1}, {&line->cosine, k, 1}, {&line->sine, k, 1});
}

ald_status ald_geodesic_set(ald_run *run, const double *a, const double *h, ald_geodesic *line)
{
    const int64_t p = line->p, k = line->k;
    memcpy(line->work, h, (size_t)(p * k) * sizeof *h);
    ALD_TRY(
        ald_svd(run, ald_at(line->work, p, k), ald_at(line->u, p, k), line->rate, ald_at(line->vt, k, k)));
    ald_geodesic_go(line, 0.0);
    return ald_product(run, ald_of(a, p, k), ald_t(ald_of(line->vt, k, k)), ald_at(line->x, p, k));
}

void ald_geodesic_go(ald_geodesic *line, double t)
{
    for (int64_t j = 0; j < line->k; j++) {
        line->cosine[j] = cos(line->rate[j] * t);
        line->sine[j] = sin(line->rate[j] * t);
    }
}

/* a <- its polar factor, which is a (3 I - a'a) / 2 when a'a is I to half the digits. */
static ald_status orthonormalise(ald_run *run, int64_t p, int64_t k, double *small, double *work, double *a)
{
    ALD_TRY(ald_product_add(run, -0.5, ald_t(ald_of(a, p, k)), ald_of(a, p, k), 0.0, ald_at(small, k, k)));
    ald_add_ridge(1.5, ald_at(small, k, k));
    memcpy(work, a, (size_t)(p * k) * sizeof *a);
    return ald_product(run, ald_of(work, p, k), ald_of(small, k, k), ald_at(a, p, k));
}

ald_status ald_geodesic_point(ald_run *run, ald_geodesic *line, double *a)
{
    const int64_t p = line->p, k = line->k;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] = line->x[i * k + j] * line->cosine[j] + line->u[i * k + j] * line->sine[j];
    ALD_TRY(ald_product(run, ald_of(line->work, p, k), ald_of(line->vt, k, k), ald_at(a, p, k)));
    return orthonormalise(run, p, k, line->small, line->work, a);
}

ald_status ald_geodesic_tangent(ald_run *run, ald_geodesic *line, double *h)
{
    const int64_t p = line->p, k = line->k;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] =
                line->rate[j] * (line->u[i * k + j] * line->cosine[j] - line->x[i * k + j] * line->sine[j]);
    return ald_product(run, ald_of(line->work, p, k), ald_of(line->vt, k, k), ald_at(h, p, k));
}

ald_status ald_geodesic_carry(ald_run *run, ald_geodesic *line, double *g)
{
    const int64_t p = line->p, k = line->k;
    ALD_TRY(ald_product(run, ald_t(ald_of(line->u, p, k)), ald_of(g, p, k), ald_at(line->small, k, k)));
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < k; j++)
            line->work[i * k + j] =
                line->x[i * k + j] * line->sine[j] + line->u[i * k + j] * (1.0 - line->cosine[j]);
    return ald_product_add(run, -1.0, ald_of(line->work, p, k), ald_of(line->small, k, k), 1.0,
                           ald_at(g, p, k));
}

ald_status ald_project_tangent(ald_run *run, int64_t p, int64_t k, const double *a, double *small, double *g)
{
    ALD_TRY(ald_product(run, ald_t(ald_of(a, p, k)), ald_of(g, p, k), ald_at(small, k, k)));
    return ald_product_add(run, -1.0, ald_of(a, p, k), ald_of(small, k, k), 1.0, ald_at(g, p, k));
}

ald_status ald_geodesic_form_new(ald_run *run, int64_t k, ald_geodesic_form *form)
{
    return ALD_SCRATCH(run, {&form->xx, k, k}, {&form->xu, k, k}, {&form->uu, k, k});
}

ald_status ald_geodesic_form_set(ald_run *run, const ald_geodesic *line, const double *mx, const double *mu,
                                 ald_geodesic_form *form)
{
    const int64_t p = line->p, k = line->k;
    const ald_view x = ald_of(line->x, p, k), u = ald_of(line->u, p, k);
    ALD_TRY(ald_product(run, ald_t(x), ald_of(mx, p, k), ald_at(form->xx, k, k)));
    ALD_TRY(ald_product(run, ald_t(x), ald_of(mu, p, k), ald_at(form->xu, k, k)));
    return ald_product(run, ald_t(u), ald_of(mu, p, k), ald_at(form->uu, k, k));
}

void ald_geodesic_form_at(const ald_geodesic *line, const ald_geodesic_form *form, double *value,
                          double *slope)
{
    const double *c = line->cosine, *s = line->sine, *rate = line->rate;
    const int64_t k = line->k;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            const double xx = form->xx[i * k + j], xu = form->xu[i * k + j], ux = form->xu[j * k + i],
                         uu = form->uu[i * k + j];
            /* Row i of X c + U s against column j, and of its derivative rate (U c - X s). */
            value[i * k + j] = c[i] * (xx * c[j] + xu * s[j]) + s[i] * (ux * c[j] + uu * s[j]);
            slope[i * k + j] = rate[i] * (c[i] * (ux * c[j] + uu * s[j]) - s[i] * (xx * c[j] + xu * s[j])) +
                               rate[j] * (c[j] * (xu * c[i] + uu * s[i]) - s[j] * (xx * c[i] + ux * s[i]));
        }
}

ald_status ald_largest_sine(ald_run *run, ald_view a, ald_view b, double *sine)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t p = a.rows, k = a.cols;
    double *inner, *rest, *values;
    ALD_TRY(ALD_SCRATCH(run, {&inner, k, k}, {&rest, p, k}, {&values, k, 1}));
    for (int64_t i = 0; i < p * k; i++) rest[i] = ald_entry(b, i / k, i % k);
    ALD_TRY(ald_product(run, ald_t(a), b, ald_at(inner, k, k)));
    ALD_TRY(ald_product_add(run, -1.0, a, ald_of(inner, k, k), 1.0, ald_at(rest, p, k)));
    ALD_TRY(ald_gram(run, ald_of(rest, p, k), ald_at(inner, k, k)));
    ALD_TRY(ald_eigenvalues(run, ald_at(inner, k, k), 1, values));
    *sine = sqrt(fmax(values[0], 0.0));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

typedef struct state {
    int64_t count;        /* p k */
    double *a, *g, *h;    /* the point, its gradient and the direction, p x k */
    double *before;       /* the gradient before, carried here */
    double *trial, *slot; /* p x k each */
    ald_geodesic line;
    int64_t since; /* steps since the last start along -G */
    double reach;  /* length of the last step: t times the largest rate */
    double noise;  /* what rounding does to values */
    double search; /* of a line: a part of its first slope */
    /* Where the descent may have ended: the smallest |G| and how many steps ago. */
    double least;
    int64_t idle;
} state;

static ald_status grassmann_new_state(ald_run *run, int64_t p, int64_t k, double *a, state *s)
{
    *s = (state){.count = p * k, .a = a, .reach = 0.1, .least = INFINITY};
    ALD_TRY(ALD_SCRATCH(run, {&s->g, p, k}, {&s->h, p, k}, {&s->before, p, k}, {&s->trial, p, k},
                        {&s->slot, p, k}));
    ALD_TRY(ald_geodesic_new(run, p, k, &s->line));
    return ald_orthonormal(run, ald_at(a, p, k));
}

/* A place on the geodesic. */
typedef struct place {
    double t, value, slope;
} place;

static ald_status look(ald_run *run, const ald_grassmann_objective *f, state *s, double t, place *out)
{
    out->t = t;
    ald_geodesic_go(&s->line, t);
    if (f->along) return f->along(run, f->self, &s->line, &out->value, &out->slope);
    double size;
    ALD_TRY(ald_geodesic_point(run, &s->line, s->trial));
    ALD_TRY(f->gradient(run, f->self, s->trial, &out->value, s->slot, &size));
    ALD_TRY(ald_geodesic_tangent(run, &s->line, s->trial));
    out->slope = ald_dot(s->count, s->trial, s->slot);
    return ALD_OK;
}

static int is_beyond(const state *s, const place *start, const place *at)
{
    return !(at->slope < 0.0) || !(at->value <= start->value + s->noise);
}

/* From `low` (down there) to the first place beyond a minimum, or to where the fastest column has turned
 * once. */
static ald_status go_out(ald_run *run, const ald_grassmann_objective *f, state *s, const place *start,
                         place *low, place *high)
{
    const double most = 3.141592653589793 / s->line.rate[0];
    double t = fmin(s->reach / s->line.rate[0], 0.5 * most);
    for (;;) {
        ALD_TRY(look(run, f, s, t, high));
        if (is_beyond(s, start, high) || t >= most) return ALD_OK;
        /* Where the secant says, but not timidly nor far. */
        const double rise = high->slope - low->slope,
                     guess = rise > 0.0 ? high->t - high->slope * (high->t - low->t) / rise : 4.0 * t;
        *low = *high;
        t = fmin(most, fmin(4.0 * t, fmax(1.2 * t, 1.05 * guess)));
    }
}

/* Between low (falling) and high (beyond): the root of the slope, into *low. */
static ald_status close_in(ald_run *run, const ald_grassmann_objective *f, state *s, const place *start,
                           place *low, place *high)
{
    const double enough = s->search * fabs(start->slope);
    double weight_low = 1.0,
           weight_high = 1.0; /* Illinois: an end that stays twice is taken for half its slope */
    int side = 0;
    for (int trials = 0; trials < 60 && high->t - low->t > 4.0 * DBL_EPSILON * high->t; trials++) {
        const double a = weight_low * low->slope, b = weight_high * high->slope;
        place at;
        double t = b > 0.0 ? low->t - a * (high->t - low->t) / (b - a) : 0.5 * (low->t + high->t);
        if (!(t > low->t && t < high->t)) t = 0.5 * (low->t + high->t);
        ALD_TRY(look(run, f, s, t, &at));
        if (is_beyond(s, start, &at)) {
            *high = at;
            weight_high = 1.0;
            weight_low = side > 0 ? 0.5 * weight_low : 1.0;
            side = 1;
        } else {
            *low = at;
            weight_low = 1.0;
            weight_high = side < 0 ? 0.5 * weight_high : 1.0;
            side = -1;
        }
        if (fabs(at.slope) <= enough && at.value <= start->value + s->noise) {
            *low = at;
            return ALD_OK;
        }
    }
    return ALD_OK;
}

/* The nearest minimum along h; t = 0 if no step leads down. */
static ald_status grassmann_search(ald_run *run, const ald_grassmann_objective *f, state *s, double value,
                                   place *found)
{
    place start, high;
    ALD_TRY(ald_geodesic_set(run, s->a, s->h, &s->line));
    *found = (place){0.0, value, 0.0};
    if (!(s->line.rate[0] > 0.0)) return ALD_OK;
    if (f->line) ALD_TRY(f->line(run, f->self, &s->line));
    ALD_TRY(look(run, f, s, 0.0, &start));
    s->noise = 32.0 * DBL_EPSILON * (fabs(value) + fabs(start.value));
    *found = start;
    if (!(start.slope < 0.0)) return ALD_OK;
    ALD_TRY(go_out(run, f, s, &start, found, &high));
    if (!is_beyond(s, &start, &high)) {
        *found = high;
        return ALD_OK;
    }
    return close_in(run, f, s, &start, found, &high);
}

static void start_anew(state *s)
{
    for (int64_t i = 0; i < s->count; i++) s->h[i] = -s->g[i];
    s->since = 0;
}

/* h is already carried here, and `before` too. */
static ald_status new_direction(ald_run *run, const ald_grassmann *task, state *s, double square_before)
{
    const int64_t p = s->line.p, k = s->line.k, period = k * (p - k);
    if (task->steepest || s->since == 0 || s->since >= (period > 1 ? period : 1)) {
        start_anew(s);
        return ALD_OK;
    }
    const double beta = (ald_dot(s->count, s->g, s->g) - ald_dot(s->count, s->before, s->g)) / square_before;
    for (int64_t i = 0; i < s->count; i++) s->h[i] = beta * s->h[i] - s->g[i];
    ALD_TRY(ald_project_tangent(run, p, k, s->a, s->line.small, s->h));
    if (!(ald_dot(s->count, s->g, s->h) < 0.0)) start_anew(s);
    return ALD_OK;
}

/* Goes to the place found and carries what is needed there. */
static ald_status grassmann_move(ald_run *run, state *s, const place *found)
{
    const int64_t p = s->line.p, k = s->line.k;
    ald_geodesic_go(&s->line, found->t);
    memcpy(s->before, s->g, (size_t)s->count * sizeof *s->g);
    ALD_TRY(ald_geodesic_carry(run, &s->line, s->before));
    ALD_TRY(ald_geodesic_tangent(run, &s->line, s->h));
    ALD_TRY(ald_geodesic_point(run, &s->line, s->a));
    ALD_TRY(ald_project_tangent(run, p, k, s->a, s->line.small, s->before));
    ALD_TRY(ald_project_tangent(run, p, k, s->a, s->line.small, s->h));
    s->reach = found->t * s->line.rate[0];
    s->since++;
    return ALD_OK;
}

/* Value and tangent gradient where it is; whether that is the end. */
static ald_status arrive(ald_run *run, ald_grassmann *task, state *s, int *end)
{
    const ald_grassmann_objective *f = task->objective;
    double value, size;
    ALD_TRY(f->gradient(run, f->self, s->a, &value, s->g, &size));
    if (!isfinite(value) || !isfinite(size))
        return ald_fail(
            run->error, ALD_ERROR_NUMERICAL,
            "the values are too large or too small to be worked with: scale X (`scale=standard`)");
    ALD_TRY(ald_project_tangent(run, f->p, f->k, s->a, s->line.small, s->g));
    const double length = ald_norm(s->count, s->g), before = task->value;
    task->value = task->iterations == 0 || value < task->value ? value : task->value;
    task->gradient = size > 0.0 ? length / size : 0.0;
    if (task->history) task->history[task->iterations] = task->value;
    /* Neither lower nor flatter for a while: rounding has the last word. */
    const int better = length < 0.9 * s->least || (task->iterations > 0 && value < before - s->noise);
    s->idle = better ? 0 : s->idle + 1;
    if (length < s->least) s->least = length;
    task->converged = length <= task->tol * size || s->idle > 50;
    *end = task->converged || task->iterations == task->max_iter;
    return ALD_OK;
}

static ald_status grassmann_iterate(ald_run *run, ald_grassmann *task, state *s)
{
    const ald_grassmann_objective *f = task->objective;
    double square = 1.0;
    int end;
    ALD_TRY(arrive(run, task, s, &end));
    while (!end) {
        place found;
        ALD_TRY(new_direction(run, task, s, square));
        square = ald_dot(s->count, s->g, s->g);
        ALD_TRY(grassmann_search(run, f, s, task->value, &found));
        if (!(found.t > 0.0) && s->since > 0) {
            start_anew(s);
            ALD_TRY(grassmann_search(run, f, s, task->value, &found));
        }
        if (!(found.t > 0.0)) {
            task->converged = 1;
            return ALD_OK;
        }
        ALD_TRY(grassmann_move(run, s, &found));
        task->iterations++;
        ALD_TRY(ald_progress(run, task->stage,
                             task->begun + task->share * (double)task->iterations / (double)task->max_iter));
        ALD_TRY(arrive(run, task, s, &end));
    }
    return ALD_OK;
}

ald_status ald_grassmann_minimise(ald_run *run, ald_grassmann *task, double *a)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    state s;
    task->iterations = 0;
    task->converged = 0;
    ALD_TRY(grassmann_new_state(run, task->objective->p, task->objective->k, a, &s));
    s.search = task->search > 0.0 ? task->search : 1e-8;
    ALD_TRY(grassmann_iterate(run, task, &s));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
