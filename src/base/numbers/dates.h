/* Dates as ISO 8601 writes them, or with the day first and points between. */
#ifndef ALD_NUMBERS_DATES_H
#define ALD_NUMBERS_DATES_H

#include <stddef.h>

/* Reads YYYY-MM-DD or DD.MM.YYYY, alone or with a time behind a T or a blank (HH:MM, HH:MM:SS, with decimals,
 * with a Z), that fills text[0 .. length). Returns 1 and the days since 1970-01-01, the time as a part of a
 * day; else 0. */
int ald_parse_date(const char *text, size_t length, double *days);

#endif
