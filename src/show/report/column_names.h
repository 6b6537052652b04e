/* The columns of a model: their names, and which matter most. */
#ifndef ALD_REPORT_COLUMN_NAMES_H
#define ALD_REPORT_COLUMN_NAMES_H

#include "show/report/report_job.h"

/* Of the model, else of the data, else x1, x2, ... */
ald_status ald_report_names(ald_run *run, ald_report_job *job);
/* order: all d columns, the most important first; as they are where that is not known. */
ald_status ald_order_by_importance(ald_run *run, const ald_report_job *job, int64_t *order);

/* A name with its unit, "fat (g/100 g)" or "fat [%]", cut in two: where the unit begins and how long it is;
 * 0: there is none. */
size_t ald_name_unit(const char *name, size_t *begins);

#endif
