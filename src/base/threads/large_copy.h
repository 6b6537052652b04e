/* Copies of matrices so large that touching their memory takes long: the caller is asked on the way. */
#ifndef ALD_THREADS_LARGE_COPY_H
#define ALD_THREADS_LARGE_COPY_H

#include "base/core/run.h"

/* to = from, `count` values. */
ald_status ald_copy_large(ald_run *run, int64_t count, const double *from, double *to);
/* Zeros. */
ald_status ald_clear_large(ald_run *run, int64_t count, double *values);
/* out (n x m) = the transpose of the m x n matrix at `a`. */
ald_status ald_transpose_large(ald_run *run, int64_t m, int64_t n, const double *a, double *out);

#endif
