/* Numbers as text, correctly rounded both ways and independent of the locale. */
#ifndef ALD_NUMBERS_NUMBER_H
#define ALD_NUMBERS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Reads a decimal number that fills text[0 .. length) exactly: [+-] digits [. digits] [e [+-] digits]. No
 * blanks, no hexadecimal, no "inf" or "nan". Returns 1 and the correctly rounded value (which may be
 * infinite), else 0. */
int ald_parse_real(const char *text, size_t length, double *value);
/* Reads the number that text begins with, not reaching past `end`; gives where it stops, or NULL if there is
 * none. */
const char *ald_scan_real(const char *text, const char *end, double *value);
/* A whole number, the same way; 0 also when it does not fit. */
int ald_parse_int(const char *text, size_t length, int64_t *value);
/* Whether a cell is a number, or one of the words for infinity (which are refused where they are used, but
 * are no names). */
int ald_text_is_numeric(const char *text, size_t length);
/* inf, infinity, with a sign, in any case. */
int ald_text_is_infinity(const char *text, size_t length);
/* The shortest text that reads back as the same double; "nan", "inf", "-inf". Returns its length. */
#define ALD_REAL_TEXT_SIZE 32
int ald_format_real(double value, char text[ALD_REAL_TEXT_SIZE]);

#endif
