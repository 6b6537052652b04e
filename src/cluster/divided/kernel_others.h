/* Kernel methods by explicit features where the rows are divided among ranks: rank 0 draws the rows by which
 * the width is found, the landmarks and those that the approximation is measured on, as one process does, and
 * has them sent; features of its own rows are summed by each rank. */
#ifndef ALD_DIVIDED_KERNEL_OTHERS_H
#define ALD_DIVIDED_KERNEL_OTHERS_H

#include "cluster/divided/service.h"
#include "math/kernel/features.h"

/* For the table of a method. */
enum { ALD_KERNEL_OPERATIONS = 3 };
extern const ald_service_fn ald_kernel_operations[];

/* Rows to p features: (phi - mean) T. */
typedef struct ald_feature_map {
    ald_features features;
    const double *t; /* features.m x p; NULL: the identity, p = features.m */
    int64_t p;
    const double *mean; /* features.m */
} ald_feature_map;
/* The form in which it is sent to the other ranks; received into the memory of `run`. */
ald_status ald_feature_map_put(ald_run *run, const ald_feature_map *map, ald_record *given);
ald_status ald_feature_map_take(ald_run *run, ald_record *given, ald_feature_map *map);
/* f (rows of z x p), z as it was divided. */
ald_status ald_feature_map_apply(ald_run *run, const ald_feature_map *map, const ald_operator *z, double *f);

/* Gives z, the rows of rank 0 as the kernel sees them, the others (z->far). */
ald_status ald_kernel_far_rows(ald_run *run, ald_service *others, ald_operator *z);

#endif
