/* How ranks that each have some rows sum over all of them. */
#ifndef ALD_SHARING_SHARE_SUMS_H
#define ALD_SHARING_SHARE_SUMS_H

#include "math/operator/shared_rows.h"

/* `rows` and `weight` are those of this rank; `shared` receives those of all. */
ald_status ald_share_sums(ald_run *run, int64_t rows, double weight, ald_shared_rows *shared);

#endif
