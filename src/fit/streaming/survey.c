/* The survey of a file: all its blocks pass, and a dataset is made of what was kept of them. */
#include "fit/streaming/survey.h"

#include "base/ranks/communicator.h"
#include "base/threads/threads.h"
#include "data/encode/dataset.h"
#include "fit/checkpoints/checkpoint.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/row_store.h"
#include "fit/streaming/sharing.h"
#include "fit/streaming/survey_ranks.h"
#include "fit/streaming/telling_rows.h"

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
static ald_status look_at(ald_run *run, looking *l, const ald_table *block, const ald_stream_place *after)
{
    ald_survey *s = l->survey;
    ald_error *error = s->run->error;
    s->run->error = run->error;
    ald_status status = l->rows == 0 ? ald_survey_begin(s->run, block, s) : ALD_OK;
    if (status >= 0) status = ald_survey_look(run, block, s);
    if (status >= 0) status = ald_row_store_add(run, block, s->ignored, after, l->store);
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
    ald_stream_place after = {0};
    (void)part;
    ald_arena_init(&memory, run->call.allocator);
    ald_status status = ald_sharing_take(run, sharing, number, &memory, &block, &after, got);
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
    const ald_sharing_task task = {
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
    const ald_status status = ald_sharing_read(l->survey->run, &task);
    ald_turns_end(&l->turns);
    return status;
}

/* How far the survey of this rank is. */
static ald_status save(ald_run *run, const ald_survey *s, int64_t rows, ald_leg *leg, ald_checkpoint *c)
{
    ald_record told = {.arena = &run->scratch};
    ALD_TRY(ald_survey_tell(run, s, rows, &told));
    const ald_saved saved = {.told = told.bytes, .told_size = told.size, .legs = leg, .n_legs = 1};
    const ald_status status = ald_checkpoint_save(run, c, &saved);
    ald_arena_drop(&run->scratch, told.bytes);
    return status;
}

static ald_status look_through(ald_stream *stream, ald_survey *s, ald_dataset *dataset, ald_leg *leg,
                               int64_t *rows)
{
    looking l = {.survey = s, .store = &dataset->store, .rows = *rows};
    const int64_t opened = leg->number;
    for (int64_t next = 0; next >= 0;) {
        ALD_TRY(look_at_blocks(stream, &l, dataset->checkpoint, opened, leg->number, &next));
        *rows = l.rows;
        if (next < 0) break;
        leg->number = next;
        leg->at = ald_stream_tell_of(stream, next - opened);
        ALD_TRY(save(s->run, s, *rows, leg, dataset->checkpoint));
    }
    return ALD_OK;
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

static ald_status finish(ald_run *run, ald_survey *s, const char *path, int64_t rows)
{
    const int64_t cols = s->kept->cols;
    if (s->dropped > 0)
        ald_log(run, ALD_LOG_WARNING,
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

/* From where an earlier run has stopped; its rows cannot be kept any more. */
static ald_status go_on(ald_run *run, const char *path, const ald_saved *saved, ald_stream *stream,
                        ald_survey *s, int64_t *rows, ald_leg *leg)
{
    ald_record told = {.arena = &run->scratch, .bytes = saved->told, .size = saved->told_size};
    if (!saved->told || saved->n_legs < 1) return ALD_OK;
    *leg = saved->legs[0];
    ALD_TRY(ald_survey_restore(run, path, &told, s, rows));
    return ald_stream_jump(run, stream, &leg->at);
}

/* The portion of this rank. */
static ald_status read_portion(ald_run *run, const char *path, ald_dataset *dataset, const ald_saved *saved,
                               ald_survey *s, int64_t *rows)
{
    ald_stream *stream;
    ald_leg leg = {.portion = dataset->portion};
    if (!saved->told) ALD_TRY(ald_row_store_new(run, path, s->options, &dataset->store));
    dataset->free_store = ald_row_store_free;
    if (!dataset->store) ALD_TRY(ald_input_check_again(run, path));
    ALD_TRY(ald_stream_open(run, path, s->options, &dataset->portion, &stream));
    dataset->surveyed = ald_stream_mark(stream);
    ald_status status = go_on(run, path, saved, stream, s, rows, &leg);
    if (status >= 0) status = look_through(stream, s, dataset, &leg, rows);
    ald_stream_close(stream);
    return status;
}

/* A leg that others have left, with a survey of its own; its rows are not kept. */
static ald_status look_at_leg(ald_run *run, const char *path, const ald_load_options *options,
                              const ald_leg *leg, ald_told_rows *told)
{
    ald_table kept = {.arena = &run->scratch, .partial = 1};
    ald_survey s = {.run = run, .options = options, .kept = &kept};
    ald_record parcel = {.arena = &run->scratch};
    ald_dataset none = {.portion = leg->portion};
    ald_leg reached = *leg;
    ald_stream *stream;
    int64_t rows = 0;
    ALD_TRY(ald_input_check_again(run, path));
    ALD_TRY(ald_stream_open(run, path, options, &leg->portion, &stream));
    ald_status status = leg->number > 0 ? ald_stream_jump(run, stream, &leg->at) : ALD_OK;
    if (status >= 0) status = look_through(stream, &s, &none, &reached, &rows);
    ald_stream_close(stream);
    ALD_TRY(status);
    ALD_TRY(ald_survey_tell(run, &s, rows, &parcel));
    *told = ald_told_rows_of(leg);
    told->bytes = parcel.bytes;
    told->size = parcel.size;
    return ALD_OK;
}

/* Another number of ranks: what these have told, and what is left of the file. */
static ald_status look_on(ald_run *run, const char *path, const ald_other_surveys *others, ald_survey *s,
                          int64_t *rows)
{
    const int64_t count = others->n_told + others->n_legs;
    ald_told_rows *told;
    ald_status status = ald_scratch(run, count, 1, sizeof *told, &told);
    for (int64_t i = 0; status >= 0 && i < others->n_told; i++) told[i] = others->told[i];
    for (int64_t i = 0; status >= 0 && i < others->n_legs; i++)
        status = look_at_leg(run, path, s->options, &others->legs[i], &told[others->n_told + i]);
    return ald_survey_unite_told(run, status, path, told, status >= 0 ? count : 0, s, rows);
}

/* By all ranks, each its portion; `own` is how many rows that has. */
static ald_status look_together(ald_run *run, const char *path, ald_dataset *dataset, const ald_saved *saved,
                                ald_survey *s, int64_t *rows, double *own)
{
    if (!ald_checkpoint_portion(run, dataset->checkpoint, &dataset->portion))
        ALD_TRY(ald_portion_find(run, path, s->options, 1, &dataset->portion));
    ald_other_surveys others;
    ALD_TRY(ald_other_surveys_find(run, path, s->options, dataset, &others));
    if (others.any) return look_on(run, path, &others, s, rows);
    ALD_TRY(ald_checkpoint_begin(run, dataset));
    const ald_status status = read_portion(run, path, dataset, saved, s, rows);
    *own = (double)*rows;
    return ald_survey_unite(run, status, path, s, rows);
}

/* The survey of all rows: that of an earlier run, if it came so far, or a new one. */
static ald_status look(ald_run *run, const char *path, ald_dataset *dataset, ald_survey *s, int64_t *rows,
                       double *own)
{
    ald_saved saved;
    *rows = 0;
    ALD_TRY(ald_checkpoint_open(run, path, s->options, dataset));
    ALD_TRY(ald_checkpoint_survey(run, dataset, &saved));
    if (!saved.sums) return look_together(run, path, dataset, &saved, s, rows, own);
    ald_record told = {.arena = &run->scratch, .bytes = saved.told, .size = saved.told_size};
    if (!ald_checkpoint_portion(run, dataset->checkpoint, &dataset->portion))
        ALD_TRY(ald_portion_find(run, path, s->options, 1, &dataset->portion));
    return ald_all_agree(run, ald_survey_restore(run, path, &told, s, rows));
}

/* What is saved with the sums. */
static ald_status remember(ald_run *run, const ald_survey *s, int64_t rows, ald_dataset *dataset)
{
    ald_record told = {.arena = &run->scratch};
    if (!dataset->checkpoint) return ALD_OK;
    ALD_TRY(ald_survey_tell(run, s, rows, &told));
    return ald_checkpoint_told(run, &told, dataset);
}

ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *dataset, int64_t *rows)
{
    ald_table kept = {.arena = &dataset->memory, .partial = 1};
    ald_survey s = {.run = run, .options = options, .kept = &kept};
    double own = 0.0;
    if (options->target_file || options->like)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "streaming takes the target from the file itself");
    ALD_TRY(look(run, path, dataset, &s, rows, &own));
    ALD_TRY(remember(run, &s, *rows, dataset));
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
