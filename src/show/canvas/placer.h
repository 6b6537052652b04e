/* Texts inside a frame that do not cover each other. */
#ifndef ALD_CANVAS_PLACER_H
#define ALD_CANVAS_PLACER_H

#include "show/canvas/frame.h"

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
