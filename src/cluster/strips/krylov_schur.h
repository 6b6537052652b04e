/* The largest eigenvalues of a symmetric matrix by SLEPc's Krylov-Schur, the basis divided over the ranks:
 * what solvers/lanczos.h does, where the matrix or the basis is too large for each rank to have it.
 *
 * Memory of a rank: n/P (2 wanted + max(wanted + 1, 50)) doubles, `wanted` n/P for the result, and three
 * vectors of length n; what SLEPc has of it counts against the limit of the context. A product is with one
 * column; for `apply` 2 n numbers are summed over the ranks before and after it. */
#ifndef ALD_STRIPS_KRYLOV_SCHUR_H
#define ALD_STRIPS_KRYLOV_SCHUR_H

#include "base/ranks/eigen_module.h"
#include "math/solvers/lanczos.h"

/* By all ranks together. The task is that of Lanczos: `apply` is called by all ranks with the same v, fails
 * on all of them or on none and gives all the same w; `trial` and `room` are not used. With `columns` (n x
 * count, count the own stretch of strips/stretch.h) A is given by its own columns, and `apply` is not
 * called. The vectors come whole to every rank. Where not all pairs were found in max_products `converged` is
 * 0 and nothing else is told. */
ald_status ald_krylov_schur_solve(ald_run *run, const ald_eigen_module *module, double *columns,
                                  ald_lanczos *task);

#endif
