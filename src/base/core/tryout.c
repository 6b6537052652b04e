/* What trial fits keep for each other, by its key. */
#include "base/core/tryout.h"

#include "base/numbers/hash.h"

#include <string.h>

void ald_tryout_begin(ald_tryout *tryout, const ald_allocator *allocator)
{
    memset(tryout, 0, sizeof *tryout);
    tryout->allocator = *allocator;
    for (int i = 0; i < ALD_SHELVES; i++) ald_arena_init(&tryout->shelves[i].memory, &tryout->allocator);
    ald_arena_init(&tryout->list, &tryout->allocator);
}

static void empty(ald_kept *kept)
{
    if (kept->memory.allocator) ald_arena_free(&kept->memory);
    kept->thing = NULL;
    kept->key = 0;
}

static void empty_commons(ald_tryout *tryout)
{
    for (ald_common *common = tryout->commons; common; common = common->next) empty(&common->kept);
    if (tryout->list.allocator) ald_arena_free(&tryout->list);
    tryout->commons = NULL;
    tryout->bytes = 0.0;
}

void ald_tryout_clear(ald_tryout *tryout)
{
    for (int i = 0; i < ALD_SHELVES; i++) empty(&tryout->shelves[i]);
    empty_commons(tryout);
}

void ald_tryout_tidy(ald_tryout *tryout)
{
    tryout->lent = 0.0;
    if (tryout->bytes > 0.75 * tryout->room) empty_commons(tryout);
}

ald_status ald_tryout_common(ald_run *run, uint64_t key, double bytes, ald_kept **kept)
{
    ald_tryout *tryout = run->call.tryout;
    ald_common *common;
    *kept = NULL;
    if (!tryout) return ALD_OK;
    for (common = tryout->commons; common; common = common->next)
        if (common->kept.key == key && common->kept.thing) {
            *kept = &common->kept;
            tryout->lent += common->kept.seconds;
            return ALD_OK;
        }
    if (tryout->bytes + bytes > tryout->room) return ALD_OK;
    common = ald_arena_get(&tryout->list, 1, 1, sizeof *common);
    if (!common) return ald_out_of_memory(run, 1, 1, sizeof *common);
    *common = (ald_common){.kept = {.key = key}, .next = tryout->commons};
    ald_arena_init(&common->kept.memory, &tryout->allocator);
    tryout->commons = common;
    tryout->bytes += bytes;
    *kept = &common->kept;
    return ALD_OK;
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

static double now(const ald_run *run)
{
    return run->call.tryout->clock ? run->call.tryout->clock() : 0.0;
}

void ald_tryout_open(const ald_run *run, ald_kept *kept, ald_run *keeper)
{
    ald_run_fork_here(run, keeper);
    keeper->scratch = kept->memory;
    kept->began = now(run);
}

ald_status ald_tryout_close(ald_run *run, ald_kept *kept, ald_run *keeper, ald_status status)
{
    kept->memory = keeper->scratch;
    kept->seconds = now(run) - kept->began;
    ald_arena_init(&keeper->scratch, run->call.allocator);
    if (status < 0) empty(kept);
    return ald_run_join(run, keeper, status);
}
