/* What methods are measured against, as candidates: no method, and settings that all methods have. */
#ifndef ALD_CHOOSING_BASELINES_H
#define ALD_CHOOSING_BASELINES_H

#include "base/core/run.h"

#include <alidade/candidates.h>
#include <alidade/matrix.h>

/* The parameters that all methods have and no others, at their defaults; free them. */
ald_status ald_baseline_settings(ald_run *run, ald_settings **settings);
/* "mean", "majority" or "label shares", and "all features". */
const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target);

#endif
