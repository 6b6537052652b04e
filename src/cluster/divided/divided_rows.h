/* Rows that are divided among ranks: each has some that follow each other, in the order of the ranks. A row
 * has the number that it would have in one process. */
#ifndef ALD_DIVIDED_DIVIDED_ROWS_H
#define ALD_DIVIDED_DIVIDED_ROWS_H

#include "base/core/record.h"
#include "cluster/ranks/communicator.h"
#include "math/operator/all_rows.h"

typedef struct ald_divided {
    /* The rows of this rank, dense or CSR with indices of 64 bits, without weights; x.rows may be 0. Mean
     * and scale are the same on all ranks. */
    ald_operator z;
    int64_t first, total; /* the number of its first row, and of all rows */
    int64_t *begin;       /* ranks + 1: the number of the first row of each */
    ald_all_rows all;     /* sums over them */
    int64_t at_once;      /* rows of a block on the ring (ring.h); 0: as many as 16 MB hold */
} ald_divided;

/* Fills all but z and `at_once`. Agrees on `status`, that of making z. */
ald_status ald_divided_count(ald_run *run, ald_status status, ald_divided *rows);
/* The rows of this rank, divided (operator/all_rows.h): all ranks use it at the same time. */
ald_operator ald_divided_operator(const ald_divided *rows);
/* The rank that has a row. */
int ald_divided_owner(const ald_run *run, const ald_divided *rows, int64_t row);

/* Rows which[0] .. which[count - 1] of z, or (`which` NULL) those from `from` on, as bytes. */
ald_status ald_rows_put(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                        int64_t count, ald_record *record);
/* The rows of `records` (`count` of them, one behind the other) as an operator in scratch; mean and scale are
 * those of `like`, which the rows are of the kind of. */
ald_status ald_rows_take(ald_run *run, ald_record *records, int count, const ald_operator *like,
                         ald_operator *rows);

/* The rows numbers[0] < numbers[1] < ... of all (`count`; ranks may want different ones, or none), as an
 * operator in scratch, row scaled, with the mean and scale of `rows`. Each is sent once to each rank that
 * wants it. The ranks agree on `status`, that of making the list, and on failures. */
ald_status ald_fetch_rows(ald_run *run, ald_status status, const ald_divided *rows, const int64_t *numbers,
                          int64_t count, ald_operator *fetched);

#endif
