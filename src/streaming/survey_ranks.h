/* The survey of a file that several ranks have looked through, each its portion. */
#ifndef ALD_STREAMING_SURVEY_RANKS_H
#define ALD_STREAMING_SURVEY_RANKS_H

#include "streaming/telling_rows.h"

/* Agrees on `status`, that of this rank's own survey. Then `s` and `rows` are those of the whole file on all
 * ranks, as if one had looked through it. */
ald_status ald_survey_unite(ald_run *run, ald_status status, const char *path, ald_survey *s, int64_t *rows);

#endif
