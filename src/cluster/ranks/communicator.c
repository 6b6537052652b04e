/* Collective calls: each is a meeting, then messages cut to the largest count, then the same result on all
 * ranks. */
#include "cluster/ranks/communicator.h"

#include "cluster/ranks/meeting.h"

#include <string.h>

static int meet_alone(void *self, int failed, int (*stop)(void *user), void *user)
{
    (void)self;
    (void)stop;
    (void)user;
    return failed;
}

static int settle_alone(void *self, int code, double seconds, int *codes)
{
    (void)self;
    (void)seconds;
    codes[0] = code;
    return 1;
}

static void leave_alone(void *self)
{
    (void)self;
}

/* With one rank nothing else is ever called. */
static const ald_messages to_nobody = {.meet = meet_alone, .settle = settle_alone, .leave = leave_alone};

const ald_communicator ald_alone = {.size = 1, .neighbours = 1, .most = INT32_MAX, .messages = &to_nobody};

static const ald_communicator *ranks_of(const ald_run *run)
{
    return run->call.ranks ? run->call.ranks : &ald_alone;
}

int ald_rank(const ald_run *run)
{
    return ranks_of(run)->rank;
}

int ald_rank_count(const ald_run *run)
{
    return ranks_of(run)->size;
}

enum { summing = 1, counting, hearing, agreeing };

/* That all ranks have come for the same, which the first rule says: otherwise messages of one kind would be
 * taken for another. In builds with sanitizers only, as it takes messages of its own. */
static ald_status check_alike(ald_run *run, const ald_communicator *ranks, int what, int64_t count)
{
#ifdef ALD_SANITIZED
    const int64_t own = (7 * count + what) % 1000003, size = ranks->size;
    int64_t sums[] = {own, own * own};
    if (!ranks->messages->settle) return ALD_OK; /* a stand-in for MPI */
    for (int i = 0; i < 2; i++) ranks->messages->count(ranks->self, &sums[i], 1);
    if (sums[0] != size * own || sums[1] != size * own * own)
        return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                        "the ranks are out of step: they are making different calls");
#else
    (void)run;
    (void)ranks;
    (void)what;
    (void)count;
#endif
    return ALD_OK;
}

/* From then on messages pass without delay. */
static ald_status meet(ald_run *run, const ald_communicator *ranks, int what, int64_t count)
{
    ALD_TRY(ald_meet(run, ranks, ALD_OK));
    return check_alike(run, ranks, what, count);
}

/* What is sent next of `count` elements, `done` of which have been. */
static int piece(const ald_communicator *ranks, int64_t count, int64_t done)
{
    return (int)(count - done < ranks->most ? count - done : ranks->most);
}

ald_status ald_all_sum(ald_run *run, double *values, int64_t count)
{
    const ald_communicator *ranks = ranks_of(run);
    if (ranks->size == 1) return ALD_OK;
    ALD_TRY(meet(run, ranks, summing, count));
    for (int64_t done = 0; done < count; done += ranks->most)
        ranks->messages->sum(ranks->self, values + done, piece(ranks, count, done));
    return ALD_OK;
}

ald_status ald_all_count(ald_run *run, int64_t *values, int64_t count)
{
    const ald_communicator *ranks = ranks_of(run);
    if (ranks->size == 1) return ALD_OK;
    ALD_TRY(meet(run, ranks, counting, count));
    for (int64_t done = 0; done < count; done += ranks->most)
        ranks->messages->count(ranks->self, values + done, piece(ranks, count, done));
    return ALD_OK;
}

/* All ranks are here already. */
static void hear(const ald_communicator *ranks, int from, void *bytes, int64_t size)
{
    for (int64_t done = 0; done < size; done += ranks->most)
        ranks->messages->hear(ranks->self, from, (char *)bytes + done, piece(ranks, size, done));
}

