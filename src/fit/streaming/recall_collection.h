/* What was collected in one pass, as the logbook keeps it. */
#ifndef ALD_STREAMING_RECALL_COLLECTION_H
#define ALD_STREAMING_RECALL_COLLECTION_H

#include "fit/streaming/collect.h"

/* Fills the results, in scratch, if an earlier run has left them. */
ald_status ald_collection_recall(ald_run *run, ald_collection *c, int *found);
ald_status ald_collection_note(ald_run *run, const ald_collection *c);
/* A target like that of the survey, of n rows. */
ald_target ald_collection_target(const ald_collection *c, int64_t n, const int32_t *classes,
                                 const double *values, const double *weights);

#endif
