/* The second pass over a file, for methods that look at what a linear fit leaves of the response. */
#ifndef ALD_STREAMING_CURVE_FILE_H
#define ALD_STREAMING_CURVE_FILE_H

#include "fit/prepare/row_plan.h"
#include "fit/streaming/blocks.h"
#include "math/operator/logbook.h"
#include "methods/moments/moments.h"

/* Adds `curved` (moments/curved.h) to the moments of all rows, which rank 0 has, where the method needs it;
 * the array is in scratch. `blocks` is where the rows are; what is found is kept in `book`, if there
 * is one. */
ald_status ald_curve_file(ald_run *run, const ald_blocks *blocks, int parts, const ald_row_plan *plan,
                          ald_logbook *book, ald_moments *total);

#endif
