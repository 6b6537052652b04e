/* Fits to rows that were drawn again: how far the components move, and which columns lead. */
#ifndef ALD_REPORT_RESAMPLED_H
#define ALD_REPORT_RESAMPLED_H

#include "show/report/report_job.h"

#include <alidade/dimension.h>

typedef struct ald_resampled {
    int have;
    ald_stability_row *rows; /* r */
    ald_stability_summary summary;
    double *frequency; /* d; NULL: the map is not linear */
} ald_resampled;

ald_status ald_report_resample(ald_run *run, ald_report_job *job, ald_resampled *again);
/* The key `stability`. */
ald_status ald_write_stability(ald_run *run, const ald_report_job *job, const ald_resampled *again,
                               ald_page *page);

#endif
