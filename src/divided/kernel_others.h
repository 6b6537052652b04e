/* Kernel methods by explicit features where the rows are divided among ranks: rank 0 draws the rows by which
 * the width is found, the landmarks and those that the approximation is measured on, as one process does, and
 * has them sent; features of its own rows are summed by each rank. */
#ifndef ALD_DIVIDED_KERNEL_OTHERS_H
#define ALD_DIVIDED_KERNEL_OTHERS_H

#include "divided/service.h"

/* For the table of a method. */
enum { ALD_KERNEL_OPERATIONS = 3 };
extern const ald_service_fn ald_kernel_operations[];

/* Gives z, the rows of rank 0 as the kernel sees them, the others (z->far). */
ald_status ald_kernel_far_rows(ald_run *run, ald_service *others, ald_operator *z);

#endif
