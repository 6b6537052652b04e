/* The basis of block Lanczos (lanczos.c, which has the mathematics). */
#ifndef ALD_SOLVERS_BLOCK_BASIS_H
#define ALD_SOLVERS_BLOCK_BASIS_H

#include "base/numbers/random.h"
#include "math/linalg/view.h"
#include "math/solvers/lanczos.h"

typedef struct ald_block_basis {
    int64_t n, b, capacity; /* capacity: columns of V */
    int64_t size;           /* columns in V, the newest block last */
    int64_t coupled;        /* columns of the last restart, which the block after them couples to */
    double *v;              /* n x capacity */
    double *t;              /* capacity x capacity */
    double *next;           /* n x b: the block that comes after the newest */
    double *coupling;       /* b x b: B */
    double *theta, *y;      /* Ritz values, and vectors as rows (capacity x capacity) */
    double *work;           /* n x capacity */
    double *h;              /* capacity x b */
} ald_block_basis;

/* Empty, of the size that the task asks for, in scratch. */
ald_status ald_block_basis_new(ald_run *run, const ald_lanczos *task, ald_block_basis *s);
/* A random first block in `next`. */
ald_status ald_block_basis_begin(ald_run *run, ald_block_basis *s, ald_random *random);
/* A random block in `next` that is orthogonal to V. */
void ald_block_basis_fill(ald_block_basis *s, ald_random *random);
/* Moves `next` into V, applies A to it, and leaves the block after it in `next`. */
ald_status ald_block_basis_expand(ald_run *run, ald_lanczos *task, ald_block_basis *s, ald_random *random);
/* The largest Ritz values of V and their vectors, as many as are wanted, or all. */
ald_status ald_block_basis_ritz(ald_run *run, int64_t wanted, ald_block_basis *s);
/* out (n x count) = V times the first `count` Ritz vectors. */
ald_status ald_block_basis_vectors(ald_run *run, const ald_block_basis *s, ald_area out);
/* V becomes its first `keep` Ritz vectors. */
ald_status ald_block_basis_restart(ald_run *run, ald_block_basis *s, int64_t keep);

#endif
