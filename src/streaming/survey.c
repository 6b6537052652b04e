/* The survey of a file: which rows tell what its columns are, and what their cells are on the whole. */
#include "streaming/survey.h"
#include "core/pool.h"
#include "preparing/dataset.h"
#include "reading/stream.h"
#include "table/cells.h"
#include "table/columns.h"
#include "table/csr.h"
#include "table/grow.h"
#include "table/tally.h"

#include <math.h>
#include <string.h>

/* Of a real response so many different values are looked at; there is no task whose rule asks for more. */
enum { most_values = 1000, rows_a_value = 2 };

typedef struct survey {
    ald_run *run; /* its scratch lasts as long as the survey */
    const ald_load_options *options;
    ald_table *kept;
    ald_levels *levels;
    ald_csr_builder csr;
    int64_t cell_capacity, label_capacity, label_pointer_capacity, labelled_capacity, n_labels;
    /* Of each column: > 0 where it is so. */
    int64_t *target, *categorical, *ignored, *weights;
    int64_t n_targets;
    int drop_holes, drop_unlabelled, fill;
    int64_t dropped;
    ald_tally tally;
    int64_t *distinct; /* of each column: different cells in the tally */
    double *sums;      /* of each column: of its numbers; NULL: nobody asks */
    int64_t *numbers;  /* how many these are */
    double *first;     /* of each column: its first cell; NaN once its cells do not count the rows */
    int64_t seen;      /* rows that were not left out */
    int64_t **codes;   /* block: the level in `kept` of each level of each column; NULL where it has none */
} survey;

static int is_choice(const char *given, const char *choice)
{
    return given && strcmp(given, choice) == 0;
}

static ald_status copy_columns(ald_run *run, const ald_table *block, ald_table *kept)
{
    if (!block->columns) return ALD_OK;
    kept->columns = ald_arena_get(kept->arena, block->cols, 1, sizeof *kept->columns);
    if (!kept->columns) return ald_out_of_memory(run, block->cols, 1, sizeof *kept->columns);
    memset(kept->columns, 0, (size_t)block->cols * sizeof *kept->columns);
    for (int64_t j = 0; j < block->cols; j++) {
        const char *name = block->columns[j].name;
        kept->columns[j].position = block->columns[j].position;
        if (!name) continue;
        kept->columns[j].name = ald_arena_text(kept->arena, name, strlen(name));
        if (!kept->columns[j].name) return ald_out_of_memory(run, (int64_t)strlen(name), 1, 1);
    }
    return ALD_OK;
}

static ald_status choose(ald_run *run, const ald_table *block, const char *list, const char *what,
                         int64_t **chosen, int64_t *count)
{
    *count = 0;
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof **chosen, chosen));
    memset(*chosen, 0, (size_t)block->cols * sizeof **chosen);
    return list ? ald_columns_choose(run, block, list, what, *chosen, count) : ALD_OK;
}

static ald_status begin_sums(ald_run *run, survey *s)
{
    const int64_t cols = s->kept->cols;
    if (s->fill) ALD_TRY(ald_table_make_columns(run, s->kept));
    if (!s->kept->columns) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&s->first, cols, 1}));
    ALD_TRY(ald_scratch_zeros(run, cols, 1, &s->sums));
    ALD_TRY(ald_scratch(run, cols, 1, sizeof *s->numbers, &s->numbers));
    memset(s->numbers, 0, (size_t)cols * sizeof *s->numbers);
    return ald_levels_new(run, s->kept, &s->levels);
}

