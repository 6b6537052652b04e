/* All rows go by every rank, a block at a time, along a ring of the ranks. */
#ifndef ALD_DIVIDED_RING_H
#define ALD_DIVIDED_RING_H

#include "cluster/divided/divided_rows.h"

/* Some rows, the first of which has the number `first`; they lie in memory that goes with them, as does what
 * is asked of the scratch. The ranks do not wait for each other in it: it may not call them. */
typedef ald_status (*ald_ring_fn)(ald_run *run, void *work, int64_t first, const ald_operator *rows);

/* Each rank sees each row once, including its own, in an order that depends on the rank. Agrees on the
 * outcome. */
ald_status ald_ring_pass(ald_run *run, const ald_divided *rows, ald_ring_fn look, void *work);

#endif
