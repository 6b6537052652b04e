/* The criterion as a function of W in the columns of X, where its pairs are elsewhere and known in the
 * coordinates of the basis only. */
#ifndef ALD_SDPP_SDPP_COLUMNS_H
#define ALD_SDPP_SDPP_COLUMNS_H

#include "math/optimize/basis.h"
#include "math/optimize/conjugate_gradient.h"

typedef struct ald_sdpp_columns {
    ald_objective inner; /* J and the ridge, in the p coordinates of the basis */
    const ald_basis *basis;
    double ridge;
    int64_t r;
    double *w, *along; /* d x r: where it is, and its part in the span of M */
    double *x, *g;     /* p x r: coordinates, and the gradient there */
} ald_sdpp_columns;

/* Room for W of r columns. The basis has its matrix M, or the diagonal of it. */
ald_status ald_sdpp_columns_new(ald_run *run, const ald_objective *inner, const ald_basis *basis,
                                double ridge, int64_t r, ald_sdpp_columns *columns);
/* It can be placed and has a gradient, one point at a time; it does not search. */
ald_objective ald_sdpp_columns_objective(ald_sdpp_columns *columns);

#endif
