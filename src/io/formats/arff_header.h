/* The head of an ARFF file: @relation, @attribute ... up to @data. */
#ifndef ALD_FORMATS_ARFF_HEADER_H
#define ALD_FORMATS_ARFF_HEADER_H

#include "base/core/run.h"
#include "io/reading/input.h"
#include "io/table/table.h"

/* The words of a line of an ARFF file: plain, or quoted with ' or " and backslash escapes. */

typedef struct ald_arff_word {
    char *text; /* in the line, ends with no '\0' */
    size_t length;
    int quoted;
} ald_arff_word;

typedef struct ald_arff_scanner {
    ald_run *run;
    int64_t line_number;
    char *line; /* is written to: escapes are taken out in place */
    char *at;
} ald_arff_scanner;

/* Skips blanks; 1 if nothing more stands on the line but a comment. */
int ald_arff_at_end(ald_arff_scanner *scanner);
/* Skips blanks; 1 and moves on if `character` is next. */
int ald_arff_accept(ald_arff_scanner *scanner, char character);
/* The next word. A plain one goes up to one of `stops` (or a comment, or the end) and has no blanks at its
 * ends; it may be empty. */
ald_status ald_arff_scan(ald_arff_scanner *scanner, const char *stops, ald_arff_word *word);
/* Whether a plain word is `name`, in any case. */
int ald_arff_word_is(const ald_arff_word *word, const char *name);
/* An error at the place where the scanner stands. */
ald_status ald_arff_fail(const ald_arff_scanner *scanner, const char *message);

typedef enum ald_arff_kind { ALD_ARFF_NUMBER, ALD_ARFF_NOMINAL, ALD_ARFF_TEXT } ald_arff_kind;

typedef struct ald_arff_attribute {
    ald_arff_kind kind;
    int64_t n_levels;    /* nominal: how many the head declares */
    char *name, *levels; /* levels: "{a, b}" as the file has it */
    int64_t line_number;
} ald_arff_attribute;

typedef struct ald_arff_header {
    ald_arff_attribute *attributes; /* table->cols of them, in the scratch of the run */
    ald_levels *levels;
} ald_arff_header;

/* Reads up to and with the @data line; makes the columns of the table with their names and nominal levels. */
ald_status ald_arff_header_read(ald_run *run, ald_input *input, ald_table *table, ald_arff_header *header);

#endif
