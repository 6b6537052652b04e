/* A symmetric matrix to tridiagonal form by reflections, A = Q T Q', on several threads.
 *
 * LAPACK's dsytrd does half of its work in products with a vector, one after the other, which its threads are
 * too slow to share. Here a thread keeps rows of its own, in its own cache. Step i reflects row i onto its
 * first entry beyond the diagonal by H = I - tau v v'; with p = tau A v and w = p - (tau/2) (p'v) v the rest
 * becomes A - v w' - w v'. That is done to a row together with its product with the next v, so that a row is
 * read once per step. 2 n^3 operations in place of 4/3 n^3, of which 1/threads to each; the bytes are the
 * same for any number of threads. */
#ifndef ALD_BACKEND_TRIDIAGONAL_H
#define ALD_BACKEND_TRIDIAGONAL_H

#include "core/run.h"

/* a: n x n, both triangles read. Afterwards row i holds the reflection i from its entry i + 2 on (entry i + 1
 * of v is 1), as LAPACK's dormtr takes it; diagonal (n), beside (n - 1) and tau (n - 1) as from dsytrd. */
ald_status ald_tridiagonalise(ald_run *run, int parts, int64_t n, double *a, double *diagonal, double *beside,
                              double *tau);

#endif
