#include "support/ledger.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long countdown, live;
static atomic_int failed;

void ledger_begin(long allocations)
{
    countdown = allocations;
    live = 0;
    failed = 0;
}

void ledger_fail_after(long allocations)
{
    countdown = allocations;
}

int ledger_failed(void)
{
    return failed;
}

long ledger_live(void)
{
    return live;
}

static int fails_now(void)
{
    if (atomic_fetch_sub(&countdown, 1) != 0) return 0;
    failed = 1;
    return 1;
}

static void *counted_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        if (block) live--;
        free(block);
        return NULL;
    }
    const int shrinks = block && malloc_usable_size(block) >= size; /* nothing is lost when that fails */
    if (!shrinks && fails_now()) return NULL;
    void *made = realloc(block, size);
    if (made && !block) live++;
    return made;
}

ald_allocator ledger_allocator(void)
{
    return (ald_allocator){counted_resize, NULL};
}
