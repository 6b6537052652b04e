/* The survey of a file: all its blocks pass, and a dataset is made of what was kept of them. */
#include "fit/streaming/row_summary.h"

#include "base/threads/threads.h"
#include "data/encode/dataset.h"
#include "fit/checkpoints/pass_state.h"
#include "fit/streaming/block_workers.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/row_store.h"
#include "math/operator/all_rows.h"

#include <math.h>

/* Blocks are parsed at the same time, and looked at one after the other, as rows of the first ones are kept
 * before those of others. */
typedef struct looking {
    ald_row_summary *survey;
    ald_row_store **store;
    ald_turns turns;
    int64_t rows;
} looking;

/* What the survey itself fails with is the failure of the block. */
static ald_status look_at(ald_run *run, looking *l, const ald_table *block, const ald_stream_place *after)
{
    ald_row_summary *s = l->survey;
    ald_error *error = s->run->error;
    s->run->error = run->error;
    ald_status status = l->rows == 0 ? ald_summary_begin(s->run, block, s) : ALD_OK;
    if (status >= 0) status = ald_summary_add(run, block, s);
    if (status >= 0) status = ald_row_store_add(run, block, s->ignored, after, l->store);
    s->run->error = error;
    l->rows += block->rows;
    return status;
}

/* A block that fails waits for its turn too: then none before it has. */
static ald_status survey_block(ald_run *run, void *work, ald_block_workers *sharing, int part, int64_t number,
                               int *got)
{
    looking *l = work;
    ald_arena memory;
    ald_table block;
    ald_stream_place after = {0};
    (void)part;
    ald_arena_init(&memory, run->call.allocator);
    ald_status status = ald_block_take(run, sharing, number, &memory, &block, &after, got);
    if ((status < 0 || *got) && ald_turns_await(&l->turns, number)) {
        if (status >= 0) status = look_at(run, l, &block, &after);
        if (status >= 0)
            ald_turns_next(&l->turns);
        else
            ald_turns_stop(&l->turns);
    }
    ald_arena_free(&memory);
    return status;
}

/* Blocks from `first` on, to the end or until a state is due; `next` is the first that is left, or -1. */
static ald_status look_at_blocks(ald_stream *stream, looking *l, const ald_checkpoint *c, int64_t opened,
                                 int64_t first, int64_t *next)
{
    const ald_block_task task = {
        .stream = stream,
        .parts = ald_blocks_parts(l->survey->run),
        .visit = survey_block,
        .work = l,
        .opened = opened,
        .first = first,
        .seconds = c ? ald_checkpoint_seconds(c) : 0.0,
        .paused = next,
    };
    ald_turns_begin(&l->turns);
    l->turns.number = first;
    const ald_status status = ald_block_task_run(l->survey->run, &task);
    ald_turns_end(&l->turns);
    return status;
}

/* The state of a survey: the summary of the rows before. */
typedef struct surveying {
    ald_row_summary *s;
    int64_t *rows;
} surveying;

static ald_status put_summary(ald_run *run, void *work, ald_record_file *file)
{
    const surveying *w = work;
    ald_record summary = {.arena = &file->alone.scratch, .kind = ALD_SUMMARY_KIND};
    ALD_TRY(ald_summary_put(run, w->s, *w->rows, &summary));
    return ald_record_file_put_sealed(run, file, &summary);
}

static ald_status take_summary(ald_run *run, void *work, ald_record_file *file)
{
    const surveying *w = work;
    ald_record summary = {.arena = &run->scratch, .kind = ALD_SUMMARY_KIND};
    ALD_TRY(ald_record_file_next(run, file, &summary));
    return ald_summary_take(run, &summary, w->s, w->rows);
}

static ald_status look_through(ald_stream *stream, ald_row_summary *s, ald_dataset *dataset,
                               ald_pass_state *state, int64_t *rows)
{
    looking l = {.survey = s, .store = &dataset->store, .rows = *rows};
    ald_reached reached = state->reached;
    const int64_t opened = reached.number;
    for (int64_t next = 0; next >= 0;) {
        ALD_TRY(look_at_blocks(stream, &l, dataset->checkpoint, opened, reached.number, &next));
        *rows = l.rows;
        if (next < 0) break;
        reached.number = next;
        reached.at = ald_stream_tell_of(stream, next - opened);
        ALD_TRY(ald_pass_state_save(s->run, state, &reached));
    }
    return ALD_OK;
}

