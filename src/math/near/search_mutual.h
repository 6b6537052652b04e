/* A search in which all points look for all: each pair is met once, for both of its points, so that the
 * products are half of those of other searches. The outcome is the same. */
#ifndef ALD_NEAR_SEARCH_MUTUAL_H
#define ALD_NEAR_SEARCH_MUTUAL_H

#include "math/near/near_pairs.h"

/* Whether points and references are the same, dense, and not too long. */
int ald_search_is_mutual(const ald_pair_search *search);
/* Cost: n^2 d / 2 products; memory: the points in single precision, in double where that does not do. */
ald_status ald_search_mutual(ald_run *run, const ald_pair_search *search);

#endif
