/* What is tried of a parameter when nobody says: the grids of the parameter tables (ald_param.grid), for
 * parameters that are not set. Those in units of the median distance are multiplied by that of the rows as
 * the settings prepare them. */
#ifndef ALD_CHOOSING_USUAL_GRIDS_H
#define ALD_CHOOSING_USUAL_GRIDS_H

#include "judge/choosing/grid.h"

#include <alidade/matrix.h>

/* In the run's scratch: first the others by the order of their traits (ridges before neighbours), then, if
 * `relative`, those in units of the median distance: not for more rows than 5000, nor where there is no such
 * distance. */
ald_status ald_usual_grids(ald_run *run, const ald_settings *settings, const ald_matrix *x, int relative,
                           ald_grid **grids, int *count);

#endif
