/* Cells that were read as texts and are none: marks for "no value", dates, numbers with leading zeros or with
 * a unit. */
#ifndef ALD_LEVELS_TEXTS_H
#define ALD_LEVELS_TEXTS_H

#include "io/table/table.h"

/* "-" and "." become cells without a value. They stay a level where they are among the `known` ones
 * (n_known), or, with none known (n_known < 0), in a column of texts with one other level or with a "+". */
ald_status ald_settle_marks(ald_run *run, ald_table *table, int64_t column, char *const *known,
                            int64_t n_known);
/* The same for all columns of a table that nothing is known of, and words for true and false. */
ald_status ald_settle_all_marks(ald_run *run, ald_table *table);

/* A way to read a text as a number: ald_parse_real, ald_parse_date. */
typedef int (*ald_text_parser)(const char *text, size_t length, double *value);
/* Whether all texts of a column can be read so; there is one at least. */
int ald_texts_are(const ald_column *column, ald_text_parser parse);
/* Makes numbers of them. */
ald_status ald_texts_to_numbers(ald_run *run, ald_table *table, int64_t column, ald_text_parser parse);

/* "162,0 kg": makes numbers of texts that are all a number with the same unit behind it, which the column
 * keeps, and notes it. `unit`: only with that one; NULL: with any. */
ald_status ald_settle_unit(ald_run *run, ald_table *table, int64_t column, const char *unit);
/* True, TRUE and true become one level, and so do the ways to write false. */
ald_status ald_settle_truth(ald_run *run, ald_table *table, int64_t column);

/* What else a text among numbers may be: ", or give `na=TEXT` if it marks a missing value", or a number with
 * a decimal point where numbers have commas; "" for texts that no list of `na` can hold. */
enum { ALD_HINT_SIZE = 80 };
const char *ald_text_hint(const ald_table *table, const char *text, char hint[ALD_HINT_SIZE]);

/* Numbers as they are written elsewhere, which came as texts. */

/* Whether all texts of the column are numbers with marks between the thousands, or all with a decimal comma.
 */
int ald_has_foreign_numbers(const ald_column *column);
/* What the texts of a column look like that are read as texts all the same, numbers with a sign of money or
 * dates in another form, and what to do; NULL: neither. */
const char *ald_lookalike(const ald_column *column);
/* An error when all texts of the column are numbers with the other decimal mark or with marks between the
 * thousands, which nobody means as categories. */
ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column);

#endif
