/* What the verifiers of methods on whitened rows share. */
#ifndef ALD_TESTS_METHODS_WHITENED_CHECK_H
#define ALD_TESTS_METHODS_WHITENED_CHECK_H

#include "verify/verifier.h"

typedef struct whitened {
    int rank;
    double sigma[d * d], transform[d * d], rows[n * d]; /* Sigma; T (d x rank); Z T (n x rank) */
} whitened;

void whiten_by_loops(const prepared *p, whitened *w);

/* Row i among 10 slices of response k: floor(10 weight{y_j < y_i} / total), or its class. */
int slice_by_loops(const prepared *p, int i, int k);
/* Weight, mean and mean of u u' of the whitened rows of slice h of response k; 0: it has no weight. */
double slice_moments_by_loops(const prepared *p, const whitened *w, int h, int k, double *mean,
                              double *square);
/* How many targets are cut: the responses, or once by classes. */
int slicings_of(const prepared *p);

/* m += factor x y' */
void add_product(int order, double factor, const double *x, const double *y, double *m);

/* The components b = T eta of the model: B'Sigma B = I, M eta = lambda eta (M rank x rank), and lambda are
 * those eigenvalues of M that come first in order of falling key. */
void verify_whitened(const ald_model *model, const whitened *w, const double *m,
                     double (*key)(double lambda));

#endif
