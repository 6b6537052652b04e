/* The kernel or the random features of a model (maps `kernel` and `features`). */
#ifndef ALD_KERNEL_MODEL_MAP_H
#define ALD_KERNEL_MODEL_MAP_H

#include "base/core/model.h"
#include "math/kernel/features.h"

/* What the model does to rows scaled as at the fit, not centred: t has a column for each component. A model
 * whose arrays do not fit together is an error. The arrays stay the model's, or are in scratch. */
ald_status ald_model_read_kernel(ald_run *run, const ald_model *model, ald_feature_map *map);
ald_status ald_model_read_features(ald_run *run, const ald_model *model, ald_feature_map *map);

#endif
