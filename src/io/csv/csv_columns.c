/* Every text is looked at once, the first time that a row has it, by the rules for cells of csv files: it is
 * no value, a number, a code with leading zeros, or a level of its column. Numbers are copied in blocks of
 * rows, so that columns that lie apart become rows without a page of memory per cell. */
#include "io/csv/csv_columns.h"

#include "base/numbers/number.h"
#include "io/csv/csv_manner.h"
#include "io/csv/csv_scan.h"
#include "io/reading/reader.h"
#include "io/table/columns.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>

enum { block_rows = 64 };

typedef struct {
    const ald_table_column *given; /* table->cols */
    ald_table *table;
    ald_csv_manner manner;
    ald_levels *levels;
    int64_t *categorical; /* table->cols: not 0 where numbers are categories too */
} maker;

/* What becomes of one text of a column. */
typedef struct {
    double cell;
    int known, code;
} meaning;

static ald_status refuse_file_options(ald_run *run, const ald_load_options *options)
{
    const struct {
        const char *name, *value;
    } of_files[] = {
        {"format", options->format},
        {"delimiter", options->delimiter},
        {"header", options->header},
        {"comment", options->comment},
        {"sheet", options->sheet},
        {"x_variable", options->x_variable},
        {"y_variable", options->y_variable},
        {"transpose", options->transpose ? "1" : NULL},
        {"skip", options->skip ? "1" : NULL},
    };
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (of_files[i].value)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "`%s` applies to files, but this table is in memory: leave it out",
                            of_files[i].name);
    return ALD_OK;
}

static ald_status check_column(ald_run *run, const ald_table_column *column, int64_t number)
{
    const int texts = column->codes != NULL && (column->n_levels == 0 || column->levels != NULL);
    if (column->size != sizeof *column)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "column %lld was not initialised with ALD_TABLE_COLUMN_INIT", (long long)number);
    if (!column->numbers == !texts)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "column %lld has both numbers and text codes, or neither: give one of them",
                        (long long)number);
    for (int64_t k = 0; texts && k < column->n_levels; k++)
        if (!column->levels[k])
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "text %lld of column %lld is NULL", (long long)k,
                            (long long)number);
    return ALD_OK;
}

/* Those of `categorical`, and those that name the rows, which are never read as numbers. */
static ald_status mark_categorical(ald_run *run, maker *m, const char *list)
{
    int64_t count;
    ALD_TRY(ald_scratch_clear(run, m->table->cols, 1, sizeof *m->categorical, &m->categorical));
    if (list) ALD_TRY(ald_columns_choose(run, m->table, list, "`categorical`", m->categorical, &count));
    for (int64_t k = 0; k < m->table->n_kept; k++)
        if (m->table->kept[k].is_id) m->categorical[m->table->kept[k].column] = 1;
    return ALD_OK;
}

static ald_status as_level(ald_run *run, const maker *m, int64_t column, const char *text, double *cell)
{
    int64_t level;
    ALD_TRY(ald_levels_find(run, m->levels, column, text, strlen(text), &level));
    *cell = ald_cell_text(level);
    return ALD_OK;
}

static ald_status understand(ald_run *run, const maker *m, int64_t column, const char *text, meaning *of)
{
    const char *core = text;
    size_t length = strlen(text);
    of->known = 1;
    ald_csv_trim(&core, &length);
    if (ald_csv_cell_is_missing(&m->manner, core, length)) {
        of->cell = ald_cell_missing();
        return ALD_OK;
    }
    of->code = ald_csv_cell_is_code(core, length);
    if (m->categorical[column] || of->code || !ald_csv_cell_number(&m->manner, core, length, &of->cell))
        return as_level(run, m, column, text, &of->cell);
    return ALD_OK;
}

/* Notes what kind of cell it is; `row` from 0. */
static ald_status count_cell(ald_run *run, const maker *m, int64_t row, int64_t column, double *cell)
{
    ald_column *of = &m->table->columns[column];
    int64_t level;
    if (isfinite(*cell)) return ALD_OK;
    if (!ald_cell_is_text(*cell, &level)) return ald_cell_not_finite(run, m->table, row, column, cell);
    if (!of->n_texts++) of->first_text_line = row + 1;
    return ALD_OK;
}