/* What has been seen of each column in all rows that stay. */
static ald_status summarise(ald_run *run, ald_row_summary *s)
{
    ald_table *kept = s->kept;
    if (!s->sums) return ALD_OK;
    ald_column_summary *made = ald_arena_get(kept->arena, kept->cols, 1, sizeof *made);
    if (!made) return ald_out_of_memory(run, kept->cols, 1, sizeof *made);
    for (int64_t j = 0; j < kept->cols; j++) {
        const double mean = s->numbers[j] > 0 ? s->sums[j] / (double)s->numbers[j] : NAN;
        made[j] = (ald_column_summary){
            .mean = isfinite(mean) ? mean : NAN,
            .rows = s->seen,
            .numbers = s->numbers[j],
            .first = s->first[j],
        };
        made[j].cells = ald_arena_get(kept->arena, s->distinct[j], 1, sizeof *made[j].cells);
        made[j].counts = ald_arena_get(kept->arena, s->distinct[j], 1, sizeof *made[j].counts);
        if (!made[j].cells || !made[j].counts)
            return ald_out_of_memory(run, s->distinct[j], 2, sizeof(double));
        kept->columns[j].summary = &made[j];
    }
    for (int64_t i = 0; i < s->tally.n; i++) {
        const ald_tally_entry *e = &s->tally.entries[i];
        made[e->column].cells[made[e->column].n] = e->cell;
        made[e->column].counts[made[e->column].n++] = e->count;
    }
    return ALD_OK;
}

static ald_status finish(ald_run *run, ald_row_summary *s, const char *path, int64_t rows)
{
    const int64_t cols = s->kept->cols;
    if (s->dropped > 0)
        ald_log(run, ALD_LOG_WARNING,
                "%s: %lld of %lld rows left out: with a missing cell, or without a target", path,
                (long long)s->dropped, (long long)rows);
    if (s->kept->rows == 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: there are no rows, or all are left out", path);
    ALD_TRY(summarise(run, s));
    if (!s->kept->sparse) return ALD_OK;
    ALD_TRY(ald_csr_finish(run, &s->csr));
    s->kept->cols = cols;
    return ALD_OK;
}

/* The portion that is read here, from where an earlier run has stopped. Rows that it has read cannot be kept
 * any more. */
static ald_status read_portion(ald_run *run, const char *path, ald_dataset *dataset, ald_row_summary *s,
                               int64_t *rows)
{
    surveying work = {s, rows};
    ald_pass_state state = ald_pass_state_of(dataset->checkpoint, "survey", (ald_partial){0});
    const int64_t *from = &state.reached.number;
    ald_stream *stream;
    state.ending = "";
    state.put = put_summary;
    state.take = take_summary;
    state.work = &work;
    if (state.checkpoint) ALD_TRY(ald_pass_state_find(run, &state));
    if (*from == 0) ALD_TRY(ald_row_store_new(run, path, s->options, &dataset->store));
    dataset->free_store = ald_row_store_free;
    if (!dataset->store) ALD_TRY(ald_input_check_again(run, path));
    ALD_TRY(ald_stream_open(run, path, s->options, &dataset->portion, &stream));
    dataset->surveyed = ald_stream_mark(stream);
    ald_status status =
        *from > 0 ? ald_stream_jump(run, stream, &state.reached.at) : ald_stream_note_empty(run, stream);
    if (status >= 0) status = look_through(stream, s, dataset, &state, rows);
    ald_stream_close(stream);
    return status;
}

/* What the fit resumes from. */
static ald_status keep(ald_run *run, const ald_row_summary *s, int64_t rows, const ald_checkpoint *c)
{
    ald_record summary = {.arena = &run->scratch, .kind = ALD_SUMMARY_KIND};
    if (!c) return ALD_OK;
    ALD_TRY(ald_summary_put(run, s, rows, &summary));
    return ald_checkpoint_keep_summary(run, c, &summary);
}

/* The summary of all rows: that of an earlier run, if it came so far, or a new one, for which each part
 * is read; `own` is how many rows that has. */
static ald_status look(ald_run *run, const char *path, ald_dataset *dataset, ald_row_summary *s,
                       int64_t *rows, double *own)
{
    ald_record earlier = {.arena = &run->scratch, .kind = ALD_SUMMARY_KIND};
    *rows = 0;
    ALD_TRY(ald_checkpoint_open(run, path, s->options, dataset));
    ALD_TRY(ald_checkpoint_find_summary(run, dataset->checkpoint, &earlier));
    if (dataset->all) ALD_TRY(dataset->all->divide(run, path, s->options, 1, &dataset->portion));
    if (earlier.size > 0) return ald_summary_take(run, &earlier, s, rows);
    ALD_TRY(read_portion(run, path, dataset, s, rows));
    *own = (double)*rows;
    ALD_TRY(ald_summary_unite(run, dataset->all, s, rows));
    return keep(run, s, *rows, dataset->checkpoint);
}

ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *dataset, int64_t *rows)
{
    ald_table kept = {.arena = &dataset->memory, .partial = 1};
    ald_row_summary s = {.run = run, .options = options, .kept = &kept};
    double own = 0.0;
    if (options->target_file || options->like)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "when streaming, the target must be in the file itself");
    ALD_TRY(look(run, path, dataset, &s, rows, &own));
    ALD_TRY(finish(run, &s, path, *rows));
    const int64_t all = *rows;
    *rows -= s.dropped;
    ALD_TRY(ald_dataset_from_table(run, s.kept, options, dataset));
    if (dataset->x.storage == ALD_DENSE)
        ald_row_store_end(own, (double)dataset->x.cols * sizeof(double), &dataset->store);
    dataset->file_rows = all;
    dataset->stands_for = *rows;
    return ALD_OK;
}
