/* Arrays that grow while a file is read, for readers that do not know (or do not believe) the size
 * beforehand. */
#ifndef ALD_TABLE_GROW_H
#define ALD_TABLE_GROW_H

#include "base/core/run.h"

/* Makes `*block` (`*capacity` elements of `size` bytes in `arena`; NULL and 0 at first) hold at least
 * `needed` elements. It grows by half, so that adding n elements one by one costs O(n). `block` is the
 * address of a pointer to the elements. */
ald_status ald_grow(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t needed,
                    size_t size);
/* Gives back what is not used: exactly `count` elements stay. */
ald_status ald_grow_trim(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t count,
                         size_t size);

#endif
