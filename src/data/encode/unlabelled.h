/* Rows without a target from a second file, behind those of a dataset. */
#ifndef ALD_ENCODE_UNLABELLED_H
#define ALD_ENCODE_UNLABELLED_H

#include "data/encode/dataset.h"

/* Reads options->unlabelled_file as new rows of the dataset's own file would be read: its columns by their
 * names (or positions), encoded alike; a target that is in it is left out. */
ald_status ald_dataset_add_unlabelled(ald_run *run, const ald_load_options *options, ald_dataset *dataset);

#endif
