/* A file of a checkpoint: a key, by which it is known again, numbers, and a sum over all of it. Whole or not
 * there, as all outputs. It is read as hostile input. */
#ifndef ALD_CHECKPOINTS_RECORD_FILE_H
#define ALD_CHECKPOINTS_RECORD_FILE_H

#include "io/files/output.h"
#include "io/reading/input.h"

typedef struct ald_record_file {
    const char *path;
    ald_output *out;
    ald_input *in;
    uint64_t sum;
    int64_t left; /* bytes that can still be read */
} ald_record_file;

/* By a run whose context has no ranks and holds no outputs back. Abandoned on every path. */
ald_status ald_record_file_create(ald_run *run, const char *path, uint64_t key, ald_record_file *record);
ald_status ald_record_file_put(ald_run *run, ald_record_file *record, const void *bytes, int64_t size);
/* The sum up to here, so that what stands before can be trusted without the rest. */
ald_status ald_record_file_seal(ald_run *run, ald_record_file *record);
ald_status ald_record_file_commit(ald_run *run, ald_record_file *record);
void ald_record_file_abandon(ald_record_file *record);

/* record->in is NULL where there is no such file. A file that is no record, or one with another key (unless
 * `key` is 0), is an error. Closed on every path. */
ald_status ald_record_file_open(ald_run *run, const char *path, uint64_t key, ald_record_file *record);
ald_status ald_record_file_take(ald_run *run, ald_record_file *record, void *bytes, int64_t size);
/* Fails unless so many elements can still be there. */
ald_status ald_record_file_expect(ald_run *run, const ald_record_file *record, int64_t count, size_t size);
/* A seal: fails if what was taken up to here is not what was put. */
ald_status ald_record_file_check(ald_run *run, ald_record_file *record);
void ald_record_file_close(ald_record_file *record);

/* FNV-1a by eight bytes at a time. */
uint64_t ald_record_file_sum(uint64_t sum, const void *bytes, int64_t size);

#endif
