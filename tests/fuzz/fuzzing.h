/* What the fuzz targets share: the entry points, and contexts whose allocator refuses what no small file can
 * need, as a machine with little memory would. */
#ifndef ALD_TESTS_FUZZING_H
#define ALD_TESTS_FUZZING_H

#include "base/core/context.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
/* Optional: before the first input; and a mutation of the target's own, which gives the new size. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
/* The mutations of libFuzzer, or those of replay.c. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

static void *fuzzing_resize(void *user, void *block, size_t size)
{
    const size_t largest = (size_t)1 << 22;
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

/* One for the public functions, made once. */
static inline ald_context *fuzzing_public(void)
{
    static ald_context *context;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .allocator = {fuzzing_resize, NULL},
        .max_memory = (size_t)1 << 26,
    };
    ald_error error;
    if (!context && ald_context_new(&options, &context, &error) < 0) abort();
    return context;
}

/* A failure says why. */
static inline void fuzzing_expect_message(ald_status status, const ald_error *error)
{
    if (status < 0 && error->message[0] == '\0') abort();
}

#endif
