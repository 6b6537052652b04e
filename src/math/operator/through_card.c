/* X in the memory of the host, larger than that of the card: its rows pass through the card in blocks, a
 * pass for each product, as those of a file do (streamed.c). Two threads take blocks in turn, so that one is
 * copied while the other is computed with; each has sums of its own, which are added in their order.
 *
 * Column statistics, products of rows with each other and rows written out are the processor's: they read X
 * once, which takes it no longer than the copy would. */
#include "math/device/held.h"
#include "math/operator/dense.h"
#include "math/operator/source.h"
#include "math/operator/sparse.h"

#include "base/threads/threads.h"

#include <math.h>
#include <stdatomic.h>

enum { passing_threads = 2 };

typedef struct passing {
    const ald_operator *z;
    int64_t block_rows;
    ald_source_fn visit;
    void *work;
    atomic_int stopped; /* a part has failed, or the caller has had enough */
    ald_run runs[passing_threads];
    ald_status status[passing_threads];
} passing;

/* Rows of Z as they come, without what ald_source_block adds. */
static ald_operator rows_from(const ald_operator *z, int64_t first, int64_t count)
{
    const ald_operator plain = {.x = z->x, .row_shift = z->row_shift, .row_factor = z->row_factor};
    return ald_operator_slice(&plain, first, count);
}

static ald_status pass_block(ald_run *run, const passing *p, int part, int64_t first)
{
    const int64_t left = p->z->x.rows - first;
    const ald_operator rows = rows_from(p->z, first, left < p->block_rows ? left : p->block_rows);
    const struct ald_held *before = run->call.held;
    ALD_TRY(ald_card_hold_block(run, &rows.x, INFINITY, INFINITY)); /* that it pays was decided before */
    const ald_status status = p->visit(run, p->work, part, first, &rows);
    ald_card_release(run, before);
    return status;
}

static void pass_part(void *work, int part)
{
    passing *p = work;
    ald_run *run = &p->runs[part];
    const int64_t step = passing_threads * p->block_rows;
    for (int64_t first = part * p->block_rows; first < p->z->x.rows && !atomic_load(&p->stopped);
         first += step) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        p->status[part] = ald_ask_again(run);
        if (p->status[part] >= 0) p->status[part] = pass_block(run, p, part, first);
        ald_arena_release(&run->scratch, mark);
        if (p->status[part] < 0) atomic_store(&p->stopped, 1);
    }
}

/* A block that fails goes to the processor, or ends the pass with the failure of the first thread. */
static ald_status pass(ald_run *run, const ald_source *source, ald_source_fn visit, void *work,
                       const struct ald_partial *partial)
{
    const ald_operator *z = source->self;
    passing *p;
    ald_status status = ALD_OK;
    (void)partial;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof *p, &p));
    atomic_init(&p->stopped, 0);
    p->z = z;
    p->visit = visit;
    p->work = work;
    p->block_rows = ald_card_through(run, &z->x)->block_rows;
    for (int t = 0; t < passing_threads; t++) (t ? ald_run_fork : ald_run_fork_here)(run, &p->runs[t]);
    ald_parallel(passing_threads, pass_part, p);
    for (int t = 0; t < passing_threads; t++) {
        const ald_status own = ald_run_join(run, &p->runs[t], p->status[t]);
        if (status >= 0 && own < 0) status = own;
    }
    return status;
}

/* Z as an operator whose rows come from its own memory; `source` is room for it. */
static ald_operator in_passes(const ald_operator *z, ald_source *source)
{
    ald_operator streamed = *z;
    *source = (ald_source){
        .pass = pass,
        .parts = passing_threads,
        .entries = (double)ald_matrix_entries(&z->x),
        .self = z,
    };
    streamed.source = source;
    return streamed;
}

static ald_status apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    ald_source source;
    const ald_operator rows = in_passes(z, &source);
    return ald_streamed_storage.apply(run, &rows, v, k, u);
}

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    ald_source source;
    const ald_operator rows = in_passes(z, &source);
    return ald_streamed_storage.apply_transposed(run, &rows, u, k, v);
}

static ald_status advance(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                          const double *alpha, double *u, double *w)
{
    ald_source source;
    const ald_operator rows = in_passes(z, &source);
    return ald_streamed_storage.advance(run, &rows, v, k, alpha, u, w);
}

static ald_status square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    ald_source source;
    const ald_operator rows = in_passes(z, &source);
    return ald_streamed_storage.square_norm(run, &rows, sum);
}

typedef struct scattering {
    const ald_operator *z;
    const double *h;
    int64_t k;
    double *c, *b; /* parts x d x d, parts x d x k */
} scattering;

static ald_status scatter_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const scattering *s = work;
    const int64_t d = s->z->x.cols, k = s->k;
    const ald_operator block = ald_source_block(s->z, first, rows);
    double *c, *b;
    ALD_TRY(ALD_SCRATCH(run, {&c, d, d}, {&b, d, k + 1}));
    if (k > 0) {
        const ald_view h = ald_of(s->h + first * k, block.x.rows, k);
        ALD_TRY(ald_operator_scatter_with(run, &block, h, ald_at(c, d, d), ald_at(b, d, k)));
    } else
        ALD_TRY(ald_operator_scatter_upper(run, &block, ald_at(c, d, d)));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++) s->c[part * d * d + i * d + j] += c[i * d + j];
    for (int64_t e = 0; e < d * k; e++) s->b[part * d * k + e] += b[e];
    return ALD_OK;
}

static ald_status scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                          double *b)
{
    const int64_t d = z->x.cols;
    scattering s = {.z = z, .h = h, .k = k};
    ald_source source;
    in_passes(z, &source);
    ALD_TRY(ald_scratch_zeros(run, passing_threads * d, d, &s.c));
    ALD_TRY(ald_scratch_zeros(run, passing_threads * d, k + 1, &s.b));
    ALD_TRY(pass(run, &source, scatter_block, &s, NULL));
    for (int64_t e = 0; e < d * d; e++) c[e] = s.c[e] + s.c[d * d + e];
    for (int64_t e = 0; e < d * k; e++) b[e] = s.b[e] + s.b[d * k + e];
    return ALD_OK;
}

static ald_status gram(ald_run *run, const ald_operator *z, double *g)
{
    return (z->x.storage == ALD_DENSE ? &ald_dense_storage : &ald_sparse_storage)->gram(run, z, g);
}

const ald_storage_ops ald_through_storage = {
    .apply = apply,
    .apply_transposed = apply_transposed,
    .advance = advance,
    .scatter = scatter,
    .gram = gram,
    .rows = ald_dense_rows,
    .square_norm = square_norm,
    .row_moments = ald_dense_row_moments,
    .column_statistics = ald_dense_column_statistics,
    .find_bad = ald_dense_find_bad,
};

const ald_storage_ops ald_through_sparse_storage = {
    .apply = apply,
    .apply_transposed = apply_transposed,
    .advance = advance,
    .scatter = scatter,
    .gram = gram,
    .square_norm = ald_sparse_square_norm,
    .row_moments = ald_sparse_row_moments,
    .column_statistics = ald_sparse_column_statistics,
    .find_bad = ald_sparse_find_bad,
    .lacks = ALD_SPARSE_LACKS,
};
