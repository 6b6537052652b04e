/* Products of matrices by plain loops in vector form: plain_products.c says how. */
#ifndef ALD_BACKEND_PLAIN_PRODUCTS_H
#define ALD_BACKEND_PLAIN_PRODUCTS_H

#include "base/core/run.h"

/* C (m x n) = alpha op(A) op(B) + beta C, row major, with op(A) m x k; the upper triangle of C alone where
 * `upper`. */
typedef struct ald_plain_product {
    int trans_a, trans_b, upper;
    int64_t m, n, k;
    double alpha, beta;
    const double *a, *b;
    double *c;
    int64_t lda, ldb, ldc;
} ald_plain_product;

ald_status ald_plain_multiply(ald_run *run, const ald_plain_product *p);

#endif
