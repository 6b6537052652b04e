/* Freed blocks are kept by size and handed out again. */
#include "base/core/pool.h"

#include <stdint.h>
#include <string.h>

/* Sizes are rounded up to four steps between powers of two, so that a block a little larger than the last one
 * finds it.
 *
 * What grows is an array whose size nobody knew, and it will grow as far again next time. So it moves to any
 * free block that is large enough, which is the one it had last time; where there is none the block itself
 * grows, and no smaller ones are left behind. */
struct ald_pool_block {
    ald_pool_block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char data[];
};

static ald_pool_block *block_of(void *data)
{
    return (ald_pool_block *)(void *)((unsigned char *)data - offsetof(ald_pool_block, data));
}

static int log2_of(size_t size)
{
    return 63 - __builtin_clzll((unsigned long long)size);
}

static size_t rounded(size_t size)
{
    const size_t least = size < 64 ? 64 : size, step = (size_t)1 << (log2_of(least) - 2);
    return (least + step - 1) / step * step;
}

/* The first of its kind that is large enough, taken off the list. */
static ald_pool_block *find(ald_pool *pool, size_t size)
{
    for (ald_pool_block **at = &pool->free[log2_of(size)]; *at; at = &(*at)->next)
        if ((*at)->size >= size) {
            ald_pool_block *block = *at;
            *at = block->next;
            return block;
        }
    return NULL;
}

static void *take(ald_pool *pool, size_t wanted)
{
    if (wanted > PTRDIFF_MAX / 2) return NULL;
    const size_t size = rounded(wanted);
    ald_pool_block *block = find(pool, size);
    if (block) return block->data;
    block = pool->source->resize(pool->source->user, NULL, sizeof *block + size);
    if (!block) return NULL;
    block->size = size;
    return block->data;
}

static void put(ald_pool *pool, void *data)
{
    ald_pool_block *block = block_of(data), **list = &pool->free[log2_of(block->size)];
    block->next = *list;
    *list = block;
}

/* One that is free and large enough, of its own kind or of the next that has one. */
static ald_pool_block *find_larger(ald_pool *pool, size_t size)
{
    ald_pool_block *found = find(pool, size);
    for (int kind = log2_of(size) + 1; !found && kind < 64; kind++)
        if (pool->free[kind]) found = find(pool, (size_t)1 << kind);
    return found;
}

static void *grow(ald_pool *pool, void *data, size_t wanted)
{
    if (wanted > PTRDIFF_MAX / 2) return NULL;
    const size_t size = rounded(wanted), before = block_of(data)->size;
    ald_pool_block *block = find_larger(pool, size);
    if (block) {
        memcpy(block->data, data, before);
        put(pool, data);
        return block->data;
    }
    block = pool->source->resize(pool->source->user, block_of(data), sizeof *block + size);
    if (!block) return NULL;
    block->size = size;
    return block->data;
}

static void *resize(void *user, void *data, size_t size)
{
    ald_pool *pool = user;
    if (!data) return take(pool, size);
    if (size > 0) return size <= block_of(data)->size ? data : grow(pool, data, size);
    put(pool, data);
    return NULL;
}

void ald_pool_init(ald_pool *pool, const ald_allocator *source)
{
    memset(pool, 0, sizeof *pool);
    pool->source = source;
    pool->allocator = (ald_allocator){resize, pool};
}

void ald_pool_free(ald_pool *pool)
{
    for (int i = 0; i < 64; i++)
        while (pool->free[i]) {
            ald_pool_block *next = pool->free[i]->next;
            pool->source->resize(pool->source->user, pool->free[i], 0);
            pool->free[i] = next;
        }
}
