/* Component k is tested by one pass over the permutations, behind the first one by two where it is
 * significant, and the tests end with the first that is not. How many will be is guessed:
 *
 *   before the first test   those whose gain in the explained part of the target is above min(2 d / n, 1/20),
 *                           d columns and n rows: chance alone gives up to d / n;
 *   after it                those whose T is beyond half of the T* of the step, which are larger than those
 * of later ones; where there is no such T, the guess stays; and those that turned out to be.
 *
 * With s seconds of passes done and u expected of those that are left, the tests are s / (s + u) done, and
 * never less than they were. */
#include "judge/dimension/dimension.h"

#include <math.h>

enum { pass_first, pass_once, pass_again, n_passes };
/* Beside the first: rows are put together, most methods compare two fits, and divide the rows again. */
static const double guesses[n_passes] = {1.0, 2.0, 3.0};

static int64_t guess_by_shares(const ald_dimension_task *task, const ald_dimension_row *rows)
{
    const double chance = 2.0 * (double)task->x->cols / (double)task->x->rows, least = fmin(chance, 0.05);
    int64_t k = 0;
    while (k < task->count && rows[k].y_share - (k > 0 ? rows[k - 1].y_share : 0.0) > least) k++;
    return k;
}

/* The part of the tests that what follows is. */
static void place(const ald_steps_ahead *steps, double from, double share)
{
    const double fits = ald_dimension_done(steps->task, 1), tests = 1.0 - fits;
    ald_span_leave(steps->task->wide, steps->whole);
    ald_span_enter(steps->task->wide, fits + tests * from, tests * share);
}

ald_status ald_steps_ahead_begin(ald_run *run, const ald_dimension_task *task, const ald_dimension_row *rows,
                                 int in_turn, ald_steps_ahead *steps)
{
    *steps = (ald_steps_ahead){.task = task};
    const int first_alone = task->method->untested_classes && task->y->kind == ALD_TARGET_CLASSES;
    steps->tested = in_turn && !first_alone ? task->count : 1;
    steps->significant = guess_by_shares(task, rows);
    steps->whole = ald_span_enter(task->wide, 0.0, 1.0);
    place(steps, 0.0, 0.0);
    ALD_TRY(ald_pace_new(run, n_passes, &steps->pace));
    for (int kind = 0; kind < n_passes; kind++) steps->pace.guesses[kind] = guesses[kind];
    return ald_scratch(run, 2 * task->count, 1, sizeof *steps->kinds, &steps->kinds);
}

void ald_steps_ahead_learn(ald_steps_ahead *steps, const double *t, const double *chance)
{
    const ald_dimension_task *task = steps->task;
    int64_t k = 0;
    for (; k < task->count; k++) {
        int64_t reached = 1;
        for (int64_t b = 0; b < task->permutations; b++) reached += chance[b] >= t[k];
        if (2 * reached > 1 + task->permutations) break;
    }
    steps->significant = k;
}

/* The passes from this one on; their number. */
static int64_t list_passes(ald_steps_ahead *steps, int64_t k, int again)
{
    const int64_t known = again ? k + 1 : k;
    int64_t count = 0;
    if (steps->significant < known) steps->significant = known;
    for (int64_t j = k; j < steps->tested && (j <= steps->significant || steps->task->every || j == k); j++) {
        if (j == 0) steps->kinds[count++] = pass_first;
        if (j > 0 && !(j == k && again)) steps->kinds[count++] = pass_once;
        if (j > 0 && j < steps->significant) steps->kinds[count++] = pass_again;
    }
    return count;
}

void ald_steps_ahead_enter(ald_steps_ahead *steps, int64_t k, int again)
{
    const int64_t count = list_passes(steps, k, again);
    ald_pace_plan(&steps->pace, steps->kinds, count, count);
    const double left = ald_pace_left(&steps->pace), by_clock = steps->spent / (steps->spent + left);
    const double from = fmax(steps->reached, by_clock);
    const double part = fmin(ald_pace_expect(&steps->pace, steps->kinds[0]) / left, 1.0);
    steps->reached = from + (1.0 - from) * part;
    place(steps, from, steps->reached - from);
    steps->began = ald_pace_clock();
}

void ald_steps_ahead_leave(ald_steps_ahead *steps)
{
    const double seconds = ald_pace_clock() - steps->began;
    ald_pace_note(&steps->pace, steps->kinds[0], seconds);
    steps->spent += seconds;
    place(steps, steps->reached, 0.0);
}

void ald_steps_ahead_end(const ald_steps_ahead *steps)
{
    ald_span_leave(steps->task->wide, steps->whole);
}
