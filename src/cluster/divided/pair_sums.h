/* What each rank computes of its pairs for sdpp; the results are summed over the ranks (remote_pairs.c). */
#ifndef ALD_DIVIDED_PAIR_SUMS_H
#define ALD_DIVIDED_PAIR_SUMS_H

#include "cluster/divided/pair_share.h"

/* What a rank keeps between the operations. */
typedef struct ald_pair_state {
    ald_pair_share share;
    uint64_t begin; /* of the scratch: what comes after it is of the pairs */
    int64_t p;
    double scale;         /* what sums are multiplied by */
    ald_operator mapped;  /* ksdpp: the features of this rank's rows, which `share` refers to */
    double *f;            /* share.n x p: F; NULL: many columns, products with `stacked` */
    ald_operator stacked; /* then: the rows of `share`, this rank's first */
    /* For pairs that are not added up. */
    uint64_t points; /* of the scratch: what comes after it is of the points below */
    ald_basis basis;
    ald_stress stress; /* of the pairs of this rank, at the point that rank 0 has set */
    int64_t r, groups;
    ald_random random; /* after the last draw */
} ald_pair_state;

/* The numbers that go with each, and what is summed. */
typedef enum ald_pair_sum {
    ALD_SUM_SCATTER,   /* sum w (z_i - z_j)(z_i - z_j)', d x d */
    ALD_SUM_NORMAL,    /* Z'Z, d x d */
    ALD_SUM_QUADRATIC, /* M (d x p): A, b and c, one behind the other */
    ALD_SUM_AT_ZERO,   /* M (d x p), or its diagonal (d, wide): J(0) of pairs that are not added up */
    ALD_SUM_PLACE,     /* W (p x r groups): nothing */
    ALD_SUM_GRADIENT,  /* values (groups), then gradients (p x r groups) */
    ALD_SUM_LINE,      /* V (p x r groups): the coefficients, 5 a group */
    ALD_SUM_MOVE,      /* steps (groups): nothing */
    ALD_SUM_MATRIX,    /* W (p x r): F'L_q F with q = 2 c w (D - t), p x p */
    ALD_SUM_WITHIN,    /* x (p x r): as ALD_SUM_QUADRATIC in the coordinates F x */
    ALD_SUM_PRODUCT,   /* v (p x r): F'L F v; by the weights -2 c w t, or (wide) w */
    ALD_SUM_DRAW,      /* F'u, p */
} ald_pair_sum;

typedef struct ald_pair_question {
    int64_t sum; /* an ald_pair_sum */
    int64_t p, r, groups, wide;
    int64_t given, count; /* numbers that go with it; those of the result */
    double scale;
    ald_random random;
} ald_pair_question;

typedef struct ald_pair_part {
    ald_status (*compute)(ald_run *run, ald_pair_state *here, const ald_pair_question *q, const double *given,
                          double *sum);
    /* What it makes in the scratch is released at once, lasts, or lasts until the next point. */
    enum { ALD_RELEASED, ALD_LASTS, ALD_AT_POINT } memory;
} ald_pair_part;
/* By ald_pair_sum. `sum` is 0 before. A rank may be without pairs, or without rows. */
extern const ald_pair_part ald_pair_parts[];

#endif
