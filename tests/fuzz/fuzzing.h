/* What the fuzz targets share: the entry point and a context whose allocator refuses what no small file can
 * need, as a machine with little memory would. */
#ifndef ALD_TESTS_FUZZING_H
#define ALD_TESTS_FUZZING_H

#include "core/context.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void *fuzzing_resize(void *user, void *block, size_t size)
{
    const size_t largest = (size_t)1 << 28;
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size > largest ? NULL : realloc(block, size);
}

static inline ald_context fuzzing_context(void)
{
    return (ald_context){.allocator = {fuzzing_resize, NULL}, .threads = 1};
}

#endif
