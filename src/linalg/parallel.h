/* Parts of work on threads, for the folders above linalg. See backend/threads.h for their meaning. */
#ifndef ALD_LINALG_PARALLEL_H
#define ALD_LINALG_PARALLEL_H

#include "backend/threads.h"

#endif
