/* Names that come with arrays: all there, and those of features different from each other. */
#ifndef ALD_ARRAYS_INPUT_NAMES_H
#define ALD_ARRAYS_INPUT_NAMES_H

#include "base/core/run.h"

#include <alidade/model.h>

/* The shapes of X and target have been checked. */
ald_status ald_check_input_names(ald_run *run, const ald_inputs *inputs);

#endif
