#include "sdpp/sdpp_kernel.h"

/* Features of rows, in scratch. */
static ald_status map_rows(ald_run *run, const ald_feature_map *map, const ald_operator *rows,
                           ald_operator *mapped)
{
    const int64_t count = rows->x.rows;
    double *f;
    ALD_TRY(ald_scratch_reals(run, count, map->p, &f));
    if (count > 0) ALD_TRY(ald_feature_map_apply(run, map, rows, f));
    *mapped = (ald_operator){.x = ald_matrix_row_major(f, count, map->p, map->p)};
    return ALD_OK;
}

static ald_status map_share(ald_run *run, ald_sdpp_state *here, ald_parcel *given)
{
    ald_sdpp_share *share = &here->share;
    const ald_operator partners = share->partners;
    ald_feature_map map;
    ALD_TRY(ald_feature_map_take(run, given, &map));
    ALD_TRY(map_rows(run, &map, share->own, &here->mapped));
    ALD_TRY(map_rows(run, &map, &partners, &share->partners));
    share->own = &here->mapped;
    return ALD_OK;
}

ald_status ald_sdpp_map(ald_run *run, ald_service *s, ald_parcel *given, void *own)
{
    ald_sdpp_state *here = s->self;
    ALD_TRY(ald_all_agree(run, map_share(run, here, given)));
    if (own) *(ald_operator *)own = here->mapped;
    return ALD_OK;
}
