/* Single entries of a matrix of any storage: for places that need few of them. */
#ifndef ALD_LINALG_ENTRY_H
#define ALD_LINALG_ENTRY_H

#include <alidade/matrix.h>

/* 1 if the entry is stored: always in a dense matrix. */
int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column);
/* Its value, 0 where nothing is stored. */
double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column);
/* A number that is the same for equal matrices whatever their storage, and for others hardly ever: to know a matrix
 * again. */
uint64_t ald_matrix_fingerprint(const ald_matrix *m);

#endif
