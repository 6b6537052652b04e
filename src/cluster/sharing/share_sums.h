/* What ranks that each have a part of the rows do together, as a table (operator/all_rows.h). */
#ifndef ALD_SHARING_SHARE_SUMS_H
#define ALD_SHARING_SHARE_SUMS_H

#include "data/encode/dataset.h"
#include "math/operator/all_rows.h"

/* That of the run, without rows. */
ald_all_rows ald_share_table(const ald_run *run);
/* A dataset whose rows the ranks will share gets it; nothing is done where there is one rank. */
ald_status ald_share_begin(ald_run *run, ald_dataset *dataset);
/* At the end of a public call that all ranks make. */
ald_status ald_share_end(ald_run *run, ald_status status);
/* Refuses a survey that was not made by these ranks. */
ald_status ald_share_check(ald_run *run, const ald_dataset *survey);

#endif
