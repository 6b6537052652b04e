/* Names of the rows: the columns that the load option `id` names, which are no features. */
#ifndef ALD_ENCODE_ROW_NAMES_H
#define ALD_ENCODE_ROW_NAMES_H

#include "data/encode/preparation.h"

/* dataset->row_names of the rows that stay: the cells of the columns as texts, joined by "/"; "" for a
 * missing one. Also the columns that are kept, and which rows of the file these are. */
ald_status ald_prepare_row_names(ald_run *run, ald_preparation *p);

#endif
