/* Numbers as they are written elsewhere, which came as texts. */
#ifndef ALD_LEVELS_FOREIGN_NUMBERS_H
#define ALD_LEVELS_FOREIGN_NUMBERS_H

#include "io/table/table.h"

/* Whether all texts of the column are numbers with marks between the thousands, or all with a decimal comma.
 */
int ald_has_foreign_numbers(const ald_column *column);
/* What the texts of a column look like that are read as texts all the same, numbers with a sign of money or
 * dates in another form, and what to do; NULL: neither. */
const char *ald_lookalike(const ald_column *column);
/* An error when all texts of the column are numbers with a decimal comma or with marks between the thousands,
 * which nobody means as categories. */
ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column);

#endif
