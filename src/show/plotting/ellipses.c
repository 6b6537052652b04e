/* The ellipse of a group of n rows with mean m and covariance S in the plane of two components:
 *
 *   (z - m)'S^-1 (z - m) = 2 (n^2 - 1) / (n (n - 2)) F_0.95(2, n - 2),
 *
 * which a new row of a normal group leaves with chance 0.05 (Hotelling's T^2 of one row). */
#include "show/plotting/ellipses.h"

#include "base/numbers/distributions.h"
#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"
#include "show/plotting/dots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { least_rows = 4, steps = 72, most_named = 400, group_font = 14, row_font = 10 };
enum { crowd = 8, crowd_room = 150 }; /* of more groups each has this much room for its name */

static int group_of(const ald_dots *points, int shown, int64_t i)
{
    if (points->kind != ALD_TARGET_CLASSES) return 0;
    return points->hue[i] >= 0 && points->hue[i] < shown ? (int)points->hue[i] : -1;
}

static void sum_rows(const ald_dots *points, int shown, ald_group *all)
{
    for (int64_t i = 0; i < points->n_train; i++) {
        const int g = group_of(points, shown, i);
        if (g < 0 || !ald_row_is_drawn(points, i)) continue;
        ald_group *group = &all[g];
        const double n = (double)++group->n, dx = points->x[i] - group->x, dy = points->y[i] - group->y;
        group->x += dx / n;
        group->y += dy / n;
        group->xx += dx * dx * (n - 1.0) / n;
        group->xy += dx * dy * (n - 1.0) / n;
        group->yy += dy * dy * (n - 1.0) / n;
    }
}

static void scale_group(ald_group *group)
{
    const double n = (double)group->n,
                 square = 2.0 * (n * n - 1.0) / (n * (n - 2.0)) * ald_f_quantile(0.05, 2.0, n - 2.0);
    group->xx *= square / (n - 1.0);
    group->xy *= square / (n - 1.0);
    group->yy *= square / (n - 1.0);
}

ald_status ald_groups_find(ald_run *run, const ald_dots *points, int shown, ald_group_list *groups)
{
    const int classes = points->kind == ALD_TARGET_CLASSES, count = classes ? shown : 1;
    ALD_TRY(ald_scratch_clear(run, count > 0 ? count : 1, 1, sizeof *groups->all, &groups->all));
    sum_rows(points, shown, groups->all);
    groups->count = 0;
    for (int g = 0; g < count; g++) {
        ald_group group = groups->all[g];
        if (group.n < least_rows) continue;
        scale_group(&group);
        group.colour = classes ? ald_class_look(g, points->n_classes).colour : ALD_GREY;
        group.name = classes && points->names ? points->names[g] : NULL;
        if (isfinite(group.xx + group.yy)) groups->all[groups->count++] = group;
    }
    return ALD_OK;
}

void ald_groups_widen(const ald_group_list *groups, ald_range *x, ald_range *y)
{
    for (int g = 0; g < groups->count; g++) {
        const ald_group *group = &groups->all[g];
        for (int side = -1; side <= 1; side += 2) {
            ald_range_add(x, group->x + side * sqrt(group->xx));
            ald_range_add(y, group->y + side * sqrt(group->yy));
        }
    }
}

/* m + L (cos t, sin t) with L the Cholesky factor of the scaled covariance. */
static ald_status draw_ellipse(ald_run *run, const ald_group *group, const ald_frame *frame, ald_svg *svg)
{
    const double a = sqrt(group->xx), b = a > 0.0 ? group->xy / a : 0.0,
                 c = sqrt(fmax(group->yy - b * b, 0.0));
    double x[steps + 1], y[steps + 1];
    char style[64];
    for (int k = 0; k <= steps; k++) {
        const double t = 2.0 * 3.14159265358979323846 * k / steps;
        x[k] = group->x + a * cos(t);
        y[k] = group->y + b * cos(t) + c * sin(t);
    }
    snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"1.4\"",
             (unsigned)ald_line_colour(group->colour));
    return ald_curve_draw(run, frame, steps + 1, x, y, style, svg);
}

ald_status ald_groups_draw(ald_run *run, const ald_group_list *groups, const ald_frame *frame, ald_svg *svg)
{
    ALD_TRY(ald_svg_group(run, svg, "class=\"ellipses\""));
    for (int g = 0; g < groups->count; g++) ALD_TRY(draw_ellipse(run, &groups->all[g], frame, svg));
    return ald_svg_group_end(run, svg);
}

