/* What the model is worth on rows that it has not seen: by test rows, by cross-validation of the same
 * settings, or by the predictions that tuning kept. */
#ifndef ALD_REPORT_JUDGED_H
#define ALD_REPORT_JUDGED_H

#include "show/report/report_job.h"

/* Fills job->judged. Where the data have no target there is nothing to judge. */
ald_status ald_report_judge(ald_run *run, ald_report_job *job);

#endif
