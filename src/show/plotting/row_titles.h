/* What is told of a row: its name, its target, and where it lies. */
#ifndef ALD_PLOTTING_ROW_TITLES_H
#define ALD_PLOTTING_ROW_TITLES_H

#include "show/plotting/dots.h"

/* Its name in its file, or its number from 1; of `points` row i. */
ald_status ald_row_label(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **label);
/* "s17: setosa (1.23, -0.5)", in the scratch of the run. */
ald_status ald_row_title(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **title);

#endif
