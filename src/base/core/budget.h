/* How much memory a context may use: an allocator that counts, over the caller's own. A request beyond the
 * limit fails like one that the system refuses, before the system is asked. */
#ifndef ALD_CORE_BUDGET_H
#define ALD_CORE_BUDGET_H

#include <alidade/context.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct ald_budget {
    ald_allocator inner;
    atomic_size_t used; /* bytes, with the headers of the blocks */
    size_t limit;
} ald_budget;

/* NULL: no memory. It frees itself with the last block of its allocator, so whatever was made with a context
 * may be freed in any order; the first block is to be the context. Until there is one, the caller frees it.
 */
ald_budget *ald_budget_new(const ald_allocator *inner, size_t limit);
/* The allocator that counts. */
ald_allocator ald_budget_allocator(ald_budget *budget);
/* What there is left. */
size_t ald_budget_left(ald_budget *budget);

/* Bytes of memory of the machine, or of the container where that has less. */
size_t ald_machine_memory(void);

#endif
