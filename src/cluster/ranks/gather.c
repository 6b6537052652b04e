#include "base/core/error.h"
#include "cluster/ranks/communicator.h"

#include <alidade/ranks.h>
#include <string.h>

/* Room for all, on rank 0. */
static ald_status make_room(ald_run *run, const int64_t *counts, unsigned char **all, size_t *sizes)
{
    const ald_allocator *allocator = run->call.allocator;
    size_t total = 0;
    if (ald_rank(run) > 0) return ALD_OK;
    for (int r = 0; r < ald_rank_count(run); r++) total += sizes[r] = (size_t)counts[r];
    *all = allocator->resize(allocator->user, NULL, total + 1);
    return *all ? ALD_OK : ald_out_of_memory(run, (int64_t)total, 1, 1);
}

static ald_status gather(ald_run *run, ald_status status, const void *bytes, int64_t size,
                         unsigned char **all, size_t *sizes)
{
    const int ranks = ald_rank_count(run);
    ald_gathered counts;
    int64_t *each;
    int64_t at = size;
    ALD_TRY(ald_all_gather(run, status, &run->scratch, &size, (int64_t)sizeof size, &counts));
    status = ald_scratch(run, ranks, 1, sizeof *each, &each);
    if (status >= 0) memcpy(each, counts.bytes, (size_t)ranks * sizeof *each);
    if (status >= 0) status = make_room(run, each, all, sizes);
    ALD_TRY(ald_all_agree(run, status));
    if (ald_rank(run) > 0) return ald_send(run, 0, bytes, size);
    if (size) memcpy(*all, bytes, (size_t)size);
    for (int r = 1; r < ranks; at += each[r++]) ALD_TRY(ald_receive(run, r, *all + at, each[r]));
    return ALD_OK;
}

ald_status ald_ranks_gather(ald_context *context, ald_status status, const void *bytes, size_t size,
                            unsigned char **all, size_t *sizes, ald_error *error)
{
    ald_error before = {0};
    ald_run run;
    if (all) *all = NULL;
    if (error) before = *error;
    ALD_GIVEN(error, context, all, sizes);
    if (size > 0) ALD_GIVEN(error, bytes);
    ald_run_begin(&run, context, error);
    if (status < 0) *run.error = before;
    status = ald_all_end(&run, gather(&run, status, bytes, (int64_t)size, all, sizes));
    if (status < 0 && *all) {
        context->allocator.resize(context->allocator.user, *all, 0);
        *all = NULL;
    }
    return ald_run_end(&run, status);
}
