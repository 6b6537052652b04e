/* How ranks that each have a part of the rows sum over all of them. */
#ifndef ALD_SHARING_SHARE_SUMS_H
#define ALD_SHARING_SHARE_SUMS_H

#include "base/core/known_rows.h"
#include "math/operator/all_rows.h"

/* `rows` and `weight` are those of this rank; `all` receives those of all. */
ald_status ald_share_sums(ald_run *run, int64_t rows, double weight, ald_all_rows *all);
/* The same for a public call on a portion of the rows, after the ranks agree on `status`, that of its
 * checks. Rank 0 has the target and the results: `elsewhere` is 1 on the others. */
ald_status ald_share_portion(ald_run *run, ald_status status, const ald_matrix *x, ald_all_rows *all,
                             int *elsewhere);
/* At the end of such a call. */
ald_status ald_share_end(ald_run *run, ald_status status);

#endif
