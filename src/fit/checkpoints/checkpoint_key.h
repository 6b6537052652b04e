/* What a checkpoint is known again by. */
#ifndef ALD_CHECKPOINTS_CHECKPOINT_KEY_H
#define ALD_CHECKPOINTS_CHECKPOINT_KEY_H

#include "base/settings/settings.h"
#include "io/reading/input.h"

#include <alidade/dataset.h>

/* The file or the files as they are now. */
ald_status ald_key_mark(ald_run *run, const char *path, ald_file_mark *mark);
/* Of the file, how it is read, and the version; never 0. */
uint64_t ald_key_of_data(const ald_file_mark *mark, const ald_load_options *options);
/* Of the settings: the sums depend on few of them, but a fit that goes on is one with the same. */
uint64_t ald_key_of_settings(const ald_settings *settings);

#endif
