/* Rows are divided among groups of threads, each with a sum of its own, as many as an eighth of X has room
 * for. Within a group the columns of the triangle are divided, so that every thread has the same area:
 * column j has j entries, and the cuts lie at d sqrt(t / team). A thread prepares its blocks of rows itself,
 * which costs a tenth of what it saves on waiting. How it is cut depends on the number of threads and
 * nothing else. */
#include "linalg/dense_scatter.h"

#include "backend/backend.h"
#include "linalg/dense.h"
#include "numbers/ordering.h"
#include "threads/threads.h"

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
    double *buffers; /* one of `step` rows a part */
    int64_t step;
    int groups, team;
    atomic_int stopped;
    ald_status status[ALD_MOST_PARTS];
} scatter_work;

int ald_dense_scatters(const ald_run *run, const ald_operator *z)
{
    const double n = (double)z->x.rows, d = (double)z->x.cols;
    return run->context->threads > 1 && z->x.cols <= widest && n * d >= 1 << 16 && n * d * d >= 2e7 &&
           n > 4.0 * d;
}

/* Of the ways to divide the threads into groups of teams the one that leaves out the fewest; of equal ones
 * that with the most groups. */
static void divide(const ald_run *run, scatter_work *w)
{
    const int64_t n = w->z->x.rows, d = w->z->x.cols;
    const int threads = ald_parts(run->context, n, ald_dense_thinnest_part);
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
    if (member == w->team) return d;
    return (int64_t)((double)d * sqrt((double)member / (double)w->team)) / tile * tile;
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

/* Adds what a block has to columns begin .. end of the triangle; the last member adds to Z'h. */
static ald_status add_block(const scatter_work *w, int group, ald_view block, int64_t begin, int64_t i0)
{
    const ald_backend *backend = ald_backend_of(w->run);
    const int64_t d = w->z->x.cols, m = block.rows, end = block.cols, stride = block.stride;
    const double *own = block.data + begin;
    double *c = sum_of(w, group);
    ALD_TRY(backend->syrk(w->run, 1, end - begin, m, 1.0, own, stride, 1.0, c + begin * (d + 1), d));
    if (begin > 0)
        ALD_TRY(backend->gemm(w->run, 1, 0, begin, end - begin, m, 1.0, block.data, stride, own, stride, 1.0,
                              c + begin, d));
    if (w->k == 0 || end < d) return ALD_OK;
    return backend->gemm(w->run, 1, 0, d, w->k, m, 1.0, block.data, stride, w->h + i0 * w->k, w->k, 1.0,
                         product_of(w, group), w->k);
}

/* The caller's thread asks whether to go on. */
static int goes_on(scatter_work *w, int part, double done)
{
    if (part == 0 && w->status[0] >= 0)
        w->status[0] = ald_progress(w->run, "forming the scatter matrix", done);
    if (w->status[part] < 0) atomic_store(&w->stopped, 1);
    return !atomic_load(&w->stopped);
}

/* The sums of a group are cleared by those who add to them. */
static void clear_sums(const scatter_work *w, int group, int64_t begin, int64_t end)
{
    const int64_t d = w->z->x.cols;
    for (int64_t i = 0; i < end; i++)
        memset(sum_of(w, group) + i * d + begin, 0, (size_t)(end - begin) * sizeof *w->c);
    if (end == d && w->k > 0) memset(product_of(w, group), 0, (size_t)(d * w->k) * sizeof *w->b);
}

static void scatter_part(void *work, int part)
{
    scatter_work *w = work;
    const int group = part / w->team, member = part % w->team;
    const int64_t first = ald_part_begin(w->z->x.rows, w->groups, group),
                  last = ald_part_begin(w->z->x.rows, w->groups, group + 1), begin = column_begin(w, member),
                  end = column_begin(w, member + 1);
    double *buffer = w->buffers + part * w->step * w->z->x.cols;
    if (end == begin) return;
    clear_sums(w, group, begin, end);
    for (int64_t i = first; i < last; i += w->step) {
        if (!goes_on(w, part, (double)(i - first) / (double)(last - first))) return;
        const ald_view block = ald_dense_block(w->z, i, ald_least(w->step, last - i), 0, end, buffer);
        w->status[part] = add_block(w, group, block, begin, i);
    }
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
    ALD_TRY(ALD_SCRATCH(run, {&w.sums, w.groups - 1, d * (d + k)}, {&w.buffers, parts, w.step * d}));
    ald_parallel(parts, scatter_part, &w);
    for (int i = 0; i < parts; i++) ALD_TRY(w.status[i]);
    if (w.groups > 1) ald_parallel(parts, gather_part, &w);
    return ald_progress(run, "forming the scatter matrix", 1.0);
}
