/* What is said of delimited texts that are no table. */
#ifndef ALD_CSV_CSV_REFUSE_H
#define ALD_CSV_CSV_REFUSE_H

#include "io/table/table.h"

/* A row of `found` cells, at `line`, in a table of others. `hash_first`: the first row begins with a # that
 * was not said to be a comment. */
ald_status ald_csv_fail_ragged(ald_run *run, const ald_table *table, int hash_first, int64_t line,
                               int64_t found);
/* No row, behind `skip` lines that were passed over. */
ald_status ald_csv_fail_empty(ald_run *run, int64_t skip);

#endif
