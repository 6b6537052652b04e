#include "methods/engines/ridge_params.h"

const ald_param ald_covariance_ridge_param = {
    .name = "ridge",
    .type = ALD_PARAM_REAL,
    .initial = "0",
    .min = 0,
    .max = ALD_NO_LIMIT,
    .help = "added to the diagonal of the covariance of X",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_RIDGE,
};

const ald_param ald_ridge_rel_param = {
    .name = "ridge_rel",
    .type = ALD_PARAM_REAL,
    .initial = "0",
    .min = 0,
    .max = ALD_NO_LIMIT,
    .help = "the same as a part of its largest eigenvalue; the two are added",
    .grid = "0,log:1e-4:1:5",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_RIDGE_REL,
};
