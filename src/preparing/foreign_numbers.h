/* Numbers as they are written elsewhere, which came as texts. */
#ifndef ALD_PREPARING_FOREIGN_NUMBERS_H
#define ALD_PREPARING_FOREIGN_NUMBERS_H

#include "table/table.h"

/* An error when all texts of the column are numbers with a decimal comma or with marks between the thousands,
 * which nobody means as categories. */
ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column);

#endif
