/* Successive halving of the units of a race: choose.c says how many stay. A unit is one fit, so what leaves
 * saves what it would have cost. */
#include "judge/compare/comparing.h"

#include <math.h>
#include <stdlib.h>

typedef struct standing {
    int64_t unit;
    double mean; /* larger is better */
} standing;

static int compare_standings(const void *a, const void *b)
{
    const standing *x = a, *y = b;
    if (x->mean > y->mean || x->mean < y->mean) return x->mean > y->mean ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static double row_mean(const ald_comparing *c, int row, int64_t done)
{
    const ald_metric *metric = c->result->metric;
    const ald_cell *cells = c->result->cells + row * ald_splits_count(c->result->splits);
    double sum = 0.0;
    for (int64_t s = 0; s < done; s++) {
        const double value = cells[s].metrics[metric->number];
        sum += metric->by_size ? fabs(value) : value;
    }
    return metric->larger_is_better ? sum / (double)done : -sum / (double)done;
}

/* The best mean of its rows in the race; -INFINITY: none of them has one. */
static double unit_mean(const ald_comparing *c, const ald_unit *u, int64_t done)
{
    double best = -INFINITY;
    for (int k = 0; k < u->n_rows; k++) {
        const double mean = c->left[u->first_row + k] ? (double)NAN : row_mean(c, u->first_row + k, done);
        if (mean > best) best = mean;
    }
    return best;
}

static const ald_method *method_of(const ald_comparing *c, int64_t unit)
{
    return ald_settings_method(c->units[unit].candidate->settings[c->units[unit].setting]);
}

/* Whether an earlier one of the list has the same method. */
static int is_second(const ald_comparing *c, const standing *list, int64_t at)
{
    for (int64_t i = 0; i < at; i++)
        if (method_of(c, list[i].unit) == method_of(c, list[at].unit)) return 1;
    return 0;
}

ald_status ald_race_halve(ald_comparing *c, int64_t done, int64_t stay)
{
    const uint64_t mark = ald_arena_mark(&c->run->scratch);
    standing *list;
    int64_t count = 0;
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *list, &list));
    for (int64_t i = 0; i < c->n_units; i++) {
        const double mean = unit_mean(c, &c->units[i], done);
        if (mean > -INFINITY && !ald_unit_is_quick(c, &c->units[i])) list[count++] = (standing){i, mean};
    }
    qsort(list, (size_t)count, sizeof *list, compare_standings);
    for (int64_t at = stay; at < count; at++) {
        const ald_unit *u = &c->units[list[at].unit];
        if (!is_second(c, list, at)) continue;
        for (int k = 0; k < u->n_rows; k++)
            if (!c->left[u->first_row + k]) c->left[u->first_row + k] = done;
    }
    ald_arena_release(&c->run->scratch, mark);
    return ALD_OK;
}
