/* Steps of a logbook (linalg/logbook.h) as a file, one behind the other:
 *
 *     settings, number of the first step
 *     for each: 1, number, name, input, size of the head, pieces, ranks
 *               for each piece its kind and the bytes of each rank; the head; a seal; the pieces; a seal
 *     0, a seal
 *
 * Rank 0 alone reads and writes; what is as long as the rows comes from the ranks, or goes to them, in the
 * order of the ranks and some of it at a time, so that nobody has all of it. Every call is one of all ranks.
 */
#ifndef ALD_CHECKPOINTS_STEP_FILE_H
#define ALD_CHECKPOINTS_STEP_FILE_H

#include "fit/checkpoints/alone.h"
#include "fit/checkpoints/record_file.h"
#include "math/operator/logbook.h"

/* What stands before a step. */
typedef struct ald_step_label {
    int64_t more; /* 0: there is none */
    int64_t number;
    uint64_t name, input;
    int64_t head_size, pieces, ranks;
} ald_step_label;

typedef struct ald_step_file {
    const char *path;
    int open;
    ald_alone_run alone; /* on rank 0, as is what follows */
    ald_record_file record;
    ald_status status; /* of writing; what comes after a failure is thrown away */
    ald_step_label label;
    int64_t *sizes; /* of the step that was found: pieces x (kind, then ranks) */
} ald_step_file;

uint64_t ald_step_name(const ald_step *step);

/* Written under another name, and there when it is committed, which agrees on how it went. */
void ald_step_file_create(ald_run *run, const char *path, uint64_t key, uint64_t settings, int64_t first,
                          ald_step_file *file);
ald_status ald_step_file_put(ald_run *run, ald_step_file *file, int64_t number, const ald_step *step);
ald_status ald_step_file_commit(ald_run *run, ald_step_file *file);

/* *first is -1 where there is no such file. It is one of those of `checkpoint`. After a failure of these it
 * is closed. */
ald_status ald_step_file_open(ald_run *run, const char *path, const char *checkpoint, uint64_t key,
                              uint64_t settings, ald_step_file *file, int64_t *first);
/* What stands before the next step, on all ranks. Then one of the two that follow. */
ald_status ald_step_file_next(ald_run *run, ald_step_file *file, ald_step_label *label);
/* The head; then the pieces, n_pieces of them. In between, how many bytes of each were of this rank, or of
 * rank 0 where there were other ranks or pieces are alike. */
ald_status ald_step_file_head(ald_run *run, ald_step_file *file, const ald_step *step);
ald_status ald_step_file_sizes(ald_run *run, ald_step_file *file, const ald_step *step, int64_t *sizes);
ald_status ald_step_file_take(ald_run *run, ald_step_file *file, const ald_step *step);
void ald_step_file_close(ald_run *run, ald_step_file *file);

#endif
