#include "show/plotting/row_titles.h"

#include "base/numbers/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ald_status ald_row_label(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **label)
{
    const int test = i >= points->n_train;
    const ald_dataset *rows = test ? picture->test : picture->data;
    const int64_t own = test ? i - points->n_train : i;
    ald_text text;
    *label = rows && rows->row_names ? rows->row_names[own] : NULL;
    if (*label) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%lld", (long long)own + 1));
    *label = text.data;
    return ALD_OK;
}

/* Four digits, whatever the locale. */
static void short_number(double value, char text[ALD_REAL_TEXT_SIZE])
{
    const double size = value == 0.0 || !isfinite(value) ? 1.0 : pow(10.0, 3.0 - floor(log10(fabs(value))));
    const double rounded = isfinite(size) && isfinite(value * size) ? rint(value * size) / size : value;
    ald_format_real(rounded, text);
}

static ald_status add_target(ald_run *run, const ald_dots *points, int64_t i, ald_text *text)
{
    const double hue = points->hue[i];
    char number[ALD_REAL_TEXT_SIZE];
    if (points->kind == ALD_TARGET_NONE) return ALD_OK;
    if (!isfinite(hue)) return ald_text_print(run, text, ": unlabelled");
    if (points->kind == ALD_TARGET_CLASSES && points->names && points->names[(int64_t)hue])
        return ald_text_print(run, text, ": %.80s", points->names[(int64_t)hue]);
    short_number(points->kind == ALD_TARGET_CLASSES ? hue + 1.0 : hue, number);
    return ald_text_print(run, text, points->kind == ALD_TARGET_CLASSES ? ": class %s" : ": %s", number);
}

ald_status ald_row_title(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **title)
{
    char x[ALD_REAL_TEXT_SIZE], y[ALD_REAL_TEXT_SIZE];
    const char *label;
    ald_text text;
    ALD_TRY(ald_row_label(run, picture, points, i, &label));
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%.80s", label));
    ALD_TRY(add_target(run, points, i, &text));
    short_number(points->x[i], x);
    short_number(points->y[i], y);
    ALD_TRY(ald_text_print(run, &text, " (%s, %s)", x, y));
    *title = text.data;
    return ALD_OK;
}
