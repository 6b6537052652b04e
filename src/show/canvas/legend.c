/* The legend: as many items as fit, their names shortened alike, and the bar of a colour ramp. */
#include "show/canvas/legend.h"

#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"

#include <math.h>

enum { font = 12, line_height = 19, gap = 16, mark_width = 18, bar_width = 16, edge = 12, least_width = 24 };

void ald_legend_add(ald_legend *legend, ald_legend_item item)
{
    if (legend->n < ALD_LEGEND_ITEMS) legend->items[legend->n++] = item;
}

int ald_legend_room(int picture_height)
{
    return (picture_height - 130) / line_height;
}

static double bar_label_width(const ald_legend *legend)
{
    double widest = 0.0;
    for (int64_t k = legend->bar.first; k <= legend->bar.last; k++) {
        char text[ALD_TICK_SIZE];
        ald_scale_label(&legend->bar, k, text);
        widest = fmax(widest, ald_svg_text_width(text, font));
    }
    return widest;
}

/* A heading at the top stands above all columns. */
static int headings_of(const ald_legend *legend)
{
    return legend->n > 0 && legend->items[0].heading == 1;
}

static int columns_of(const ald_legend *legend)
{
    const int above = headings_of(legend), room = legend->lines - above;
    return room > 0 && legend->n > legend->lines ? (legend->n - above + room - 1) / room : 1;
}

double ald_legend_width(const ald_legend *legend, double most)
{
    const int columns = columns_of(legend);
    double widest = 0.0;
    for (int i = 0; i < legend->n; i++)
        widest = fmax(widest, ald_svg_text_width(legend->items[i].text, font) + mark_width);
    if (columns > 1) return fmin(gap + columns * (widest + edge), columns * most * 0.7);
    if (legend->has_bar) widest = fmax(widest, bar_width + 8 + bar_label_width(legend) + 20);
    return widest > 0 ? fmin(gap + widest + edge, most) : least_width;
}

static ald_status draw_item(ald_run *run, const ald_legend_item *item, double x, double y, const char *text,
                            ald_svg *svg)
{
    const double indent = item->heading == 1 ? 0 : mark_width;
    if (!item->heading)
        ALD_TRY(ald_svg_mark(run, svg, (ald_mark_look){item->shape, item->hollow, item->colour}, x + 5, y,
                             4.5, NULL));
    return ald_svg_text(run, svg, x + indent, y + 4, ALD_ANCHOR_START,
                        item->heading == 1 ? "font-weight=\"bold\"" : "", text);
}

/* All texts as they fit, none like another. */
static ald_status shorten_items(ald_run *run, const ald_legend *legend, double room, const char **shortened)
{
    const char *texts[ALD_LEGEND_ITEMS];
    for (int i = 0; i < legend->n; i++) texts[i] = legend->items[i].text;
    return ald_shorten_names(run, texts, legend->n, font, room - mark_width, shortened);
}

static ald_status define_ramp(ald_run *run, ald_svg *svg)
{
    ALD_TRY(ald_text_print(run, &svg->text,
                           "<defs><linearGradient id=\"ald-ramp\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n"));
    for (int stop = 0; stop < ALD_RAMP_STOPS; stop++) {
        char part[ALD_TICK_SIZE];
        ald_fixed_text((double)stop / (ALD_RAMP_STOPS - 1), 4, part);
        ALD_TRY(ald_text_print(run, &svg->text, "<stop offset=\"%s\" stop-color=\"#%06x\"/>\n", part,
                               (unsigned)ald_ramp_stop(stop)));
    }
    return ald_text_print(run, &svg->text, "</linearGradient></defs>\n");
}

/* The title runs upwards at the right of the labels: names of responses may be long. */
static ald_status draw_bar(ald_run *run, const ald_legend *legend, double x, double top, double height,
                           ald_svg *svg)
{
    ALD_TRY(define_ramp(run, svg));
    ALD_TRY(ald_svg_rect(run, svg, x, top, bar_width, height, "fill=\"url(#ald-ramp)\""));
    for (int64_t k = legend->bar.first; k <= legend->bar.last; k++) {
        const double y = top + height * (1 - ald_scale_place(&legend->bar, ald_scale_tick(&legend->bar, k)));
        char text[ALD_TICK_SIZE];
        ald_scale_label(&legend->bar, k, text);
        ALD_TRY(ald_svg_line(run, svg, x + bar_width, y, x + bar_width + 4, y, "stroke=\"#888\""));
        ALD_TRY(ald_svg_text(run, svg, x + bar_width + 8, y + 4, ALD_ANCHOR_START, "", text));
    }
    const char *title;
    ALD_TRY(ald_svg_shorten(run, legend->bar_title, font, height, &title));
    const double title_x = fmin(x + bar_width + 8 + bar_label_width(legend) + 16, svg->width - 6);
    return ald_svg_text(run, svg, title_x, top + height / 2, ALD_ANCHOR_MIDDLE | ALD_UPWARDS, "", title);
}

ald_status ald_legend_draw(ald_run *run, const ald_legend *legend, const ald_frame *frame, ald_svg *svg)
{
    const int columns = columns_of(legend), above = headings_of(legend),
              each = (legend->n - above + columns - 1) / columns, lines = above + each;
    const double x = frame->left + frame->width + gap, room = (svg->width - x - edge / 2.0) / columns;
    const char *texts[ALD_LEGEND_ITEMS];
    ALD_TRY(ald_svg_group(run, svg, "class=\"legend\""));
    ALD_TRY(shorten_items(run, legend, room, texts));
    for (int i = 0; i < legend->n; i++) {
        const int at = i - above, column = at < 0 ? 0 : at / each, line = at < 0 ? 0 : above + at % each;
        ALD_TRY(draw_item(run, &legend->items[i], x + column * room, frame->top + 8 + line * line_height,
                          texts[i], svg));
    }
    const double bar_top = legend->n ? frame->top + 12 + lines * line_height : frame->top;
    if (legend->has_bar)
        ALD_TRY(draw_bar(run, legend, x, bar_top, frame->top + frame->height - bar_top, svg));
    return ald_svg_group_end(run, svg);
}