static ald_status begin(ald_run *run, const ald_table *block, survey *s)
{
    const ald_load_options *options = s->options;
    int64_t count;
    int64_t *ids;
    s->kept->sparse = block->sparse;
    s->kept->cols = block->cols;
    s->kept->source = block->source;
    s->drop_holes = is_choice(options->missing, "drop");
    s->drop_unlabelled = is_choice(options->unlabelled_rows, "drop");
    s->fill = is_choice(options->missing, "mean");
    ALD_TRY(copy_columns(run, block, s->kept));
    if (block->sparse) {
        ALD_TRY(ald_scratch(run, 1, 1, sizeof *s->distinct, &s->distinct));
        *s->distinct = 0;
        return ald_csr_begin(run, &s->csr, s->kept);
    }
    ALD_TRY(choose(run, block, options->target, "`target`", &s->target, &s->n_targets));
    ALD_TRY(choose(run, block, options->categorical, "`categorical`", &s->categorical, &count));
    ALD_TRY(choose(run, block, options->ignore, "`ignore`", &s->ignored, &count));
    ALD_TRY(choose(run, block, options->id, "`id`", &ids, &count));
    for (int64_t j = 0; j < block->cols; j++) s->ignored[j] += ids[j];
    ALD_TRY(choose(run, block, options->weights, "`weights`", &s->weights, &count));
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->codes, &s->codes));
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->distinct, &s->distinct));
    memset(s->distinct, 0, (size_t)block->cols * sizeof *s->distinct);
    return begin_sums(run, s);
}

/* Levels of the block in terms of those kept. */
static ald_status match_levels(ald_run *run, const ald_table *block, survey *s)
{
    for (int64_t j = 0; j < block->cols; j++) {
        const ald_column *c = block->columns ? &block->columns[j] : NULL;
        s->codes[j] = NULL;
        if (!c || c->n_levels == 0 || s->ignored[j]) continue;
        ALD_TRY(ald_scratch(run, c->n_levels, 1, sizeof *s->codes[j], &s->codes[j]));
        for (int64_t k = 0; k < c->n_levels; k++)
            ALD_TRY(
                ald_levels_find(s->run, s->levels, j, c->levels[k], strlen(c->levels[k]), &s->codes[j][k]));
    }
    return ALD_OK;
}

/* The cell as it stands in the kept table. */
static double kept_cell(const survey *s, int64_t j, double cell)
{
    int64_t level;
    return s->codes[j] && ald_cell_is_text(cell, &level) ? ald_cell_text(s->codes[j][level]) : cell;
}

/* Counts a cell of a column of texts or categories, or of the target; `news` if its row should be kept for
 * it. */
static ald_status count_telling(survey *s, int64_t j, double cell, int *news)
{
    const int64_t target = s->target ? s->target[j] : 1;
    int64_t level, count;
    const int endless = ald_cell_is_text(cell, &level) || target == 0 || s->kept->many_labels ||
                        is_choice(s->options->task, "classification");
    ALD_TRY(ald_tally_add(s->run, &s->run->scratch, &s->tally, j, cell,
                          endless || s->distinct[j] < most_values, &count));
    s->distinct[j] += count == 1;
    *news |= count > 0 && count <= (target > 0 ? rows_a_value : 1);
    return ALD_OK;
}

static void count_cell(ald_column *column, double cell)
{
    int64_t level;
    if (ald_cell_is_missing(cell))
        column->n_missing++;
    else if (ald_cell_is_text(cell, &level))
        column->n_texts++;
    else
        column->n_numbers++;
}

/* Whether the row will be left out: then it tells nothing. */
static int is_dropped(const survey *s, const ald_table *block, const double *cells)
{
    int64_t absent = 0;
    for (int64_t j = 0; s->drop_unlabelled && j < block->cols; j++)
        absent += s->target[j] > 0 && ald_cell_is_missing(cells[j]);
    if (absent > 0 && absent == s->n_targets) return 1;
    for (int64_t j = 0; s->drop_holes && block->columns && j < block->cols; j++)
        if (block->columns[j].n_missing > 0 && !s->target[j] && !s->ignored[j] && !s->weights[j] &&
            ald_cell_is_missing(cells[j]))
            return 1;
    return 0;
}

static void add_numbers(survey *s, const double *cells)
{
    for (int64_t j = 0; j < s->kept->cols; j++) {
        if (s->seen == 0) s->first[j] = cells[j];
        if (!(cells[j] - s->first[j] == (double)s->seen)) s->first[j] = NAN;
        if (isnan(cells[j])) continue; /* missing, or a text */
        s->sums[j] += cells[j];
        s->numbers[j]++;
    }
    s->seen++;
}

