/* In step s = 1 .. size - 1 each rank gives to the rank s above it and takes from the one s below it, counted
 * in a circle. A message that is sent waits until it is taken. Those who give to a rank above them give
 * first, the others take first: in each circle of givers one at least takes, and then all the others follow.
 */
#include "cluster/ranks/communicator.h"

#include <string.h>

ald_status ald_pass_on(ald_run *run, int to, const void *bytes, int64_t size, int from, void *taken,
                       int64_t taken_size)
{
    const int first = to > ald_rank(run);
    ald_status sent = ALD_OK;
    if (first) sent = ald_send(run, to, bytes, size);
    const ald_status received = ald_receive(run, from, taken, taken_size);
    if (!first) sent = ald_send(run, to, bytes, size);
    return sent < 0 ? sent : received;
}

/* Where the messages of the others will stand, from the sizes of all (ranks x ranks). */
static ald_status make_room(ald_run *run, ald_arena *arena, const ald_gathered *sizes, ald_gathered *got)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run);
    ALD_TRY(ald_get(run, arena, ranks + 1, 1, sizeof *got->begin, &got->begin));
    got->begin[0] = 0;
    for (int r = 0; r < ranks; r++) {
        int64_t begin[2];
        memcpy(begin, sizes->bytes + sizes->begin[r] + (int64_t)sizeof *begin * rank, sizeof begin);
        got->begin[r + 1] = got->begin[r] + begin[1] - begin[0];
    }
    return ald_get(run, arena, got->begin[ranks] + 1, 1, 1, &got->bytes);
}

/* All messages pass, whatever happens; a cancellation is reported at the end. */
static ald_status pass_all(ald_run *run, const unsigned char *bytes, const int64_t *begin, ald_gathered *got)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run);
    ald_status status = ALD_OK;
    if (begin[rank + 1] > begin[rank])
        memcpy(got->bytes + got->begin[rank], bytes + begin[rank], (size_t)(begin[rank + 1] - begin[rank]));
    for (int s = 1; s < ranks; s++) {
        const int to = (rank + s) % ranks, from = (rank - s + ranks) % ranks;
        const ald_status passed =
            ald_pass_on(run, to, bytes + begin[to], begin[to + 1] - begin[to], from,
                        got->bytes + got->begin[from], got->begin[from + 1] - got->begin[from]);
        if (passed < 0) status = passed;
    }
    return ald_all_agree(run, status);
}

ald_status ald_all_exchange(ald_run *run, ald_status status, ald_arena *arena, const void *bytes,
                            const int64_t *begin, ald_gathered *got)
{
    const int ranks = ald_rank_count(run);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_gathered sizes;
    *got = (ald_gathered){0};
    ALD_TRY(ald_all_gather(run, status, &run->scratch, begin, (ranks + 1) * (int64_t)sizeof *begin, &sizes));
    ALD_TRY(ald_all_agree(run, make_room(run, arena, &sizes, got)));
    if (arena != &run->scratch) ald_arena_release(&run->scratch, mark);
    return pass_all(run, bytes, begin, got);
}
