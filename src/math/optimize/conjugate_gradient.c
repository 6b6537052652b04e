/* The conjugate gradient of Polak and Ribiere with G the gradient and G' the one before:
 *
 *   V <- -G + beta V,    beta = max(0, G.(G - G') / G'.G'),
 *
 * started anew when V is not a direction of descent and every max(10, p r) steps. A step that does not lower
 * the value ends a start once it was along -G itself, and so do many steps one after the other that lower it
 * by less than its rounding: that is as far as one can get. A step costs a gradient and a search along a
 * line; memory 4 p r for each start. */
#include "math/optimize/conjugate_gradient.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_idle = 200 };

typedef enum ending { at_work, converged, out_of_steps } ending;

/* The starts that are still at work, side by side in `w`. */
typedef struct state {
    int64_t p, r, groups;       /* groups: how many are at work */
    int64_t *which;             /* which start each is */
    double *w, *g, *before, *v; /* p x r groups */
    double *values, *found;     /* the least value so far, and that of the last gradient */
    double *steps, *changes;
    double *squares;       /* |G'|^2 */
    int64_t *since;        /* steps since the last restart */
    int64_t *taken, *idle; /* steps so far; the last ones that were within rounding */
    ending *done;
    int stop;                   /* the watcher wants no more steps */
    double digits, digits_left; /* of the gradient of the slowest start: to be gained in all, and still */
} state;

static ald_status conjugate_gradient_new_state(ald_run *run, const ald_cg *task, const double *w, state *s)
{
    const int64_t p = task->objective->p, groups = task->groups;
    double **const matrices[] = {&s->w, &s->g, &s->before, &s->v};
    double **const vectors[] = {&s->values, &s->found, &s->steps, &s->changes, &s->squares};
    int64_t **const counts[] = {&s->which, &s->since, &s->taken, &s->idle};
    *s = (state){.p = p, .r = task->r, .groups = groups};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        ALD_TRY(ald_scratch_zeros(run, p, task->r * groups, matrices[i]));
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        ALD_TRY(ald_scratch_reals(run, groups, 1, vectors[i]));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ALD_TRY(ald_scratch_clear(run, groups, 1, sizeof **counts[i], counts[i]));
    }
    ALD_TRY(ald_scratch(run, groups, 1, sizeof *s->done, &s->done));
    for (int64_t g = 0; g < groups; g++) s->which[g] = g;
    memcpy(s->w, w, (size_t)(p * task->r * groups) * sizeof *w);
    return ALD_OK;
}

/* a.b over the columns of one group. */
static double group_dot(const state *s, int64_t group, const double *a, const double *b)
{
    const int64_t stride = s->r * s->groups, first = s->r * group;
    double sum = 0.0;
    for (int64_t i = 0; i < s->p; i++)
        for (int64_t k = first; k < first + s->r; k++) sum += a[i * stride + k] * b[i * stride + k];
    return sum;
}

/* y = a x + b y over the columns of one group. */
static void group_add(const state *s, int64_t group, double a, const double *x, double b, double *y)
{
    const int64_t stride = s->r * s->groups, first = s->r * group;
    for (int64_t i = 0; i < s->p; i++)
        for (int64_t k = first; k < first + s->r; k++)
            y[i * stride + k] = a * x[i * stride + k] + b * y[i * stride + k];
}

static void start_anew(state *s, int64_t group)
{
    group_add(s, group, -1.0, s->g, 0.0, s->v);
    s->since[group] = 0;
}

static void new_direction(state *s, int64_t group)
{
    const int64_t count = s->p * s->r;
    if (s->since[group] == 0 || s->since[group] >= (count > 10 ? count : 10)) {
        start_anew(s, group);
        return;
    }
    const double along = group_dot(s, group, s->g, s->g) - group_dot(s, group, s->g, s->before);
    group_add(s, group, -1.0, s->g, fmax(0.0, along / s->squares[group]), s->v);
    if (!(group_dot(s, group, s->g, s->v) < 0.0)) start_anew(s, group);
}

/* Whether some start has to be searched again, along -G. */
static int turn_back(state *s)
{
    int again = 0;
    for (int64_t g = 0; g < s->groups; g++)
        if (!(s->changes[g] < 0.0) && s->since[g] > 0) {
            start_anew(s, g);
            again = 1;
        }
    return again;
}

/* One step of every start along its direction, or along -G where that does not lead down; where neither does
 * it is done. */