static ald_status keep_row(ald_run *run, const double *cells, int64_t line, survey *s)
{
    ald_table *kept = s->kept;
    const int64_t cols = kept->cols;
    ALD_TRY(ald_grow(run, kept->arena, &kept->cells, &s->cell_capacity, (kept->rows + 1) * cols,
                     sizeof *kept->cells));
    double *to = kept->cells + kept->rows * cols;
    for (int64_t j = 0; j < cols; j++) to[j] = kept_cell(s, j, cells[j]);
    for (int64_t j = 0; kept->columns && j < cols; j++) count_cell(&kept->columns[j], to[j]);
    if (line > 0) ALD_TRY(ald_table_note_line(run, kept, kept->rows, line));
    kept->rows++;
    return ALD_OK;
}

static ald_status look_at_row(const double *cells, int64_t line, const int64_t *telling, int64_t n_telling,
                              survey *s)
{
    int news = s->kept->rows < rows_a_value;
    if (s->sums) add_numbers(s, cells);
    for (int64_t t = 0; t < n_telling; t++) {
        const int64_t j = telling[t];
        if (!ald_cell_is_missing(cells[j])) ALD_TRY(count_telling(s, j, kept_cell(s, j, cells[j]), &news));
    }
    return news ? keep_row(s->run, cells, line, s) : ALD_OK;
}

/* A column that mixes numbers and texts is one in any block. */
static void note_mixtures(const ald_table *block, ald_table *kept)
{
    for (int64_t j = 0; kept->columns && block->columns && j < kept->cols; j++) {
        ald_column *to = &kept->columns[j];
        const ald_column *from = &block->columns[j];
        if (from->n_texts > 0 && to->first_text_line == 0) to->first_text_line = from->first_text_line;
        if (from->n_numbers > 0 && to->first_number_line == 0)
            to->first_number_line = from->first_number_line;
        if (from->n_numbers > 0 && to->n_numbers == 0) to->n_numbers = from->n_numbers;
    }
}

static ald_status look_at_rows(ald_run *run, const ald_table *block, survey *s)
{
    const int64_t cols = s->kept->cols;
    const int drops = s->drop_holes || s->drop_unlabelled;
    int64_t *telling;
    int64_t n_telling = 0;
    ALD_TRY(match_levels(run, block, s));
    ALD_TRY(ald_scratch(run, cols, 1, sizeof *telling, &telling));
    for (int64_t j = 0; j < cols; j++)
        if (!s->ignored[j] && (s->codes[j] || s->target[j] || s->categorical[j])) telling[n_telling++] = j;
    for (int64_t i = 0; i < block->rows; i++) {
        const double *cells = block->cells + i * cols;
        const int dropped = drops && is_dropped(s, block, cells);
        s->dropped += dropped;
        if (!dropped) ALD_TRY(look_at_row(cells, ald_table_line(block, i), telling, n_telling, s));
    }
    note_mixtures(block, s->kept);
    return ALD_OK;
}

static ald_status keep_sparse_row(ald_run *run, const ald_table *block, int64_t i, survey *s)
{
    ald_table *kept = s->kept;
    for (int64_t e = block->pointers[i]; e < block->pointers[i + 1]; e++)
        ALD_TRY(ald_csr_add(run, &s->csr, block->indices[e], block->values[e]));
    if (block->label_pointers) {
        const int64_t from = block->label_pointers[i], count = block->label_pointers[i + 1] - from;
        ALD_TRY(ald_grow(run, kept->arena, &kept->label_values, &s->label_capacity, s->n_labels + count + 1,
                         sizeof(double)));
        ALD_TRY(ald_grow(run, kept->arena, &kept->label_pointers, &s->label_pointer_capacity, kept->rows + 2,
                         sizeof(int64_t)));
        ALD_TRY(ald_grow(run, kept->arena, &kept->labelled, &s->labelled_capacity, kept->rows + 1, 1));
        if (kept->rows == 0) kept->label_pointers[0] = 0;
        memcpy(kept->label_values + s->n_labels, block->label_values + from, (size_t)count * sizeof(double));
        s->n_labels += count;
        kept->label_pointers[kept->rows + 1] = s->n_labels;
        kept->labelled[kept->rows] = block->labelled ? block->labelled[i] : 1;
    }
    return ald_csr_end_row(run, &s->csr);
}

