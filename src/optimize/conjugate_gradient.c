/* V = -G + beta V,  beta = max(0, G.(G - G') / G'.G'), started anew when V is not a direction of descent and every
 * max(10, p r) steps. A step that does not lower the value ends the run once it was along -G itself: that is as far as
 * rounding goes. */
#include "optimize/conjugate_gradient.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

typedef struct state {
    int64_t count; /* p r */
    double *g, *before, *v;
    double square_before; /* |G'|^2 */
    int64_t since;        /* steps since the last start */
} state;

static ald_status new_state(ald_run *run, int64_t p, int64_t r, state *s)
{
    *s = (state){.count = p * r};
    ALD_TRY(ald_scratch_reals(run, p, r, &s->g));
    ALD_TRY(ald_scratch_reals(run, p, r, &s->before));
    return ald_scratch_reals(run, p, r, &s->v);
}

static void start_anew(state *s)
{
    for (int64_t i = 0; i < s->count; i++) s->v[i] = -s->g[i];
    s->since = 0;
}

static void new_direction(state *s)
{
    if (s->since == 0 || s->since >= (s->count > 10 ? s->count : 10)) {
        start_anew(s);
        return;
    }
    const double beta =
        fmax(0.0, (ald_dot(s->count, s->g, s->g) - ald_dot(s->count, s->g, s->before)) / s->square_before);
    for (int64_t i = 0; i < s->count; i++) s->v[i] = -s->g[i] + beta * s->v[i];
    if (!(ald_dot(s->count, s->g, s->v) < 0.0)) start_anew(s);
}

/* One step along the new direction, or along -G when that one does not lead down; *moved tells whether there was one.
 */
static ald_status step_down(ald_run *run, const ald_objective *f, state *s, double *w, int *moved)
{
    double step, change;
    ALD_TRY(f->search(run, f->self, s->v, &step, &change));
    if (!(change < 0.0) && s->since > 0) {
        start_anew(s);
        ALD_TRY(f->search(run, f->self, s->v, &step, &change));
    }
    *moved = change < 0.0;
    if (!*moved) return ALD_OK;
    ALD_TRY(f->move(run, f->self, step));
    for (int64_t i = 0; i < s->count; i++) w[i] += step * s->v[i];
    s->since++;
    return ALD_OK;
}

static ald_status look(ald_run *run, const ald_cg *task, const double *w, int *stop)
{
    ALD_TRY(
        ald_progress(run, task->stage, task->begun + task->share * (double)task->iterations / (double)task->max_iter));
    return task->watch ? task->watch(run, task->watcher, w, stop) : ALD_OK;
}

static ald_status iterate(ald_run *run, ald_cg *task, state *s, double *w)
{
    const ald_objective *f = task->objective;
    int stop = 0, moved = 1;
    for (;;) {
        double value;
        ALD_TRY(f->gradient(run, f->self, &value, s->g));
        /* Rounding may bring it up by a hair after a step that changed nothing to speak of. */
        task->value = task->iterations == 0 || value < task->value ? value : task->value;
        if (task->history) task->history[task->iterations] = task->value;
        if (!isfinite(value))
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the values are too large or too small to be worked with: scale X (--scale standard)");
        const double square = ald_dot(s->count, s->g, s->g);
        task->converged = sqrt(square) <= task->tol * task->size * sqrt(ald_dot(s->count, w, w));
        if (task->converged || stop || task->iterations == task->max_iter) break;
        new_direction(s);
        ALD_TRY(step_down(run, f, s, w, &moved));
        if (!moved) {
            task->converged = 1;
            break;
        }
        task->iterations++;
        memcpy(s->before, s->g, (size_t)s->count * sizeof *s->g);
        s->square_before = square;
        ALD_TRY(look(run, task, w, &stop));
    }
    return ALD_OK;
}

ald_status ald_cg_minimise(ald_run *run, ald_cg *task, double *w)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    state s;
    task->iterations = 0;
    task->converged = 0;
    ALD_TRY(new_state(run, task->objective->p, task->r, &s));
    ALD_TRY(task->objective->place(run, task->objective->self, w, task->r));
    ALD_TRY(iterate(run, task, &s, w));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_cg_rescale(ald_run *run, const ald_objective *objective, int64_t r, double *w)
{
    const int64_t count = objective->p * r;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double step, change, *back;
    ALD_TRY(ald_scratch_reals(run, objective->p, r, &back));
    ALD_TRY(objective->place(run, objective->self, w, r));
    ALD_TRY(objective->search(run, objective->self, w, &step, &change));
    /* A search may look only where its line leads: a W that is too long is made shorter along -W. */
    if (!(change < 0.0)) {
        for (int64_t i = 0; i < count; i++) back[i] = -w[i];
        ALD_TRY(objective->search(run, objective->self, back, &step, &change));
        step = -step;
    }
    for (int64_t i = 0; i < count; i++) w[i] *= 1.0 + step;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
