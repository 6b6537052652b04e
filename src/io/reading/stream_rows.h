/* Blocks of an NPY file, whose rows have places. */
#ifndef ALD_READING_STREAM_ROWS_H
#define ALD_READING_STREAM_ROWS_H

#include "io/reading/stream_files.h"

/* The next block; no bytes where there is none. */
ald_status ald_stream_cut_rows(ald_run *run, ald_stream *stream, ald_cut *cut);

#endif
