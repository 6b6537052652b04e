#include "io/table/place.h"

#include <stdio.h>

ald_place ald_column_label(const ald_table *table, int64_t column)
{
    ald_place label;
    if (table->columns && table->columns[column].name)
        snprintf(label.text, sizeof label.text, "column '%.120s'", table->columns[column].name);
    else
        snprintf(label.text, sizeof label.text, "column %lld", (long long)(column + 1));
    return label;
}

ald_place ald_cell_place(const ald_table *table, int64_t row, int64_t column, int64_t line)
{
    ald_place place;
    const char *name = table->columns ? table->columns[column].name : NULL;
    const int64_t position = table->columns ? table->columns[column].position : column + 1;
    if (line == 0) line = ald_table_line(table, row);
    const int by_line = line > 0 && table->has_lines;
    snprintf(place.text, sizeof place.text, "%s %lld, column %lld%s%.100s%s", by_line ? "line" : "row",
             (long long)(by_line ? line : table->rows_before + row + 1), (long long)position,
             name ? " ('" : "", name ? name : "", name ? "')" : "");
    return place;
}

ald_place ald_row_place(const ald_table *table, int64_t row)
{
    ald_place place;
    const int64_t line = ald_table_line(table, row);
    snprintf(place.text, sizeof place.text, "%s %lld", line ? "line" : "row",
             (long long)(line ? line : table->rows_before + row + 1));
    return place;
}
