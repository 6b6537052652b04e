/* The survey of a file: which rows tell what its columns are. */
#include "data/csr.h"
#include "data/dataset.h"
#include "data/grow.h"
#include "data/stream.h"

#include <string.h>

enum { most_values = 1000, rows_a_value = 2 };

/* A value of the target (its cells, or a label) and how many kept rows have it. */
typedef struct seen_value {
    double value;
    int count;
} seen_value;

typedef struct survey {
    ald_table *kept;
    ald_levels *levels;
    ald_csr_builder csr;
    int64_t cell_capacity, label_capacity, label_pointer_capacity, labelled_capacity, n_labels;
    int64_t *chosen;  /* of each column: > 0 where it is a target */
    seen_value *seen; /* most_values */
    int64_t n_seen;
    int64_t **codes;        /* block: the level in `kept` of each level of each column; NULL where it has none */
    unsigned char **wanted; /* block: levels that no kept row has yet */
} survey;

/* 1 if the value is new enough to keep its row; it is counted then. Values are numbers, or levels of a text column. */
static int is_news(survey *s, double value)
{
    for (int64_t i = 0; i < s->n_seen; i++)
        if (memcmp(&s->seen[i].value, &value, sizeof value) == 0) return s->seen[i].count++ < rows_a_value;
    if (s->n_seen == most_values) return 0;
    s->seen[s->n_seen++] = (seen_value){value, 1};
    return 1;
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

static ald_status begin(ald_run *run, const ald_table *block, const ald_load_options *options, survey *s)
{
    int64_t count;
    s->kept->sparse = block->sparse;
    s->kept->cols = block->cols;
    s->kept->source = block->source;
    ALD_TRY(copy_columns(run, block, s->kept));
    ALD_TRY(ald_scratch(run, most_values, 1, sizeof *s->seen, &s->seen));
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->chosen, &s->chosen));
    memset(s->chosen, 0, (size_t)block->cols * sizeof *s->chosen);
    if (options->target) ALD_TRY(ald_columns_choose(run, block, options->target, "--target", s->chosen, &count));
    if (block->sparse) return ald_csr_begin(run, &s->csr, s->kept);
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->codes, &s->codes));
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->wanted, &s->wanted));
    return s->kept->columns ? ald_levels_new(run, s->kept, &s->levels) : ALD_OK;
}

/* Levels of the block in terms of those kept; a new one wants a row. */
static ald_status match_levels(ald_run *run, const ald_table *block, survey *s)
{
    for (int64_t j = 0; j < block->cols; j++) {
        const ald_column *c = block->columns ? &block->columns[j] : NULL;
        s->codes[j] = NULL;
        if (!c || c->n_levels == 0) continue;
        ALD_TRY(ald_scratch(run, c->n_levels, 1, sizeof *s->codes[j], &s->codes[j]));
        ALD_TRY(ald_scratch(run, c->n_levels, 1, 1, &s->wanted[j]));
        for (int64_t k = 0; k < c->n_levels; k++) {
            const int64_t before = s->kept->columns[j].n_levels;
            ALD_TRY(ald_levels_find(run, s->levels, j, c->levels[k], strlen(c->levels[k]), &s->codes[j][k]));
            s->wanted[j][k] = s->kept->columns[j].n_levels > before;
        }
    }
    return ALD_OK;
}

/* Whether the row should be kept for this cell, of a target or a text column. */
static int cell_is_news(survey *s, int64_t j, double cell)
{
    int64_t level;
    int news = 0;
    if (s->codes[j] && ald_cell_is_text(cell, &level)) {
        news = s->wanted[j][level];
        s->wanted[j][level] = 0;
        cell = ald_cell_text(s->codes[j][level]);
    }
    return (s->chosen[j] > 0 && !ald_cell_is_missing(cell) && is_news(s, cell)) || news;
}

