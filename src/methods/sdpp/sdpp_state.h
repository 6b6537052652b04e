/* What a rank keeps for sdpp between the operations (sdpp_operations.h). */
#ifndef ALD_SDPP_SDPP_STATE_H
#define ALD_SDPP_SDPP_STATE_H

#include "math/optimize/stress.h"
#include "methods/sdpp/sdpp_numbers.h"

typedef struct ald_sdpp_state {
    ald_sdpp_share share;
    uint64_t begin; /* of the scratch: what comes after it is of the pairs */
    ald_sdpp_numbers numbers;
    int64_t p;
    double scale;         /* what sums are multiplied by */
    ald_operator mapped;  /* ksdpp: the features of this rank's rows, the rows of `share` */
    double *f;            /* share.n x p: F; NULL: of many columns, products with `stacked` */
    ald_operator stacked; /* then: the rows of `share`, own ones first */
    /* Of pairs that are not added up. */
    uint64_t points; /* of the scratch: what comes after it is of the points below */
    ald_basis basis;
    ald_stress stress; /* of the pairs of this rank, at the point received from rank 0 */
    int64_t r, groups;
} ald_sdpp_state;

#endif
