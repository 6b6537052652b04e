/* What operator.c asks of a storage. Dense, sparse, streamed and divided matrices and those on a card
 * answer; scatter, gram, rows and column_statistics may be NULL, and are refused then. */
#ifndef ALD_OPERATOR_STORAGE_H
#define ALD_OPERATOR_STORAGE_H

#include "math/operator/operator.h"

typedef struct ald_storage_ops {
    ald_status (*apply)(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u);
    /* As ald_operator_apply_squared; NULL: a product of some rows after the other, then the squares. */
    ald_status (*apply_squared)(ald_run *run, const ald_operator *z, ald_view v, ald_view f, double *u);
    ald_status (*apply_transposed)(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                                   double *v);
    /* Both ald_operator_normal (alpha and u NULL) and ald_operator_advance. */
    ald_status (*advance)(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                          const double *alpha, double *u, double *w);
    /* Upper triangle of c = Z'Z, and where k > 0 also b (d x k) = Z'h. */
    ald_status (*scatter)(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                          double *b);
    /* The same of an h of codes; NULL: it is written out. */
    ald_status (*scatter_codes)(ald_run *run, const ald_operator *z, const ald_codes *h, double *c,
                                double *b);
    ald_status (*gram)(ald_run *run, const ald_operator *z, double *g);
    ald_status (*rows)(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows);
    ald_status (*square_norm)(ald_run *run, const ald_operator *z, double *sum);
    ald_status (*row_moments)(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                              double *length);
    ald_status (*column_statistics)(ald_run *run, const ald_operator *z, const double *weights,
                                    ald_column_moments moments);
    ald_status (*find_bad)(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column);
    const char *lacks; /* the message for what is NULL */
} ald_storage_ops;

extern const ald_storage_ops ald_dense_storage, ald_sparse_storage, ald_streamed_storage, ald_divided_storage,
    ald_card_storage, ald_card_sparse_storage, ald_through_storage, ald_through_sparse_storage;

#endif
