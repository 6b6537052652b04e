/* What the two files of lspca share: the problem in the coordinates of its rows, and the loss of classes. */
#ifndef ALD_LINEAR_LSPCA_H
#define ALD_LINEAR_LSPCA_H

#include "math/optimize/grassmann.h"
#include "methods/engines/row_space.h"

typedef struct ald_lspca {
    const ald_problem *problem;
    ald_row_space space;
    int64_t k, r, q;
    double g;
    double sum;    /* |X|^2 */
    double *share; /* s, k */
    double *cross; /* K, k x q */
} ald_lspca;

/* The objective of classes over A (k x r), A'A = I, with the penalty `ridge`; all of it in scratch. */
ald_status ald_lspca_classes(ald_run *run, const ald_lspca *p, double ridge,
                             ald_grassmann_objective *objective);

#endif
