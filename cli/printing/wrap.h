/* Text in lines of at most 80 columns. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdio.h>

/* Prints words from column `column` on, continuing at `indent`; "\n" begins a new line. Ends the last line.
 */
void cli_print_wrapped(FILE *out, int column, int indent, const char *text);
/* "  LABEL   text", the text wrapped beside or, when the label is long, below it. */
void cli_print_entry(FILE *out, const char *label, int width, const char *text);

#endif
