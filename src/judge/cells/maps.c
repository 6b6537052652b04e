/* Scores of the rows of a split, kept for settings that differ in the predictor only. */
#include "judge/cells/maps.h"

#include "base/settings/limits.h"
#include "methods/predict/predictor.h"

#include <string.h>

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
    for (const ald_kept_scores *kept = maps ? maps->kept : NULL; kept; kept = kept->next)
        if (kept->dims == dims && kept->from == rows_of(j) && ald_same_map(kept->like, j->plan->settings)) {
            *p = kept->projection;
            return 1;
        }
    return 0;
}

static int others_ask(const ald_maps *maps, const ald_settings *settings)
{
    int64_t same = 0;
    for (int64_t i = 0; i < maps->count && same < 2; i++)
        same += ald_same_map(maps->fits[i].settings, settings);
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
    const ald_settings *settings = j->plan->settings;
    const int64_t n = j->train->x.rows, m = j->test->x.rows;
    const double bytes = sizeof *kept + 8.0 * (double)(n + m) * (double)p->r;
    if (bytes > ALD_MAP_BYTES || !others_ask(maps, settings)) return ALD_OK;
    if (maps->bytes + bytes > ALD_MAP_BYTES) {
        ald_arena_free(&maps->run.scratch);
        maps->kept = NULL;
        maps->bytes = 0.0;
    }
    maps->run.error = run->error;
    ALD_TRY(ald_scratch(&maps->run, 1, 1, sizeof *kept, &kept));
    *kept = (ald_kept_scores){settings, dims, rows_of(j), *p, maps->kept};
    ALD_TRY(copy_scores(maps, n, m, kept));
    maps->kept = kept;
    maps->bytes += bytes;
    return ALD_OK;
}
