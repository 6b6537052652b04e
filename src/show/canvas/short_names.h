/* Names that must fit a room and still be told apart. */
#ifndef ALD_CANVAS_SHORT_NAMES_H
#define ALD_CANVAS_SHORT_NAMES_H

#include "show/canvas/svg.h"

/* shortened[0 .. n): the names, those too wide cut to fit. Names that differ stay different: where cutting
 * the end makes two alike the middle is cut instead, then what they begin with in common, then both, then a
 * number tells them. */
ald_status ald_shorten_names(ald_run *run, const char *const *names, int n, double font_size, double width,
                             const char **shortened);

#endif
