/* Dense X. */
#ifndef ALD_PREPARING_ENCODE_H
#define ALD_PREPARING_ENCODE_H

#include "preparing/preparation.h"

/* dataset->x. */
ald_status ald_prepare_dense(ald_run *run, ald_preparation *p);
/* Gives a sparse table cells instead: for categorical columns. */
ald_status ald_table_make_dense(ald_run *run, ald_table *table);
ald_status ald_prepare_names(ald_run *run, ald_preparation *p);

#endif
