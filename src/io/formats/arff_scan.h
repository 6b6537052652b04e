/* The words of a line of an ARFF file: plain, or quoted with ' or " and backslash escapes. */
#ifndef ALD_FORMATS_ARFF_SCAN_H
#define ALD_FORMATS_ARFF_SCAN_H

#include "base/core/run.h"

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

#endif
