#include "io/table/cells.h"

#include <math.h>
#include <string.h>

ald_status ald_table_make_columns(ald_run *run, ald_table *table)
{
    if (table->columns) return ALD_OK;
    ald_column *columns = ald_arena_get(table->arena, table->cols, 1, sizeof *columns);
    if (!columns) return ald_out_of_memory(run, table->cols, 1, sizeof *columns);
    memset(columns, 0, (size_t)table->cols * sizeof *columns);
    for (int64_t j = 0; j < table->cols; j++) columns[j].position = j + 1;
    table->columns = columns;
    return ALD_OK;
}

ald_status ald_cell_not_finite(ald_run *run, ald_table *table, int64_t row, int64_t column, double *cell)
{
    ALD_TRY(ald_table_make_columns(run, table));
    ald_column *of = &table->columns[column];
    if (!isnan(*cell)) {
        if (!of->n_infinite++ || row + 1 < of->first_infinite_line) of->first_infinite_line = row + 1;
        return ALD_OK;
    }
    if (!of->n_missing++ || row + 1 < of->first_missing_line) of->first_missing_line = row + 1;
    *cell = ald_cell_missing();
    return ALD_OK;
}

void ald_table_count_numbers(ald_table *table)
{
    for (int64_t j = 0; table->columns && j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        column->n_numbers = table->rows - column->n_missing - column->n_texts;
    }
}

ald_status ald_table_check_size(ald_run *run, const ald_table *table)
{
    if (table->rows < 1) return ald_fail(run->error, ALD_ERROR_DATA, "the file has no rows of data");
    if (table->cols < 1) return ald_fail(run->error, ALD_ERROR_DATA, "the file has no columns of data");
    return ALD_OK;
}
