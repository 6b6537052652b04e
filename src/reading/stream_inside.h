/* A stream from inside, for stream.c and stream_files.c. */
#ifndef ALD_READING_STREAM_INSIDE_H
#define ALD_READING_STREAM_INSIDE_H

#include "reading/file_list.h"
#include "reading/npy.h"
#include "reading/stream.h"

struct ald_stream {
    ald_arena memory; /* of what lives as long as the stream */
    const ald_reader *reader;
    const char *path;           /* of the file that is being read */
    const ald_file_list *files; /* a pattern's; NULL: one file */
    int64_t file, end_file;     /* of the list: which that is, and the first that is not read */
    int64_t skip;               /* lines before the table in each */
    ald_load_options options;   /* for the blocks after the first: the header is known then */
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
    size_t row_bytes; /* npy */
    int64_t row, rows_left;
};

#endif
