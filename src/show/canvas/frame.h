/* The frame of a picture: title, two axes with grid and names, and the places of numbers inside it. */
#ifndef ALD_CANVAS_FRAME_H
#define ALD_CANVAS_FRAME_H

#include "show/canvas/scale.h"
#include "show/canvas/svg.h"

/* Numbers from `range`, or with `names` the places 0, 1, 2, ... with a name each, from the origin on. */
typedef struct ald_axis {
    const char *label;
    ald_range range;
    double padding;
    int whole; /* ticks at whole numbers only */
    const char *const *names;
    int n_names;
    int up;          /* x axis: names run upwards */
    int bare;        /* ticks without labels and room for them: another panel beside it has them */
    ald_scale scale; /* set by ald_frame_begin */
} ald_axis;

/* A part of the picture, in pixels. */
typedef struct ald_box {
    double x, y, width, height;
} ald_box;

typedef struct ald_frame {
    ald_axis x, y;
    const char *title;
    double right_margin;             /* room for a legend */
    double least_left;               /* of the frame within its box, to line up several */
    int panel;                       /* one of several in a picture: smaller margins, a smaller title */
    double font;                     /* of the names on the axes; 0: 12 */
    double left, top, width, height; /* set by ald_frame_begin or ald_frame_place */
} ald_frame;

/* Chooses ticks and margins, opens the picture and draws everything but the data. With names on the y axis
 * the first is at the top. */
ald_status ald_frame_begin(ald_run *run, ald_frame *frame, ald_svg *svg, int width, int height);

/* The same for one of several frames in a picture that is open: everything inside the box. */
ald_status ald_frame_place(ald_run *run, ald_frame *frame, ald_box box, ald_svg *svg);

double ald_frame_x(const ald_frame *frame, double value);
double ald_frame_y(const ald_frame *frame, double value);

/* A remark below the picture, in small grey letters; "" draws nothing. */
ald_status ald_frame_note(ald_run *run, const ald_frame *frame, ald_svg *svg, const char *note);

#endif
