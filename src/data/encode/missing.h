/* Cells without a value, and infinite ones. */
#ifndef ALD_ENCODE_MISSING_H
#define ALD_ENCODE_MISSING_H

#include "data/encode/preparation.h"

/* An error for the first infinite cell of a column that is in use. */
ald_status ald_refuse_infinite(ald_run *run, const ald_preparation *p);

/* Rows without a target or with holes are marked as dropped, fills are computed. */
ald_status ald_prepare_dropped(ald_run *run, ald_preparation *p);
ald_status ald_prepare_fills(ald_run *run, ald_preparation *p);

/* Whether cells without a value stay NaN in X. */
int ald_keeps_missing(const ald_preparation *p);

#endif
