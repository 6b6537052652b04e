/* Texts of the columns that are kept, as a csv file has them: one buffer per column, and where each begins.
 */
#ifndef ALD_CSV_CSV_KEPT_H
#define ALD_CSV_CSV_KEPT_H

#include "base/core/text.h"
#include "io/table/table.h"

typedef struct ald_csv_kept ald_csv_kept;

/* For the columns of table->kept; NULL: there are none. */
ald_status ald_csv_kept_new(ald_run *run, ald_table *table, ald_csv_kept **kept);
/* The text of the next cell of a column, row after row. */
ald_status ald_csv_kept_add(ald_run *run, ald_csv_kept *kept, int64_t column, const char *text,
                            size_t length);
/* Fills in the texts of table->kept. */
ald_status ald_csv_kept_finish(ald_run *run, ald_csv_kept *kept);

#endif
