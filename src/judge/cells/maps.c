/* Scores of the rows of a split, kept for settings that differ in the predictor only. */
#include "judge/cells/maps.h"

#include "base/numbers/hash.h"
#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"

#include <string.h>

static int is_predictors(const ald_param *param)
{
    for (ald_param_table entry = ald_predictor_params; *entry; entry++)
        if (strcmp((*entry)->name, param->name) == 0) return 1;
    return 0;
}

uint64_t ald_map_key(const ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    uint64_t key = ald_hash(ALD_HASH_START, &method, sizeof method);
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        if (is_predictors(param) || (param->traits & ALD_PARAM_IS_COMPONENTS)) continue;
        const int given = ald_settings_given(settings, param->name);
        key = ald_hash(ald_hash_text(key, ald_settings_text(settings, param->name)), &given, sizeof given);
    }
    return key;
}

void ald_maps_begin(ald_run *run, const ald_sums_fit *fits, int64_t count, ald_maps *maps)
{
    *maps = (ald_maps){.fits = fits, .count = count};
    ald_run_fork(run, &maps->run);
}

void ald_maps_end(ald_maps *maps)
{
    if (maps->run.context) ald_arena_free(&maps->run.scratch);
    maps->run.context = NULL;
    maps->kept = NULL;
}

static const double *rows_of(const ald_judging *j)
{
    return j->train ? j->train->x.values : NULL;
}

int ald_maps_find(const ald_maps *maps, const ald_judging *j, int64_t dims, ald_projection *p)
{
    if (!maps || !maps->kept) return 0;
    const uint64_t map = ald_map_key(j->plan->settings);
    for (const ald_kept_scores *kept = maps->kept; kept; kept = kept->next)
        if (kept->map == map && kept->dims == dims && kept->from == rows_of(j)) {
            *p = kept->projection;
            return 1;
        }
    return 0;
}

static int others_ask(const ald_maps *maps, uint64_t map)
{
    int64_t same = 0;
    for (int64_t i = 0; i < maps->count && same < 2; i++) same += maps->fits[i].map == map;
    return same > 1;
}

static ald_status copy_scores(ald_maps *maps, int64_t n, int64_t m, ald_kept_scores *kept)
{
    ald_projection *p = &kept->projection;
    const ald_projection from = *p;
    if (from.status < 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(&maps->run, {&p->train, n, p->r}, {&p->test, m, p->r}));
    memcpy(p->train, from.train, (size_t)(n * p->r) * sizeof *p->train);
    memcpy(p->test, from.test, (size_t)(m * p->r) * sizeof *p->test);
    return ALD_OK;
}

ald_status ald_maps_keep(ald_run *run, ald_maps *maps, const ald_judging *j, int64_t dims,
                         const ald_projection *p)
{
    ald_kept_scores *kept;
    if (!maps || p->summed.z || !j->train || p->status == ALD_ERROR_MEMORY) return ALD_OK;
    const uint64_t map = ald_map_key(j->plan->settings);
    const int64_t n = j->train->x.rows, m = j->test->x.rows;
    const double bytes = sizeof *kept + 8.0 * (double)(n + m) * (double)p->r;
    if (bytes > ALD_MAP_BYTES || !others_ask(maps, map)) return ALD_OK;
    if (maps->bytes + bytes > ALD_MAP_BYTES) {
        ald_arena_free(&maps->run.scratch);
        maps->kept = NULL;
        maps->bytes = 0.0;
    }
    maps->run.error = run->error;
    ALD_TRY(ald_scratch(&maps->run, 1, 1, sizeof *kept, &kept));
    *kept = (ald_kept_scores){map, dims, rows_of(j), *p, maps->kept};
    ALD_TRY(copy_scores(maps, n, m, kept));
    maps->kept = kept;
    maps->bytes += bytes;
    return ALD_OK;
}
