/* An objective in other units of its variables: the units are taken off before and put on after each call. */
#include "math/optimize/objective.h"

#include <string.h>

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
