/* Output files that are there whole or not at all: written to a temporary name in the same folder, flushed,
 * renamed. What is not a regular file ("-", a pipe, a device) is written directly. A symbolic link is
 * followed: what it points at is replaced, the link stays. A file that was there keeps its permissions.
 *
 * Safe use: whoever opens an output abandons it on the way out, whatever happened; that does nothing after a
 * commit.
 *
 *     ald_output *output = NULL;
 *     const ald_status status = write_all_of_it(run, path, &output);   // opens, writes, commits, with
 * ALD_TRY ald_output_abandon(output); return status;
 *
 * An output that is neither committed nor abandoned before its run ends leaves its temporary file behind. One
 * that a killed process has left is removed by the next command that writes in the folder (files/locked.h).
 */
#ifndef ALD_FILES_OUTPUT_H
#define ALD_FILES_OUTPUT_H

#include "base/core/run.h"

typedef struct ald_output ald_output;

/* `path` "-" is standard output; a name that ends with .gz is compressed if `gzip` is allowed. The output
 * lives in the scratch of the run; `output` receives NULL on failure. */
ald_status ald_output_open(ald_run *run, const char *path, int gzip, ald_output **output);
ald_status ald_output_write(ald_run *run, ald_output *output, const void *bytes, size_t size);
/* Flushes and checks everything but does not rename yet, so that several outputs can be made together. */
ald_status ald_output_finish(ald_run *run, ald_output *output);
/* finish (if not done) and rename; or, where the context holds outputs back (files/batch.h), give it to them.
 */
ald_status ald_output_commit(ald_run *run, ald_output *output);
/* The same for outputs that belong together: all are renamed, or none (files/pending.h). */
ald_status ald_outputs_commit(ald_run *run, ald_output *const *outputs, int count);
/* Ranks: an output of bytes that are kept in memory until they are sent to rank 0, */
ald_status ald_output_keep(ald_run *run, ald_output **output);
/* and the sending: those of ranks 1, 2, ... go behind what rank 0 has written. */
ald_status ald_output_unite(ald_run *run, ald_output *output);
/* Removes the temporary file; after a commit, or with NULL, it does nothing. */
void ald_output_abandon(ald_output *output);

#endif
