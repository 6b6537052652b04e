/* What a delimited text does not say about itself. */
#ifndef ALD_CSV_CSV_DETECT_H
#define ALD_CSV_CSV_DETECT_H

#include <stddef.h>

/* The delimiter of a text by its first lines: the first of tab, semicolon, comma, bar and runs of blanks
 * (ALD_CSV_BLANKS) that occurs equally often in all of them, outside quotes; else the one that occurs in
 * most, so that the ragged line is then named; comma where there is none. `whole`: the sample is all there
 * is. `comment` '\0': none.
 */
char ald_csv_detect_delimiter(const char *sample, size_t size, int whole, char comment);

#endif
