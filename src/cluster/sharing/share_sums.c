/* The table of what divided rows can do, by the calls of the communicator.
 *
 * Moments of all ranks are put together along the tree of the communicator: each step is one merging, so that
 * rank 0 has them after as many steps as the number of ranks has binary digits, and always by the same
 * additions. Those of the other ranks stay, or become sums on the way. */
#include "cluster/sharing/share_sums.h"

#include "cluster/ranks/communicator.h"
#include "cluster/sharing/find_portion.h"
#include "io/modelfile/modelfile.h"
#include "methods/moments/moments.h"

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

/* --- the model of rank 0 for all ranks, whose own is freed --- */

static ald_status read_model(ald_run *run, const unsigned char *bytes, int64_t size, ald_model **model)
{
    ald_model *read;
    ALD_TRY(ald_model_new(run, &read));
    const ald_status status = ald_modelfile_parse(run, bytes, (size_t)size, read);
    ald_model_free(status >= 0 ? *model : read);
    if (status >= 0) *model = read;
    return status;
}

/* As bytes of a file, so that nothing of it can be forgotten. */
static ald_status hear_model(ald_run *run, unsigned char *bytes, int64_t size, ald_model **model)
{
    const int mine = ald_rank(run) == 0;
    ald_status status = ALD_OK;
    ALD_TRY(ald_all_hear(run, 0, &size, (int64_t)sizeof size));
    if (!mine) status = ald_scratch(run, size, 1, 1, &bytes);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_hear(run, 0, bytes, size));
    return ald_all_agree(run, mine ? ALD_OK : read_model(run, bytes, size, model));
}

static ald_status share_model(ald_run *run, ald_model **model)
{
    const ald_allocator *allocator = run->call.allocator;
    unsigned char *bytes = NULL;
    size_t size = 0;
    ald_status status = ALD_OK;
    if (ald_rank_count(run) == 1) return ALD_OK;
    if (ald_rank(run) == 0) status = ald_modelfile_bytes(run, *model, &bytes, &size);
    status = ald_all_agree(run, status);
    if (status >= 0) status = hear_model(run, bytes, (int64_t)size, model);
    if (bytes) allocator->resize(allocator->user, bytes, 0);
    return status;
}

/* --- the moments of the rows of all ranks, on rank 0; d 0: a rank has none --- */

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

static ald_status unite_moments(ald_run *run, ald_arena *arena, ald_moments *total)
{
    uniting u = {total, arena, ALD_OK};
    const ald_tree tree = {give, take, &u};
    ALD_TRY(ald_all_agree(run, ALD_OK)); /* all have sums */
    const ald_status united = ald_all_unite(run, &tree);
    return ald_all_agree(run, united < 0 ? united : u.status);
}

/* --- the table --- */

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
        .unite = unite_moments,
        .share = share_model,
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
