/* What the ranks do for sdpp with more columns than a square of them is formed of: coordinates are the
 * columns in units of their deviations, and all is done by products with X (optimize/basis.h). */
#ifndef ALD_SDPP_SDPP_WIDE_H
#define ALD_SDPP_SDPP_WIDE_H

#include "cluster/divided/service.h"
#include "methods/sdpp/sdpp_state.h"

typedef struct ald_sdpp_product {
    int64_t k;
    int64_t plain; /* the weights of the pairs themselves; 0: -2 c w t */
} ald_sdpp_product;

/* Nothing; the deviations of the columns of Z over all rows, d. */
ald_status ald_sdpp_spread(ald_run *run, ald_service *s, ald_record *given, void *deviation);
/* c, then the diagonal of M (d): J(0). The rows of each rank and their partners become one operator. */
ald_status ald_sdpp_begin_wide(ald_run *run, ald_service *s, ald_record *given, void *at_zero);
/* ald_sdpp_product, then v (p x k): F'L F v over the pairs of all ranks. */
ald_status ald_sdpp_times(ald_run *run, ald_service *s, ald_record *given, void *product);

#endif
