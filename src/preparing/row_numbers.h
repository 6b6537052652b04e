/* Features that only number the rows. */
#ifndef ALD_PREPARING_ROW_NUMBERS_H
#define ALD_PREPARING_ROW_NUMBERS_H

#include "preparing/preparation.h"

/* A warning for the first feature whose cells are 0, 1, 2, ... or 1, 2, 3, ... down the file: where the rows
 * are sorted by the target it tells the target, and in new rows it tells nothing. */
void ald_warn_row_numbers(ald_run *run, const ald_preparation *p);

#endif
