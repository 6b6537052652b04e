/* How the file of a model was read: what the caller leaves open is done alike. */
#ifndef ALD_READING_LIKE_H
#define ALD_READING_LIKE_H

#include "io/table/table.h"

/* `whole` is `options` with what the schema of options->like says of reading; the table is told which columns
 * named the rows. Texts are in the scratch of the run. */
ald_status ald_options_like(ald_run *run, const ald_load_options *options, ald_load_options *whole,
                            ald_table *table);

#endif
