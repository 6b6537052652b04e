/* Columns whose cells are kept as texts: by the options `id` and `keep`, and by the model that is read like.
 */
#ifndef ALD_READING_KEPT_H
#define ALD_READING_KEPT_H

#include "io/table/table.h"

/* Lists them in table->kept, ids first, without their texts. */
ald_status ald_kept_choose(ald_run *run, const ald_load_options *options, ald_table *table);
/* The texts of those that have none yet, from the cells. */
ald_status ald_kept_fill(ald_run *run, ald_table *table);

#endif
