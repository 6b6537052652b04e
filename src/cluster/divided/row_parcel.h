/* Rows as bytes, to be sent: scaled row by row and not yet column by column, so that who takes them finds the
 * same differences, to the last digit, as who has them. */
#ifndef ALD_DIVIDED_ROW_PARCEL_H
#define ALD_DIVIDED_ROW_PARCEL_H

#include "base/core/record.h"
#include "math/operator/operator.h"

/* Puts rows which[0] .. which[count - 1] of z, or (`which` NULL) those from `from` on, and seals the record.
 * Dense: count x d numbers; CSR with indices of 64 bits: 16 bytes per entry and up to 16 per row. */
ald_status ald_rows_put(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                        int64_t count, ald_record *parcel);
/* The rows of `parcels` (`count` of them, one behind the other) as an operator in scratch; mean and scale are
 * those of `like`, which the rows are of the kind of. */
ald_status ald_rows_taken(ald_run *run, ald_record *parcels, int count, const ald_operator *like,
                          ald_operator *rows);

#endif
