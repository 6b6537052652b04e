/* The survey of a file: all its blocks pass, and a dataset is made of what was kept of them. */
#include "streaming/survey.h"

#include "preparing/dataset.h"
#include "streaming/blocks.h"
#include "streaming/row_store.h"
#include "streaming/sharing.h"
#include "streaming/survey_ranks.h"
#include "streaming/telling_rows.h"
#include "threads/threads.h"

#include <math.h>

/* Blocks are parsed at the same time, and looked at one after the other, as rows of the first ones are kept
 * before those of others. */
typedef struct looking {
    ald_survey *survey;
    ald_row_store **store;
    ald_turns turns;
    int64_t rows;
} looking;

/* What the survey itself fails with is the failure of the block. */
static ald_status look(ald_run *run, looking *l, const ald_table *block)
{
    ald_survey *s = l->survey;
    ald_error *error = s->run->error;
    s->run->error = run->error;
    ald_status status = l->rows == 0 ? ald_survey_begin(s->run, block, s) : ALD_OK;
    if (status >= 0) status = ald_survey_look(run, block, s);
    if (status >= 0) status = ald_row_store_add(s->run, block, s->ignored, l->store);
    s->run->error = error;
    l->rows += block->rows;
    return status;
}

/* A block that fails waits for its turn too: then none before it has. */
static ald_status survey_block(ald_run *run, void *work, ald_sharing *sharing, int part, int64_t number,
                               int *got)
{
    looking *l = work;
    ald_arena memory;
    ald_table block;
    (void)part;
    ald_arena_init(&memory, &run->context->allocator);
    ald_status status = ald_sharing_take(run, sharing, number, &memory, &block, got);
    if ((status < 0 || *got) && ald_turns_await(&l->turns, number)) {
        if (status >= 0) status = look(run, l, &block);
        if (status >= 0)
            ald_turns_next(&l->turns);
        else
            ald_turns_stop(&l->turns);
    }
    ald_arena_free(&memory);
    return status;
}

static ald_status look_through(ald_stream *stream, ald_survey *s, ald_row_store **store, int64_t *rows)
{
    looking l = {.survey = s, .store = store};
    const ald_sharing_task task = {stream, ald_blocks_parts(s->run), 0, survey_block, &l};
    ald_turns_begin(&l.turns);
    const ald_status status = ald_sharing_read(s->run, &task);
    ald_turns_end(&l.turns);
    *rows = l.rows;
    return status;
}

/* What has been seen of each column in all rows that stay. */
static ald_status summarise(ald_run *run, ald_survey *s)
{
    ald_table *kept = s->kept;
    if (!s->sums) return ALD_OK;
    ald_column_summary *made = ald_arena_get(kept->arena, kept->cols, 1, sizeof *made);
    if (!made) return ald_out_of_memory(run, kept->cols, 1, sizeof *made);
    for (int64_t j = 0; j < kept->cols; j++) {
        const double mean = s->numbers[j] > 0 ? s->sums[j] / (double)s->numbers[j] : NAN;
        made[j] =
            (ald_column_summary){.mean = isfinite(mean) ? mean : NAN, .rows = s->seen, .first = s->first[j]};
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

static ald_status finish(ald_run *run, ald_survey *s, const char *path, int64_t rows)
{
    const int64_t cols = s->kept->cols;
    if (s->dropped > 0)
        ald_log(run->context, ALD_LOG_WARNING,
                "%s: %lld of %lld rows left out: with a missing cell, or without a target", path,
                (long long)s->dropped, (long long)rows);
    if (s->kept->rows == 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: there are no rows, or none that is not left out",
                        path);
    ALD_TRY(summarise(run, s));
    if (!s->kept->sparse) return ALD_OK;
    ALD_TRY(ald_csr_finish(run, &s->csr));
    s->kept->cols = cols;
    return ALD_OK;
}

/* The portion of this rank. */
static ald_status read_portion(ald_run *run, const char *path, ald_dataset *dataset, ald_survey *s,
                               int64_t *rows)
{
    ald_stream *stream;
    ALD_TRY(ald_row_store_new(run, path, s->options, &dataset->store));
    dataset->free_store = ald_row_store_free;
    if (!dataset->store) ALD_TRY(ald_input_check_again(run, path));
    ALD_TRY(ald_stream_open(run, path, s->options, &dataset->portion, &stream));
    dataset->surveyed = ald_stream_mark(stream);
    const ald_status status = look_through(stream, s, &dataset->store, rows);
    ald_stream_close(stream);
    return status;
}

ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *dataset, int64_t *rows)
{
    ald_table kept = {.arena = &dataset->memory, .partial = 1};
    ald_survey s = {.run = run, .options = options, .kept = &kept};
    if (options->target_file || options->like)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "streaming takes the target from the file itself");
    ALD_TRY(ald_portion_find(run, path, options, 1, &dataset->portion));
    const ald_status status = read_portion(run, path, dataset, &s, rows);
    const double own = (double)*rows;
    ALD_TRY(ald_survey_unite(run, status, path, &s, rows));
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
