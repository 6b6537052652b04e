/* Memory: every block comes from the context's allocator and belongs to an arena, which frees it with all the
 * others. A run has one arena for scratch; a model and a dataset have one each for what they keep. So no
 * function frees what it allocated on its error paths, and ALD_TRY can simply return. */
#ifndef ALD_CORE_MEMORY_H
#define ALD_CORE_MEMORY_H

#include "base/core/error.h"

#include <alidade/context.h>

/* The size of a buffer that is filled again and again. Builds for fuzzing have small ones: their inputs are
 * small too, and would never reach the end of a large one. */
#ifdef ALD_FUZZING
#define ALD_BUFFER(size) 256
#else
#define ALD_BUFFER(size) (size)
#endif

typedef struct ald_block ald_block;

typedef struct ald_arena {
    const ald_allocator *allocator;
    ald_block *newest;
    uint64_t made; /* blocks made so far: the serial number of the newest */
} ald_arena;

void ald_arena_init(ald_arena *arena, const ald_allocator *allocator);
void ald_arena_free(ald_arena *arena);

/* a * b elements of `size` bytes, not cleared; 0 elements give a block that may not be read. NULL: no memory
 * or the product overflows. */
void *ald_arena_get(ald_arena *arena, int64_t a, int64_t b, size_t size);
/* Grows or shrinks a block of this arena (NULL: a new one), keeping its contents. The old block stays on
 * failure. */
void *ald_arena_resize(ald_arena *arena, void *block, int64_t a, int64_t b, size_t size);
/* Frees one block before its time; NULL is fine. */
void ald_arena_drop(ald_arena *arena, void *block);
/* The text with its end, copied. */
char *ald_arena_text(ald_arena *arena, const char *text, size_t length);

/* Everything got after the mark is freed by the release; a block got before stays, also if it was resized
 * since. */
uint64_t ald_arena_mark(const ald_arena *arena);
void ald_arena_release(ald_arena *arena, uint64_t mark);

/* a * b * size in `bytes`; 0 if it does not fit or a factor is negative. */
int ald_size_product(int64_t a, int64_t b, size_t size, size_t *bytes);

#endif
