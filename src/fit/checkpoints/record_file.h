/* A file of records (core/record.h), the first of which has the key by which the file is recognised. It is
 * written whole or not at all, or grows at its end; it is read as hostile input. */
#ifndef ALD_CHECKPOINTS_RECORD_FILE_H
#define ALD_CHECKPOINTS_RECORD_FILE_H

#include "base/core/record.h"
#include "io/files/output.h"

typedef struct ald_record_file {
    const char *path;
    ald_output *out; /* written whole */
    int file;        /* read, or written at its end; -1: neither */
    int64_t place, size;
    ald_run alone; /* each part of the rows has files of its own, none of which are held back */
} ald_record_file;

/* Each of these three is followed by ald_record_file_end on every path; the file may not be moved. */
ald_status ald_record_file_create(ald_run *run, const char *path, uint64_t key, ald_record_file *f);
/* Keeps `kept` bytes of the file and continues behind them; 0: begins it anew. */
ald_status ald_record_file_extend(ald_run *run, const char *path, uint64_t key, int64_t kept,
                                  ald_record_file *f);
/* f->file is -1 where there is no such file. A file of another kind, or with another key (unless `key` is
 * 0), is an error. */
ald_status ald_record_file_open(ald_run *run, const char *path, uint64_t key, ald_record_file *f);
/* Closes the file; again, or where none was opened, it does nothing. What was written becomes valid if
 * `status` is no failure. Returns `status`, or the failure of that. */
ald_status ald_record_file_end(ald_run *run, ald_record_file *f, ald_status status);

/* A record with these bytes, or one that is sealed already. */
ald_status ald_record_file_put(ald_run *run, ald_record_file *f, const char *kind, const void *bytes,
                               int64_t size);
ald_status ald_record_file_put_sealed(ald_run *run, ald_record_file *f, const ald_record *record);
/* The next record, which has exactly `size` bytes. */
ald_status ald_record_file_take(ald_run *run, ald_record_file *f, const char *kind, void *bytes,
                                int64_t size);
/* The next record, whatever its size, in the arena of `record`. */
ald_status ald_record_file_next(ald_run *run, ald_record_file *f, ald_record *record);
/* Whether the record at the place is not whole: an interrupted writer leaves that behind a growing file. */
int ald_record_file_is_torn(const ald_record_file *f);
/* The failure of a reader that finds what cannot have been written. */
ald_status ald_record_file_damaged(ald_run *run, const ald_record_file *f);

#endif
