/* Columns that nobody means as features: dates, names and numbers of rows. */
#ifndef ALD_ENCODE_LEAVE_OUT_H
#define ALD_ENCODE_LEAVE_OUT_H

#include "data/encode/roles.h"

/* Gives the role ALD_ROLE_IGNORED to features that are dates, or makes numbers of them, by the option
 * `dates`; and to those of texts of which most rows have one of their own. Columns that are named as
 * categorical
 * (`forced`) stay. A note tells. */
ald_status ald_leave_out(ald_run *run, ald_preparation *p, const unsigned char *forced, unsigned char *roles);

/* A warning for the first feature whose cells are 0, 1, 2, ... or 1, 2, 3, ... down the file: where the rows
 * are sorted by the target it tells the target, and in new rows it tells nothing. */
void ald_warn_row_numbers(ald_run *run, const ald_preparation *p);

#endif
