/* The task and the encoded target. */
#ifndef ALD_ENCODE_TARGET_H
#define ALD_ENCODE_TARGET_H

#include "data/encode/preparation.h"

/* fill in dataset->target, response_names and task_note. */
ald_status ald_prepare_target(ald_run *run, ald_preparation *p);

#endif
