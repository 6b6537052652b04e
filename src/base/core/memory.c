/* Arenas: blocks in a list, each with its size before it; released as a whole or back to a mark. */
#include "base/core/memory.h"

#include <string.h>

/* A header before each block; its size keeps the block aligned for any type. */
struct ald_block {
    ald_block *older;
    ald_block *newer;
    uint64_t serial; /* rises from older to newer */
    _Alignas(max_align_t) unsigned char data[];
};

static ald_block *block_of(void *data)
{
    return (ald_block *)(void *)((unsigned char *)data - offsetof(ald_block, data));
}

int ald_size_product(int64_t a, int64_t b, size_t size, size_t *bytes)
{
    if (a < 0 || b < 0) return 0;
    size_t product;
    if (__builtin_mul_overflow((size_t)a, (size_t)b, &product)) return 0;
    if (__builtin_mul_overflow(product, size, &product)) return 0;
    if (product > PTRDIFF_MAX - sizeof(ald_block)) return 0;
    *bytes = product;
    return 1;
}

void ald_arena_init(ald_arena *arena, const ald_allocator *allocator)
{
    arena->allocator = allocator;
    arena->newest = NULL;
    arena->made = 0;
}

static void link_block(ald_arena *arena, ald_block *block)
{
    block->older = arena->newest;
    block->newer = NULL;
    block->serial = ++arena->made;
    if (arena->newest) arena->newest->newer = block;
    arena->newest = block;
}

static void unlink_block(ald_arena *arena, ald_block *block)
{
    if (block->newer)
        block->newer->older = block->older;
    else
        arena->newest = block->older;
    if (block->older) block->older->newer = block->newer;
}

void *ald_arena_get(ald_arena *arena, int64_t a, int64_t b, size_t size)
{
    size_t bytes;
    if (!ald_size_product(a, b, size, &bytes)) return NULL;
    ald_block *block = arena->allocator->resize(arena->allocator->user, NULL, sizeof(ald_block) + bytes);
    if (!block) return NULL;
    link_block(arena, block);
    return block->data;
}

/* The neighbours in the list point at the block: their links are updated, so its place in the list does not
 * change. */
void *ald_arena_resize(ald_arena *arena, void *data, int64_t a, int64_t b, size_t size)
{
    if (!data) return ald_arena_get(arena, a, b, size);
    size_t bytes;
    if (!ald_size_product(a, b, size, &bytes)) return NULL;
    ald_block *block =
        arena->allocator->resize(arena->allocator->user, block_of(data), sizeof(ald_block) + bytes);
    if (!block) return NULL;
    if (block->older) block->older->newer = block;
    if (block->newer)
        block->newer->older = block;
    else
        arena->newest = block;
    return block->data;
}

void ald_arena_drop(ald_arena *arena, void *data)
{
    if (!data) return;
    ald_block *block = block_of(data);
    unlink_block(arena, block);
    arena->allocator->resize(arena->allocator->user, block, 0);
}

uint64_t ald_arena_mark(const ald_arena *arena)
{
    return arena->made;
}

void ald_arena_release(ald_arena *arena, uint64_t mark)
{
    while (arena->newest && arena->newest->serial > mark) ald_arena_drop(arena, arena->newest->data);
}

void ald_arena_free(ald_arena *arena)
{
    ald_arena_release(arena, 0);
}

char *ald_arena_text(ald_arena *arena, const char *text, size_t length)
{
    char *copy = ald_arena_get(arena, (int64_t)length + 1, 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
