/* Equal rows. */
#ifndef ALD_SPLITTING_DUPLICATES_H
#define ALD_SPLITTING_DUPLICATES_H

#include "judge/splitting/subset.h"

/* same[i]: the first row that equals row i in X and target, bit by bit (i itself if none before does). O(n
 * d). */
ald_status ald_duplicates_find(ald_run *run, const ald_subset *data, int64_t *same);

#endif
