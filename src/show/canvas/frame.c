/* The frame of a picture: room for the labels first, then title, grid, ticks and names. */
#include "show/canvas/frame.h"
#include "base/numbers/ordering.h"
#include "show/canvas/short_names.h"

#include <math.h>
#include <stdio.h>

enum { font = 12, title_font = 16, panel_title_font = 13, tick_gap = 6, most_up = 160, bare_gap = 8 };

/* For a picture, and for a panel in one. */
static const struct {
    double top, bottom, axis_title;
} margins[2] = {{44, 74, 40}, {26, 46, 34}};

static const char grid_style[] = "stroke=\"#e4e4e4\"";

static void set_scale(ald_axis *axis, int ticks)
{
    if (axis->names)
        axis->scale = ald_scale_whole(-0.5, axis->n_names - 0.5, axis->n_names);
    else if (axis->whole)
        axis->scale = ald_scale_whole(axis->range.low, axis->range.high, ticks);
    else
        axis->scale = ald_scale_cover(axis->range, axis->padding, ticks);
}

static double widest_number(const ald_scale *scale)
{
    double widest = 0.0;
    for (int64_t k = scale->first; k <= scale->last; k++) {
        char text[ALD_TICK_SIZE];
        ald_scale_label(scale, k, text);
        widest = fmax(widest, ald_svg_text_width(text, font));
    }
    return widest;
}

static double name_font(const ald_frame *frame)
{
    return frame->font > 0.0 ? frame->font : font;
}

static double widest_label(const ald_frame *frame, const ald_axis *axis)
{
    if (!axis->names) return widest_number(&axis->scale);
    double widest = 0.0;
    for (int i = 0; i < axis->n_names; i++)
        widest = fmax(widest, ald_svg_text_width(axis->names[i], name_font(frame)));
    return widest;
}

/* Fewer ticks until their labels stand apart; names that run upwards all stand. */
static void fit_x_ticks(ald_frame *frame)
{
    for (int ticks = (int)(frame->width / (frame->panel ? 35 : 60)) + 1; ticks >= 1; ticks--) {
        set_scale(&frame->x, ticks);
        const double count = (double)(frame->x.scale.last - frame->x.scale.first + 1);
        if (frame->x.up || count * (widest_label(frame, &frame->x) + 14) <= frame->width) return;
    }
}

/* Room below for names that run upwards, beyond that of a line of them; a panel without a name of the axis
 * needs less. */
static double room_below(const ald_frame *frame)
{
    if (frame->x.bare) return bare_gap - margins[frame->panel].bottom;
    if (frame->panel && !*frame->x.label) return -16.0;
    return frame->x.up ? fmax(fmin(widest_label(frame, &frame->x), most_up) - 10, 0) : 0.0;
}

/* Names on the y axis take up to a third of the width. */
static double room_left(const ald_frame *frame, ald_box box)
{
    const double label = frame->panel ? 28 : 38;
    if (frame->y.bare) return bare_gap;
    return fmin(widest_label(frame, &frame->y), box.width / 3.0) + tick_gap + (*frame->y.label ? label : 18);
}

static void lay_out(ald_frame *frame, ald_box box)
{
    frame->top = box.y + margins[frame->panel].top;
    frame->height = box.height - margins[frame->panel].top - margins[frame->panel].bottom - room_below(frame);
    frame->height = fmax(frame->height, 20);
    set_scale(&frame->y, (int)(frame->height / (frame->panel ? 32 : 50)) + 1);
    frame->left = box.x + fmax(room_left(frame, box), frame->least_left);
    frame->width = fmax(box.x + box.width - frame->left - frame->right_margin, 20);
    fit_x_ticks(frame);
}

double ald_frame_x(const ald_frame *frame, double value)
{
    return frame->left + frame->width * ald_scale_place(&frame->x.scale, value);
}

double ald_frame_y(const ald_frame *frame, double value)
{
    const double part = ald_scale_place(&frame->y.scale, value);
    return frame->top + frame->height * (frame->y.names ? part : 1 - part);
}

static ald_status label_of(ald_run *run, const ald_axis *axis, int64_t k, const char *const *shortened,
                           const char **label)
{
    if (axis->names) {
        *label = shortened[k < 0 ? 0 : ald_least(k, axis->n_names - 1)];
        return ALD_OK;
    }
    char *text;
    ALD_TRY(ald_scratch(run, ALD_TICK_SIZE, 1, 1, &text));
    ald_scale_label(&axis->scale, k, text);
    *label = text;
    return ALD_OK;
}

/* The names of an axis as they fit, none like another; NULL where it has numbers. */
static ald_status shorten_axis(ald_run *run, const ald_frame *frame, const ald_axis *axis, double room,
                               const char ***shortened)
{
    *shortened = NULL;
    if (!axis->names) return ALD_OK;
    ALD_TRY(ald_scratch(run, axis->n_names + 1, 1, sizeof **shortened, shortened));
    return ald_shorten_names(run, axis->names, axis->n_names, name_font(frame), room, *shortened);
}

