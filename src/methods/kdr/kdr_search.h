/* The descent of kdr: several starts, each one step a stage while the kernels become narrower.
 *
 * Stage h = 1 .. T has the widths s_h^2 = s^2 (1 + 3 (T - h) / T), of z and of the target. A step is
 *
 *   D = G - B sym(B'G)  (the gradient along B'B = I),   B <- qr(B - t D),
 *
 * with t halved until f falls by 1e-4 t |D|^2 (Armijo), at most 1 / |D| to begin with; the next stage begins
 * with the same t, or with twice that if it was taken at once. As B'D + D'B = 0, (B - t D)'(B - t D) = I +
 * t^2 D'D: its Cholesky triangle is the R of the QR decomposition and well conditioned, so B'B = I to
 * rounding at every step.
 *
 * All starts go through a stage together: the target is factored once for all of them, and they are shared
 * out among the threads, each with its own work space and one BLAS thread, so that their number does not
 * change a result. */
#ifndef ALD_KDR_KDR_SEARCH_H
#define ALD_KDR_KDR_SEARCH_H

#include "methods/kdr/kdr_objective.h"

typedef struct ald_kdr_search {
    const ald_kdr_rows *rows;
    const ald_kdr_target *target;
    int64_t r, n_starts, n_stages;
    int64_t rank; /* at most this many columns of the factors; 0: exact */
    double eps, width;
    uint64_t seed;
    /* Results, of the start with the lowest f at the final width. */
    double *b;           /* r x p, in scratch */
    double value, slope; /* f, |D| */
    int64_t best, evaluations, kernel_rank, response_rank;
    double kernel_left, response_left; /* parts of the traces that are left out */
    double *values;                    /* n_starts: f of each */
} ald_kdr_search;

/* Progress goes by the stages of the search alone: all else comes again in each of them, or is short. To be
 * called before any of it. */
void ald_kdr_search_announce(const ald_run *run);
ald_status ald_kdr_search_run(ald_run *run, ald_kdr_search *search);

#endif