static ald_status step_down(ald_run *run, const ald_objective *f, state *s)
{
    ALD_TRY(f->search(run, f->self, s->v, s->steps, s->changes));
    if (turn_back(s)) ALD_TRY(f->search(run, f->self, s->v, s->steps, s->changes));
    for (int64_t g = 0; g < s->groups; g++) {
        s->idle[g] = s->changes[g] < -DBL_EPSILON * fabs(s->values[g]) ? 0 : s->idle[g] + 1;
        s->done[g] = !(s->changes[g] < 0.0) || s->idle[g] > most_idle ? converged : at_work;
        if (s->done[g]) s->steps[g] = 0.0;
    }
    ALD_TRY(f->move(run, f->self, s->steps));
    for (int64_t g = 0; g < s->groups; g++) {
        if (s->done[g]) continue;
        group_add(s, g, s->steps[g], s->v, 1.0, s->w);
        s->since[g]++;
        s->taken[g]++;
    }
    return ALD_OK;
}

/* The columns of group `from` of a to group `to` of b, which has `groups` of them. */
static void copy_group(const state *s, const double *a, int64_t from, double *b, int64_t to, int64_t groups)
{
    for (int64_t i = 0; i < s->p; i++)
        memmove(b + (i * groups + to) * s->r, a + (i * s->groups + from) * s->r, (size_t)s->r * sizeof *a);
}

/* Writes the results of those that are done, and closes the ranks of the others. */
static ald_status take_out(ald_run *run, ald_cg *task, state *s, double *w)
{
    double *const matrices[] = {s->w, s->g, s->before, s->v};
    int64_t left = 0;
    for (int64_t g = 0; g < s->groups; g++) left += !s->done[g];
    if (left == s->groups) return ALD_OK;
    for (int64_t g = 0; g < s->groups; g++) {
        if (!s->done[g]) continue;
        copy_group(s, s->w, g, w, s->which[g], task->groups);
        task->values[s->which[g]] = s->values[g];
        task->iterations[s->which[g]] = s->taken[g];
        task->converged[s->which[g]] = s->done[g] == converged;
    }
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++)
        for (int64_t i = 0; i < s->p; i++)
            for (int64_t g = 0, to = 0; g < s->groups; g++)
                if (!s->done[g])
                    memmove(matrices[m] + (i * left + to++) * s->r, matrices[m] + (i * s->groups + g) * s->r,
                            (size_t)s->r * sizeof(double));
    for (int64_t g = 0, to = 0; g < s->groups; g++) {
        if (s->done[g]) continue;
        s->which[to] = s->which[g];
        s->values[to] = s->values[g];
        s->squares[to] = s->squares[g];
        s->since[to] = s->since[g];
        s->idle[to] = s->idle[g];
        s->taken[to++] = s->taken[g];
    }
    s->groups = left;
    return left ? task->objective->place(run, task->objective->self, s->w, s->r, left) : ALD_OK;
}

static ald_status look(ald_run *run, const ald_cg *task, state *s)
{
    const double steps = (double)s->taken[0] / (double)task->max_iter;
    const double digits = s->digits > 0.0 ? 1.0 - s->digits_left / s->digits : 0.0;
    ALD_TRY(ald_progress(run, task->stage, task->begun + task->share * fmin(fmax(steps, digits), 1.0)));
    return task->watch ? task->watch(run, task->watcher, s->w, &s->stop) : ALD_OK;
}

/* Values and gradients, and which starts have converged or run out of steps. */
static ald_status judge(ald_run *run, const ald_cg *task, state *s)
{
    const ald_objective *f = task->objective;
    ALD_TRY(f->gradient(run, f->self, s->found, s->g));
    s->digits_left = 0.0;
    for (int64_t g = 0; g < s->groups; g++) {
        const double value = s->found[g], square = group_dot(s, g, s->g, s->g);
        if (!isfinite(value) || !isfinite(square))
            return ald_fail(
                run->error, ALD_ERROR_NUMERICAL,
                "the values are too large or too small to be worked with: scale X (`scale=standard`)");
        /* Rounding may bring it up by a hair after a step that changed nothing to speak of. */
        s->values[g] = s->taken[g] == 0 || value < s->values[g] ? value : s->values[g];
        if (task->history && s->taken[g] < task->history_length)
            task->history[s->which[g] * task->history_length + s->taken[g]] = s->values[g];
        s->done[g] = s->stop || s->taken[g] >= task->max_iter ? out_of_steps : at_work;
        const double wanted = task->tol * task->size * sqrt(group_dot(s, g, s->w, s->w));
        if (sqrt(square) <= wanted) s->done[g] = converged;
        if (!s->done[g] && wanted > 0.0) s->digits_left = fmax(s->digits_left, log(sqrt(square) / wanted));
    }
    s->digits = fmax(s->digits, s->digits_left);
    return ALD_OK;
}

