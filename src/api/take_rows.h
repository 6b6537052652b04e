/* Some rows of X and of a target, in any order and as often as named: permutations and resamples. */
#ifndef ALD_API_TAKE_ROWS_H
#define ALD_API_TAKE_ROWS_H

#include "core/run.h"

#include <alidade/matrix.h>

/* A copy in the run's scratch: dense f64 row major, or CSR. */
ald_status ald_take_matrix(ald_run *run, const ald_matrix *x, int64_t m, const int64_t *rows, ald_matrix *taken);
/* The same of a target, with weights and mask; names stay the caller's. */
ald_status ald_take_target(ald_run *run, const ald_target *y, int64_t m, const int64_t *rows, ald_target *taken);

#endif
