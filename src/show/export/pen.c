/* Text and numbers to an output, and the failure that stays (pen.h). */
#include "show/export/pen.h"

#include "base/numbers/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { full_line = 104 };

void ald_pen_bytes(ald_pen *pen, const void *bytes, size_t size)
{
    pen->written += (double)size;
    if (pen->status >= 0 && pen->output) pen->status = ald_output_write(pen->run, pen->output, bytes, size);
}

void ald_pen_put(ald_pen *pen, const char *text)
{
    const size_t length = strlen(text);
    const char *line = strrchr(text, '\n');
    pen->column = line ? (int)strlen(line + 1) : pen->column + (int)length;
    ald_pen_bytes(pen, text, length);
}

void ald_pen_print(ald_pen *pen, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ald_pen_put(pen, text);
}

void ald_pen_real(ald_pen *pen, double value, const char *nan)
{
    char text[ALD_REAL_TEXT_SIZE + 2];
    if (isnan(value)) {
        ald_pen_put(pen, nan);
        return;
    }
    ald_format_real(value, text);
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    ald_pen_put(pen, text);
}

void ald_pen_comma(ald_pen *pen, int64_t i)
{
    if (i > 0) ald_pen_put(pen, pen->column > full_line - ALD_REAL_TEXT_SIZE ? ",\n" : ",");
}

void ald_pen_plain(ald_pen *pen, const char *text)
{
    static const char signs[] = " .,:+-=()";
    for (; *text; text++) {
        const char c = *text;
        const int kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const char one[2] = {kept || strchr(signs, c) ? c : '_', '\0'};
        ald_pen_put(pen, one);
    }
}
