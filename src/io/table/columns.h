/* Lists of columns as a user names them. */
#ifndef ALD_TABLE_COLUMNS_H
#define ALD_TABLE_COLUMNS_H

#include "io/table/table.h"

/* Columns as the command line names them: names, #3, 3, A..B, with commas. Marks them in chosen[0 .. cols)
 * with their rank in the list from 1 (others 0) and counts them. `what` is for messages, e.g. "`target`". An
 * unknown name is an error with the nearest one. */
ald_status ald_columns_choose(ald_run *run, const ald_table *table, const char *list, const char *what,
                              int64_t *chosen, int64_t *count);

#endif
