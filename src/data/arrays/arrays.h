/* A dataset over arrays in memory: views of X and target with copies of the names, or copies of everything.
 */
#ifndef ALD_ARRAYS_ARRAYS_H
#define ALD_ARRAYS_ARRAYS_H

#include "base/core/run.h"
#include "data/encode/dataset.h"

#include <alidade/model.h>

/* The schema of a dataset that came from arrays: as if its columns had stood in a file, the features first,
 * the target behind them. So a model of arrays and a file with those names, or that layout, go together. */

/* `inputs` were checked. Without `copy` the arrays (not the names) stay the caller's and outlive the dataset.
 */
ald_status ald_dataset_from_inputs(ald_run *run, const ald_inputs *inputs, int copy, ald_dataset *dataset);

/* Names that come with arrays: all there, and those of features different from each other. */

/* The shapes of X and target have been checked. */
ald_status ald_check_input_names(ald_run *run, const ald_inputs *inputs);

#endif
