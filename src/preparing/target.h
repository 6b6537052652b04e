/* The task and the encoded target. */
#ifndef ALD_PREPARING_TARGET_H
#define ALD_PREPARING_TARGET_H

#include "preparing/preparation.h"

/* fill in dataset->target, response_names and task_note. */
ald_status ald_prepare_target(ald_run *run, ald_preparation *p);

#endif
