/* The options of a time limit, as ald_compare and ald_tune have them. */
#ifndef ALD_COMPARE_TIME_LIMIT_H
#define ALD_COMPARE_TIME_LIMIT_H

#include "base/core/run.h"
#include "base/threads/deadline.h"

/* Gives the run the deadline where `seconds` is not 0, by `context` with which it was begun; what is no
 * number of seconds is refused. */
ald_status ald_time_limit_begin(ald_run *run, double seconds, double (*timer)(void), ald_deadline *deadline);

#endif
