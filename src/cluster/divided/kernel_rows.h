/* Kernel methods by explicit features where the rows are divided among ranks: rank 0 draws the rows by
 * which the width is found, the landmarks and those that the approximation is measured on, as one process
 * does, and fetches them; each rank sums the features of its own rows. */
#ifndef ALD_DIVIDED_KERNEL_ROWS_H
#define ALD_DIVIDED_KERNEL_ROWS_H

#include "cluster/divided/service.h"
#include "math/kernel/features.h"

/* For rank 0: the rows of all ranks (z->remote). */
ald_remote_rows ald_service_rows(ald_service *service);

/* Operations of the service. */
ald_status ald_service_take_rows(ald_run *run, ald_service *s, ald_record *given, void *result);
ald_status ald_service_sum_features(ald_run *run, ald_service *s, ald_record *given, void *result);
ald_status ald_service_sum_squares(ald_run *run, ald_service *s, ald_record *given, void *result);

/* As it is sent to the other ranks; taken in the memory of `run`. */
ald_status ald_feature_map_put(ald_run *run, const ald_feature_map *map, ald_record *given);
ald_status ald_feature_map_take(ald_run *run, ald_record *given, ald_feature_map *map);

#endif
