/* How far long work is and when it is to end: the pace of jobs, stages within a stage, deadlines. */
#ifndef ALD_THREADS_PACING_H
#define ALD_THREADS_PACING_H

#include "base/core/run.h"

#include <stdatomic.h>

/* How far a list of jobs is, by the time that each takes. Jobs are of kinds, and those of a kind take about
 * equally long: what one of a kind costs is guessed beforehand, and known by the clock once one is done,
 *
 *   e_k = the mean seconds of the jobs of kind k that are done, or else
 *         c_k (sum of e over the kinds that are known) / (sum of c over them),
 *
 * c the guess. With s seconds of jobs done, the part of the whole that is done is s / (s + sum of e over the
 * jobs that are left). A clock that does not go leaves the guesses. */

typedef struct ald_pace {
    int64_t n_kinds;
    double *guesses; /* per kind, above 0, in any unit: to be written before ald_pace_plan */
    double *seconds; /* per kind, of those that are done */
    int64_t *done;
    int64_t *left;           /* per kind, of the present list */
    double spent;            /* seconds of the jobs that are done of the present list */
    double known, unknown;   /* left: seconds of kinds that are known, guesses of the others */
    double measured, priced; /* e and c of the kinds that are known */
} ald_pace;

/* In scratch of the run; nothing is known yet. */
ald_status ald_pace_new(ald_run *run, int64_t n_kinds, ald_pace *pace);
/* A list begins: job i of `count` is of kind kinds[i % period]. What is known of kinds stays. */
void ald_pace_plan(ald_pace *pace, const int64_t *kinds, int64_t period, int64_t count);
/* Expected of one job, in seconds; before anything is known in the unit of the guesses. */
double ald_pace_expect(const ald_pace *pace, int64_t kind);
int ald_pace_is_known(const ald_pace *pace, int64_t kind);
/* A job of the list is done. */
void ald_pace_note(ald_pace *pace, int64_t kind, double seconds);
/* Seconds of the jobs that are left, in the unit of ald_pace_expect. */
double ald_pace_left(const ald_pace *pace);
/* The part of the list that is done when `running` seconds of the jobs at work are. */
double ald_pace_part(const ald_pace *pace, double running);

/* Seconds, from any beginning, by a clock that nobody sets. */
double ald_pace_clock(void);

/* A stage that is made of others: what is done between enter and leave is reported as a part of it,
 * whatever it calls itself. */

/* Stays where it is until it is left. */
typedef struct ald_within_stage {
    ald_run *run;
    ald_call outer;
    ald_bar bar;
    const char *stage;
    double from, share;
} ald_within_stage;

/* What is done before the first ald_within_next moves nothing. */
void ald_within_enter(ald_run *run, const char *stage, ald_within_stage *within);
/* What follows is the part of the stage from `from` on, `share` long. */
void ald_within_next(ald_within_stage *within, double from, double share);
void ald_within_leave(ald_within_stage *within);

/* The time at which work is to end with what it has by then. */

typedef struct ald_deadline {
    double (*clock)(void); /* seconds, on any thread */
    double at;
    atomic_int armed;  /* not before there is something that could be kept */
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
