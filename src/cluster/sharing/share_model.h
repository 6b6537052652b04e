/* The model that rank 0 has made, for all ranks. */
#ifndef ALD_SHARING_SHARE_MODEL_H
#define ALD_SHARING_SHARE_MODEL_H

#include "base/core/model.h"

/* The others' model is freed and replaced. With one rank nothing is done. */
ald_status ald_share_model(ald_run *run, ald_model **model);

#endif
