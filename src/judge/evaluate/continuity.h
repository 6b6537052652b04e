/* Continuity and trustworthiness of a projection z_i with targets y_i; continuity.c has the definition. */
#ifndef ALD_EVALUATE_CONTINUITY_H
#define ALD_EVALUATE_CONTINUITY_H

#include "judge/evaluate/space.h"

typedef struct ald_continuity_task {
    const ald_metric_space *z, *y; /* the same number n of points, at least 3 */
    const int64_t *k;              /* `count` sizes of neighbourhoods, rising, from 1 to n - 2 */
    int64_t count;
    const int64_t *rows; /* the rows i that are summed over; NULL: all n */
    int64_t n_rows;
    int continuity_only; /* half the work; trustworthiness is NaN */
} ald_continuity_task;

typedef struct ald_continuity_result {
    double *continuity, *trustworthiness; /* `count` of each */
    double *rows;                         /* n_rows: the continuity of each row alone, mean over all k */
} ald_continuity_result;                  /* all of it in the run's scratch */

/* On the context's threads; the result does not depend on how many. */
ald_status ald_continuity_measure(ald_run *run, const ald_continuity_task *task,
                                  ald_continuity_result *result);

#endif
