/* A table that comes as columns in memory, as if it had been read from a csv file. */
#ifndef ALD_CSV_CSV_COLUMNS_H
#define ALD_CSV_CSV_COLUMNS_H

#include "io/table/table.h"

/* Fills the table, whose arena belongs to the caller, with `count` columns of `rows` cells. Nothing of the
 * columns is referred to afterwards. */
ald_status ald_table_from_columns(ald_run *run, const ald_table_column *columns, int64_t count, int64_t rows,
                                  const ald_load_options *options, ald_arena *arena, ald_table *table);

#endif
