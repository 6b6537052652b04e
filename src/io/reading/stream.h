/* A file in blocks of rows, each as a table: what is larger than memory is read so. csv, tsv, svmlight (plain
 * or gzip) and NPY in C order. A pattern (part-*.csv) stands for several files with the same columns.
 *
 * A block is cut from the bytes of the file at the end of a row, a text with the header of the csv in front,
 * so that it is a small file of its own, and given to the reader of the format: there is no second parser. */
#ifndef ALD_READING_STREAM_H
#define ALD_READING_STREAM_H

#include "io/reading/input.h"
#include "io/reading/reader.h"

typedef struct ald_stream ald_stream;

/* Formats that cannot be read in blocks are an error that says which can. Closed on every path. `portion` is
 * what is read of it; NULL: all. */
ald_status ald_stream_open(ald_run *run, const char *path, const ald_load_options *options,
                           const ald_portion *portion, ald_stream **stream);

/* Where the next block begins: of the same file with the same options it can be gone to again. */
typedef struct ald_stream_place {
    int64_t file;         /* of a list */
    int64_t place, lines; /* text: in bytes of the (unpacked) file, and the lines before */
    int64_t row;          /* npy */
} ald_stream_place;

/* A block as bytes, in `arena`. */
typedef struct ald_cut {
    ald_arena *arena;
    const char *path; /* of the file it is from */
    char *bytes;      /* NULL: the file has ended */
    size_t size;
    /* npy */
    int64_t rows, rows_before;
    double *cells;        /* room for them, of which `bytes` are the end */
    int64_t lines_before; /* what the lines of the block are counted from */
    ald_stream_place after;
} ald_cut;

ald_stream_place ald_stream_tell(const ald_stream *stream);
/* The same of block `number`, counted from the place that was gone to, of a stream whose blocks have places;
 * of others that of the next block. */
ald_stream_place ald_stream_tell_of(const ald_stream *stream, int64_t number);
/* Goes to a place behind at least one block of the portion, before the first block is cut. */
ald_status ald_stream_jump(ald_run *run, ald_stream *stream, const ald_stream_place *to);

/* The next block in two steps. Cuts come one after the other; blocks that are cut can be parsed at the same
 * time, but the first one before any other is cut. Lines in messages are those of the file. */
ald_status ald_stream_cut(ald_run *run, ald_stream *stream, ald_arena *arena, ald_cut *cut);
ald_status ald_stream_parse(ald_run *run, ald_stream *stream, ald_cut *cut, ald_table *table);
/* The same for a table whose arena and source are set, as for a reader (reading/reader.h). */
ald_status ald_stream_parse_into(ald_run *run, ald_stream *stream, ald_cut *cut, ald_table *table);
/* Whether every block can be cut by its number, on any thread: an NPY file that is not compressed. */
int ald_stream_has_places(const ald_stream *stream);
/* Block `number`, from 0 on; not to be mixed with ald_stream_cut. */
ald_status ald_stream_cut_at(ald_run *run, const ald_stream *stream, int64_t number, ald_arena *arena,
                             ald_cut *cut);
/* Blocks of one kind begin at other rows than those of another: with a card they are larger. */
uint64_t ald_stream_kind(const ald_run *run);
/* A warning for each of several files that has no bytes, unpacked. */
ald_status ald_stream_note_empty(ald_run *run, const ald_stream *stream);
/* From now on one block is the whole portion. */
void ald_stream_take_all(ald_stream *stream);
/* Both steps; *got is 0 at the end. */
ald_status ald_stream_next(ald_run *run, ald_stream *stream, ald_arena *arena, ald_table *table, int *got);
void ald_stream_close(ald_stream *stream);
/* stream_files.c: the rows of the portion of a table whose arena and source are set, as one table. */
ald_status ald_read_portion(ald_run *run, const char *path, const ald_load_options *options,
                            ald_table *table);
/* The file as it is now, to compare one reading with the next. */
ald_file_mark ald_stream_mark(const ald_stream *stream);

#endif
