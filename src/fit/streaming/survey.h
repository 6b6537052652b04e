/* The survey of a file that is read in blocks. */
#ifndef ALD_STREAMING_SURVEY_H
#define ALD_STREAMING_SURVEY_H

#include "data/encode/dataset.h"

/* Looks through the whole file and keeps the rows that tell what its columns are: two of each value of the
 * target (up to 1000 of them) and one of each text of each column. A dataset made of them has the schema, the
 * classes and the task that one of all rows would have. `rows` counts them all. */
ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *survey, int64_t *rows);

#endif
