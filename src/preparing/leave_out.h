/* Columns of texts that are no categories: dates, and names of rows. */
#ifndef ALD_PREPARING_LEAVE_OUT_H
#define ALD_PREPARING_LEAVE_OUT_H

#include "preparing/roles.h"

/* Gives the role ALD_ROLE_IGNORED to features that are dates, or makes numbers of them, by the option
 * `dates`; and to those of texts of which most rows have one of their own. Columns that are named as
 * categorical
 * (`forced`) stay. A note tells. */
ald_status ald_leave_out(ald_run *run, ald_preparation *p, const unsigned char *forced, unsigned char *roles);

#endif
