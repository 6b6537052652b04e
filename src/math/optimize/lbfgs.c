/* L-BFGS (lbfgs.h has the formulas). The first step is as long as x, since the scale of the
 * function is not known yet; a step that meets the conditions keeps H positive definite, so that every
 * direction leads down. Where no step lowers the value, rounding has ended the descent. */
#include "math/optimize/lbfgs.h"

#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

enum { most_trials = 40 };

typedef struct lbfgs {
    ald_run *run;
    ald_lbfgs *task;
    double *x, *g;             /* where it is */
    double *trial, *trial_g;   /* where it looks */
    double *direction, *alpha; /* size; memory */
    double *moves, *changes;   /* memory x size: steps of x and of g, the newest at `newest` */
    double *products;          /* memory: their inner products, all positive */
    int64_t kept, newest;
} lbfgs;

static double largest_entry(int64_t size, const double *g)
{
    double largest = 0.0;
    for (int64_t i = 0; i < size; i++) largest = fmax(largest, fabs(g[i]));
    return largest;
}

/* direction <- -H g. */
static void find_direction(lbfgs *l)
{
    const int64_t size = l->task->size, memory = l->task->memory;
    for (int64_t i = 0; i < size; i++) l->direction[i] = -l->g[i];
    if (l->kept == 0) return;
    for (int64_t back = 0; back < l->kept; back++) {
        const int64_t at = (l->newest - back + memory) % memory;
        l->alpha[at] = ald_dot(size, l->moves + at * size, l->direction) / l->products[at];
        ald_add_times(size, -l->alpha[at], l->changes + at * size, l->direction);
    }
    const double *newest = l->changes + l->newest * size;
    const double scale = l->products[l->newest] / ald_dot(size, newest, newest);
    for (int64_t i = 0; i < size; i++) l->direction[i] *= scale;
    for (int64_t back = l->kept - 1; back >= 0; back--) {
        const int64_t at = (l->newest - back + memory) % memory;
        const double beta = ald_dot(size, l->changes + at * size, l->direction) / l->products[at];
        ald_add_times(size, l->alpha[at] - beta, l->moves + at * size, l->direction);
    }
}

static ald_status look(lbfgs *l, double step, double *value)
{
    for (int64_t i = 0; i < l->task->size; i++) l->trial[i] = l->x[i] + step * l->direction[i];
    return l->task->at(l->run, l->task->self, l->trial, value, l->trial_g);
}

/* A step along the direction: trial, its gradient and value; *found 0: none lowers the value. Where no trial
 * meets both conditions, the longest that lowers it enough. */
static ald_status search(lbfgs *l, double step, double *value, int *found)
{
    const int64_t size = l->task->size;
    const double slope = ald_dot(size, l->direction, l->g), before = l->task->value;
    double low = 0.0, high = INFINITY;
    *found = 0;
    for (int trial = 0; trial < most_trials && slope < 0.0; trial++) {
        ALD_TRY(look(l, step, value));
        const int falls = *value <= before + 1e-4 * step * slope;
        if (falls && ald_dot(size, l->direction, l->trial_g) >= 0.9 * slope) {
            *found = *value < before;
            return ALD_OK;
        }
        if (falls)
            low = step;
        else
            high = step;
        step = high < INFINITY ? 0.5 * (low + high) : 2.0 * step;
    }
    if (!(low > 0.0)) return ALD_OK;
    ALD_TRY(look(l, low, value));
    *found = *value < before;
    return ALD_OK;
}

/* The step from x to the trial becomes the newest of the memory. */
static void keep_step(lbfgs *l)
{
    const int64_t size = l->task->size, at = l->kept > 0 ? (l->newest + 1) % l->task->memory : 0;
    double *move = l->moves + at * size, *change = l->changes + at * size;
    for (int64_t i = 0; i < size; i++) {
        move[i] = l->trial[i] - l->x[i];
        change[i] = l->trial_g[i] - l->g[i];
    }
    const double product = ald_dot(size, move, change);
    memcpy(l->x, l->trial, (size_t)size * sizeof *l->x);
    memcpy(l->g, l->trial_g, (size_t)size * sizeof *l->g);
    if (!(product > 0.0)) return;
    l->products[at] = product;
    l->newest = at;
    if (l->kept < l->task->memory) l->kept++;
}

static double first_step(const lbfgs *l)
{
    const double size = ald_norm(l->task->size, l->x), slope = ald_norm(l->task->size, l->g);
    return size > 0.0 ? size / slope : 1.0 / slope;
}

static ald_status descend(lbfgs *l)
{
    ald_lbfgs *task = l->task;
    ALD_TRY(task->at(l->run, task->self, l->x, &task->value, l->g));
    task->slope = largest_entry(task->size, l->g);
    const double enough = task->tol * task->slope;
    task->converged = !(task->slope > 0.0);
    while (!task->converged && task->iterations < task->max_iter) {
        double value;
        int found;
        find_direction(l);
        ALD_TRY(search(l, l->kept > 0 ? 1.0 : first_step(l), &value, &found));
        if (!found && l->kept > 0) {
            l->kept = 0;
            continue;
        }
        if (!found) break;
        keep_step(l);
        task->value = value;
        task->iterations++;
        task->slope = largest_entry(task->size, l->g);
        task->converged = task->slope <= enough;
        ALD_TRY(ald_progress(l->run, task->stage,
                             task->begun + task->share * (double)task->iterations / (double)task->max_iter));
    }
    if (task->iterations < task->max_iter) task->converged = 1;
    return ALD_OK;
}

ald_status ald_lbfgs_minimise(ald_run *run, ald_lbfgs *task, double *x)
{
    const int64_t size = task->size, memory = task->memory;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    lbfgs l = {.run = run, .task = task, .x = x};
    task->iterations = 0;
    ALD_TRY(ALD_SCRATCH(run, {&l.g, size, 1}, {&l.trial, size, 1}, {&l.trial_g, size, 1},
                        {&l.direction, size, 1}, {&l.alpha, memory, 1}, {&l.moves, memory, size},
                        {&l.changes, memory, size}, {&l.products, memory, 1}));
    const ald_status status = descend(&l);
    ald_arena_release(&run->scratch, mark);
    return status;
}
