/* When cross-validation by sums (folds.h) pays: the written rule, in operations of a matrix product.
 *
 * With n rows, d columns, e entries (n d where dense), q classes, labels or responses, a part p of the rows
 * for training, D divisions of the rows into S splits in all:
 *
 *   sums      D n d^2 (sparse: 4 D e d), then S 15 (d + q)^3 for the rows that have the moments and 4 (d +
 * q)^3 a fit; refitting p n d min(d, 30 r) a fit for methods that take r directions from products with X
 * (sparse: 4 e for n d), and for those with a ridge p n d^2 + d^3/3, or LSQR's 720 e p q where that is less.
 *
 * 15 and 4 are measured (an eigendecomposition runs at about a third of the speed of a product, and the
 * problem of few rows is multiplied out again), 30 and 720 are the methods' own figures (pls.c, pencil.c).
 * The moments of all parts of all divisions must also fit into ALD_FOLD_BYTES, and d x d must not be above
 * the order that moments are kept for. */
#ifndef ALD_CELLS_FOLD_COST_H
#define ALD_CELLS_FOLD_COST_H

#include "base/core/run.h"

#define ALD_FOLD_BYTES 5e8

typedef struct ald_fold_work {
    double n, d, entries;
    int dense;
    double q;
    double train;            /* p */
    double divisions, parts; /* D, and the parts of each */
    double splits;           /* S */
} ald_fold_work;

/* One fit of the rows of a training part, for r directions. */
double ald_refit_operations(const ald_fold_work *work, const ald_settings *settings, int64_t r);
/* The sums and `fits` fits from them in every split. */
double ald_fold_operations(const ald_fold_work *work, int64_t fits);
/* Whether the moments can be kept at all. */
int ald_folds_fit_memory(const ald_fold_work *work);

#endif
