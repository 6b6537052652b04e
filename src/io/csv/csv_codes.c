#include "io/csv/csv_codes.h"

#include "base/numbers/number.h"
#include "io/csv/csv_manner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double *cell_at(const ald_table *table, int64_t row, int64_t column)
{
    return &table->cells[row * table->cols + column];
}

/* Beyond this a double does not hold every whole number. */
static int is_count(double value)
{
    return value >= 0.0 && value < 9007199254740992.0 && floor(value) >= value;
}

static int all_counts(const ald_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        const double cell = *cell_at(table, i, column);
        if (!isnan(cell) && !is_count(cell)) return 0;
    }
    return 1;
}

static ald_status to_texts(ald_run *run, ald_table *table, ald_levels *levels, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = cell_at(table, i, column);
        char text[32];
        int64_t level;
        if (isnan(*cell)) continue;
        const int length = snprintf(text, sizeof text, "%.0f", *cell);
        ALD_TRY(ald_levels_find(run, levels, column, text, (size_t)length, &level));
        *cell = ald_cell_text(level);
        table->columns[column].n_texts++;
    }
    return ALD_OK;
}

static void to_numbers(ald_table *table, int64_t column)
{
    ald_column *of = &table->columns[column];
    for (int64_t i = 0; i < table->rows; i++) {
        double *cell = cell_at(table, i, column);
        int64_t level;
        if (!ald_cell_is_text(*cell, &level)) continue;
        const size_t length = strlen(of->levels[level]);
        if (!ald_csv_cell_is_code(of->levels[level], length)) continue;
        ald_parse_real(of->levels[level], length, cell);
        of->n_texts--;
    }
}

ald_status ald_csv_settle_codes(ald_run *run, ald_table *table, ald_levels *levels, int64_t column)
{
    if (all_counts(table, column)) return to_texts(run, table, levels, column);
    to_numbers(table, column);
    return ALD_OK;
}
