/* The arrows of a biplot: column j is the arrow
 *
 *   (corr(x_j, z_a), corr(x_j, z_b))
 *
 * of its correlations with the scores of components a and b, from the origin, or from the middle where
 * that is not in the frame, all enlarged by the largest factor with which they stay inside. An arrow
 * points to where rows have large values of the column; columns whose arrows are long are well represented
 * in the plane. The longest are drawn; Gabriel (Biometrika 58, 1971) has the idea. */
#include "show/plotting/arrows.h"

#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"

#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_arrows = 15, font = 11 };
#define ARROW_COLOUR "#8a1c1c"

typedef struct arrow {
    double x, y, length;
    int64_t column;
} arrow;

static int longest_first(const void *a, const void *b)
{
    const arrow *one = a, *two = b;
    if (one->length != two->length) return one->length < two->length ? 1 : -1;
    return one->column < two->column ? -1 : 1;
}

static ald_status find_arrows(ald_run *run, const ald_picture *picture, int64_t x, int64_t y, arrow *arrows)
{
    const ald_dataset *rows = picture->data ? picture->data : picture->test;
    const int64_t d = ald_model_feature_count(picture->model);
    double *values;
    ALD_TRY(ald_scratch_reals(run, ald_model_component_count(picture->model), d, &values));
    ALD_TRY(ald_importance(picture->context, picture->model, ALD_IMPORTANCE_STRUCTURE, &rows->x, NULL, values,
                           run->error));
    for (int64_t j = 0; j < d; j++) {
        const double a = values[x * d + j], b = values[y * d + j];
        const int known = isfinite(a) && isfinite(b);
        arrows[j] = (arrow){known ? a : 0.0, known ? b : 0.0, known ? hypot(a, b) : 0.0, j};
    }
    qsort(arrows, (size_t)d, sizeof *arrows, longest_first);
    return ALD_OK;
}

static void find_start(const ald_frame *frame, double *x, double *y)
{
    const double across = (ald_frame_x(frame, 0.0) - frame->left) / frame->width,
                 down = (ald_frame_y(frame, 0.0) - frame->top) / frame->height;
    const int inside = across > 0.1 && across < 0.9 && down > 0.1 && down < 0.9;
    *x = frame->left + frame->width * (inside ? across : 0.5);
    *y = frame->top + frame->height * (inside ? down : 0.5);
}

/* Pixels per unit of correlation; tips keep a little room for names. */
static double find_factor(const ald_frame *frame, double x, double y, const arrow *arrows, int64_t count)
{
    double factor = INFINITY;
    for (int64_t k = 0; k < count; k++) {
        const double across = arrows[k].x > 0.0 ? frame->left + frame->width - x : x - frame->left,
                     along = arrows[k].y > 0.0 ? y - frame->top : frame->top + frame->height - y;
        factor = fmin(factor, 0.85 * fmin(across / fabs(arrows[k].x), along / fabs(arrows[k].y)));
    }
    return factor;
}

/* A line with a head of two strokes. */
static ald_status draw_arrow(ald_run *run, double x, double y, double dx, double dy, ald_svg *svg)
{
    static const char style[] = "stroke=\"" ARROW_COLOUR "\" stroke-width=\"1.3\"";
    const double length = hypot(dx, dy), ux = dx / length, uy = dy / length;
    ALD_TRY(ald_svg_line(run, svg, x, y, x + dx, y + dy, style));
    for (int side = -1; side <= 1; side += 2)
        ALD_TRY(ald_svg_line(run, svg, x + dx, y + dy, x + dx - 7 * ux + side * 3.5 * uy,
                             y + dy - 7 * uy - side * 3.5 * ux, style));
    return ALD_OK;
}

static ald_status name_arrow(ald_run *run, const char *name, double x, double y, int left, ald_placer *placer,
                             ald_svg *svg)
{
    const char *text;
    ALD_TRY(ald_svg_shorten(run, name, font, 120, &text));
    const double width = ald_svg_text_width(text, font), from = left ? x - 4 - width : x + 4;
    if (!ald_placer_take(placer, (ald_box){from, y - 8, width, 12})) return ALD_OK;
    return ald_svg_text(run, svg, from, y + 3, ALD_ANCHOR_START, "font-size=\"11\" fill=\"" ARROW_COLOUR "\"",
                        text);
}

ald_status ald_arrows_draw(ald_run *run, const ald_picture *picture, const ald_frame *frame, int64_t x,
                           int64_t y, ald_svg *svg)
{
    const int64_t d = ald_model_feature_count(picture->model);
    double from_x, from_y;
    const char **names;
    arrow *arrows;
    ald_placer placer;
    ALD_TRY(ald_scratch(run, d, 1, sizeof *arrows, &arrows));
    ALD_TRY(find_arrows(run, picture, x, y, arrows));
    ALD_TRY(ald_feature_names(run, picture, d, &names));
    ALD_TRY(ald_placer_begin(run, most_arrows, frame, &placer));
    ALD_TRY(ald_svg_group(run, svg, "class=\"arrows\""));
    find_start(frame, &from_x, &from_y);
    const double factor = find_factor(frame, from_x, from_y, arrows, d < most_arrows ? d : most_arrows);
    for (int64_t k = 0; k < d && k < most_arrows && arrows[k].length > 0.0; k++) {
        const double dx = factor * arrows[k].x, dy = -factor * arrows[k].y;
        ALD_TRY(draw_arrow(run, from_x, from_y, dx, dy, svg));
        ALD_TRY(name_arrow(run, names[arrows[k].column], from_x + dx, from_y + dy, dx < 0, &placer, svg));
    }
    return ald_svg_group_end(run, svg);
}
