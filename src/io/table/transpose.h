/* Tables with rows as columns, turned round. */
#ifndef ALD_TABLE_TRANSPOSE_H
#define ALD_TABLE_TRANSPOSE_H

#include "io/table/table.h"

/* Every column becomes a row. A first column of texts (or one without a name where the others have one) gives
 * the names of the new columns. The names of the old columns become column 0, which names the rows
 * (table->id_column); its own name is that of the old first column, or "sample". */
ald_status ald_table_transpose(ald_run *run, ald_table *table);

#endif
