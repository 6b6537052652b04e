/* The parts of the NPY reader, for those who take a file a few rows at a time. */
#ifndef ALD_READING_NPY_H
#define ALD_READING_NPY_H

#include "reading/input.h"
#include "reading/npy_header.h"
#include "table/table.h"

/* Magic, version and header; leaves the input at the first value. */
ald_status ald_npy_read_header(ald_run *run, ald_input *input, ald_npy_header *header);
/* The cells of a table whose rows, cols and arena are set, from their bytes as the file has them, in C order.
 * The bytes are a block of that arena: they become the cells themselves where they can, and are dropped else.
 */
ald_status ald_npy_take_rows(ald_run *run, const ald_npy_header *header, unsigned char *bytes,
                             ald_table *table);

#endif
