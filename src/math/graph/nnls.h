/* Non-negative least squares, min |A w - b| over w >= 0, for few rows and any number of columns (nnls.c).
 * With r = b - A w it is optimal when no column outside the support has
 *
 *   A_j'r > tol |A_j| |r|:    then |r|^2 is within 2 tol |A w| |r| of the least. */
#ifndef ALD_GRAPH_NNLS_H
#define ALD_GRAPH_NNLS_H

#include <stdint.h>

typedef struct ald_nnls {
    int64_t m, n;
    const double *columns; /* n x m: line j is column j of A */
    const double *b;       /* m */
    double tol;
    /* The caller's memory. */
    double *w;              /* n, result */
    double *residual;       /* m, result: b - A w */
    int64_t *support;       /* m, result: columns with w > 0, in no order */
    unsigned char *blocked; /* n */
    double *work;           /* (m + 2)^2 + 2 m */
    int64_t passive;        /* result: how many are in the support */
} ald_nnls;

/* 1: optimal; 0: stopped after 30 (m + 1) steps with the best so far. */
int ald_nnls_solve(ald_nnls *task);

#endif
