/* The survey of a file that several ranks have looked through, each its portion. */
#ifndef ALD_STREAMING_SURVEY_RANKS_H
#define ALD_STREAMING_SURVEY_RANKS_H

#include "base/core/record.h"
#include "fit/checkpoints/other_surveys.h"
#include "fit/streaming/telling_rows.h"

/* Agrees on `status`, that of this rank's own survey. Then `s` and `rows` are those of the whole file on all
 * ranks, as if one had looked through it. */
ald_status ald_survey_unite(ald_run *run, ald_status status, const char *path, ald_survey *s, int64_t *rows);
/* The same of what was told of several stretches of the file, by whichever ranks. */
ald_status ald_survey_unite_told(ald_run *run, ald_status status, const char *path, const ald_told_rows *told,
                                 int64_t count, ald_survey *s, int64_t *rows);
/* All that it knows, of so many rows, and the same again: it can be gone on with. `s` is one that has seen
 * nothing yet. */
ald_status ald_survey_tell(ald_run *run, const ald_survey *s, int64_t rows, ald_record *parcel);
ald_status ald_survey_restore(ald_run *run, const char *path, ald_record *parcel, ald_survey *s,
                              int64_t *rows);

#endif
