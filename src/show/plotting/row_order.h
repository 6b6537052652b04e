/* Which rows are drawn, and in which order. */
#ifndef ALD_PLOTTING_ROW_ORDER_H
#define ALD_PLOTTING_ROW_ORDER_H

#include "show/plotting/dots.h"

/* Above this many a random part is drawn: pictures stay below about 2 MB. */
enum { ALD_MOST_MARKS = 20000 };

/* Rows at finite places, in an order by chance, so that no class hides the others because it comes last in
 * the file; with `rare_last` those of rare classes come last and lie on top. `finite` counts them all,
 * `drawn` those in `order`. */
ald_status ald_row_order(ald_run *run, const ald_dots *points, int rare_last, int64_t **order, int64_t *drawn,
                         int64_t *finite);
int ald_row_is_drawn(const ald_dots *points, int64_t i);
double ald_mark_radius(int64_t drawn);

#endif
