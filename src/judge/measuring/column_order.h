/* Whether columns that are merely counted (f1, f2, ...) have an order. */
#ifndef ALD_MEASURING_COLUMN_ORDER_H
#define ALD_MEASURING_COLUMN_ORDER_H

#include <alidade/matrix.h>

/* 1 if columns at these positions, whose names end with `unit`, lie on a scale. Names that count from 0 or 1
 * and have no unit say nothing: then the columns of x do, if neighbours are much more alike than others. x
 * NULL: there are no rows to ask, and the names are believed. */
int ald_columns_in_order(const double *positions, int64_t d, const char *unit, const ald_matrix *x);

#endif
