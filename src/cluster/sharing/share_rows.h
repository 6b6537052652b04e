/* Rows of a file that several ranks have read, each its portion. */
#ifndef ALD_SHARING_SHARE_ROWS_H
#define ALD_SHARING_SHARE_ROWS_H

#include "data/encode/dataset.h"

/* The ranks agree on `status`, that of reading. Warnings are printed once, for the rows of all ranks, and
 * classes that the model of `options` does not know have the same numbers on all of them: those that one
 * process would give. */
ald_status ald_share_rows(ald_run *run, ald_status status, const char *source,
                          const ald_load_options *options, ald_dataset *dataset);

#endif
