/* Output files that are there whole or not at all: written to a temporary file in the same folder
 * (temporary.h), synced, renamed; then the folder is synced. What is not a regular file ("-", a pipe, a
 * device) is written directly. A symbolic link is followed: the file that it points at is replaced, the link
 * stays. A file that was there keeps its permissions.
 *
 * Whoever opens an output abandons it in the end, whatever happened; that does nothing after a commit.
 *
 *     ald_output *output = NULL;
 *     const ald_status status = write_all_of_it(run, path, &output);   // opens, writes, commits
 *     ald_output_abandon(output);
 *     return status;
 */
#ifndef ALD_FILES_OUTPUT_H
#define ALD_FILES_OUTPUT_H

#include "base/core/run.h"

typedef struct ald_output ald_output;

/* `path` "-" is standard output; a name that ends with .gz is compressed if `gzip` is allowed. The output
 * lives in the scratch of the run; `output` receives NULL on failure. */
ald_status ald_output_open(ald_run *run, const char *path, int gzip, ald_output **output);
ald_status ald_output_write(ald_run *run, ald_output *output, const void *bytes, size_t size);
/* Syncs the file and renames it; where the context holds outputs back, that waits for ald_outputs_place. */
ald_status ald_output_commit(ald_run *run, ald_output *output);
/* The same for outputs that belong together: all are written before the first is placed, and there is never a
 * mixture of old and new ones (placing.c). */
ald_status ald_outputs_commit(ald_run *run, ald_output *const *outputs, int count);
/* Removes the temporary file; after a commit, or with NULL, it does nothing. */
void ald_output_abandon(ald_output *output);

/* An output of bytes in the scratch of the run, and these, when all are written. */
ald_status ald_output_memory(ald_run *run, ald_output **output);
ald_status ald_output_bytes(ald_run *run, ald_output *output, const char **bytes, int64_t *size);

/* A finished file that waits to be renamed. */
typedef struct ald_waiting {
    const char *temporary, *target; /* in one folder */
    int lock;                       /* descriptor that holds the temporary file; -1: none */
} ald_waiting;

typedef struct ald_batch ald_batch;

/* Renames files that belong together (placing.c). */
ald_status ald_files_place(ald_run *run, const ald_waiting *files, int count);
/* Gives a file with its lock to the batch of the context; the texts are copied. One that was meant for the
 * same place is dropped. */
ald_status ald_file_hold(ald_run *run, const ald_waiting *file);

#endif
