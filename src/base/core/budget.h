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
    atomic_int refused; /* a request was beyond the limit */
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
/* Whether the limit, and not the system, has refused memory. NULL: there is no limit. */
int ald_budget_refused(ald_budget *budget);

/* "1.05 MB" */
const char *ald_size_text(size_t bytes, char text[32]);
/* The error for anything small (`budget` may be NULL). */
ald_status ald_no_memory_for(ald_error *error, ald_budget *budget, const char *what);

/* Bytes of memory of the machine, or of the container where that has less. */
size_t ald_machine_memory(void);

#endif
