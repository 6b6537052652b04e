/* What the ranks do for ksdpp: neighbours are those of the rows of X; then features of these rows by a kernel
 * take their place, and all goes on as for sdpp. */
#ifndef ALD_SDPP_SDPP_KERNEL_H
#define ALD_SDPP_SDPP_KERNEL_H

#include "divided/kernel_others.h"
#include "sdpp/sdpp_state.h"

/* An ald_feature_map (divided/kernel_others.h); the features of the rows of this rank, an ald_operator. */
ald_status ald_sdpp_map(ald_run *run, ald_service *s, ald_parcel *given, void *own);

#endif
