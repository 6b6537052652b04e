/* A stream from inside, and which part of its file, and which of several files, it reads: for stream.c and
 * stream_files.c. */
#ifndef ALD_READING_STREAM_FILES_H
#define ALD_READING_STREAM_FILES_H

#include "io/reading/input.h"
#include "io/reading/npy.h"
#include "io/reading/stream.h"

struct ald_stream {
    ald_arena memory; /* of what lives as long as the stream */
    const ald_reader *reader;
    const char *path;           /* of the file that is being read */
    const ald_file_list *files; /* a pattern's; NULL: one file */
    int64_t file, end_file;     /* of the list: which that is, and the first that is not read */
    int64_t skip;               /* lines before the table in each */
    ald_load_options options;   /* for the blocks after the first: the header is known then */
    ald_record_manner records;
    char delimiter[2]; /* of a text with delimiters, as an option */
    ald_input *input;
    char *bytes; /* what was read and not yet handed out */
    size_t size, capacity;
    int at_end;
    int64_t lines; /* lines handed out so far */
    char *header;  /* csv: the line of the names with its end, before each block but the first; NULL: none */
    size_t header_size;
    int64_t header_lines;
    int64_t place;                 /* text: of the first of `bytes` in the file */
    int64_t head_size, head_lines; /* of the first block: what stands before its rows */
    int started;
    size_t block;   /* bytes of a block, about */
    size_t portion; /* more than those of the portion */
    ald_npy_header npy;
    /* npy */
    size_t row_bytes;
    int64_t data; /* where row 0 of the file begins */
    int64_t row, rows_left;
};

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
/* Behind the record that begins here: past the end of its line that is in no quotes. */
const char *ald_record_end(const ald_stream *s, const char *at, const char *end, int64_t *lines);
/* Whether it is an empty line. */
int ald_record_is_blank(const ald_stream *s, const char *at, const char *end);

/* Blocks of an NPY file, whose rows have places. */

/* The next block; no bytes where there is none. */
ald_status ald_stream_cut_rows(ald_run *run, ald_stream *stream, ald_cut *cut);

#endif
