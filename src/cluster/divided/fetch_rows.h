/* Rows of other ranks, for this one. */
#ifndef ALD_DIVIDED_FETCH_ROWS_H
#define ALD_DIVIDED_FETCH_ROWS_H

#include "cluster/divided/divided_rows.h"

/* The rows numbers[0] < numbers[1] < ... of all (`count`; ranks may want different ones, or none), as an
 * operator in scratch, row scaled, with the mean and scale of `rows`. Each is sent once to each rank that
 * wants it. Agrees on `status`, that of making the list, and on how it went. */
ald_status ald_fetch_rows(ald_run *run, ald_status status, const ald_divided *rows, const int64_t *numbers,
                          int64_t count, ald_operator *fetched);

#endif
