/* Groups of rows and given parts. */
#ifndef ALD_PREPARING_GROUPS_H
#define ALD_PREPARING_GROUPS_H

#include "preparing/preparation.h"

/* groups and given parts of the rows that stay, before the cells are written over. */
ald_status ald_prepare_groups(ald_run *run, ald_preparation *p);

#endif
