/* How often each cell of some columns occurs, by hashing, in the scratch of the run. */
#ifndef ALD_TABLE_TALLY_H
#define ALD_TABLE_TALLY_H

#include "base/core/run.h"

typedef struct ald_tally_entry {
    double cell; /* texts and numbers, distinguished by their bits */
    int64_t column, count;
} ald_tally_entry;

typedef struct ald_tally {
    ald_tally_entry *entries;
    int64_t n, capacity;
    int64_t *slots; /* number of an entry + 1, 0 is free; at most half full */
    uint64_t mask;
} ald_tally;

/* Counts a cell that was seen `times` times; `count` receives how often it has been seen now. New cells are
 * refused with 0 where `more` is 0. */
ald_status ald_tally_add(ald_run *run, ald_tally *tally, int64_t column, double cell, int64_t times, int more,
                         int64_t *count);

#endif
