/* How much memory a context may use: an allocator that counts, over the caller's own. A request beyond the limit fails
 * like one that the system refuses, before the system is asked. */
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

/* The allocator that counts; `budget` outlives it. */
ald_allocator ald_budget_allocator(ald_budget *budget);
/* What there is left. */
size_t ald_budget_left(ald_budget *budget);

/* Bytes of memory of the machine, or of the container where that has less. */
size_t ald_machine_memory(void);

#endif
