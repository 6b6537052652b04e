/* Groups of rows: an ellipse about each, its name, and the names of rows where there is room. */
#ifndef ALD_PLOTTING_ELLIPSES_H
#define ALD_PLOTTING_ELLIPSES_H

#include "show/canvas/frame.h"
#include "show/canvas/short_names.h"
#include "show/plotting/dots.h"

typedef struct ald_group {
    int64_t n;
    double x, y;       /* the middle */
    double xx, xy, yy; /* the covariance, times the square of the radius of the ellipse */
    int colour;
    const char *name; /* NULL: none */
} ald_group;

typedef struct ald_group_list {
    ald_group *all;
    int count;
} ald_group_list;

/* A group per class that is shown and has four rows of the training data or more; without classes all rows
 * are one. */
ald_status ald_groups_find(ald_run *run, const ald_dots *points, int shown, ald_group_list *groups);
/* Ranges that hold the ellipses too. */
void ald_groups_widen(const ald_group_list *groups, ald_range *x, ald_range *y);
ald_status ald_groups_draw(ald_run *run, const ald_group_list *groups, const ald_frame *frame, ald_svg *svg);
ald_status ald_groups_name(ald_run *run, const ald_group_list *groups, const ald_frame *frame,
                           ald_placer *placer, ald_svg *svg);
/* Names of rows beside their marks, where they cover neither a text nor another mark; none where there are
 * very many rows. */
ald_status ald_rows_name(ald_run *run, const ald_picture *picture, const ald_dots *points,
                         const ald_frame *frame, ald_placer *placer, int64_t *named, ald_svg *svg);

#endif
