/* Passes on several ranks: how they share the rows of an operator. */
#ifndef ALD_STREAMING_PASSES_RANKS_H
#define ALD_STREAMING_PASSES_RANKS_H

#include "linalg/shared_rows.h"
#include "streaming/collect.h"

/* Rows and weight of all ranks, of which the collection has the own ones, and how to sum over them. */
ald_status ald_passes_share(ald_run *run, const ald_collection *c, ald_shared_rows *shared);

#endif
