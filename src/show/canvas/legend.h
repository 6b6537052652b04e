/* What stands at the right of a picture: marks with their names, and a colour bar. */
#ifndef ALD_CANVAS_LEGEND_H
#define ALD_CANVAS_LEGEND_H

#include "show/canvas/frame.h"
#include "show/canvas/marks.h"

enum { ALD_LEGEND_ITEMS = 64 };

typedef struct ald_legend_item {
    int heading; /* text alone: 1 in bold, 2 as it is, below a mark */
    ald_shape shape;
    int hollow;
    int colour;
    const char *text;
} ald_legend_item;

typedef struct ald_legend {
    ald_legend_item items[ALD_LEGEND_ITEMS];
    int n;
    int has_bar;
    ald_scale bar;
    const char *bar_title;
    int lines; /* a column holds; 0: all in one */
} ald_legend;

/* Items beyond the room are left out. */
void ald_legend_add(ald_legend *legend, ald_legend_item item);
/* The margin that it needs, with the gap to the frame; no more than `most`. */
double ald_legend_width(const ald_legend *legend, double most);
/* How many lines fit beside a picture of this height; more stand in two columns, or in three. */
int ald_legend_room(int picture_height);
ald_status ald_legend_draw(ald_run *run, const ald_legend *legend, const ald_frame *frame, ald_svg *svg);

#endif
