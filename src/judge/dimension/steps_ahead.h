/* How far a sequence of tests is that ends with the first component that is not significant. */
#ifndef ALD_DIMENSION_STEPS_AHEAD_H
#define ALD_DIMENSION_STEPS_AHEAD_H

#include "base/threads/pace.h"
#include "judge/dimension/dimension.h"

/* Stays where it is. The span of the call is that of task->wide. */
typedef struct ald_steps_ahead {
    const ald_dimension_task *task;
    int64_t tested;      /* at most so many components are */
    int64_t significant; /* expected to be so: the first ones */
    ald_pace pace;       /* what each kind of pass takes */
    int64_t *kinds;      /* of the passes that are expected, the present one first */
    double reached;      /* of the tests: where the present pass ends, 0 to 1 */
    double spent, began; /* seconds of all passes before; when the present one began */
    ald_span whole;      /* of the call */
} ald_steps_ahead;

/* In scratch of the run. What is done outside of the passes is short, and moves nothing until the end.
 * in_turn: each component has permutations of its own; else one pass is for all. */
ald_status ald_steps_ahead_begin(ald_run *run, const ald_dimension_task *task, const ald_dimension_row *rows,
                                 int in_turn, ald_steps_ahead *steps);
/* A pass over the permutations begins: that of component k + 1, or (again) the one that corrects it. */
void ald_steps_ahead_enter(ald_steps_ahead *steps, int64_t k, int again);
void ald_steps_ahead_leave(ald_steps_ahead *steps);
/* After a step: T of each component, and T* of each permutation. */
void ald_steps_ahead_learn(ald_steps_ahead *steps, const double *t, const double *chance);
void ald_steps_ahead_end(const ald_steps_ahead *steps);

#endif
