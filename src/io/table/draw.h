/* Rows drawn at random for training, or dealt out to folds. */
#ifndef ALD_TABLE_DRAW_H
#define ALD_TABLE_DRAW_H

#include "base/numbers/random.h"
#include "io/table/partition.h"

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