static ald_status conjugate_gradient_iterate(ald_run *run, ald_cg *task, state *s, double *w)
{
    while (s->groups > 0) {
        ALD_TRY(judge(run, task, s));
        ALD_TRY(take_out(run, task, s, w));
        if (s->groups == 0) break;
        for (int64_t g = 0; g < s->groups; g++) new_direction(s, g);
        ALD_TRY(step_down(run, task->objective, s));
        for (int64_t g = 0; g < s->groups; g++) {
            s->squares[g] = group_dot(s, g, s->g, s->g);
            group_add(s, g, 1.0, s->g, 0.0, s->before);
        }
        ALD_TRY(look(run, task, s));
        ALD_TRY(take_out(run, task, s, w));
    }
    return ALD_OK;
}

ald_status ald_cg_minimise(ald_run *run, ald_cg *task, double *w)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    state s;
    ALD_TRY(conjugate_gradient_new_state(run, task, w, &s));
    ALD_TRY(task->objective->place(run, task->objective->self, w, task->r, task->groups));
    ALD_TRY(conjugate_gradient_iterate(run, task, &s, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_cg_rescale(ald_run *run, const ald_objective *objective, int64_t r, int64_t groups, double *w)
{
    const int64_t columns = r * groups, count = objective->p * columns;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *steps, *changes, *back;
    ALD_TRY(ALD_SCRATCH(run, {&steps, groups, 2}, {&changes, groups, 2}, {&back, objective->p, columns}));
    ALD_TRY(objective->place(run, objective->self, w, r, groups));
    ALD_TRY(objective->search(run, objective->self, w, steps, changes));
    /* A search may look only where its line leads: a W that is too long is made shorter along -W. */
    for (int64_t i = 0; i < count; i++) back[i] = -w[i];
    ALD_TRY(objective->search(run, objective->self, back, steps + groups, changes + groups));
    for (int64_t i = 0; i < count; i++) {
        const int64_t g = i % columns / r;
        w[i] *= 1.0 + (changes[g] <= changes[groups + g] ? steps[g] : -steps[groups + g]);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* An objective in other units of its variables: the units are taken off before and put on after each call. */

ald_status ald_scaled_new(ald_run *run, const ald_objective *inner, const double *scale, int64_t columns,
                          ald_scaled *scaled)
{
    *scaled = (ald_scaled){.inner = inner, .scale = scale};
    return ald_scratch_reals(run, inner->p, columns, &scaled->w);
}

void ald_scaled_leave(const ald_scaled *scaled, int64_t columns, double *w)
{
    for (int64_t i = 0; i < scaled->inner->p * columns; i++) w[i] *= scaled->scale[i / columns];
}

/* S y in the memory for the inner objective. */
static const double *outside(ald_scaled *s, const double *y)
{
    memcpy(s->w, y, (size_t)(s->inner->p * s->columns) * sizeof *y);
    ald_scaled_leave(s, s->columns, s->w);
    return s->w;
}

static ald_status place(ald_run *run, void *self, const double *y, int64_t r, int64_t groups)
{
    ald_scaled *s = self;
    s->columns = r * groups;
    return s->inner->place(run, s->inner->self, outside(s, y), r, groups);
}

/* By the chain rule S times the gradient by W. */
static ald_status gradient(ald_run *run, void *self, double *values, double *g)
{
    const ald_scaled *s = self;
    ALD_TRY(s->inner->gradient(run, s->inner->self, values, g));
    ald_scaled_leave(s, s->columns, g);
    return ALD_OK;
}

static ald_status scaled_search(ald_run *run, void *self, const double *v, double *steps, double *changes)
{
    ald_scaled *s = self;
    return s->inner->search(run, s->inner->self, outside(s, v), steps, changes);
}

static ald_status scaled_move(ald_run *run, void *self, const double *steps)
{
    const ald_scaled *s = self;
    return s->inner->move(run, s->inner->self, steps);
}

ald_objective ald_scaled_objective(ald_scaled *scaled)
{
    return (ald_objective){scaled->inner->p, scaled, place, gradient, scaled_search, scaled_move};
}
