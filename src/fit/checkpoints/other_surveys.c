#include "fit/checkpoints/other_surveys.h"

#include "base/ranks/communicator.h"

ald_told_rows ald_told_rows_of(const ald_leg *leg)
{
    return (ald_told_rows){.begin = leg->portion.divided ? leg->portion.begin : 0, .rest = 1};
}

/* Rank r, r + P, ... of those that there were: what each has told, and what is left of its portion. */
static ald_status take_own(ald_run *run, const ald_checkpoint *c, ald_other_surveys *to)
{
    const int64_t were = ald_checkpoint_ranks(c), most = were / ald_rank_count(run) + 1;
    ALD_TRY(ald_scratch(run, most, 1, sizeof *to->told, &to->told));
    ALD_TRY(ald_scratch(run, most, 1, sizeof *to->legs, &to->legs));
    for (int64_t r = ald_rank(run); r < were; r += ald_rank_count(run)) {
        ald_saved found;
        ALD_TRY(ald_checkpoint_state_of(run, c, r, &found));
        ald_leg *leg = &to->legs[to->n_legs++];
        *leg = (ald_leg){.portion = *ald_checkpoint_portion_of(c, r)};
        if (!found.told || found.n_legs < 1) continue;
        ald_told_rows *told = &to->told[to->n_told++];
        *told = ald_told_rows_of(leg);
        told->rest = 0;
        told->bytes = found.told;
        told->size = found.told_size;
        *leg = found.legs[0];
    }
    return ALD_OK;
}

ald_status ald_other_surveys_find(ald_run *run, const char *path, const ald_load_options *options,
                                  const ald_dataset *dataset, ald_other_surveys *found)
{
    const ald_checkpoint *c = dataset->checkpoint;
    *found = (ald_other_surveys){0};
    if (!c || ald_checkpoint_ranks(c) == 0 || ald_checkpoint_ranks(c) == ald_rank_count(run)) return ALD_OK;
    ALD_TRY(ald_all_agree(run, take_own(run, c, found)));
    int64_t all = found->n_told;
    ALD_TRY(ald_all_count(run, &all, 1));
    found->any = all > 0;
    if (!found->any) return ALD_OK;
    return ald_legs_share(run, path, options, dataset->surveyed.size, &found->legs, &found->n_legs);
}
