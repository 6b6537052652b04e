/* The names of a model's features. */
#ifndef ALD_PLOTTING_FEATURE_NAMES_H
#define ALD_PLOTTING_FEATURE_NAMES_H

#include "show/plotting/picture.h"

/* Those of the model, else of the data, else x1, x2, ...; d of them in the scratch of the run. */
ald_status ald_feature_names(ald_run *run, const ald_picture *picture, int64_t d, const char ***names);

#endif
