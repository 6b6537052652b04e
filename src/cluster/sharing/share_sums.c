/* The table of what divided rows can do, by the calls of the communicator. */
#include "cluster/sharing/share_sums.h"

#include "cluster/ranks/communicator.h"
#include "cluster/sharing/find_portion.h"
#include "cluster/sharing/share_model.h"
#include "cluster/sharing/unite_moments.h"

static ald_status settle(ald_run *run, void *bytes, int64_t size)
{
    return ald_all_hear(run, 0, bytes, size);
}

static ald_status gather(ald_run *run, ald_status status, const void *bytes, int64_t size, ald_gathered *all)
{
    return ald_all_gather(run, status, &run->scratch, bytes, size, all);
}

/* Everything goes to rank 0, which gets it in the order of the ranks. */
static ald_status collect(ald_run *run, const double *part, int64_t count, double **all)
{
    const int ranks = ald_rank_count(run);
    ald_gathered got;
    int64_t *begin;
    const ald_status status = ald_scratch(run, ranks + 1, 1, sizeof *begin, &begin);
    for (int k = 0; status >= 0 && k <= ranks; k++) begin[k] = k ? count * (int64_t)sizeof *part : 0;
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, part, begin, &got));
    *all = ald_rank(run) > 0 ? NULL : (void *)got.bytes;
    return ALD_OK;
}

ald_all_rows ald_share_table(const ald_run *run)
{
    return (ald_all_rows){
        .part = ald_rank(run),
        .parts = ald_rank_count(run),
        .agree = ald_all_agree,
        .sum = ald_all_sum,
        .count = ald_all_count,
        .largest = ald_all_largest,
        .settle = settle,
        .gather = gather,
        .collect = collect,
        .unite = ald_moments_unite,
        .share = ald_share_model,
        .divide = ald_portion_find,
        .end = ald_all_end,
    };
}

ald_status ald_share_begin(ald_run *run, ald_dataset *dataset)
{
    if (ald_rank_count(run) == 1) return ALD_OK;
    dataset->all = ald_arena_get(&dataset->memory, 1, 1, sizeof *dataset->all);
    if (!dataset->all) return ald_out_of_memory(run, 1, 1, sizeof *dataset->all);
    *dataset->all = ald_share_table(run);
    return ALD_OK;
}

ald_status ald_share_end(ald_run *run, ald_status status)
{
    return ald_all_end(run, status);
}

ald_status ald_share_check(ald_run *run, const ald_dataset *survey)
{
    const int several = ald_rank_count(run) > 1;
    if (!survey->all == !several) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "the survey was made %s several ranks, but the fit is not: use the same context for both",
                    survey->all ? "by" : "without");
}
