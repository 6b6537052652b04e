/* Whether the arrays and names of ald_inputs fit together: shapes and names, not the values of X. */
#ifndef ALD_PREPARE_INPUTS_H
#define ALD_PREPARE_INPUTS_H

#include "base/core/run.h"

#include <alidade/model.h>

ald_status ald_check_inputs(ald_run *run, const ald_inputs *inputs);

#endif
