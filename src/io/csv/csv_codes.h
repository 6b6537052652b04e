/* Columns of codes with leading zeros, once all of a file is read. */
#ifndef ALD_CSV_CSV_CODES_H
#define ALD_CSV_CSV_CODES_H

#include "io/table/table.h"

/* The codes of the column were read as texts, its other numbers as numbers. Where these are whole and not
 * negative they become texts too, as they were written; else the codes become numbers. */
ald_status ald_csv_settle_codes(ald_run *run, ald_table *table, ald_levels *levels, int64_t column);

#endif
