/* Bytes of a file, plain or gzip, or of standard input ("-"), with a progress report while they are read. */
#ifndef ALD_READING_INPUT_H
#define ALD_READING_INPUT_H

#include "base/core/run.h"

typedef struct ald_input ald_input;

/* Which file it is and in what state: to notice that another has taken its place, or that it was written to.
 */
typedef struct ald_file_mark {
    int64_t device, inode, size, seconds, nanoseconds;
} ald_file_mark;

/* Missing files, directories and unreadable files are errors here. Closed by ald_input_close on every path,
 * also after an error (the reader dispatch does it). Messages do not name the file: the dispatch puts the
 * name in front. */
ald_status ald_input_open(ald_run *run, const char *path, ald_input **input);
/* Whether the file at `path` can be read more than once: a pipe cannot, and opening it again waits for ever.
 */
ald_status ald_input_check_again(ald_run *run, const char *path);
/* From memory: for tests and the fuzzers. */
ald_status ald_input_memory(ald_run *run, const void *bytes, size_t size, ald_input **input);
/* Reads up to `size` bytes; 0 in `got` only at the end. A damaged gzip stream is an error. */
ald_status ald_input_read(ald_run *run, ald_input *input, void *bytes, size_t size, size_t *got);
/* From now on the bytes [begin, end) of the file and nothing else. A compressed file has no such places: an
 * error. */
ald_status ald_input_range(ald_run *run, ald_input *input, int64_t begin, int64_t end);
/* Passes over so many bytes (unpacked, where the file is compressed). */
ald_status ald_input_skip(ald_run *run, ald_input *input, int64_t bytes);
/* Whether bytes can be read from any place: not from a compressed file, memory or a pipe. */
int ald_input_has_places(const ald_input *input);
/* Bytes from a place on, also by several threads at once; `got` is less than `size` at the end only. What
 * ald_input_read reads next stays the same. */
ald_status ald_input_read_at(ald_run *run, const ald_input *input, int64_t place, void *bytes, size_t size,
                             size_t *got);
/* Bytes before the next one that is read. */
int64_t ald_input_place(const ald_input *input);
void ald_input_close(ald_input *input);
/* The size of the file on disk, in bytes; 0 if unknown. */
int64_t ald_input_size(const ald_input *input);
/* As the file is now; zeros where there is none. */
ald_file_mark ald_input_mark(const ald_input *input);
int ald_file_mark_equal(const ald_file_mark *a, const ald_file_mark *b);

/* Lines (not to be mixed with ald_input_read), for the formats made of them: `line` (without its end, LF or
 * CRLF; terminated by '\0') is valid until the next call; NULL at the end. `number` counts from 1. A NUL byte
 * inside is an error. A UTF-8 byte order mark at the start is skipped. */
ald_status ald_input_line(ald_run *run, ald_input *input, char **line, size_t *length);
int64_t ald_input_line_number(const ald_input *input);
/* The most bytes of a line; 0: ALD_LONGEST_LINE. And the error for line `line`, of which so many bytes have
 * been read, if that is more. */
void ald_input_set_longest(ald_input *input, int64_t longest);
ald_status ald_check_line(ald_run *run, int64_t longest, size_t size, int64_t line);

/* Several files that are read as one: those that a pattern such as part-*.csv stands for, in the order of
 * their names. */

typedef struct ald_file_list {
    int64_t count;
    char **paths;
    int64_t *sizes; /* bytes */
} ald_file_list;

/* What is read of a file, or of a list, where others read the rest (sharing/find_portion.h). */
typedef struct ald_portion {
    int64_t divided;    /* 0: the whole file */
    int64_t begin, end; /* bytes of the file, rows of an NPY file, or files of a list */
    int64_t lines;      /* before the first record */
} ald_portion;

/* In scratch; NULL where the path is no pattern (* or ?), or is the name of a file. A pattern that no file
 * fits is an error. */
ald_status ald_file_list_find(ald_run *run, const char *path, const ald_file_list **list);
/* The mark of all files together, as they are now. */
ald_file_mark ald_file_list_mark(const ald_file_list *list);

#endif
