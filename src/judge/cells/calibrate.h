/* Calibrating as a part of another call. */
#ifndef ALD_CELLS_CALIBRATE_H
#define ALD_CELLS_CALIBRATE_H

#include "base/core/model.h"

#include <alidade/intervals.h>

/* Parts of the rows that ald_calibrate_fitted leaves out in turn. */
enum { ALD_ERROR_FOLDS = 10 };

/* `options` are whole. */
ald_status ald_calibrate_inside(ald_run *run, const ald_model *model, const ald_matrix *x,
                                const ald_target *y, const ald_calibration_options *options,
                                ald_model **calibrated);
/* The model gains its errors on the rows that it was fitted on, by ten folds. One that cannot be fitted to
 * fewer rows stays as it is; fails for want of memory, or cancelled. */
ald_status ald_calibrate_fitted(ald_run *run, const ald_matrix *x, const ald_target *y, const int64_t *groups,
                                ald_model **model);

#endif
