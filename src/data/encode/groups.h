/* Groups of rows and given parts. */
#ifndef ALD_ENCODE_GROUPS_H
#define ALD_ENCODE_GROUPS_H

#include "data/encode/preparation.h"

/* groups and given parts of the rows that stay, before the cells are written over. */
ald_status ald_prepare_groups(ald_run *run, ald_preparation *p);

#endif
