/* Rows with equal cells: the classes to stratify by, the groups to keep together. */
#ifndef ALD_TABLE_PARTITION_H
#define ALD_TABLE_PARTITION_H

#include "io/table/table.h"

/* parts[0 .. n_parts) hold the number of rows of each part; part_of[i] is the part of row i. Parts are in the
 * order of their values. All in the scratch of the run. */
typedef struct ald_partition {
    int64_t n_parts;
    int64_t *sizes;
    int64_t *part_of;
} ald_partition;

/* By the cells of columns[0 .. n_columns), or with n_columns 0 by the table's own labels. Missing cells are
 * equal. */
ald_status ald_partition_rows(ald_run *run, const ald_table *table, const int64_t *columns, int64_t n_columns,
                              ald_partition *partition);

#endif
