/* Sparse X on the card, by rows and by columns. */
#ifndef ALD_CUDA_SPARSE_H
#define ALD_CUDA_SPARSE_H

#include "cuda_card.cuh"

namespace ald {

/* A slice of more entries than that is multiplied by pieces, and their sums are added in their order. */
constexpr int piece_entries = 4096;

/* Slices, rows or columns, one after the other: the entries of slice s are pointers[s] .. pointers[s + 1] - 1. */
struct order {
    void *values = nullptr;
    int *indices = nullptr, *pointers = nullptr;
    int64_t slices = 0, length = 0;
    /* Long slices: which they are, where the pieces of each begin (long_count + 1), and of which each piece is. */
    int64_t long_count = 0, pieces = 0;
    int *long_slices = nullptr, *long_first = nullptr, *piece_of = nullptr;
};

struct sparse {
    order rows, columns;
    int64_t count = 0;
};

void hold_sparse(card &c, const ald_matrix *x, matrix *m);
void free_sparse(sparse *entries);

/* u (n x k) = Z v - old diag(alpha), of rows by `by`; alpha and old NULL: Z v. u may be old. */
void sparse_times(card &c, const ald_card_rows *z, const vectors &by, const double *v, int64_t k, const double *alpha,
                  const double *old, double *u);
/* v (d x k) = Z'u. */
void sparse_transposed(card &c, const ald_card_rows *z, const vectors &by, const double *u, int64_t k, double *v);
/* Rows of Z, with their zeros; `by` begins at the first of them. */
void write_rows(card &c, const matrix *m, int64_t first, int64_t count, const vectors &by, double *z);

/* sums_0 and sums_1 (k both, NULL: not wanted) of the rows of a (rows x k), weighed by w_0 and w_1 (NULL: 1);
 * `squares`: sums_0 is of the squares. */
void weighted_sums(card &c, const double *a, int64_t rows, int64_t k, const double *w_0, const double *w_1,
                   double *sums_0, double *sums_1, bool squares);

} // namespace ald

#endif
