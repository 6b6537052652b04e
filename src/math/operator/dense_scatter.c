/* Rows are divided among groups of threads, each with a sum of its own, as many as an eighth of X has room
 * for. Within a group the columns of the triangle are divided, so that every thread has the same area:
 * column j has j entries, and who has the last column has d k of Z'h besides. With A = d^2 + 2 d k the cuts
 * lie at sqrt(A t / team). A block of rows is prepared by the whole team, some rows each (threads/team.h):
 * prepared by every member for itself it took a quarter of the time of 16 threads. Where there are not enough
 * threads for all teams one thread does what its team would do, in the same order. How it is cut depends on
 * the number of threads and nothing else. */
#include "math/operator/dense.h"

#include "base/numbers/ordering.h"
#include "base/threads/team.h"
#include "math/backend/backend.h"
#include "math/linalg/few_columns.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { block_entries = 96 * 1024, widest = 1024, tile = 8 };

typedef struct scatter_work {
    ald_run *run;
    const ald_operator *z;
    const double *h; /* n x k */
    int64_t k;
    double *c, *b;   /* of the first group, and the results */
    double *sums;    /* groups - 1 of d x d, and behind each d x k */
    double *buffers; /* of `step` rows, `places` for each group */
    int64_t step, places;
    int groups, team;
    int live; /* of groups * team threads */
    ald_team *teams;
    atomic_int stopped;
    ald_status status[ALD_MOST_PARTS];
} scatter_work;

int ald_dense_scatters(const ald_run *run, const ald_operator *z)
{
    const double n = (double)z->x.rows, d = (double)z->x.cols;
    return run->call.threads > 1 && z->x.cols <= widest && n * d >= 1 << 16 && n * d * d >= 2e7 &&
           n > 4.0 * d;
}

/* Among the ways to divide the threads into groups of teams, the one that leaves out the fewest; among
 * equals, the one with the most groups. */
static void divide(const ald_run *run, scatter_work *w)
{
    const int64_t n = w->z->x.rows, d = w->z->x.cols;
    const int threads = ald_parts(run, n, ald_dense_thinnest_part);
    const int most = 1 + (int)ald_least(ALD_MOST_PARTS, n / (8 * (d + w->k)));
    w->groups = w->team = 1;
    for (int groups = 1; groups <= threads && groups <= most; groups++)
        if (groups * (threads / groups) >= w->groups * w->team) {
            w->groups = groups;
            w->team = threads / groups;
        }
}

/* The first column of a member of a team. */
static int64_t column_begin(const scatter_work *w, int member)
{
    const int64_t d = w->z->x.cols;
    const double area = (double)d * (double)(d + 2 * w->k);
    if (member == w->team) return d;
    return ald_least(d, (int64_t)sqrt(area * (double)member / (double)w->team)) / tile * tile;
}

static double *sum_of(const scatter_work *w, int group)
{
    const int64_t d = w->z->x.cols;
    return group ? w->sums + (group - 1) * d * (d + w->k) : w->c;
}

static double *product_of(const scatter_work *w, int group)
{
    const int64_t d = w->z->x.cols;
    return group ? sum_of(w, group) + d * d : w->b;
}

/* Adds what a block has to a member's columns of the triangle; the last member adds to Z'h. */
static ald_status add_block(const scatter_work *w, int group, int member, ald_view block, int64_t i0)
{
    const ald_backend *backend = ald_backend_of(w->run);
    const int64_t d = w->z->x.cols, m = block.rows, begin = column_begin(w, member),
                  own = column_begin(w, member + 1) - begin, stride = block.stride;
    double *c = sum_of(w, group);
    if (w->team == 1 && ald_few_serve(w->run) && ald_few_gram_serves(d))
        ald_few_gram(m, d, block.data, stride, c, d);
    else if (own > 0)
        ALD_TRY(
            backend->syrk(w->run, 1, own, m, 1.0, block.data + begin, stride, 1.0, c + begin * (d + 1), d));
    if (own > 0 && begin > 0)
        ALD_TRY(backend->gemm(w->run, 1, 0, begin, own, m, 1.0, block.data, stride, block.data + begin,
                              stride, 1.0, c + begin, d));
    if (w->k == 0 || member < w->team - 1) return ALD_OK;
    return backend->gemm(w->run, 1, 0, d, w->k, m, 1.0, block.data, stride, w->h + i0 * w->k, w->k, 1.0,
                         product_of(w, group), w->k);
}

/* The caller's thread asks whether to continue. */
static int goes_on(scatter_work *w, int part, double done)
{
    if (part == 0 && w->status[0] >= 0)
        w->status[0] = ald_progress(w->run, "forming the scatter matrix", done);
    if (w->status[part] < 0) atomic_store(&w->stopped, 1);
    return !atomic_load(&w->stopped);
}

/* The sums of a group are cleared by those who add to them. */
static void clear_sums(const scatter_work *w, int group, int member)
{
    const int64_t d = w->z->x.cols, begin = column_begin(w, member), end = column_begin(w, member + 1);
    for (int64_t i = 0; i < end; i++)
        memset(sum_of(w, group) + i * d + begin, 0, (size_t)(end - begin) * sizeof *w->c);
    if (member == w->team - 1 && w->k > 0) memset(product_of(w, group), 0, (size_t)(d * w->k) * sizeof *w->b);
}

