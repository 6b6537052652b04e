/* A dataset over arrays in memory: views of X and target with copies of the names, or copies of everything.
 */
#ifndef ALD_ARRAYS_ARRAYS_H
#define ALD_ARRAYS_ARRAYS_H

#include "data/encode/dataset.h"

/* `inputs` were checked. Without `copy` the arrays (not the names) stay the caller's and outlive the dataset.
 */
ald_status ald_dataset_from_inputs(ald_run *run, const ald_inputs *inputs, int copy, ald_dataset *dataset);

#endif
