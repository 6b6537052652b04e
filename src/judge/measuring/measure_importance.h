/* What importance and pictures ask of the columns. */
#ifndef ALD_MEASURING_MEASURE_IMPORTANCE_H
#define ALD_MEASURING_MEASURE_IMPORTANCE_H

#include "base/core/run.h"

#include <alidade/model.h>

/* The standard deviations of the columns of x (d), of rows scaled by rows as for the model, in the weights of
 * y (NULL: none); 0 where a column does not vary. */
ald_status ald_column_deviations(ald_run *run, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, double *deviation);

#endif
