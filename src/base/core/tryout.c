/* What trial fits keep for each other, by its key. */
#include "base/core/tryout.h"

#include "base/numbers/hash.h"

#include <string.h>

void ald_tryout_begin(ald_tryout *tryout, const ald_allocator *allocator)
{
    memset(tryout, 0, sizeof *tryout);
    tryout->allocator = *allocator;
    for (int i = 0; i < ALD_SHELVES; i++) ald_arena_init(&tryout->shelves[i].memory, &tryout->allocator);
}

static void empty(ald_kept *kept)
{
    if (kept->memory.allocator) ald_arena_free(&kept->memory);
    kept->thing = NULL;
    kept->key = 0;
}

void ald_tryout_clear(ald_tryout *tryout)
{
    for (int i = 0; i < ALD_SHELVES; i++) empty(&tryout->shelves[i]);
}

uint64_t ald_tryout_key(const ald_run *run, const void *bytes, size_t size)
{
    const unsigned apart = ALD_PARAM_IS_COMPONENTS | ALD_PARAM_IS_RIDGE | ALD_PARAM_IS_RIDGE_REL;
    const ald_method *method = ald_settings_method(run->settings);
    const ald_param *param;
    uint64_t key = ald_hash(ALD_HASH_START, &method, sizeof method);
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        if (param->traits & apart) continue;
        const char *text = ald_settings_text(run->settings, param->name);
        const int given = ald_settings_given(run->settings, param->name);
        key = ald_hash(ald_hash_text(key, text), &given, sizeof given);
    }
    if (run->call.tryout) key = ald_hash(key, &run->call.tryout->rows, sizeof run->call.tryout->rows);
    return ald_hash(key, bytes, size);
}

ald_kept *ald_tryout_place(const ald_run *run, ald_shelf shelf, uint64_t key)
{
    ald_tryout *tryout = run->call.tryout;
    if (!tryout) return NULL;
    ald_kept *kept = &tryout->shelves[shelf];
    if (kept->key != key) empty(kept);
    kept->key = key;
    return kept;
}

void ald_tryout_open(const ald_run *run, const ald_kept *kept, ald_run *keeper)
{
    ald_run_fork(run, keeper);
    keeper->scratch = kept->memory;
}

ald_status ald_tryout_close(ald_run *run, ald_kept *kept, ald_run *keeper, ald_status status)
{
    kept->memory = keeper->scratch;
    ald_arena_init(&keeper->scratch, run->call.allocator);
    if (status < 0) empty(kept);
    return ald_run_join(run, keeper, status);
}
