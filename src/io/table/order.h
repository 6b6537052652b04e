/* A stable sort of row (or entry) numbers by any comparison, with its memory from the run. */
#ifndef ALD_TABLE_ORDER_H
#define ALD_TABLE_ORDER_H

#include "base/core/run.h"

/* Negative, 0, positive as item `a` comes before, with or after item `b`. */
typedef int (*ald_order_compare)(const void *context, int64_t a, int64_t b);

/* Sorts the item numbers in order[0 .. n); items that compare equal keep their order. */
ald_status ald_order_sort(ald_run *run, int64_t n, int64_t *order, ald_order_compare compare,
                          const void *context);

#endif
