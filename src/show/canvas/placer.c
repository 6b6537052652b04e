#include "show/canvas/placer.h"

ald_status ald_placer_begin(ald_run *run, int64_t room, const ald_frame *frame, ald_placer *placer)
{
    *placer = (ald_placer){.room = room, .inside = {frame->left, frame->top, frame->width, frame->height}};
    return ald_scratch(run, room > 0 ? room : 1, 1, sizeof *placer->taken, &placer->taken);
}

static int overlap(ald_box a, ald_box b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

int ald_placer_take(ald_placer *placer, ald_box box)
{
    const ald_box in = placer->inside;
    if (placer->count == placer->room || box.x < in.x || box.y < in.y ||
        box.x + box.width > in.x + in.width || box.y + box.height > in.y + in.height)
        return 0;
    for (int64_t i = 0; i < placer->count; i++)
        if (overlap(box, placer->taken[i])) return 0;
    placer->taken[placer->count++] = box;
    return 1;
}

int ald_box_holds(ald_box box, double x, double y)
{
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
