#include "data/levels/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_among(const char *text, char *const *list, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (strcmp(text, list[k]) == 0) return 1;
    return 0;
}

/* Whether such a mark is a level of a column that nothing is known of. */
static int stays(const ald_column *column, int64_t marks)
{
    const int64_t others = column->n_levels - marks;
    return column->n_numbers == 0 && (others == 1 || is_among("+", column->levels, column->n_levels));
}

/* Cells of `count` levels by their new numbers, -1: no value. */
static void renumber(ald_column *column, double *cells, int64_t stride, int64_t rows, const int64_t *numbers,
                     int counted)
{
    for (int64_t i = 0; i < rows; i++) {
        double *cell = &cells[i * stride];
        int64_t level;
        if (!ald_cell_is_text(*cell, &level)) continue;
        const int gone = numbers[level] < 0;
        *cell = gone ? ald_cell_missing() : ald_cell_text(numbers[level]);
        if (!counted) continue;
        column->n_texts -= gone;
        column->n_missing += gone;
    }
}

static ald_status drop_levels(ald_run *run, ald_table *table, int64_t column, const unsigned char *gone)
{
    ald_column *of = &table->columns[column];
    int64_t *numbers;
    int64_t kept = 0;
    ALD_TRY(ald_scratch(run, of->n_levels, 1, sizeof *numbers, &numbers));
    for (int64_t k = 0; k < of->n_levels; k++) {
        numbers[k] = gone[k] ? -1 : kept;
        if (!gone[k]) of->levels[kept++] = of->levels[k];
    }
    renumber(of, table->cells + column, table->cols, table->rows, numbers, 1);
    if (of->summary) renumber(of, of->summary->cells, 1, of->summary->n, numbers, 0);
    of->n_levels = kept;
    if (!of->first_missing_line) of->first_missing_line = of->first_text_line;
    ald_arena_drop(&run->scratch, numbers);
    return ALD_OK;
}

ald_status ald_settle_marks(ald_run *run, ald_table *table, int64_t column, char *const *known,
                            int64_t n_known)
{
    ald_column *of = &table->columns[column];
    unsigned char *gone;
    int64_t marks = 0;
    if (of->nominal || of->n_levels == 0 || table->sparse) return ALD_OK;
    ALD_TRY(ald_scratch(run, of->n_levels, 1, 1, &gone));
    for (int64_t k = 0; k < of->n_levels; k++) {
        const char *level = of->levels[k];
        gone[k] = ald_text_may_be_missing(level, strlen(level)) && !is_among(level, known, n_known);
        marks += gone[k];
    }
    if (marks > 0 && !(n_known < 0 && stays(of, marks))) ALD_TRY(drop_levels(run, table, column, gone));
    ald_arena_drop(&run->scratch, gone);
    return ALD_OK;
}

ald_status ald_settle_all_marks(ald_run *run, ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++)
        ALD_TRY(ald_settle_marks(run, table, j, NULL, -1));
    return ALD_OK;
}

int ald_texts_are(const ald_column *column, ald_text_parser parse)
{
    double value;
    for (int64_t k = 0; k < column->n_levels; k++)
        if (!parse(column->levels[k], strlen(column->levels[k]), &value)) return 0;
    return column->n_levels > 0;
}

/* Of the whole file, where the table is a part of it. */
static ald_status summarise_numbers(ald_run *run, ald_table *table, ald_column *of, const double *values)
{
    double sum = 0.0, count = 0.0;
    int64_t level;
    if (!of->summary) return ALD_OK;
    ald_column_summary *made = ald_arena_get(table->arena, 1, 1, sizeof *made);
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    *made = *of->summary;
    for (int64_t i = 0; i < made->n; i++) {
        if (!ald_cell_is_text(made->cells[i], &level)) continue;
        sum += (double)made->counts[i] * values[level];
        count += (double)made->counts[i];
    }
    made->mean = count > 0.0 ? sum / count : (double)NAN;
    of->summary = made;
    return ALD_OK;
}

ald_status ald_texts_to_numbers(ald_run *run, ald_table *table, int64_t column, ald_text_parser parse)
{
    ald_column *of = &table->columns[column];
    double *values;
    ALD_TRY(ald_scratch_reals(run, of->n_levels, 1, &values));
    for (int64_t k = 0; k < of->n_levels; k++)
        if (!parse(of->levels[k], strlen(of->levels[k]), &values[k])) values[k] = ald_cell_missing();
    ALD_TRY(summarise_numbers(run, table, of, values));
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = &table->cells[i * table->cols + column];
        int64_t level;
        if (ald_cell_is_text(*cell, &level)) *cell = values[level];
    }
    of->n_numbers += of->n_texts;
    of->n_texts = of->n_levels = 0;
    ald_arena_drop(&run->scratch, values);
    return ALD_OK;
}

const char *ald_na_hint(const char *text, char *hint, size_t size)
{
    enum { longest = 20 };
    const int plain = *text && *text != '-' && strlen(text) <= longest && !strpbrk(text, ",`'\"\\ \t");
    hint[0] = '\0';
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20) return hint;
    if (plain) snprintf(hint, size, ", or give `na=%s` if it stands for no value", text);
    return hint;
}