static ald_status add_texts(ald_run *run, const maker *m, int64_t column)
{
    const ald_table_column *given = &m->given[column];
    meaning *meanings;
    int has_codes = 0;
    ALD_TRY(ald_scratch_clear(run, given->n_levels + 1, 1, sizeof *meanings, &meanings));
    for (int64_t i = 0; i < m->table->rows; i++) {
        double *cell = &m->table->cells[i * m->table->cols + column];
        const int64_t code = given->codes[i];
        if (code >= given->n_levels)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "row %lld of column %lld has text code %lld, but there are only %lld texts",
                            (long long)i + 1, (long long)column + 1, (long long)code,
                            (long long)given->n_levels);
        if (code >= 0 && !meanings[code].known)
            ALD_TRY(understand(run, m, column, given->levels[code], &meanings[code]));
        *cell = code < 0 ? ald_cell_missing() : meanings[code].cell;
        has_codes |= code >= 0 && meanings[code].code;
        ALD_TRY(count_cell(run, m, i, column, cell));
    }
    ald_arena_drop(&run->scratch, meanings);
    return has_codes && !m->categorical[column] ? ald_csv_settle_codes(run, m->table, m->levels, column)
                                                : ALD_OK;
}

static ald_status number_cell(ald_run *run, const maker *m, int64_t row, int64_t column, double value)
{
    double *cell = &m->table->cells[row * m->table->cols + column];
    char text[ALD_REAL_TEXT_SIZE];
    *cell = value;
    if (m->categorical[column] && !isnan(value)) {
        ald_format_real(value, text);
        ALD_TRY(as_level(run, m, column, text, cell));
    }
    return count_cell(run, m, row, column, cell);
}

static ald_status add_numbers(ald_run *run, const maker *m, int64_t first, int64_t end)
{
    for (int64_t j = 0; j < m->table->cols; j++) {
        const ald_table_column *given = &m->given[j];
        const int64_t stride = given->stride ? given->stride : 1;
        for (int64_t i = first; given->numbers && i < end; i++)
            ALD_TRY(number_cell(run, m, i, j, given->numbers[i * stride]));
    }
    return ALD_OK;
}

static ald_status add_cells(ald_run *run, const maker *m)
{
    ald_table *table = m->table;
    ALD_TRY(ald_get(run, table->arena, table->rows, table->cols, sizeof *table->cells, &table->cells));
    for (int64_t i = 0; i < table->rows; i += block_rows)
        ALD_TRY(add_numbers(run, m, i, i + block_rows < table->rows ? i + block_rows : table->rows));
    for (int64_t j = 0; j < table->cols; j++)
        if (!m->given[j].numbers) ALD_TRY(add_texts(run, m, j));
    ald_table_count_numbers(table);
    return ALD_OK;
}

ald_status ald_table_from_columns(ald_run *run, const ald_table_column *columns, int64_t count, int64_t rows,
                                  const ald_load_options *options, ald_arena *arena, ald_table *table)
{
    maker m = {.given = columns, .table = table};
    ald_load_options whole;
    ALD_TRY(refuse_file_options(run, options));
    *table = (ald_table){.arena = arena, .source = "the table", .rows = rows, .cols = count};
    ALD_TRY(ald_table_check_size(run, table));
    for (int64_t j = 0; j < count; j++) ALD_TRY(check_column(run, &columns[j], j + 1));
    ALD_TRY(ald_options_like(run, options, &whole, table));
    whole.transpose = 0;
    ALD_TRY(ald_csv_manner_read(run, &whole, ',', &m.manner));
    if (m.manner.comma < 0) m.manner.comma = 0;
    table->decimal_comma = m.manner.comma;
    ALD_TRY(ald_table_make_columns(run, table));
    for (int64_t j = 0; j < count; j++)
        if (columns[j].name)
            ALD_TRY(ald_name_column(run, table, j, columns[j].name, strlen(columns[j].name)));
    ALD_TRY(ald_levels_new(run, table, &m.levels));
    ALD_TRY(ald_kept_choose(run, &whole, table));
    ALD_TRY(mark_categorical(run, &m, whole.categorical));
    ALD_TRY(add_cells(run, &m));
    return ald_kept_fill(run, table);
}
