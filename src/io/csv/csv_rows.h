/* The rows of a delimited text on their way into the table, one after the other. */
#ifndef ALD_CSV_CSV_ROWS_H
#define ALD_CSV_CSV_ROWS_H

#include "base/core/text.h"
#include "io/csv/csv_manner.h"
#include "io/csv/csv_scan.h"
#include "io/table/table.h"

/* Texts one behind the other, each with its end. */
typedef struct ald_csv_texts {
    ald_text bytes;
    size_t *starts; /* count + 1 */
    int64_t count, room;
} ald_csv_texts;

ald_status ald_csv_texts_add(ald_run *run, ald_csv_texts *texts, const char *text, size_t length);

/* Texts of the columns that are kept, as a csv file has them: one buffer per column, and where each begins.
 */

typedef struct ald_csv_kept ald_csv_kept;

/* For the columns of table->kept; NULL: there are none. */
ald_status ald_csv_kept_new(ald_run *run, ald_table *table, ald_csv_kept **kept);
/* Fills in the texts of table->kept. */
ald_status ald_csv_kept_finish(ald_run *run, ald_csv_kept *kept);

/* What is said of delimited texts that are no table. */

/* A row of `found` cells, at `line`, in a table of others. `hash_first`: the first row begins with a # that
 * was not said to be a comment. */
ald_status ald_csv_fail_ragged(ald_run *run, const ald_table *table, int hash_first, int64_t line,
                               int64_t found);
/* No row, behind `skip` lines that were passed over. */
ald_status ald_csv_fail_empty(ald_run *run, int64_t skip);

/* Why the cells of a column cannot take the short way. */
enum {
    ALD_CSV_AWAITS_NUMBER = 1,
    ALD_CSV_IS_CATEGORICAL = 2,
    ALD_CSV_IS_KEPT = 4,
    ALD_CSV_HAS_CODES = 8,
    ALD_CSV_IS_LOOKED_AT = 16,
};

typedef struct ald_csv_file {
    ald_csv_scanner scanner;
    ald_csv_manner manner;
    ald_table *table;
    ald_levels *levels;
    ald_csv_kept *kept;   /* NULL: no column is */
    unsigned char *flags; /* one byte per column */
    int64_t room;         /* rows that fit into the cells */
    int hash_first;       /* the first row begins with a # that was not said to be a comment */
} ald_csv_file;

/* Takes the text of a cell to *cell, where it belongs: a number, missing, or a level of its column. Cells
 * come in the order of the file. */
ald_status ald_csv_add_cell(ald_run *run, ald_csv_file *file, int64_t column, const char *text, size_t length,
                            int64_t line, double *cell);
/* Makes room for so many further rows; gives where the first of them goes. */
ald_status ald_csv_more_rows(ald_run *run, ald_csv_file *file, int64_t count, double **cells);
/* The short way: numbers and the delimiters between them as long as nothing else comes, from `column` to the
 * end of the row (result: cols) or to the cell that must be taken the long way (its index). */
int64_t ald_csv_take_numbers(ald_csv_scanner *scanner, const unsigned char *flags, int64_t cols,
                             double *cells, int64_t column);
/* Takes the row at which the scanner stands. */
ald_status ald_csv_add_row(ald_run *run, ald_csv_file *file);

/* All rows of a delimited text after the first, by as many threads as the context has.
 *
 * The buffer is cut at line ends into pieces. A line end may occur in a quoted cell, and lines may be empty
 * or comments, but usually every line is a row, and then counting lines determines where the rows of each
 * piece go. So the pieces are read on that assumption, each by one thread: numbers directly into the matrix,
 * other cells recorded as positions in the buffer. A piece ends early at a row that is not on one line or has
 * too many or too few cells. Then the pieces are accepted in order, with their recorded cells, up to the
 * first that ended early; from there on rows are read one by one. The result (levels, counts, lines and
 * errors) is the same as if all rows had been.
 *
 * Meanwhile the caller's thread reads ahead into a second buffer, so that decompression overlaps. Each buffer
 * is at most a 64th of the file, and at least a megabyte. */

ald_status ald_csv_add_rows(ald_run *run, ald_csv_file *file);

#endif
