#include "plotting/frame.h"
#include "numbers/ordering.h"

#include <math.h>

enum { font = 12, title_font = 16, top_margin = 44, bottom_margin = 74, tick_gap = 6 };

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

static double widest_label(const ald_axis *axis)
{
    if (!axis->names) return widest_number(&axis->scale);
    double widest = 0.0;
    for (int i = 0; i < axis->n_names; i++) widest = fmax(widest, ald_svg_text_width(axis->names[i], font));
    return widest;
}

/* Fewer ticks until their labels stand apart. */
static void fit_x_ticks(ald_frame *frame)
{
    for (int ticks = (int)(frame->width / 60) + 1; ticks >= 1; ticks--) {
        set_scale(&frame->x, ticks);
        const double count = (double)(frame->x.scale.last - frame->x.scale.first + 1);
        if (count * (widest_label(&frame->x) + 14) <= frame->width) return;
    }
}

/* Names on the y axis take up to a third of the width. */
static void lay_out(ald_frame *frame, const ald_svg *svg)
{
    frame->top = top_margin;
    frame->height = svg->height - top_margin - bottom_margin;
    set_scale(&frame->y, (int)(frame->height / 50) + 1);
    frame->left = fmin(widest_label(&frame->y), svg->width / 3.0) + tick_gap + (*frame->y.label ? 38 : 18);
    frame->width = fmax(svg->width - frame->left - frame->right_margin, 20);
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

static ald_status label_of(ald_run *run, const ald_axis *axis, int64_t k, double room, const char **label)
{
    if (axis->names) {
        const int64_t index = k < 0 ? 0 : ald_least(k, axis->n_names - 1);
        return ald_svg_shorten(run, axis->names[index], font, room, label);
    }
    char *text;
    ALD_TRY(ald_scratch(run, ALD_TICK_SIZE, 1, 1, &text));
    ald_scale_label(&axis->scale, k, text);
    *label = text;
    return ALD_OK;
}

static ald_status draw_x_axis(ald_run *run, const ald_frame *frame, ald_svg *svg)
{
    const double bottom = frame->top + frame->height;
    for (int64_t k = frame->x.scale.first; k <= frame->x.scale.last; k++) {
        const double x = ald_frame_x(frame, ald_scale_tick(&frame->x.scale, k));
        const char *label;
        ALD_TRY(label_of(run, &frame->x, k, frame->width, &label));
        ALD_TRY(ald_svg_line(run, svg, x, frame->top, x, bottom, grid_style));
        ALD_TRY(ald_svg_text(run, svg, x, bottom + 18, ALD_ANCHOR_MIDDLE, "", label));
    }
    const char *label;
    ALD_TRY(ald_svg_shorten(run, frame->x.label, font, frame->width, &label));
    return ald_svg_text(run, svg, frame->left + frame->width / 2, bottom + 40, ALD_ANCHOR_MIDDLE, "", label);
}

static ald_status draw_y_axis(ald_run *run, const ald_frame *frame, ald_svg *svg)
{
    for (int64_t k = frame->y.scale.first; k <= frame->y.scale.last; k++) {
        const double y = ald_frame_y(frame, ald_scale_tick(&frame->y.scale, k));
        const char *label;
        ALD_TRY(label_of(run, &frame->y, k, svg->width / 3.0, &label));
        ALD_TRY(ald_svg_line(run, svg, frame->left, y, frame->left + frame->width, y, grid_style));
        ALD_TRY(ald_svg_text(run, svg, frame->left - tick_gap, y + 4, ALD_ANCHOR_END, "", label));
    }
    if (!*frame->y.label) return ALD_OK;
    const char *label;
    ALD_TRY(ald_svg_shorten(run, frame->y.label, font, frame->height, &label));
    return ald_svg_text_up(run, svg, 20, frame->top + frame->height / 2, ALD_ANCHOR_MIDDLE, "", label);
}

ald_status ald_frame_begin(ald_run *run, ald_frame *frame, ald_svg *svg, int width, int height)
{
    const char *title;
    ALD_TRY(ald_svg_begin(run, svg, width, height, frame->title));
    lay_out(frame, svg);
    ALD_TRY(ald_svg_shorten(run, frame->title, title_font, width - 40.0, &title));
    ALD_TRY(ald_svg_text(run, svg, width / 2.0, 28, ALD_ANCHOR_MIDDLE, "font-size=\"16\"", title));
    ALD_TRY(draw_x_axis(run, frame, svg));
    ALD_TRY(draw_y_axis(run, frame, svg));
    return ald_svg_rect(run, svg, frame->left, frame->top, frame->width, frame->height,
                        "fill=\"none\" stroke=\"#888\"");
}

ald_status ald_frame_note(ald_run *run, const ald_frame *frame, ald_svg *svg, const char *note)
{
    if (!*note) return ALD_OK;
    const char *shortened;
    ALD_TRY(ald_svg_shorten(run, note, 11, svg->width - 30.0, &shortened));
    return ald_svg_text(run, svg, fmin(frame->left, 20), svg->height - 12.0, ALD_ANCHOR_START,
                        "font-size=\"11\" fill=\"#666\"", shortened);
}