ald_status ald_all_hear(ald_run *run, int from, void *bytes, int64_t size)
{
    const ald_communicator *ranks = ranks_of(run);
    if (ranks->size == 1) return ALD_OK;
    ALD_TRY(meet(run, ranks, hearing, size));
    hear(ranks, from, bytes, size);
    return ALD_OK;
}

ald_status ald_send(ald_run *run, int to, const void *bytes, int64_t size)
{
    const ald_communicator *ranks = ranks_of(run);
    ALD_TRY(ald_meet_known(run, ranks));
    for (int64_t done = 0; done < size; done += ranks->most)
        ranks->messages->send(ranks->self, to, (const char *)bytes + done, piece(ranks, size, done));
    return ALD_OK;
}

ald_status ald_receive(ald_run *run, int from, void *bytes, int64_t size)
{
    const ald_communicator *ranks = ranks_of(run);
    ALD_TRY(ald_meet_known(run, ranks));
    for (int64_t done = 0; done < size; done += ranks->most)
        ranks->messages->receive(ranks->self, from, (char *)bytes + done, piece(ranks, size, done));
    return ALD_OK;
}

ald_status ald_all_agree(ald_run *run, ald_status status)
{
    if (ald_rank_count(run) == 1) return status;
    status = ald_meet(run, ranks_of(run), status);
    if (status >= 0) ALD_TRY(check_alike(run, ranks_of(run), agreeing, 0));
    return status;
}

ald_status ald_all_end(ald_run *run, ald_status status)
{
    const ald_communicator *ranks = ranks_of(run);
    status = ald_all_agree(run, status);
    if (ranks->ending && !ranks->ending->lost) *ranks->ending = (struct ald_ending){0};
    return status;
}

static ald_status room(ald_run *run, ald_arena *arena, ald_gathered *all, int64_t size)
{
    const int count = ald_rank_count(run);
    ALD_TRY(ald_get_clear(run, arena, count + 1, 1, sizeof *all->begin, &all->begin));
    all->begin[ald_rank(run) + 1] = size;
    return ALD_OK;
}

static ald_status room_for_bytes(ald_run *run, ald_arena *arena, ald_gathered *all)
{
    const int count = ald_rank_count(run);
    for (int r = 0; r < count; r++) all->begin[r + 1] += all->begin[r];
    return ald_get(run, arena, all->begin[count] + 1, 1, 1, &all->bytes);
}

ald_status ald_all_gather(ald_run *run, ald_status status, ald_arena *arena, const void *bytes, int64_t size,
                          ald_gathered *all)
{
    const int count = ald_rank_count(run), rank = ald_rank(run);
    *all = (ald_gathered){0};
    if (status >= 0) status = room(run, arena, all, size);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_count(run, all->begin, count + 1));
    ALD_TRY(ald_all_agree(run, room_for_bytes(run, arena, all)));
    if (size) memcpy(all->bytes + all->begin[rank], bytes, (size_t)size);
    for (int r = 0; r < count && count > 1; r++)
        hear(ranks_of(run), r, all->bytes + all->begin[r], all->begin[r + 1] - all->begin[r]);
    return ALD_OK;
}

ald_status ald_all_largest(ald_run *run, double *values, int64_t count)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_gathered all;
    if (ald_rank_count(run) == 1) return ALD_OK;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, values, count * (int64_t)sizeof *values, &all));
    for (int r = 0; r < ald_rank_count(run); r++)
        for (int64_t i = 0; i < count; i++) {
            double theirs;
            memcpy(&theirs, all.bytes + all.begin[r] + i * (int64_t)sizeof theirs, sizeof theirs);
            if (theirs > values[i]) values[i] = theirs;
        }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_all_unite(ald_run *run, const ald_tree *tree)
{
    const int rank = ald_rank(run), size = ald_rank_count(run);
    for (int step = 1; step < size; step *= 2) {
        if (rank % (2 * step) == step) return tree->give(run, rank - step, tree->work);
        if (rank + step < size) ALD_TRY(tree->take(run, rank + step, tree->work));
    }
    return ALD_OK;
}
