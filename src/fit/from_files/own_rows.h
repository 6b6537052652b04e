/* The rows of this rank in memory, for methods that compare rows with each other. */
#ifndef ALD_FROM_FILES_OWN_ROWS_H
#define ALD_FROM_FILES_OWN_ROWS_H

#include "cluster/divided/divided_rows.h"
#include "fit/streaming/collect.h"

/* One more pass over a file that was collected, with its columns: fills `rows` with the rows of this rank as
 * the plan of the collection prepares them, centred and scaled by the run's settings. Dense, or CSR with
 * indices of 64 bits. In scratch. Refuses rows that need more memory than is left before it reads them.
 * Agrees on how it went. `deviation` (d, in scratch, or NULL): what columns were divided by. */
ald_status ald_own_rows_read(ald_run *run, const ald_collection *c, double **deviation, ald_divided *rows);

#endif
