/* How the cells of a delimited text are written: what the options say, and what is found out. */
#ifndef ALD_CSV_CSV_MANNER_H
#define ALD_CSV_CSV_MANNER_H

#include "base/core/run.h"

#include <alidade/dataset.h>

typedef struct ald_csv_manner {
    char delimiter;  /* '\0': to be found out */
    char comment;    /* '\0': none */
    int64_t skip;    /* lines before the table */
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

#endif
