/* A run beside another that writes and reads for itself alone: ranks are not its business, nor are outputs
 * that are held back. */
#ifndef ALD_CHECKPOINTS_ALONE_H
#define ALD_CHECKPOINTS_ALONE_H

#include "base/core/run.h"

typedef struct ald_alone_run {
    ald_run run;
} ald_alone_run;

/* Joined as any fork; it may not be moved. */
ald_run *ald_alone_begin(const ald_run *run, ald_alone_run *alone);

#endif
