#include "math/near/near_pairs.h"

#include "base/threads/threads.h"
#include "math/near/search_mutual.h"

#include <math.h>
#include <string.h>

double ald_pair_search_bound(const ald_pair_search *search, int64_t query, double square, double size,
                             double longest, double u, double terms)
{
    const ald_points *points = search->queries;
    const double away = u * (size + longest) + points->blur * points->unit;
    const double error = terms * u * longest * (longest + 2.0 * size) + 1e-37; /* products that underflow */
    const double r = sqrt(search->limit(search->self, query)) * points->unit + away;
    return (r * r + error) * (1.0 + 4.0 * u) - square * (1.0 - 4.0 * u);
}

int ald_pair_search_same(const ald_pair_search *search, int64_t query, int64_t reference)
{
    if (!search->skip_same) return 0;
    const int64_t *a = search->queries->which, *b = search->references->which;
    return (a ? a[query] : query) == (b ? b[reference] : reference);
}

/* Rounds, so that the caller hears of progress and can stop. */
static ald_status run_rounds(const ald_search_ops *ops, int64_t each, ald_search_round *round)
{
    const int64_t n = round->search->queries->n, references = round->search->references->n;
    for (round->begin = 0; round->begin < n; round->begin = round->end) {
        const int64_t left = n - round->begin;
        round->end = left < each * round->parts ? n : round->begin + each * round->parts;
        memset(round->status, 0, sizeof round->status);
        memset(round->measured, 0, sizeof round->measured);
        ald_parallel(round->parts, ops->part, round);
        double measured = 0.0;
        for (int part = 0; part < round->parts; part++) {
            ALD_TRY(round->status[part]);
            measured += (double)round->measured[part];
        }
        if (measured > 0.05 * (double)(round->end - round->begin) * (double)references) round->wide = 1;
        ALD_TRY(ald_progress(round->run, round->search->stage, (double)round->end / (double)n));
    }
    return ALD_OK;
}

ald_status ald_pair_search_run(ald_run *run, const ald_pair_search *search)
{
    if (ald_search_is_mutual(search)) return ald_search_mutual(run, search);
    const ald_search_ops *ops = search->queries->sparse ? &ald_search_sparse : &ald_search_dense;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = search->queries->n;
    enum { fewest = 16 };
    ald_search_round round = {.run = run, .search = search, .parts = ald_parts(run, n, fewest)};
    int64_t each = ops->queries_a_part(search);
    if (each > (n + round.parts - 1) / round.parts) each = (n + round.parts - 1) / round.parts;
    ald_status status = ald_progress(run, search->stage, 0.0);
    if (status >= 0) status = ops->prepare(run, search, each, round.parts, &round);
    if (status >= 0) status = run_rounds(ops, each, &round);
    ald_arena_release(&run->scratch, mark);
    return status;
}
