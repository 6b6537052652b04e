/* A table as a record, to be kept in a file or copied, and back. The names of its rows are left out: blocks
 * of a fit need none. */
#ifndef ALD_STREAMING_TABLE_RECORD_H
#define ALD_STREAMING_TABLE_RECORD_H

#include "base/core/record.h"
#include "io/table/table.h"

/* Puts it into a record, which stays open. `ignored` (cols, or NULL) is above 0 for columns that nobody will
 * look at: their texts are left out. */
ald_status ald_table_pack(ald_run *run, const ald_table *table, const int64_t *ignored, ald_record *record);
/* A table in the arena of the record. Places in arrays are checked; which texts cells are is not, since a
 * column that nobody looks at may have none. */
ald_status ald_table_unpack(ald_run *run, ald_record *record, ald_table *table);
/* Whether a cell of this column is a number, or a text that the column has. */
int ald_cell_can_be(const ald_table *table, int64_t column, double cell);
/* Both at once, into `arena`, with nothing in between. */
ald_status ald_table_copy(ald_run *run, const ald_table *table, const int64_t *ignored, ald_arena *arena,
                          ald_table *to);
/* How many bytes the record has. */
int64_t ald_table_bytes(const ald_table *table, const int64_t *ignored);

#endif
