/* How the rows of a fit lie, from whatever the model keeps. */
#ifndef ALD_MEASURING_READ_SPREAD_H
#define ALD_MEASURING_READ_SPREAD_H

#include "fit/fitting/spread.h"

/* From the arrays spread.*, from kept statistics, or from the variances of uncorrelated scores; what is not
 * known of Q is negative. An error that says how to fit the model where it has none of them. */
ald_status ald_read_spread(ald_run *run, const ald_model *model, ald_spread *spread);

#endif
