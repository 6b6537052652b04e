/* Which column is what, by the schema of a model. */
#ifndef ALD_ENCODE_MATCH_H
#define ALD_ENCODE_MATCH_H

#include "data/encode/preparation.h"

/* the roles by the schema of a model. */
ald_status ald_prepare_match(ald_run *run, ald_preparation *p);
/* The error for a sparse table with more columns than the model: names the row that has the first of them. */
ald_status ald_refuse_wide(ald_run *run, const ald_table *table, int64_t columns);

#endif
