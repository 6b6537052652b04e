/* The inside of ald_compare, for an evaluation inside a training part too. */
#ifndef ALD_COMPARE_COMPARE_INSIDE_H
#define ALD_COMPARE_COMPARE_INSIDE_H

#include "judge/cells/journal.h"
#include "judge/compare/comparison.h"

/* What is compared and how, with nothing left open. Candidates are those of an ald_candidates: whole, with
 * settings, words, labels and inner splits. */
typedef struct ald_compare_plan {
    const ald_candidate *candidates;
    int count;
    ald_splits_options splits;
    const char *metric;
    int fill_missing, keep_predictions;
    ald_journal *journal;  /* where finished cells are kept and found; NULL: nowhere */
    double (*clock)(void); /* NULL: not timed */
    int race; /* rows that are behind are not tried on all splits (race.c); there is one candidate then */
    int race_inside, trial_inside; /* the same two where candidates choose */
    int trial;                     /* only figures are wanted, not the fits (core/tryout.h) */
    int only_metric;               /* of the figures only the metric (cells/cell.h) */
    int partial; /* when the time is up (threads/deadline.h) what is done is the result; else it is an error
                  */
} ald_compare_plan;

/* Its threads are the run's. */
ald_status ald_compare_inside(ald_run *run, const ald_subset *data, const ald_compare_plan *plan,
                              ald_comparison **comparison);
/* That X and target can be read at all. */
ald_status ald_compare_check_data(ald_run *run, const ald_subset *data);
/* That the data and the candidates can be compared at all, which ald_compare_inside does first. */
ald_status ald_compare_check(ald_run *run, const ald_subset *data, const ald_compare_plan *plan);

#endif
