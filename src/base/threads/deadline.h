/* The time at which work is to end with what it has by then. */
#ifndef ALD_THREADS_DEADLINE_H
#define ALD_THREADS_DEADLINE_H

#include "base/core/run.h"

#include <stdatomic.h>

typedef struct ald_deadline {
    double (*clock)(void); /* seconds, on any thread */
    double at;
    int armed;         /* not before there is something that could be kept */
    atomic_int passed; /* once it is, it stays so */
} ald_deadline;

/* From now on, `seconds` are left. */
void ald_deadline_begin(ald_deadline *deadline, double (*clock)(void), double seconds);
/* From now on it counts; a run without one is fine. */
void ald_deadline_arm(const ald_run *run);
/* Looks at the clock; 0 where the run has no deadline. */
int ald_deadline_passes(const ald_run *run);
/* Whether it was seen to pass. */
int ald_deadline_was_passed(const ald_run *run);

#endif
