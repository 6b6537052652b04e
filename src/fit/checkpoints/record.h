/* A file of a checkpoint: a key, by which it is known again, numbers, and a sum over all of it. Whole or not
 * there, as all outputs. It is read as hostile input. */
#ifndef ALD_CHECKPOINTS_RECORD_H
#define ALD_CHECKPOINTS_RECORD_H

#include "io/files/output.h"
#include "io/reading/input.h"

typedef struct ald_record {
    const char *path;
    ald_output *out;
    ald_input *in;
    uint64_t sum;
    int64_t left; /* bytes that can still be read */
} ald_record;

/* By a run whose context has no ranks and holds no outputs back. Abandoned on every path. */
ald_status ald_record_create(ald_run *run, const char *path, uint64_t key, ald_record *record);
ald_status ald_record_put(ald_run *run, ald_record *record, const void *bytes, int64_t size);
/* The sum up to here, so that what stands before can be trusted without the rest. */
ald_status ald_record_seal(ald_run *run, ald_record *record);
ald_status ald_record_commit(ald_run *run, ald_record *record);
void ald_record_abandon(ald_record *record);

/* record->in is NULL where there is no such file. A file that is no record, or one with another key (unless
 * `key` is 0), is an error. Closed on every path. */
ald_status ald_record_open(ald_run *run, const char *path, uint64_t key, ald_record *record);
ald_status ald_record_take(ald_run *run, ald_record *record, void *bytes, int64_t size);
/* Fails unless so many elements can still be there. */
ald_status ald_record_expect(ald_run *run, const ald_record *record, int64_t count, size_t size);
/* A seal: fails if what was taken up to here is not what was put. */
ald_status ald_record_check(ald_run *run, ald_record *record);
void ald_record_close(ald_record *record);

/* FNV-1a by eight bytes at a time. */
uint64_t ald_record_sum(uint64_t sum, const void *bytes, int64_t size);

#endif
