#include "cluster/divided/first_graph.h"

#include "base/core/record.h"
#include "base/ranks/exchange.h"
#include "cluster/divided/fetch_rows.h"

/* All rows, which rank 0 wants; the others want none. */
static ald_status list_wanted(ald_run *run, const ald_divided *rows, int64_t **numbers, int64_t *count)
{
    *count = ald_rank(run) == 0 ? rows->total : 0;
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **numbers, numbers));
    for (int64_t i = 0; i < *count; i++) (*numbers)[i] = i;
    return ALD_OK;
}

/* For each rank: where the neighbours of its rows begin, then these. `begin`: ranks + 1, in bytes. */
static ald_status pack(ald_run *run, const ald_divided *rows, const ald_graph *graph, ald_record *parcel,
                       int64_t *begin)
{
    for (int r = 0; r < ald_rank_count(run); r++) {
        const int64_t *at = graph->pointers + rows->begin[r];
        const int64_t count = rows->begin[r + 1] - rows->begin[r];
        ALD_TRY(ald_record_put(run, parcel, at, count + 1, sizeof *at));
        ALD_TRY(ald_record_put(run, parcel, graph->neighbours + at[0], at[count] - at[0],
                               sizeof *graph->neighbours));
        ALD_TRY(ald_record_seal(run, parcel));
        begin[r + 1] = parcel->size;
    }
    return ALD_OK;
}

static ald_status unpack(ald_run *run, ald_record *parcel, ald_graph *own)
{
    ALD_TRY(ald_record_take_array(run, parcel, &own->pointers, own->n + 1, sizeof *own->pointers));
    const int64_t first = own->pointers[0];
    for (int64_t i = 0; i <= own->n; i++) own->pointers[i] -= first;
    return ald_record_take_array(run, parcel, &own->neighbours, own->pointers[own->n],
                                 sizeof *own->neighbours);
}

/* What rank 0 has for each, in the scratch of `run`; `begin` is 0 throughout elsewhere. */
static ald_status build(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                        ald_graph *own, ald_record *parcel, int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ald_operator all;
    ald_graph graph;
    int64_t *numbers = NULL;
    int64_t count = 0;
    const ald_status listed = list_wanted(run, rows, &numbers, &count);
    ALD_TRY(ald_fetch_rows(run, listed, rows, numbers, count, &all));
    ald_status status = ald_scratch(run, ranks + 1, 1, sizeof **begin, begin);
    for (int r = 0; status >= 0 && r <= ranks; r++) (*begin)[r] = 0;
    if (status < 0 || ald_rank(run) > 0) return status;
    ALD_TRY(ald_graph_build(run, &all, options, &graph));
    own->isolated = graph.isolated;
    own->how = graph.how;
    return pack(run, rows, &graph, parcel, *begin);
}

ald_status ald_first_graph(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                           ald_graph *own)
{
    int64_t *begin = NULL;
    ald_gathered got = {0};
    ald_run apart; /* all rows are in its scratch, until they are not needed any more */
    *own = (ald_graph){.n = rows->z.x.rows, .recall = 1.0};
    ald_run_fork_here(run, &apart);
    ald_record parcel = {.arena = &apart.scratch};
    ald_status status = build(&apart, rows, options, own, &parcel, &begin);
    status =
        ald_run_join(run, &apart, ald_all_exchange(&apart, status, &run->scratch, parcel.bytes, begin, &got));
    ALD_TRY(ald_all_agree(run, status));
    ald_record mine = {.arena = &run->scratch, .bytes = got.bytes, .size = got.begin[1]};
    return ald_all_agree(run, unpack(run, &mine, own));
}
