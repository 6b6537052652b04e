/* Distinct rows of 0 and 1, numbered by first appearance, found by hashing. */
#ifndef ALD_ENGINES_PATTERNS_H
#define ALD_ENGINES_PATTERNS_H

#include "base/core/run.h"

/* A slot holds the number of a pattern + 1, 0 is free; at most half full. All in scratch. */
typedef struct ald_patterns {
    int64_t k, count;
    double *patterns; /* count x k */
    int64_t *slots;
    uint64_t mask;
} ald_patterns;

/* Room for `most` patterns of k labels. */
ald_status ald_patterns_new(ald_run *run, int64_t most, int64_t k, ald_patterns *index);
/* The number of the pattern; a new one is added behind the others. Entries are 0 and 1. */
ald_status ald_patterns_find(ald_run *run, ald_patterns *index, const double *row, int64_t *number);

#endif
