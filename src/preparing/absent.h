/* Columns of a model that a file does not have. */
#ifndef ALD_PREPARING_ABSENT_H
#define ALD_PREPARING_ABSENT_H

#include "preparing/preparation.h"

/* The error that names all `absent` of them, those whose place in the table is -1, with the columns they may
 * be: near names that no other feature has. */
ald_status ald_fail_absent(ald_run *run, const ald_preparation *p, int64_t absent);

#endif
