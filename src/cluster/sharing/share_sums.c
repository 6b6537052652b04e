#include "cluster/sharing/share_sums.h"

#include "base/ranks/communicator.h"
#include "base/ranks/exchange.h"

static ald_status settle(ald_run *run, void *bytes, int64_t size)
{
    return ald_all_hear(run, 0, bytes, size);
}

static ald_status gather(ald_run *run, const double *part, int64_t count, double **all, int64_t *first)
{
    ald_gathered gathered;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, part, count * (int64_t)sizeof *part, &gathered));
    *all = (void *)gathered.bytes;
    *first = gathered.begin[ald_rank(run)] / (int64_t)sizeof *part;
    return ALD_OK;
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

ald_status ald_share_sums(ald_run *run, int64_t rows, double weight, ald_all_rows *all)
{
    *all = (ald_all_rows){
        .rows = rows,
        .weight = weight,
        .agree = ald_all_agree,
        .sum = ald_all_sum,
        .largest = ald_all_largest,
        .settle = settle,
        .gather = gather,
        .collect = collect,
    };
    ALD_TRY(ald_all_count(run, &all->rows, 1));
    return ald_all_sum(run, &all->weight, 1);
}

ald_status ald_share_portion(ald_run *run, ald_status status, const ald_matrix *x, ald_all_rows *all,
                             int *elsewhere)
{
    ALD_TRY(ald_all_agree(run, status));
    *elsewhere = ald_rank(run) > 0;
    return ald_share_sums(run, x->rows, (double)x->rows, all);
}

ald_status ald_share_end(ald_run *run, ald_status status)
{
    return ald_all_end(run, status);
}
