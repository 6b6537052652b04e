/* Fits that are judged by rows they did not see, through ald_compare. */
#ifndef ALD_REPORT_TRIALS_H
#define ALD_REPORT_TRIALS_H

#include "show/report/report_job.h"

/* Which of them take part. */
typedef struct ald_trial_plan {
    int with_method, with_features; /* the constant is always there */
    const int64_t *dims;            /* of the method: rising */
    int n_dims;
} ald_trial_plan;

/* The settings of the model on folds of the rows of the data. */
ald_status ald_report_fold(ald_run *run, const ald_report_job *job, const ald_trial_plan *plan,
                           ald_comparison **comparison);
/* Fits to the rows of the data, judged by those of the test: rows of the comparison are those of the job. */
ald_status ald_report_hold_out(ald_run *run, const ald_report_job *job, const ald_trial_plan *plan,
                               ald_comparison **comparison);

#endif
