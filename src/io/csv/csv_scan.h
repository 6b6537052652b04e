/* Cells of a delimited text (RFC 4180), one after the other, out of a buffer of about a megabyte.
 *
 * A cell that begins with a quote ends with the next single one; two in a row stand for one; delimiters and
 * line ends inside are text. Line ends are LF, CRLF or CR. Blanks around the cell are cut off outside quotes.
 * Lines without anything but blanks are skipped, as are those that begin with the comment character. */
#ifndef ALD_CSV_CSV_SCAN_H
#define ALD_CSV_CSV_SCAN_H

#include "io/reading/input.h"

/* The delimiter that stands for runs of blanks and tabs; such a row has no empty cells. */
#define ALD_CSV_BLANKS ' '

typedef struct ald_csv_scanner {
    ald_input *input;
    char *buffer; /* capacity + 1 bytes; buffer[filled] is '\0', which ends every search */
    size_t capacity, filled;
    size_t at;         /* the next byte */
    int ended;         /* the input has no more */
    const char *ahead; /* n_ahead bytes that come after the buffer and before what the input has */
    size_t n_ahead;
    int after_cr; /* a line feed here belongs to the line end before */
    char delimiter;
    char comment;    /* '\0': none */
    int64_t line;    /* of the next byte, from 1 */
    int64_t longest; /* bytes of a cell; 0: ALD_LONGEST_LINE */
} ald_csv_scanner;

typedef struct ald_csv_cell {
    const char *text; /* in the buffer, valid until the next call; not terminated */
    size_t length;
    int64_t line; /* where it begins */
    int last;     /* of its row */
} ald_csv_cell;

/* Fills the buffer for the first time and passes over a byte order mark. The delimiter is set afterwards. */
ald_status ald_csv_scan_start(ald_run *run, ald_csv_scanner *scanner, ald_input *input);
/* Passes over so many lines, whatever they hold. */
ald_status ald_csv_scan_skip(ald_run *run, ald_csv_scanner *scanner, int64_t lines);
/* Goes to the first cell of the next row; `more` is 0 at the end. */
ald_status ald_csv_scan_row(ald_run *run, ald_csv_scanner *scanner, int *more);
/* Reads a cell. `column` (from 1) is for messages. */
ald_status ald_csv_scan_cell(ald_run *run, ald_csv_scanner *scanner, int64_t column, ald_csv_cell *cell);

/* The same where the buffer may not be refilled or written to. 0: the cell does not end in it, has line ends
 * or doubled quotes, or is wrong. */
int ald_csv_scan_within(ald_csv_scanner *scanner, ald_csv_cell *cell);

/* Takes blanks and tabs off both ends. */
void ald_csv_trim(const char **text, size_t *length);
/* An error where the text has a zero byte. */
ald_status ald_csv_refuse_zero_bytes(ald_run *run, const char *text, size_t length, int64_t line,
                                     int64_t column);

#endif
