/* A block is searched as soon as it is here (graph/nearest.h), against all rows of the rank; of each row the
 * k best so far are kept. Which they are in the end does not depend on the order in which blocks come:
 * distances are of two rows alone, and equal ones go by the number. */
#include "cluster/divided/ring_nearest.h"

#include "cluster/divided/ring.h"
#include "math/graph/nearest.h"

typedef struct searching {
    ald_points own;
    ald_nearest nearest;
} searching;

static ald_status look(ald_run *run, void *work, int64_t first, const ald_operator *rows)
{
    searching *s = work;
    ald_points queries = s->own, references;
    if (queries.n == 0) return ALD_OK;
    ALD_TRY(ald_points_new(run, &(ald_rows){.z = rows}, &references));
    ALD_TRY(ald_points_join(run, &references, &queries));
    s->nearest.first = first;
    return ald_nearest_look(run, &queries, &references, 0, &s->nearest);
}

static ald_status begin(ald_run *run, const ald_divided *rows, int64_t k, searching *s)
{
    const int64_t n = rows->z.x.rows;
    if (k < 1 || k >= rows->total)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`n_neighbors` is %lld, but with %lld rows each has only %lld others: choose 1 to %lld",
            (long long)k, (long long)rows->total, (long long)rows->total - 1, (long long)rows->total - 1);
    ALD_TRY(ald_nearest_begin(run, n, k, &s->nearest));
    s->nearest.own = rows->first;
    return n > 0 ? ald_points_new(run, &(ald_rows){.z = &rows->z}, &s->own) : ALD_OK;
}

ald_status ald_ring_nearest(ald_run *run, const ald_divided *rows, int64_t k, int64_t **neighbours,
                            double **squares)
{
    searching s = {.own = {.n = 0}};
    ALD_TRY(ald_all_agree(run, begin(run, rows, k, &s)));
    ALD_TRY(ald_ring_pass(run, rows, look, &s));
    ald_nearest_end(rows->z.x.rows, &s.nearest);
    *neighbours = s.nearest.neighbours;
    *squares = s.nearest.squares;
    return ALD_OK;
}
