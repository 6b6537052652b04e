/* The moments of the rows of all ranks. */
#ifndef ALD_SHARING_UNITE_MOMENTS_H
#define ALD_SHARING_UNITE_MOMENTS_H

#include "methods/moments/moments.h"

/* On rank 0; `total` has those of this rank's rows (d 0: it has none). Those of the other ranks stay, or
 * become sums on the way. New arrays are in `arena`. The ranks agree on failures. */
ald_status ald_moments_unite(ald_run *run, ald_arena *arena, ald_moments *total);

#endif
