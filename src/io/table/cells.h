/* Cells that are not finite, and the counts of the columns, for the formats made of numbers (npy, mat, sparse
 * arff). */
#ifndef ALD_TABLE_CELLS_H
#define ALD_TABLE_CELLS_H

#include "io/table/table.h"

/* The columns of a table that has none yet: unnamed, nothing counted, positions set. */
ald_status ald_table_make_columns(ald_run *run, ald_table *table);
/* Takes a NaN as missing: writes the missing cell over it and counts it, making the columns at the first one
 * (10^6 columns without NaN cost nothing). An infinity is counted too: the column may not be in use. From 0
 * here. */
ald_status ald_cell_not_finite(ald_run *run, ald_table *table, int64_t row, int64_t column, double *cell);
/* Counts as numbers all cells that are neither missing nor text, if there are columns. */
void ald_table_count_numbers(ald_table *table);

/* The error for a file without rows or columns. */
ald_status ald_table_check_size(ald_run *run, const ald_table *table);

#endif
