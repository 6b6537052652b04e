/* A stage that is made of others: what is done between enter and leave is told as a part of it, whatever it
 * calls itself. */
#ifndef ALD_THREADS_WITHIN_H
#define ALD_THREADS_WITHIN_H

#include "base/core/run.h"

/* Stays where it is until it is left. */
typedef struct ald_within {
    ald_run *run;
    ald_call outer;
    ald_bar bar;
    const char *stage;
    double from, share;
} ald_within;

/* What is done before the first ald_within_next moves nothing. */
void ald_within_enter(ald_run *run, const char *stage, ald_within *within);
/* What follows is the part of the stage from `from` on, `share` long. */
void ald_within_next(ald_within *within, double from, double share);
void ald_within_leave(ald_within *within);

#endif
