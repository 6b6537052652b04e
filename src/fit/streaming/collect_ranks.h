/* What several ranks have collected, each of its portion of the file. */
#ifndef ALD_STREAMING_COLLECT_RANKS_H
#define ALD_STREAMING_COLLECT_RANKS_H

#include "fit/streaming/collect.h"

/* Agrees on `status`, that of this rank's own collection. Then the weight and the means are those of all
 * rows, and with `gather` the target is. */
ald_status ald_collection_unite(ald_run *run, ald_status status, ald_collection *c);

#endif