static ald_status look_at_sparse_rows(const ald_table *block, survey *s)
{
    s->kept->many_labels = s->kept->many_labels || block->many_labels;
    if (block->cols > s->kept->cols) s->kept->cols = block->cols;
    for (int64_t i = 0; i < block->rows; i++) {
        int news = s->kept->rows < rows_a_value;
        const int dropped = s->drop_unlabelled && block->labelled && !block->labelled[i];
        s->dropped += dropped;
        if (dropped) continue;
        for (int64_t e = block->label_pointers ? block->label_pointers[i] : 0;
             block->label_pointers && e < block->label_pointers[i + 1]; e++)
            ALD_TRY(count_telling(s, 0, block->label_values[e], &news));
        if (news) ALD_TRY(keep_sparse_row(s->run, block, i, s));
    }
    return ALD_OK;
}

static ald_status look_at_block(ald_run *run, const ald_table *block, survey *s)
{
    if (block->sparse) return look_at_sparse_rows(block, s);
    if (block->cols != s->kept->cols)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: a row has %lld cells where %lld are expected",
                        block->source, (long long)block->cols, (long long)s->kept->cols);
    return look_at_rows(run, block, s);
}

/* One block by a run of its own, whose scratch goes with it. */
static ald_status survey_block(ald_run *run, ald_stream *stream, survey *s, int64_t *rows, int *got)
{
    ald_arena memory;
    ald_table block;
    ald_arena_init(&memory, &run->context->allocator);
    ald_status status = ald_stream_next(run, stream, &memory, &block, got);
    if (status >= 0 && *got && *rows == 0) status = begin(s->run, &block, s);
    if (status >= 0 && *got) status = look_at_block(run, &block, s);
    if (status >= 0 && *got) *rows += block.rows;
    ald_arena_free(&memory);
    ald_arena_free(&run->scratch);
    return status;
}

static ald_status look_through(ald_stream *stream, survey *s, int64_t *rows)
{
    ald_pool pool;
    ald_context context = *s->run->context;
    ald_run run;
    int got = 1;
    ald_status status = ALD_OK;
    ald_pool_init(&pool, &s->run->context->allocator);
    context.allocator = pool.allocator;
    ald_run_fork(s->run, &context, &run);
    for (*rows = 0; status >= 0 && got;) status = survey_block(&run, stream, s, rows, &got);
    status = ald_run_join(s->run, &run, status);
    ald_pool_free(&pool);
    return status;
}

/* What has been seen of each column in all rows that stay. */
static ald_status summarise(ald_run *run, survey *s)
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

static ald_status finish(ald_run *run, survey *s, const char *path, int64_t rows)
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

ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options,
                             ald_dataset *dataset, int64_t *rows)
{
    ald_table kept = {.arena = &dataset->memory, .partial = 1};
    survey s = {.run = run, .options = options, .kept = &kept};
    ald_stream *stream;
    if (options->target_file || options->like)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "streaming takes the target from the file itself");
    ALD_TRY(ald_stream_open(run, path, options, &stream));
    dataset->surveyed = ald_stream_mark(stream);
    const ald_status status = look_through(stream, &s, rows);
    ald_stream_close(stream);
    ALD_TRY(status);
    ALD_TRY(finish(run, &s, path, *rows));
    const int64_t all = *rows;
    *rows -= s.dropped;
    ALD_TRY(ald_dataset_from_table(run, &kept, options, dataset));
    dataset->file_rows = all;
    dataset->stands_for = *rows;
    return ALD_OK;
}
