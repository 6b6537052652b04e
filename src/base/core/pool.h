/* An allocator that keeps what is freed and hands it out again: for work that asks for the same sizes over
 * and over, such as the blocks of a file. Fresh memory costs more than what is done with it there, as the
 * system clears it page by page. Not shared between threads. */
#ifndef ALD_CORE_POOL_H
#define ALD_CORE_POOL_H

#include <alidade/context.h>

typedef struct ald_pool_block ald_pool_block;

typedef struct ald_pool {
    ald_allocator allocator; /* to be used while the pool lives */
    const ald_allocator *source;
    ald_pool_block *free[64]; /* by the power of two that their size is at least */
} ald_pool;

/* The pool must not move: its allocator points at it. */
void ald_pool_init(ald_pool *pool, const ald_allocator *source);
/* Gives back what was freed to the pool; nothing else may be in use any more. */
void ald_pool_free(ald_pool *pool);

#endif
