#include "cluster/divided/ring_within.h"

#include "base/numbers/ordering.h"
#include "cluster/divided/ring.h"
#include "math/graph/build.h"
#include "math/near/near_pairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct searching {
    ald_points own;
    double radius;
    int64_t first, number; /* of the references, and of the first row of this rank */
    int64_t *next;         /* rows: neighbours so far, then where the next one goes */
    int64_t *neighbours;   /* NULL: they are counted */
} searching;

static double limit(const void *self, int64_t query)
{
    (void)query;
    const double radius = ((const searching *)self)->radius;
    return radius * radius * (1.0 + 8.0 * DBL_EPSILON);
}

static void take(void *self, int64_t query, int64_t reference, double square)
{
    searching *s = self;
    const int64_t number = s->first + reference;
    if (number == s->number + query || !(sqrt(square) < s->radius)) return;
    if (s->neighbours) s->neighbours[s->next[query]] = number;
    s->next[query]++;
}

static ald_status look(ald_run *run, void *work, int64_t first, const ald_operator *rows)
{
    searching *s = work;
    ald_points queries = s->own, references;
    if (queries.n == 0) return ALD_OK;
    ALD_TRY(ald_points_new(run, &(ald_rows){.z = rows}, &references));
    ALD_TRY(ald_points_join(run, &references, &queries));
    s->first = first;
    const ald_pair_search search = {&queries, &references, 0, limit, take, s, "searching neighbours"};
    return ald_pair_search_run(run, &search);
}

static ald_status begin(ald_run *run, const ald_divided *rows, ald_ring_ball *ball, searching *s)
{
    const int64_t n = rows->z.x.rows;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *s->next, &s->next));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *ball->pointers, &ball->pointers));
    memset(s->next, 0, (size_t)n * sizeof *s->next);
    return n > 0 ? ald_points_new(run, &(ald_rows){.z = &rows->z}, &s->own) : ALD_OK;
}

ald_status ald_ring_within(ald_run *run, const ald_divided *rows, ald_ring_ball *ball)
{
    const int64_t n = rows->z.x.rows;
    searching s = {.radius = ball->radius, .number = rows->first};
    ALD_TRY(ald_all_agree(run, begin(run, rows, ball, &s)));
    ALD_TRY(ald_ring_pass(run, rows, look, &s));
    ball->isolated = ald_graph_place(n, s.next, ball->pointers);
    ALD_TRY(ald_all_agree(run, ald_scratch(run, ball->pointers[n], 1, sizeof *s.neighbours, &s.neighbours)));
    ALD_TRY(ald_ring_pass(run, rows, look, &s));
    for (int64_t i = 0; i < n; i++)
        ald_sort_whole(ball->pointers[i + 1] - ball->pointers[i], s.neighbours + ball->pointers[i]);
    ball->neighbours = s.neighbours;
    return ALD_OK;
}
