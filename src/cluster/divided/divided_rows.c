#include "cluster/divided/divided_rows.h"

ald_status ald_divided_count(ald_run *run, ald_status status, ald_divided *rows)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run);
    if (status >= 0) status = ald_scratch(run, ranks + 1, 1, sizeof *rows->begin, &rows->begin);
    ALD_TRY(ald_all_agree(run, status));
    for (int r = 0; r <= ranks; r++) rows->begin[r] = r == rank + 1 ? rows->z.x.rows : 0;
    ALD_TRY(ald_all_count(run, rows->begin, ranks + 1));
    for (int r = 0; r < ranks; r++) rows->begin[r + 1] += rows->begin[r];
    rows->first = rows->begin[rank];
    rows->total = rows->begin[ranks];
    return ALD_OK;
}

int ald_divided_owner(const ald_run *run, const ald_divided *rows, int64_t row)
{
    int low = 0, high = ald_rank_count(run);
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (rows->begin[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}
