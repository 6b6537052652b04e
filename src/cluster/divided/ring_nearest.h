/* The nearest neighbours among the rows of all ranks. */
#ifndef ALD_DIVIDED_RING_NEAREST_H
#define ALD_DIVIDED_RING_NEAREST_H

#include "cluster/divided/divided_rows.h"

/* For each row of this rank the k nearest of all others: their numbers and squared distances (rows x k, in
 * scratch), by distance, ties to the lower number. The same, to the last digit, on any number of ranks.
 * Agrees on the outcome. */
ald_status ald_ring_nearest(ald_run *run, const ald_divided *rows, int64_t k, int64_t **neighbours,
                            double **squares);

#endif
