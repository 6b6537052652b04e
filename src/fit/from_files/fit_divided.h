/* Fitting a file whose rows are kept in memory, here or divided, for methods that compare rows with each
 * other. */
#ifndef ALD_FROM_FILES_FIT_DIVIDED_H
#define ALD_FROM_FILES_FIT_DIVIDED_H

#include "base/core/model.h"
#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"

/* Refuses what cannot be had so, before the rows are read. */
ald_status ald_check_divided(ald_run *run, const ald_dataset *survey);
/* The whole of a fit with the run's settings, in the first part of the rows; names and schema are those of
 * like->like. The models of the others are replaced on the way. */
ald_status ald_fit_divided(ald_run *run, const char *path, const ald_load_options *like,
                           const ald_dataset *survey, const ald_row_plan *plan, ald_model **model);

#endif
