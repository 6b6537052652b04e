/* Text in lines of at most 80 columns. */
#include "printing/printing.h"

#include <string.h>

enum { line_width = 80 };

void cli_print_wrapped(FILE *out, int column, int indent, const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, " \n");
        const int starts = column == indent;
        if (!starts && column + 1 + length > line_width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            continue;
        }
        if (length) column += fprintf(out, "%s%.*s", starts ? "" : " ", length, text);
        text += length;
        if (*text == '\n') {
            fprintf(out, "\n%*s", text[1] && text[1] != '\n' ? indent : 0, "");
            column = indent;
        }
        if (*text) text++;
    }
    fputc('\n', out);
}

void cli_print_entry(FILE *out, const char *label, int width, const char *text)
{
    const int used = fprintf(out, "  %s", label);
    if (used + 2 > width)
        fprintf(out, "\n%*s", width, "");
    else
        fprintf(out, "%*s", width - used, "");
    cli_print_wrapped(out, width, width, text);
}