/* In the middle of the group, or a little above or below. White around the letters keeps them legible over
 * marks. */
static ald_status name_group(ald_run *run, const ald_group *group, const char *name, const ald_frame *frame,
                             ald_placer *placer, ald_svg *svg)
{
    static const double moves[] = {0, -18, 18, -36, 36, -54, 54};
    const double width = ald_svg_text_width(name, group_font), x = ald_frame_x(frame, group->x);
    for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
        const double y = ald_frame_y(frame, group->y) + moves[m];
        if (!ald_placer_take(placer, (ald_box){x - width / 2, y - 9, width, 18})) continue;
        return ald_svg_text(run, svg, x, y + 5, ALD_ANCHOR_MIDDLE,
                            "font-size=\"14\" font-weight=\"bold\" stroke=\"#fff\" stroke-width=\"3.5\" "
                            "stroke-linejoin=\"round\" paint-order=\"stroke\"",
                            name);
    }
    return ALD_OK;
}

ald_status ald_groups_name(ald_run *run, const ald_group_list *groups, const ald_frame *frame,
                           ald_placer *placer, ald_svg *svg)
{
    const double room = groups->count > crowd ? crowd_room : 0.5 * frame->width;
    const char **names, **shortened;
    ALD_TRY(ald_scratch(run, groups->count + 1, 1, sizeof *names, &names));
    ALD_TRY(ald_scratch(run, groups->count + 1, 1, sizeof *shortened, &shortened));
    for (int g = 0; g < groups->count; g++) names[g] = groups->all[g].name ? groups->all[g].name : "";
    ALD_TRY(ald_shorten_names(run, names, groups->count, group_font, room, shortened));
    ALD_TRY(ald_svg_group(run, svg, "class=\"groups\""));
    for (int g = 0; g < groups->count; g++)
        if (groups->all[g].name) ALD_TRY(name_group(run, &groups->all[g], shortened[g], frame, placer, svg));
    return ald_svg_group_end(run, svg);
}

/* The marks of the rows in pixels, and who is being named. */
typedef struct naming {
    const ald_dots *points;
    const ald_frame *frame;
} naming;

static int covers_mark(const naming *n, ald_box box, int64_t own)
{
    const ald_box wide = {box.x - 3, box.y - 3, box.width + 6, box.height + 6};
    for (int64_t at = 0; at < n->points->drawn; at++) {
        const int64_t i = n->points->order[at];
        if (i != own && ald_box_holds(wide, ald_frame_x(n->frame, n->points->x[i]),
                                      ald_frame_y(n->frame, n->points->y[i])))
            return 1;
    }
    return 0;
}

/* Beside, above or below the mark; 0 where there is no room. */
static int find_place(const naming *n, int64_t i, double width, ald_placer *placer, double *x, double *y)
{
    const double px = ald_frame_x(n->frame, n->points->x[i]), py = ald_frame_y(n->frame, n->points->y[i]);
    const double places[][2] = {
        {px + 6, py + 3.5},
        {px - 6 - width, py + 3.5},
        {px - width / 2, py - 7},
        {px - width / 2, py + 14},
    };
    for (int k = 0; k < 4; k++) {
        const ald_box box = {places[k][0] - 1, places[k][1] - row_font, width + 4, row_font + 2};
        if (covers_mark(n, box, i) || !ald_placer_take(placer, box)) continue;
        *x = places[k][0];
        *y = places[k][1];
        return 1;
    }
    return 0;
}

ald_status ald_rows_name(ald_run *run, const ald_picture *picture, const ald_dots *points,
                         const ald_frame *frame, ald_placer *placer, int64_t *named, ald_svg *svg)
{
    const naming n = {points, frame};
    if (points->drawn > most_named) return ALD_OK;
    ALD_TRY(ald_svg_group(run, svg, "class=\"names\" font-size=\"10\" fill=\"#555\""));
    for (int64_t at = 0; at < points->drawn; at++) {
        const char *label;
        double x, y;
        ALD_TRY(ald_row_label(run, picture, points, points->order[at], &label));
        if (!find_place(&n, points->order[at], ald_svg_text_width(label, row_font), placer, &x, &y)) continue;
        ALD_TRY(ald_svg_text(run, svg, x, y, ALD_ANCHOR_START, "", label));
        ++*named;
    }
    return ald_svg_group_end(run, svg);
}
