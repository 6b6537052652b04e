/* All rows of a delimited text after the first, by as many threads as the context has.
 *
 * The buffer is cut at line ends into pieces. A line end may stand in a quoted cell, and lines may be empty
 * or comments, but mostly every line is a row, and then counting lines tells where the rows of each piece go.
 * So the pieces are read as if it were so, each by one thread: numbers straight into the matrix, other cells
 * remembered as places in the buffer. A piece ends early at a row that is not on one line or has too many or
 * too few cells. Then the pieces are taken over in their order, with the cells that were remembered, up to
 * the first that ended early; from there on rows are read one by one. What comes out, levels, counts, lines
 * and errors, is as if all had been.
 *
 * Meanwhile the caller's thread reads on into a second buffer, so decompression goes on beside. Both have a
 * 64th of the file at most, and a megabyte at least. */
#ifndef ALD_CSV_CSV_PIECES_H
#define ALD_CSV_CSV_PIECES_H

#include "io/csv/csv_rows.h"

ald_status ald_csv_add_rows(ald_run *run, ald_csv_file *file);

#endif
