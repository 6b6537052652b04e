/* The parameters that kdr and gkdr share, and their values. */
#ifndef ALD_KDR_KDR_PARAMS_H
#define ALD_KDR_KDR_PARAMS_H

#include "base/settings/method.h"

typedef struct ald_kdr_settings {
    double kernel_width, response_width; /* 0: by the median distance */
    int standardize;
    uint64_t seed;
} ald_kdr_settings;

/* Asked for once per fit, and handed on. */
ald_kdr_settings ald_kdr_settings_of(const ald_run *run);

extern const ald_param *const ald_kdr_params[];

#endif
