/* The moments of all ranks along the tree of the communicator: each step is one merging, so that rank 0 has
 * them after as many steps as the number of ranks has binary digits, and always by the same additions. */
#include "cluster/sharing/unite_moments.h"

#include "cluster/ranks/communicator.h"

typedef struct sizes {
    ald_moments_outline of;
    int64_t failed; /* the rank has no sums to give */
} sizes;

typedef ald_moments_slot slot;
enum { n_slots = ALD_MOMENTS_SLOTS };

typedef struct uniting {
    ald_moments *total;
    ald_arena *arena;
    ald_status
        status; /* of this rank: one that has failed still meets those that it gives to and takes from */
} uniting;

/* The arrays go where there is room for them. */
static ald_status give(ald_run *run, int to, void *work)
{
    const uniting *u = work;
    ald_moments *m = u->total;
    int64_t room = 0;
    slot slots[n_slots];
    const sizes s = {ald_moments_outline_of(m), u->status < 0};
    ald_moments_slots(m, slots);
    ALD_TRY(ald_send(run, to, &s, (int64_t)sizeof s));
    ALD_TRY(ald_receive(run, to, &room, (int64_t)sizeof room));
    for (int i = 0; i < n_slots && room; i++)
        if (*slots[i].array)
            ALD_TRY(ald_send(run, to, *slots[i].array, slots[i].count * (int64_t)sizeof(double)));
    return ALD_OK;
}

static ald_status make_room(ald_run *run, int64_t arrays, ald_moments *m)
{
    slot slots[n_slots];
    ald_moments_slots(m, slots);
    for (int i = 0; i < n_slots; i++)
        if (arrays >> i & 1) ALD_TRY(ald_scratch_reals(run, slots[i].count, 1, slots[i].array));
    return ALD_OK;
}

static ald_status receive_arrays(ald_run *run, int from, ald_moments *m)
{
    slot slots[n_slots];
    ald_moments_slots(m, slots);
    for (int i = 0; i < n_slots; i++)
        if (*slots[i].array)
            ALD_TRY(ald_receive(run, from, *slots[i].array, slots[i].count * (int64_t)sizeof(double)));
    return ALD_OK;
}

static ald_status take(ald_run *run, int from, void *work)
{
    uniting *u = work;
    sizes s;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_receive(run, from, &s, (int64_t)sizeof s));
    ald_moments change = ald_moments_of_outline(&s.of);
    if (u->status >= 0 && !s.failed) u->status = make_room(run, s.of.arrays, &change);
    const int64_t room = u->status >= 0 && !s.failed;
    ALD_TRY(ald_send(run, from, &room, (int64_t)sizeof room));
    if (room) ALD_TRY(receive_arrays(run, from, &change));
    if (room && change.mean) u->status = ald_moments_add(run, u->arena, &change, u->total);
    if (u->arena != &run->scratch) ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_moments_unite(ald_run *run, ald_arena *arena, ald_moments *total)
{
    uniting u = {total, arena, ALD_OK};
    const ald_tree tree = {give, take, &u};
    ALD_TRY(ald_all_agree(run, ALD_OK)); /* all have sums */
    const ald_status united = ald_all_unite(run, &tree);
    return ald_all_agree(run, united < 0 ? united : u.status);
}
