/* Continuity and trustworthiness of a projection z_i with targets y_i; continuity.c has the definition. */
#ifndef ALD_MEASURING_CONTINUITY_H
#define ALD_MEASURING_CONTINUITY_H

#include "base/core/run.h"

#include <alidade/evaluate.h>
#include <alidade/matrix.h>

/* Exactly one of `columns`, `classes` and `bits` is set; all of it is in the run's scratch. */
typedef struct ald_metric_space {
    int64_t n;
    int64_t q;             /* columns, or words of bits */
    const double *columns; /* q x n: column k is columns[k * n] .. ; scaled by a power of two to at most 1 */
    const int32_t *classes;
    const uint64_t *bits; /* n x q words: the labels of a row */
} ald_metric_space;

/* Rows which[0 .. n - 1] of z, row major with r columns. */
ald_status ald_metric_space_of_rows(ald_run *run, const double *z, int64_t r, const int64_t *which, int64_t n,
                                    ald_metric_space *space);
/* Rows which[0 .. n - 1] of a target that has been checked and is not NONE. */
ald_status ald_metric_space_of_target(ald_run *run, const ald_target *target, const int64_t *which, int64_t n,
                                      ald_metric_space *space);

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

typedef struct ald_continuity_curve {
    int64_t *k; /* count */
    int64_t count, rows, sampled;
    ald_continuity_result
        values; /* values.rows: of the `sampled` rows, which depend on target, seed and max_rows only */
} ald_continuity_curve; /* all of it in the run's scratch */

ald_status ald_continuity_run(ald_run *run, const double *z, int64_t r, const ald_target *y,
                              const ald_continuity_options *options, int continuity_only,
                              ald_continuity_curve *curve);

/* The mean and the standard error of it. */
void ald_mean_error(int64_t n, const double *values, double *mean, double *error);

#endif
