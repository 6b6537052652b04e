/* Text written to an output, or only counted where there is none. A failure stays with the pen, which writes
 * nothing after it: whoever wrote asks once, at the end. */
#ifndef ALD_EXPORT_PEN_H
#define ALD_EXPORT_PEN_H

#include "io/files/output.h"

#include <stdint.h>

typedef struct ald_pen {
    ald_run *run;
    ald_output *output;
    ald_status status;
    double written; /* bytes; counted also where there is no output */
    int column;     /* of the line under way */
} ald_pen;

void ald_pen_bytes(ald_pen *pen, const void *bytes, size_t size);
void ald_pen_put(ald_pen *pen, const char *text);
void ald_pen_print(ald_pen *pen, const char *format, ...) ALD_PRINTF(2, 3);
/* The shortest text that reads back as the same number, with a point or an exponent; NaN is `nan`. */
void ald_pen_real(ald_pen *pen, double value, const char *nan);
/* A comma before all but the first of a list, and a new line where this one is full. */
void ald_pen_comma(ald_pen *pen, int64_t i);
/* Letters, digits and a few signs stay, whatever else may be in a text becomes '_': for comments. */
void ald_pen_plain(ald_pen *pen, const char *text);

#endif
