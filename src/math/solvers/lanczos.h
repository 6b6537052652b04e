/* The largest eigenvalues of a large symmetric positive semidefinite operator that is only known by its
 * products: by block Lanczos, or from a random sample of its range (randomized.c). */
#ifndef ALD_SOLVERS_LANCZOS_H
#define ALD_SOLVERS_LANCZOS_H

#include "math/operator/operator.h"

/* w (n x k) = A v. */
typedef ald_status (*ald_symmetric_fn)(ald_run *run, void *self, const double *v, int64_t k, double *w);

typedef struct ald_lanczos {
    ald_symmetric_fn apply;
    void *self;
    const ald_operator *z; /* that A is made of, whose rows may be divided (operator/all_rows.h); or NULL */
    int64_t n;             /* order of A */
    int64_t wanted;        /* eigenpairs asked for, 1 <= wanted <= n */
    double tol;            /* |A v - theta v| <= tol theta for each pair, or what rounding leaves */
    int64_t max_products;  /* at most this many columns that A is applied to */
    int trial;             /* gives up as soon as max_products are too few at the pace so far */
    double total;   /* the trace of A: a trial gives up where the pairs do not stand apart; 0: not known */
    int64_t looks;  /* another copy of an eigenvalue is looked for also where fewer than a block's were found,
                       or not at all if that takes more steps than this; 0: where a block's were found */
    int64_t block;  /* columns of a block at most, up to 8; 0: 8 */
    int64_t room;   /* columns of the basis beyond `wanted` at least, for a dear A; 0: as lanczos.c says */
    int randomized; /* this many powers of A and columns beyond `wanted`, in place of Lanczos */
    int64_t power, oversamples;
    uint64_t seed;
    const char *stage; /* for the progress report */
    /* Results. */
    double *values;  /* wanted, descending; NULL: in scratch */
    double *vectors; /* n x wanted, orthonormal columns; NULL: in scratch */
    /* These are kept beside the pairs (operator/logbook.h), and stand last. */
    int64_t products; /* columns that A was applied to */
    int64_t converged;
    int64_t unsure;  /* with `looks`: no other copy was looked for */
    double residual; /* largest |A v - theta v| / theta_1, measured at the end; randomized: of all pairs */
    double error;    /* randomized: (lambda_k - theta_k) / theta_1 is at most this but for a chance of 1e-6 */
} ald_lanczos;

ald_status ald_lanczos_solve(ald_run *run, ald_lanczos *task);

/* randomized.c, for ald_lanczos_solve. */
ald_status ald_randomized_run(ald_run *run, ald_lanczos *task);

#endif
