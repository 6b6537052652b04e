/* The schema of a dataset that came from arrays: as if its columns had stood in a file, the features first,
 * the target behind them. So a model of arrays and a file with those names, or that layout, go together. */
#ifndef ALD_ARRAYS_ARRAY_SCHEMA_H
#define ALD_ARRAYS_ARRAY_SCHEMA_H

#include "data/encode/dataset.h"

/* Writes dataset->schema. */
ald_status ald_schema_of_arrays(ald_run *run, ald_dataset *dataset);

#endif
