/* Places in a file, for messages. */
#ifndef ALD_TABLE_PLACE_H
#define ALD_TABLE_PLACE_H

#include "io/table/table.h"

/* Where a cell is, for messages: "line 7, column 3 ('width')" or "row 7, column 3". `line` 0: that of the
 * row, if the table knows it. `row` from 0. */
typedef struct ald_place {
    char text[160];
} ald_place;
ald_place ald_cell_place(const ald_table *table, int64_t row, int64_t column, int64_t line);
/* "'width'" or "column 3". */
ald_place ald_column_label(const ald_table *table, int64_t column);
/* "line 7" or "row 7". */
ald_place ald_row_place(const ald_table *table, int64_t row);

#endif
