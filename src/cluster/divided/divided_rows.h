/* Rows that are divided among ranks: each has some that follow each other, in the order of the ranks. A row
 * has the number that it would have in one process. */
#ifndef ALD_DIVIDED_DIVIDED_ROWS_H
#define ALD_DIVIDED_DIVIDED_ROWS_H

#include "base/ranks/communicator.h"
#include "math/operator/operator.h"

typedef struct ald_divided {
    /* The rows of this rank, dense or CSR with indices of 64 bits, without weights; x.rows may be 0. Mean
     * and scale are the same on all ranks. */
    ald_operator z;
    int64_t first, total; /* the number of its first row, and of all rows */
    int64_t *begin;       /* ranks + 1: the number of the first row of each */
    int64_t at_once;      /* rows of a block on the ring (ring.h); 0: as many as 16 MB hold */
} ald_divided;

/* Fills all but z and `at_once`. Agrees on `status`, that of making z. */
ald_status ald_divided_count(ald_run *run, ald_status status, ald_divided *rows);
/* The rank that has a row. */
int ald_divided_owner(const ald_run *run, const ald_divided *rows, int64_t row);

#endif
