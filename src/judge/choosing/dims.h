/* Numbers of components as text: "3", "1:4", "10:50:10", with commas. */
#ifndef ALD_CHOOSING_DIMS_H
#define ALD_CHOOSING_DIMS_H

#include "base/core/run.h"

/* The list, rising, each number once, in `memory`. */
ald_status ald_dims_read(ald_run *run, ald_arena *memory, const char *text, int64_t **dims, int *count);

#endif
