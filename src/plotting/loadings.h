/* Loadings: from what rows are rebuilt by their scores. */
#ifndef ALD_PLOTTING_LOADINGS_H
#define ALD_PLOTTING_LOADINGS_H

#include "plotting/picture.h"

/* r x d, of the model or in the scratch of the run: those that the model keeps, else by least squares from
 * the rows of the picture, in units of their columns. */
ald_status ald_picture_loadings(ald_run *run, const ald_picture *picture, const double **loadings);

#endif
