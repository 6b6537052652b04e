/* Which rows of a block are kept, and what is counted of all of them, while the blocks of a file pass. */
#include "fit/streaming/row_summary.h"

#include "io/table/columns.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

/* This many distinct values of a real response are examined; no rule for the task needs more. */
enum { most_values = 1000, rows_a_value = 2 };

static int is_choice(const char *given, const char *choice)
{
    return given && strcmp(given, choice) == 0;
}

static ald_status copy_columns(ald_run *run, const ald_table *block, ald_table *kept)
{
    if (!block->columns) return ALD_OK;
    ALD_TRY(ald_get_clear(run, kept->arena, block->cols, 1, sizeof *kept->columns, &kept->columns));
    for (int64_t j = 0; j < block->cols; j++) {
        const char *name = block->columns[j].name;
        kept->columns[j].position = block->columns[j].position;
        if (!name) continue;
        ALD_TRY(ald_keep_text(run, kept->arena, name, strlen(name), &kept->columns[j].name));
    }
    return ALD_OK;
}

static ald_status choose(ald_run *run, const ald_table *block, const char *list, const char *what,
                         int64_t **chosen, int64_t *count)
{
    *count = 0;
    ALD_TRY(ald_scratch_clear(run, block->cols, 1, sizeof **chosen, chosen));
    return list ? ald_columns_choose(run, block, list, what, *chosen, count) : ALD_OK;
}

static ald_status begin_sums(ald_run *run, ald_row_summary *s)
{
    const int64_t cols = s->kept->cols;
    if (s->fill) ALD_TRY(ald_table_make_columns(run, s->kept));
    if (!s->kept->columns) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&s->first, cols, 1}));
    ALD_TRY(ald_scratch_zeros(run, cols, 1, &s->sums));
    ALD_TRY(ald_scratch_clear(run, cols, 1, sizeof *s->numbers, &s->numbers));
    return ald_levels_new(run, s->kept, &s->levels);
}

ald_status ald_summary_begin(ald_run *run, const ald_table *block, ald_row_summary *s)
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
    ALD_TRY(choose(run, block, options->weights, "`weights`", &s->weights, &s->weighted));
    ALD_TRY(ald_scratch(run, block->cols, 1, sizeof *s->codes, &s->codes));
    ALD_TRY(ald_scratch_clear(run, block->cols, 1, sizeof *s->distinct, &s->distinct));
    return begin_sums(run, s);
}

/* Levels of the block in terms of those kept. */
static ald_status match_levels(ald_run *run, const ald_table *block, ald_row_summary *s)
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
static double kept_cell(const ald_row_summary *s, int64_t j, double cell)
{
    int64_t level;
    return s->codes[j] && ald_cell_is_text(cell, &level) ? ald_cell_text(s->codes[j][level]) : cell;
}

/* Counts a cell of a column of texts or categories, or of the target; `news` if its row should be kept for
 * it. */
static ald_status count_value(ald_row_summary *s, int64_t j, double cell, int *news)
{
    const int64_t target = s->target ? s->target[j] : 1;
    int64_t level, count;
    const int endless = ald_cell_is_text(cell, &level) || target == 0 || s->kept->many_labels ||
                        is_choice(s->options->task, "classification");
    const int more = endless || s->distinct[j] < most_values;
    ALD_TRY(ald_tally_add(s->run, &s->tally, j, cell, 1, more, &count));
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

/* Whether the row will be left out: then it does not count. */
static int is_dropped(const ald_row_summary *s, const ald_table *block, const double *cells)
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

/* Rows of weight 0 do not count in the means. */
static int has_weight(const ald_row_summary *s, const double *cells)
{
    for (int64_t j = 0; s->weighted && j < s->kept->cols; j++)
        if (s->weights[j] && cells[j] == 0.0) return 0;
    return 1;
}

static void add_numbers(ald_row_summary *s, const double *cells)
{
    const int counts = has_weight(s, cells);
    for (int64_t j = 0; j < s->kept->cols; j++) {
        if (s->seen == 0) s->first[j] = cells[j];
        if (!(cells[j] - s->first[j] == (double)s->seen)) s->first[j] = NAN;
        if (isnan(cells[j]) || !counts) continue; /* missing, or a text */
        s->sums[j] += cells[j];
        s->numbers[j]++;
    }
    s->seen++;
}

static ald_status keep_row(ald_run *run, const double *cells, int64_t line, ald_row_summary *s)
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

static ald_status look_at_row(const double *cells, int64_t line, const int64_t *watched, int64_t n_watched,
                              ald_row_summary *s)
{
    int news = s->kept->rows < rows_a_value;
    if (s->sums) add_numbers(s, cells);
    for (int64_t t = 0; t < n_watched; t++) {
        const int64_t j = watched[t];
        if (!ald_cell_is_missing(cells[j])) ALD_TRY(count_value(s, j, kept_cell(s, j, cells[j]), &news));
    }
    return news ? keep_row(s->run, cells, line, s) : ALD_OK;
}

/* A column that mixes numbers and texts is one in any block. */
static void note_mixtures(const ald_table *block, ald_table *kept)
{
    for (int64_t j = 0; kept->columns && block->columns && j < kept->cols; j++) {
        ald_column *to = &kept->columns[j];
        const ald_column *from = &block->columns[j];
        if (from->n_texts > 0 && to->first_text_line == 0) {
            to->first_text_line = from->first_text_line;
            to->text_source = ald_text_source(block, j);
        }
        if (from->n_numbers > 0 && to->first_number_line == 0)
            to->first_number_line = from->first_number_line;
        if (from->n_numbers > 0 && to->n_numbers == 0) to->n_numbers = from->n_numbers;
    }
}

static ald_status look_at_rows(ald_run *run, const ald_table *block, ald_row_summary *s)
{
    const int64_t cols = s->kept->cols;
    const int drops = s->drop_holes || s->drop_unlabelled;
    int64_t *watched;
    int64_t n_watched = 0;
    ALD_TRY(match_levels(run, block, s));
    ALD_TRY(ald_scratch(run, cols, 1, sizeof *watched, &watched));
    for (int64_t j = 0; j < cols; j++)
        if (!s->ignored[j] && (s->codes[j] || s->target[j] || s->categorical[j])) watched[n_watched++] = j;
    for (int64_t i = 0; i < block->rows; i++) {
        const double *cells = block->cells + i * cols;
        const int dropped = drops && is_dropped(s, block, cells);
        s->dropped += dropped;
        if (!dropped) ALD_TRY(look_at_row(cells, ald_table_line(block, i), watched, n_watched, s));
    }
    note_mixtures(block, s->kept);
    return ALD_OK;
}

static ald_status keep_sparse_row(ald_run *run, const ald_table *block, int64_t i, ald_row_summary *s)
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

static ald_status look_at_sparse_rows(const ald_table *block, ald_row_summary *s)
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
            ALD_TRY(count_value(s, 0, block->label_values[e], &news));
        if (news) ALD_TRY(keep_sparse_row(s->run, block, i, s));
    }
    return ALD_OK;
}

ald_status ald_summary_add(ald_run *run, const ald_table *block, ald_row_summary *s)
{
    if (block->sparse != s->kept->sparse) return ald_record_damaged(run); /* of a checkpoint */
    if (block->sparse) return look_at_sparse_rows(block, s);
    if (block->cols != s->kept->cols)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: a row has %lld cells, but %lld are expected",
                        block->source, (long long)block->cols, (long long)s->kept->cols);
    return look_at_rows(run, block, s);
}
