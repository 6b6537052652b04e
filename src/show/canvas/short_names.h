/* Texts that must fit: names shortened so that they still differ, and texts inside a frame that do not
 * overlap. */
#ifndef ALD_CANVAS_SHORT_NAMES_H
#define ALD_CANVAS_SHORT_NAMES_H

#include "show/canvas/frame.h"
#include "show/canvas/svg.h"

/* shortened[0 .. n): the names, those too wide cut in the middle. Names that differ stay different: where
 * that makes two alike, what they begin with in common is cut instead, then both, then a number tells them.
 */
ald_status ald_shorten_names(ald_run *run, const char *const *names, int n, double font_size, double width,
                             const char **shortened);

/* The boxes of the texts placed so far. */
typedef struct ald_placer {
    ald_box *taken;
    int64_t count, room;
    ald_box inside;
} ald_placer;

/* For at most `room` texts inside the frame. */
ald_status ald_placer_begin(ald_run *run, int64_t room, const ald_frame *frame, ald_placer *placer);
/* Takes the box where it is inside and free of others; 0 where it is not. */
int ald_placer_take(ald_placer *placer, ald_box box);
/* Whether the point is in the box. */
int ald_box_holds(ald_box box, double x, double y);

#endif
