/* Which part of its file, and which of several files, a stream reads. */
#ifndef ALD_READING_STREAM_FILES_H
#define ALD_READING_STREAM_FILES_H

#include "reading/stream.h"

/* Goes to the portion; called once, before the first block. */
ald_status ald_stream_seek(ald_run *run, ald_stream *s, const ald_portion *portion);
/* Goes to the rows of the next file of its list, which must have the same columns. */
ald_status ald_stream_next_file(ald_run *run, ald_stream *s);

/* stream.c, for these: messages with the name of the file; bytes until there are so many, or the file ends;
 * the first of them handed out; what stands before the rows. */
ald_status ald_stream_name_file(ald_run *run, const ald_stream *s, ald_status status);
ald_status ald_stream_fill(ald_run *run, ald_stream *s, size_t wanted);
void ald_stream_pass_over(ald_stream *s, size_t end, int64_t lines);
ald_status ald_stream_begin(ald_run *run, ald_stream *s);
int ald_stream_begins_comment(const ald_stream *s, char first);
/* Behind the line end that closes the record; those within quotes are counted in `lines` only. */
const char *ald_record_end(const char *at, const char *end, int quotes, int64_t *lines);

#endif
