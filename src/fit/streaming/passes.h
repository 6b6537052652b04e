/* Fitting by passes over a file, for more columns than a square of them can be formed of. */
#ifndef ALD_STREAMING_PASSES_H
#define ALD_STREAMING_PASSES_H

#include "base/core/model.h"
#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"
#include "math/operator/logbook.h"

/* The whole of a fit with the run's settings; names and schema are those of like->like; what
 * passes find is kept in `book`, if there is one. */
ald_status ald_fit_passes(ald_run *run, const char *path, const ald_load_options *like,
                          const ald_dataset *survey, const ald_row_plan *plan, ald_logbook *book,
                          ald_model *model);

#endif
