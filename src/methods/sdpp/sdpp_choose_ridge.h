/* The ridge of sdpp where there are about as many columns as rows and nobody has given one. */
#ifndef ALD_SDPP_SDPP_CHOOSE_RIDGE_H
#define ALD_SDPP_SDPP_CHOOSE_RIDGE_H

#include "methods/sdpp/sdpp_starts.h"

/* Sets the ridge of the stress, tells the model and the log of it; does nothing where columns are few or the
 * settings say what to do. */
ald_status ald_sdpp_choose_ridge(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* About how many short runs that takes for n rows and d columns; 0: it is not done. */
double ald_sdpp_ridge_runs(const ald_sdpp_settings *settings, int64_t n, int64_t d);

#endif
