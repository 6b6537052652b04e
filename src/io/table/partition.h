/* Rows in order, rows with equal cells (the classes to stratify by, the groups to keep together), and rows
 * drawn at random. */
#ifndef ALD_TABLE_PARTITION_H
#define ALD_TABLE_PARTITION_H

#include "base/core/run.h"
#include "base/numbers/random.h"
#include "io/table/table.h"

/* A stable sort of row (or entry) numbers by any comparison, with its memory from the run. */

/* Negative, 0, positive as item `a` comes before, with or after item `b`. */
typedef int (*ald_order_compare)(const void *context, int64_t a, int64_t b);

/* Sorts the item numbers in order[0 .. n); items that compare equal keep their order. */
ald_status ald_order_sort(ald_run *run, int64_t n, int64_t *order, ald_order_compare compare,
                          const void *context);

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

/* Rows drawn at random for training, or dealt out to folds. */

/* Marks `wanted` of n rows in in_train[0 .. n), which is cleared. `classes` (NULL: none): train times the
 * rows of each, the fractions rounded by the largest remainder, ties at random. */
ald_status ald_draw_rows(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                         double train, int64_t wanted, unsigned char *in_train);
/* Marks whole groups, in random order, as long as each brings the number of rows nearer to `wanted`; the
 * first is always taken and the last never. */
ald_status ald_draw_groups(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                           int64_t wanted, unsigned char *in_train);

/* Deals n rows out to folds 0 .. k - 1 whose sizes differ by at most one, those of every class too. */
ald_status ald_draw_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *classes,
                          int64_t k, int32_t *fold_of);
/* Deals out whole groups, the largest first, each to the fold with the fewest rows; ties are random. */
ald_status ald_draw_group_folds(ald_run *run, ald_random *random, int64_t n, const ald_partition *groups,
                                int64_t k, int32_t *fold_of);

#endif
