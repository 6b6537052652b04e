/* The inside of ald_continuity, for those who want the rows as well. */
#ifndef ALD_MEASURING_MEASURE_CONTINUITY_H
#define ALD_MEASURING_MEASURE_CONTINUITY_H

#include "judge/evaluate/continuity.h"

#include <alidade/evaluate.h>

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
