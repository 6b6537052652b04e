/* Threads for the folders above linalg, which do not know the backend: ald_parallel, ald_parts, ald_part_begin. */
#ifndef ALD_LINALG_PARALLEL_H
#define ALD_LINALG_PARALLEL_H

#include "backend/threads.h"

#endif
