/* What a delimited text does not say about itself. */
#ifndef ALD_READING_CSV_DETECT_H
#define ALD_READING_CSV_DETECT_H

#include <stddef.h>

/* The delimiter of a text by its first lines: the first of tab, semicolon, comma, bar and runs of blanks
 * (ALD_CSV_BLANKS) that occurs equally often in all of them, outside quotes; else the one that occurs in
 * most, so that the ragged line is then named; comma where there is none. `whole`: the sample is all there
 * is. `comment` '\0': none.
 */
char ald_csv_detect_delimiter(const char *sample, size_t size, int whole, char comment);

/* Whether a cell is a number, or one of the words for infinity (which are refused where they are used, but
 * are no names). */
int ald_csv_is_numeric(const char *text, size_t length);
/* inf, infinity, with a sign, in any case. */
int ald_csv_is_infinity(const char *text, size_t length);

#endif
