/* Columns in the plane of two components. */
#ifndef ALD_PLOTTING_ARROWS_H
#define ALD_PLOTTING_ARROWS_H

#include "show/canvas/frame.h"
#include "show/plotting/picture.h"

/* An arrow for each of the leading columns over rows in components x and y (from 0), and its name. */
ald_status ald_arrows_draw(ald_run *run, const ald_picture *picture, const ald_frame *frame, int64_t x,
                           int64_t y, ald_svg *svg);

#endif
