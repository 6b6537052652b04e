/* The rows that have a target and those that have none, for the methods that use both. */
#ifndef ALD_ENGINES_LABELLED_H
#define ALD_ENGINES_LABELLED_H

#include "methods/engines/problem.h"

typedef struct ald_labelled {
    int64_t count, others_count;
    int64_t *which, *others; /* row numbers, ascending: with a target, without one */
    ald_target target;       /* of the labelled rows alone, `count` of them, without weights */
} ald_labelled;              /* in scratch */

/* Fewer than two labelled rows are an error, a class without any is a warning. */
ald_status ald_labelled_find(ald_run *run, const ald_problem *problem, ald_model *model,
                             ald_labelled *labelled);

#endif
