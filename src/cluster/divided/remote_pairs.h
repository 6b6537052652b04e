/* The pairs of rows that are divided among ranks, as sdpp asks for them (methods/sdpp/sdpp_remote.h). */
#ifndef ALD_DIVIDED_REMOTE_PAIRS_H
#define ALD_DIVIDED_REMOTE_PAIRS_H

#include "cluster/divided/service.h"
#include "methods/sdpp/sdpp_remote.h"

/* For rank 0. */
ald_remote_pairs ald_service_pairs(ald_service *service);

/* Operations of the service. */
ald_status ald_service_find_pairs(ald_run *run, ald_service *s, ald_record *given, void *result);
ald_status ald_service_map_rows(ald_run *run, ald_service *s, ald_record *given, void *result);
ald_status ald_service_deviations(ald_run *run, ald_service *s, ald_record *given, void *result);
ald_status ald_service_sum_pairs(ald_run *run, ald_service *s, ald_record *given, void *result);

#endif
