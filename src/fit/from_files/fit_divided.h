/* Fitting by several ranks that keep their rows in memory, for methods that compare rows with each other. */
#ifndef ALD_FROM_FILES_FIT_DIVIDED_H
#define ALD_FROM_FILES_FIT_DIVIDED_H

#include "base/core/model.h"
#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"

/* Whether the run's method is fitted so here: it has operations for other ranks, and the context
 * has ranks, if only one. */
int ald_fits_divided(const ald_run *run);
/* Refuses what cannot be had so, before the rows are read. */
ald_status ald_check_divided(ald_run *run, const ald_dataset *survey);
/* The whole of a fit with the run's settings, on rank 0; names and schema are those of like->like. */
ald_status ald_fit_divided(ald_run *run, const char *path, const ald_load_options *like,
                           const ald_dataset *survey, const ald_row_plan *plan, ald_model *model);

#endif
