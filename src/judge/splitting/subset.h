/* Some rows of X and target, copied, so that a fit sees nothing else. A subset of a subset is the same call.
 */
#ifndef ALD_SPLITTING_SUBSET_H
#define ALD_SPLITTING_SUBSET_H

#include "math/operator/entry.h"

#include <alidade/matrix.h>

/* Views; what was copied is in the scratch of the run that took it. */
typedef struct ald_subset {
    ald_matrix x;
    ald_target y;
} ald_subset;

/* Rows rows[0 .. n) of `from`, in that order. Dense X becomes row major, sparse X becomes CSR; names are
 * shared. */
ald_status ald_subset_take(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n,
                           ald_subset *subset);
/* The same where X stands on a card: the rows are taken there and are nowhere else (math/device/held.h); else
 * subset->x.values is NULL. */
ald_status ald_subset_take_on_card(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n,
                                   ald_subset *subset);
/* NaN in the X of both parts becomes the mean of the column over the training part; a column without any is
 * an error that names it. The copies of ald_subset_take are changed in place. */
ald_status ald_subset_fill(ald_run *run, ald_subset *train, ald_subset *test);

/* same[i]: the first row that equals row i in X and target, bit by bit (i itself if none before does). O(n
 * d). */
ald_status ald_duplicates_find(ald_run *run, const ald_subset *data, int64_t *same);

#endif
