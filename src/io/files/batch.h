/* Outputs of several calls that are held back, to appear together (ald_outputs_hold in <alidade/context.h>).
 */
#ifndef ALD_FILES_BATCH_H
#define ALD_FILES_BATCH_H

#include "io/files/pending.h"

typedef struct ald_batch ald_batch;

/* Takes over a finished temporary file; the texts are copied, the lock is the batch's from here on. Another
 * that was meant for the same place is dropped. */
ald_status ald_batch_add(ald_run *run, const ald_waiting *file);

#endif
