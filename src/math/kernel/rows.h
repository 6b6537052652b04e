/* Rows as kernels see them: prepared, not centred, sparse ones as CSR with 64-bit indices and f64 values. */
#ifndef ALD_KERNEL_ROWS_H
#define ALD_KERNEL_ROWS_H

#include "math/operator/operator.h"

/* x as CSR, f64, 64 bits: itself, or a copy in scratch. */
ald_status ald_rows_as_csr(ald_run *run, const ald_matrix *x, ald_matrix *csr);
/* Row i of a CSR operator, prepared: out[j * stride], j < d. */
void ald_rows_write_csr(const ald_operator *z, int64_t i, int64_t stride, double *out);
/* |row|^2 of rows i0 .. i0 + count of a CSR operator, from stored entries and one sum over the columns. */
void ald_rows_squares_csr(const ald_operator *z, int64_t i0, int64_t count, double *squares);

#endif
