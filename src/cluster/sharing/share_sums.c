#include "cluster/sharing/share_sums.h"

#include "base/ranks/communicator.h"

static ald_status hear_first(ald_run *run, void *bytes, int64_t size)
{
    return ald_all_hear(run, 0, bytes, size);
}

static ald_status gather(ald_run *run, const double *own, int64_t count, double **all, int64_t *first)
{
    ald_gathered gathered;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, own, count * (int64_t)sizeof *own, &gathered));
    *all = (void *)gathered.bytes;
    *first = gathered.begin[ald_rank(run)] / (int64_t)sizeof *own;
    return ALD_OK;
}

ald_status ald_share_sums(ald_run *run, int64_t rows, double weight, ald_shared_rows *shared)
{
    *shared = (ald_shared_rows){
        .rows = rows,
        .weight = weight,
        .agree = ald_all_agree,
        .sum = ald_all_sum,
        .largest = ald_all_largest,
        .hear = hear_first,
        .gather = gather,
    };
    ALD_TRY(ald_all_count(run, &shared->rows, 1));
    return ald_all_sum(run, &shared->weight, 1);
}