static ald_status draw_x_label(ald_run *run, const ald_frame *frame, double x, const char *style,
                               const char *label, ald_svg *svg)
{
    const double bottom = frame->top + frame->height;
    if (frame->x.up)
        return ald_svg_text(run, svg, x + 0.35 * name_font(frame), bottom + tick_gap,
                            ALD_ANCHOR_END | ALD_UPWARDS, style, label);
    return ald_svg_text(run, svg, x, bottom + 18, ALD_ANCHOR_MIDDLE, style, label);
}

/* "" where the names are as large as all text. */
static const char *font_style(const ald_frame *frame, char style[40])
{
    char size[ALD_TICK_SIZE];
    style[0] = '\0';
    if (name_font(frame) == font) return style;
    ald_fixed_text(name_font(frame), 1, size);
    snprintf(style, 40, "font-size=\"%.16s\"", size);
    return style;
}

static ald_status draw_x_axis(ald_run *run, const ald_frame *frame, ald_svg *svg)
{
    const double bottom = frame->top + frame->height;
    const char **shortened, *label;
    char style[40];
    ALD_TRY(shorten_axis(run, frame, &frame->x, frame->x.up ? most_up : frame->width, &shortened));
    for (int64_t k = frame->x.scale.first; k <= frame->x.scale.last; k++) {
        const double x = ald_frame_x(frame, ald_scale_tick(&frame->x.scale, k));
        ALD_TRY(label_of(run, &frame->x, k, shortened, &label));
        ALD_TRY(ald_svg_line(run, svg, x, frame->top, x, bottom, grid_style));
        if (!frame->x.bare) ALD_TRY(draw_x_label(run, frame, x, font_style(frame, style), label, svg));
    }
    ALD_TRY(ald_svg_shorten(run, frame->x.label, font, frame->width, &label));
    return ald_svg_text(run, svg, frame->left + frame->width / 2,
                        bottom + margins[frame->panel].axis_title + room_below(frame), ALD_ANCHOR_MIDDLE, "",
                        label);
}

static ald_status draw_y_axis(ald_run *run, const ald_frame *frame, ald_box box, ald_svg *svg)
{
    const char **shortened, *label;
    char style[40];
    ALD_TRY(shorten_axis(run, frame, &frame->y, box.width / 3.0, &shortened));
    for (int64_t k = frame->y.scale.first; k <= frame->y.scale.last; k++) {
        const double y = ald_frame_y(frame, ald_scale_tick(&frame->y.scale, k));
        ALD_TRY(label_of(run, &frame->y, k, shortened, &label));
        ALD_TRY(ald_svg_line(run, svg, frame->left, y, frame->left + frame->width, y, grid_style));
        if (frame->y.bare) continue;
        ALD_TRY(ald_svg_text(run, svg, frame->left - tick_gap, y + 0.35 * name_font(frame), ALD_ANCHOR_END,
                             font_style(frame, style), label));
    }
    if (!*frame->y.label) return ALD_OK;
    ALD_TRY(ald_svg_shorten(run, frame->y.label, font, frame->height, &label));
    const double beside = frame->left - tick_gap - fmin(widest_label(frame, &frame->y), box.width / 3.0) - 12;
    return ald_svg_text(run, svg, frame->panel ? beside : box.x + 20, frame->top + frame->height / 2,
                        ALD_ANCHOR_MIDDLE | ALD_UPWARDS, "", label);
}

static ald_status draw_title(ald_run *run, const ald_frame *frame, ald_box box, ald_svg *svg)
{
    const int size = frame->panel ? panel_title_font : title_font;
    const char *title;
    ALD_TRY(ald_svg_shorten(run, frame->title, size, box.width - (frame->panel ? 20.0 : 40.0), &title));
    const double middle = frame->panel ? frame->left + frame->width / 2.0 : box.x + box.width / 2.0;
    return ald_svg_text(run, svg, middle, box.y + (frame->panel ? 18 : 28), ALD_ANCHOR_MIDDLE,
                        frame->panel ? "font-size=\"13\"" : "font-size=\"16\"", title);
}

ald_status ald_frame_place(ald_run *run, ald_frame *frame, ald_box box, ald_svg *svg)
{
    lay_out(frame, box);
    ALD_TRY(draw_title(run, frame, box, svg));
    ALD_TRY(draw_x_axis(run, frame, svg));
    ALD_TRY(draw_y_axis(run, frame, box, svg));
    return ald_svg_rect(run, svg, frame->left, frame->top, frame->width, frame->height,
                        "fill=\"none\" stroke=\"#888\"");
}

ald_status ald_frame_begin(ald_run *run, ald_frame *frame, ald_svg *svg, int width, int height)
{
    ALD_TRY(ald_svg_begin(run, svg, width, height, frame->title));
    return ald_frame_place(run, frame, (ald_box){0, 0, width, height}, svg);
}

ald_status ald_frame_note(ald_run *run, const ald_frame *frame, ald_svg *svg, const char *note)
{
    if (!*note) return ALD_OK;
    const char *shortened;
    ALD_TRY(ald_svg_shorten(run, note, 11, svg->width - 30.0, &shortened));
    return ald_svg_text(run, svg, fmin(frame->left, 20), svg->height - 12.0, ALD_ANCHOR_START,
                        "font-size=\"11\" fill=\"#666\"", shortened);
}
