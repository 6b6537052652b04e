/* Dense X. */
#ifndef ALD_ENCODE_ENCODE_H
#define ALD_ENCODE_ENCODE_H

#include "data/encode/preparation.h"

/* dataset->x. */
ald_status ald_prepare_dense(ald_run *run, ald_preparation *p);
/* Gives a sparse table cells instead: for categorical columns. */
ald_status ald_table_make_dense(ald_run *run, ald_table *table);
ald_status ald_prepare_names(ald_run *run, ald_preparation *p);

#endif