/* The cell as it stands in the kept table. */
static double kept_cell(const survey *s, int64_t j, double cell)
{
    int64_t level;
    return s->codes[j] && ald_cell_is_text(cell, &level) ? ald_cell_text(s->codes[j][level]) : cell;
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

static ald_status look_at_rows(ald_run *run, const ald_table *block, survey *s)
{
    ald_table *kept = s->kept;
    const int64_t cols = kept->cols;
    int64_t *telling, n_telling = 0;
    ALD_TRY(match_levels(run, block, s));
    ALD_TRY(ald_scratch(run, cols, 1, sizeof *telling, &telling));
    for (int64_t j = 0; j < cols; j++)
        if (s->codes[j] || s->chosen[j] > 0) telling[n_telling++] = j;
    for (int64_t i = 0; i < block->rows; i++) {
        int news = kept->rows < rows_a_value;
        for (int64_t t = 0; t < n_telling; t++)
            if (cell_is_news(s, telling[t], block->cells[i * cols + telling[t]])) news = 1;
        if (!news) continue;
        ALD_TRY(
            ald_grow(run, kept->arena, &kept->cells, &s->cell_capacity, (kept->rows + 1) * cols, sizeof *kept->cells));
        double *to = kept->cells + kept->rows * cols;
        for (int64_t j = 0; j < cols; j++) to[j] = kept_cell(s, j, block->cells[i * cols + j]);
        for (int64_t j = 0; kept->columns && j < cols; j++) count_cell(&kept->columns[j], to[j]);
        kept->rows++;
    }
    for (int64_t j = 0; kept->columns && j < cols;
         j++) { /* a column that mixes numbers and texts is one in any block */
        ald_column *to = &kept->columns[j];
        const ald_column *from = &block->columns[j];
        if (from->n_texts > 0 && to->first_text_line == 0) to->first_text_line = from->first_text_line;
        if (from->n_numbers > 0 && to->first_number_line == 0) to->first_number_line = from->first_number_line;
        if (from->n_numbers > 0 && to->n_numbers == 0) to->n_numbers = from->n_numbers;
    }
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

static ald_status look_at_sparse_rows(ald_run *run, const ald_table *block, survey *s)
{
    s->kept->many_labels = s->kept->many_labels || block->many_labels;
    if (block->cols > s->kept->cols) s->kept->cols = block->cols;
    for (int64_t i = 0; i < block->rows; i++) {
        int news = s->kept->rows < rows_a_value;
        for (int64_t e = block->label_pointers ? block->label_pointers[i] : 0;
             block->label_pointers && e < block->label_pointers[i + 1]; e++)
            if (is_news(s, block->label_values[e])) news = 1;
        if (news) ALD_TRY(keep_sparse_row(run, block, i, s));
    }
    return ALD_OK;
}

static ald_status look_at_block(ald_run *run, const ald_table *block, survey *s)
{
    if (block->sparse) return look_at_sparse_rows(run, block, s);
    if (block->cols != s->kept->cols)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: a row has %lld cells where %lld are expected", block->source,
                        (long long)block->cols, (long long)s->kept->cols);
    return look_at_rows(run, block, s);
}

static ald_status look_through(ald_run *run, ald_stream *stream, const ald_load_options *options, survey *s,
                               int64_t *rows)
{
    ald_arena memory;
    ald_table block;
    int got = 1;
    ald_status status = ALD_OK;
    for (*rows = 0; status >= 0 && got; *rows += status >= 0 && got ? block.rows : 0) {
        ald_arena_init(&memory, &run->context->allocator);
        status = ald_stream_next(run, stream, &memory, &block, &got);
        if (status >= 0 && got && *rows == 0) status = begin(run, &block, options, s);
        const uint64_t mark = ald_arena_mark(&run->scratch);
        if (status >= 0 && got) status = look_at_block(run, &block, s);
        if (!s->levels) ald_arena_release(&run->scratch, mark);
        ald_arena_free(&memory);
    }
    return status;
}

ald_status ald_stream_survey(ald_run *run, const char *path, const ald_load_options *options, ald_dataset *dataset,
                             int64_t *rows)
{
    ald_table kept = {.arena = &dataset->memory};
    survey s = {.kept = &kept};
    ald_stream *stream;
    if (options->target_file || options->weights || options->like)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "streaming takes the target from the file itself, and no weights");
    if (options->missing && strcmp(options->missing, "mean") == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "--missing mean needs the means of all rows beforehand: use drop, or do not stream");
    ALD_TRY(ald_stream_open(run, path, options, &stream));
    ald_status status = look_through(run, stream, options, &s, rows);
    ald_stream_close(stream);
    if (status >= 0 && kept.rows == 0) status = ald_fail(run->error, ALD_ERROR_DATA, "%s: there are no rows", path);
    if (status >= 0 && kept.sparse) {
        const int64_t cols = kept.cols;
        status = ald_csr_finish(run, &s.csr);
        kept.cols = cols;
    }
    ALD_TRY(status);
    return ald_dataset_from_table(run, &kept, options, dataset);
}
