/* The rows of a delimited text on their way into the table, one after the other. */
#ifndef ALD_CSV_CSV_ROWS_H
#define ALD_CSV_CSV_ROWS_H

#include "io/csv/csv_kept.h"
#include "io/csv/csv_manner.h"
#include "io/csv/csv_scan.h"

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

#endif
