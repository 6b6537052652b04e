/* Rows through a linear map block by block: each block is projected, and what follows is done to it while it
 * is in cache. Every thread has a stretch of rows; how they are cut depends on the number of threads and
 * nothing else. A thread is worth its start from `thinnest` entries of X on. */
#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "methods/gaps/gaps.h"

#include <stdatomic.h>
#include <string.h>

enum { thinnest = 1 << 17, block_entries = 1 << 15, fewest_rows = 256 };

typedef struct passage {
    ald_run *run;
    const ald_matrix *x;
    int64_t step; /* rows of a block */
    ald_passage_fn fn;
    const void *work;
    int parts;
    atomic_int stopped;
    ald_run *runs;      /* of the parts, where there are several */
    ald_status *status; /* the same */
} passage;

int ald_goes_by_blocks(const ald_model *model, const ald_matrix *x)
{
    const char *map = ald_model_text(model, "alidade.map");
    return map && strcmp(map, "linear") == 0 && x->storage != ALD_CSC;
}

int ald_maps_by_products(const ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map"),
               *steps = ald_model_text(model, "alidade.param.rows");
    return map && strcmp(map, "linear") == 0 && (!steps || !*steps || strcmp(steps, "none") == 0) &&
           !ald_gaps_taken(model) && ald_model_row_scale(model) == ALD_ROWS_PLAIN;
}

/* Rows begin .. end, on one thread. */
static ald_status go_through(passage *p, ald_run *run, int64_t begin, int64_t end)
{
    const ald_operator all = {.x = *p->x};
    for (int64_t first = begin; first < end && !atomic_load(&p->stopped); first += p->step) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t count = ald_least(p->step, end - first);
        const ald_operator block = ald_operator_slice(&all, first, count);
        ALD_TRY(p->fn(run, &block.x, first, p->work));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "projecting", (double)(first + count - begin) / (double)(end - begin)));
    }
    return ALD_OK;
}

static void go_part(void *work, int part)
{
    passage *p = work;
    p->status[part] = go_through(p, &p->runs[part], ald_part_begin(p->x->rows, p->parts, part),
                                 ald_part_begin(p->x->rows, p->parts, part + 1));
    if (p->status[part] < 0) atomic_store(&p->stopped, 1);
}

/* The first part is the caller's thread, which may be asked. */
static ald_status go_together(ald_run *run, passage *p)
{
    ald_status status = ALD_OK;
    ALD_TRY(ald_scratch(run, p->parts, 1, sizeof *p->runs, &p->runs));
    ALD_TRY(ald_scratch(run, p->parts, 1, sizeof *p->status, &p->status));
    for (int part = 0; part < p->parts; part++) {
        (part ? ald_run_fork : ald_run_fork_here)(run, &p->runs[part]);
        p->runs[part].call.threads = 1;
    }
    ald_parallel(p->parts, go_part, p);
    for (int part = 0; part < p->parts; part++) {
        const ald_status own = ald_run_join(run, &p->runs[part], p->status[part]);
        if (status >= 0) status = own;
    }
    return status;
}

static ald_status go_alone(ald_run *run, passage *p)
{
    const int threads = run->call.threads;
    run->call.threads = 1;
    const ald_status status = go_through(p, run, 0, p->x->rows);
    run->call.threads = threads;
    return status;
}

ald_status ald_go_by_blocks(ald_run *run, const ald_matrix *x, int64_t width, ald_passage_fn fn,
                            const void *work)
{
    passage p = {.run = run, .x = x, .fn = fn, .work = work};
    p.step = ald_most(fewest_rows, block_entries / ald_most(1, width));
    p.parts = ald_parts(run, ald_matrix_entries(x) + x->rows * width, thinnest);
    p.parts = (int)ald_least(p.parts, ald_most(1, x->rows));
    return p.parts == 1 ? go_alone(run, &p) : go_together(run, &p);
}
