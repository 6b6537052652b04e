/* From rows to projections by the kernel or the random features of a model (maps `kernel` and `features`). */
#ifndef ALD_KERNEL_MODEL_MAP_H
#define ALD_KERNEL_MODEL_MAP_H

#include "base/core/model.h"
#include "math/operator/operator.h"

/* z (rows x components) of rows scaled as at the fit, not centred. A model whose arrays do not fit together
 * is an error.
 */
ald_status ald_model_map_kernel(ald_run *run, const ald_model *model, const ald_operator *rows, double *z);
ald_status ald_model_map_features(ald_run *run, const ald_model *model, const ald_operator *rows, double *z);

#endif
