/* The entries of a ridge that engines and methods have in common. One that says or defaults to something else
 * is an entry of its own there. */
#ifndef ALD_ENGINES_RIDGE_PARAMS_H
#define ALD_ENGINES_RIDGE_PARAMS_H

#include "base/settings/method.h"

/* ridge, added to the covariance of X. */
extern const ald_param ald_covariance_ridge_param;
/* ridge_rel, a part of the largest eigenvalue of the matrix that the ridge is added to. */
extern const ald_param ald_ridge_rel_param;

#endif
