/* Passes over a file before or after that of the moments: what the steps of `rows` learn, and the
 * curvature for methods that look at what a linear fit leaves of the response. */
#ifndef ALD_STREAMING_EARLIER_PASSES_H
#define ALD_STREAMING_EARLIER_PASSES_H

#include "data/encode/dataset.h"
#include "fit/prepare/row_plan.h"
#include "fit/streaming/blocks.h"
#include "math/operator/logbook.h"
#include "methods/moments/moments.h"

/* Adds `curved` (moments/curved.h) to the moments of all rows, which the first part of them has, where the
 * method needs it; the array is in scratch. `blocks` is where the rows are; what is found is kept in `book`,
 * if there is one. */
ald_status ald_curve_file(ald_run *run, const ald_blocks *blocks, int parts, const ald_row_plan *plan,
                          ald_logbook *book, ald_moments *total);

/* One pass for each step that learns, in the order of the steps. The survey has the kind and the width of X;
 * what is found is kept in `book`, if there is one. */
ald_status ald_learn_references(ald_run *run, const char *path, const ald_load_options *like,
                                const ald_dataset *survey, ald_logbook *book, ald_row_plan *plan);

#endif