/* The rows of a group. */
static void rows_of(const scatter_work *w, int group, int64_t rows[2])
{
    rows[0] = ald_part_begin(w->z->x.rows, w->groups, group);
    rows[1] = ald_part_begin(w->z->x.rows, w->groups, group + 1);
}

static double *buffer_of(const scatter_work *w, int group, int64_t block)
{
    return w->buffers + (group * w->places + block % w->places) * w->step * w->z->x.cols;
}

/* A group by one thread. */
static void scatter_group(void *work, int group)
{
    scatter_work *w = work;
    int64_t rows[2];
    rows_of(w, group, rows);
    for (int member = 0; member < w->team; member++) clear_sums(w, group, member);
    for (int64_t i = rows[0]; i < rows[1]; i += w->step) {
        if (!goes_on(w, group, (double)(i - rows[0]) / (double)(rows[1] - rows[0]))) return;
        const ald_view block = ald_dense_block(w->z, i, ald_least(w->step, rows[1] - i), 0, w->z->x.cols,
                                               buffer_of(w, group, 0));
        for (int member = 0; member < w->team && w->status[group] >= 0; member++)
            w->status[group] = add_block(w, group, member, block, i);
    }
}

/* A block that the team prepares: rows from i0 on. */
typedef struct shared_block {
    const scatter_work *w;
    int64_t i0, rows;
    double *buffer;
} shared_block;

static void prepare_piece(void *work, int piece)
{
    const shared_block *b = work;
    const int64_t d = b->w->z->x.cols, from = ald_part_begin(b->rows, b->w->team, piece),
                  to = ald_part_begin(b->rows, b->w->team, piece + 1);
    if (to > from && !ald_dense_is_plain(b->w->z))
        (void)ald_dense_block(b->w->z, b->i0 + from, to - from, 0, d, b->buffer + from * d);
}

/* The block once it is prepared; rows that need no preparing stay where they are. */
static ald_view prepared(const shared_block *b)
{
    const ald_operator *z = b->w->z;
    if (ald_dense_is_plain(z)) return ald_dense_block(z, b->i0, b->rows, 0, z->x.cols, b->buffer);
    return ald_of(b->buffer, b->rows, z->x.cols);
}

static void scatter_member(void *work, int part)
{
    scatter_work *w = work;
    const int group = part / w->team, member = part % w->team;
    int64_t rows[2], number = 0;
    if (w->live < w->groups * w->team) return;
    rows_of(w, group, rows);
    clear_sums(w, group, member);
    for (int64_t i = rows[0]; i < rows[1]; i += w->step, number++) {
        shared_block block = {w, i, ald_least(w->step, rows[1] - i), buffer_of(w, group, number)};
        if (!goes_on(w, part, (double)(i - rows[0]) / (double)(rows[1] - rows[0]))) return;
        if (!ald_team_make(&w->teams[group], number, &w->stopped, prepare_piece, &block)) return;
        w->status[part] = add_block(w, group, member, prepared(&block), i);
        ald_team_leave(&w->teams[group], number);
    }
}

static ald_status by_teams(ald_run *run, scatter_work *w)
{
    ALD_TRY(ald_scratch(run, w->groups, 1, sizeof *w->teams, &w->teams));
    for (int group = 0; group < w->groups; group++) ald_team_begin(&w->teams[group], w->team);
    ald_together(w->groups * w->team, &w->live, scatter_member, w);
    return ALD_OK;
}

/* Adds the sums of the other groups to those of the first, a stretch of rows each. */
static void gather_part(void *work, int part)
{
    const scatter_work *w = work;
    const int64_t d = w->z->x.cols, parts = (int64_t)w->groups * w->team;
    const int64_t begin = ald_part_begin(d, (int)parts, part), end = ald_part_begin(d, (int)parts, part + 1);
    for (int group = 1; group < w->groups; group++) {
        const double *restrict sums = sum_of(w, group), *restrict products = product_of(w, group);
        double *restrict c = w->c, *restrict b = w->b;
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = i; j < d; j++) c[i * d + j] += sums[i * d + j];
        for (int64_t i = begin * w->k; i < end * w->k; i++) b[i] += products[i];
    }
}

ald_status ald_dense_scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                             double *b)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    scatter_work w = {.run = run, .z = z, .h = h, .k = k, .c = c, .b = b};
    divide(run, &w);
    const int parts = w.groups * w.team;
    w.step = ald_least(n, block_entries / d);
    w.places = w.team > 1 ? ALD_TEAM_PLACES : 1;
    ALD_TRY(ALD_SCRATCH(run, {&w.sums, w.groups - 1, d * (d + k)},
                        {&w.buffers, w.groups * w.places, w.step * d}));
    if (w.team > 1) ALD_TRY(by_teams(run, &w));
    if (w.live < parts) ald_parallel(w.groups, scatter_group, &w);
    for (int i = 0; i < parts; i++) ALD_TRY(w.status[i]);
    if (w.groups > 1) ald_parallel(parts, gather_part, &w);
    return ald_progress(run, "forming the scatter matrix", 1.0);
}
