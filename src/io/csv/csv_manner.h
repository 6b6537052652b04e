/* How the cells of a delimited text are written: what the options say, and what is found out. */
#ifndef ALD_CSV_CSV_MANNER_H
#define ALD_CSV_CSV_MANNER_H

#include "base/core/run.h"
#include "io/table/table.h"

#include <alidade/dataset.h>
#include <stddef.h>

/* What a delimited text does not say about itself. */

/* The delimiter of a text by its first lines: the first of tab, semicolon, comma, bar and runs of blanks
 * (ALD_CSV_BLANKS) that occurs equally often in all of them, outside quotes; else the one that occurs in
 * most, so that the ragged line is then named; comma where there is none. `whole`: the sample is all there
 * is. `comment` '\0': none.
 */
char ald_csv_detect_delimiter(const char *sample, size_t size, int whole, char comment);

typedef struct ald_csv_manner {
    char delimiter;  /* '\0': to be found out */
    char comment;    /* '\0': none */
    int64_t skip;    /* lines before the table */
    int64_t longest; /* bytes of a line; 0: ALD_LONGEST_LINE */
    int header;      /* -1 to be found out, 0 no, 1 yes */
    int comma;       /* of the decimals: -1 to be found out, 0 a point, 1 a comma */
    char thousands;  /* the mark between groups of three digits; '\0': none */
    const char **na; /* n_na texts that stand for no value besides an empty cell; NULL: the usual ones */
    int64_t n_na;
    int codes;        /* digits with a zero in front are a text */
    int na_is_number; /* one of them could be a number: cells are looked at one by one */
} ald_csv_manner;

/* By the options; `delimiter` is the format's own. */
ald_status ald_csv_manner_read(ald_run *run, const ald_load_options *options, char delimiter,
                               ald_csv_manner *manner);
/* Whether numbers have decimal commas, by a sample: where cells are not separated by commas, some are numbers
 * with a comma and none is one with a point. */
int ald_csv_detect_comma(const ald_csv_manner *manner, const char *sample, size_t size);

/* Cells without blanks at their ends. A number may be infinite: too large, or one of the words. */
int ald_csv_cell_is_missing(const ald_csv_manner *manner, const char *text, size_t length);
int ald_csv_cell_number(const ald_csv_manner *manner, const char *text, size_t length, double *value);
/* Digits only, with a zero in front: a code, not a number. */
int ald_csv_cell_is_code(const char *text, size_t length);

/* Columns of codes with leading zeros, once all of a file is read. */

/* The codes of the column were read as texts, its other numbers as numbers. Where these are whole and not
 * negative they become texts too, as they were written; else the codes become numbers. */
ald_status ald_csv_settle_codes(ald_run *run, ald_table *table, ald_levels *levels, int64_t column);

#endif
