/* What the verifiers of methods on whitened rows share. */
#ifndef ALD_TESTS_METHODS_WHITENED_CHECK_H
#define ALD_TESTS_METHODS_WHITENED_CHECK_H

#include "verify/verifier.h"

typedef struct whitened {
    int rank;
    double sigma[d * d], transform[d * d], rows[n * d]; /* Sigma; T (d x rank); Z T (n x rank) */
} whitened;

void whiten_by_loops(const prepared *p, whitened *w);

/* m += factor x y' */
void add_product(int order, double factor, const double *x, const double *y, double *m);

/* The components b = T eta of the model: B'Sigma B = I, M eta = lambda eta (M rank x rank), and lambda are
 * those eigenvalues of M that come first in order of falling key. */
void verify_whitened(const ald_model *model, const whitened *w, const double *m,
                     double (*key)(double lambda));

#endif
