/* The summary of the rows as a record, and the summaries of several ranks put together. */
#ifndef ALD_STREAMING_SUMMARY_RECORD_H
#define ALD_STREAMING_SUMMARY_RECORD_H

#include "base/core/record.h"
#include "fit/streaming/row_summary.h"

#define ALD_SUMMARY_KIND "summary"

/* Everything a summary of `rows` rows knows, sealed, */
ald_status ald_summary_put(ald_run *run, const ald_row_summary *s, int64_t rows, ald_record *record);
/* and back: more rows can be added to it. `s` is one that has seen nothing yet. */
ald_status ald_summary_take(ald_run *run, const char *path, ald_record *record, ald_row_summary *s,
                            int64_t *rows);
/* Agrees on `status`, that of this rank's summary. Then `s` and `rows` are those of the whole file on all
 * ranks, as if one had read it all. */
ald_status ald_summary_unite(ald_run *run, ald_status status, const char *path, ald_row_summary *s,
                             int64_t *rows);

#endif
