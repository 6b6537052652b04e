/* Local linear fits of the target about many rows, for the methods that follow its slope (opg, mave).
 *
 * On whitened rows u_i (whiten.h, without a ridge; p columns) and responses y_i (numbers over their
 * deviations, 0/1 columns of classes and labels), with weights about each centre j, a row itself, by the
 * distance along C (p x f; at first I) and a bandwidth h,
 *
 *   w_ij = exp(-|C'(u_i - u_j)|^2 / (2 h^2)) / sum over i
 *
 * a fit about the local mean needs
 *
 *   S_j = the weighted covariance of u, p x p
 *   s_j = that of u with y, p x q
 *   v_j = that of y: the sum of the weighted variances
 *
 * all of them as one product of the weights (centres x n) with the products of the columns. Sums are about
 * the centre and leave it out, so that they keep their digits where it is far from all others.
 *
 * The bandwidth falls from sweep to sweep while the subspace becomes known,
 *
 *   h <- max(rho h, h1)      h0  = 2.34 n^(-1/(p0 + 6)),        p0 = max(p, 3)
 *                            rho = n^(-1/(2 (p0 + 6)))
 *                            h1  = 2.34 n^(-1/(max(r, 3) + 4))
 *
 * until h = h1 and the largest angle between two C has a sine below `tol`, or for `max_iter` sweeps.
 *
 * Cost of a sweep: m n (p^2 + 2 p q + 2 f) operations for m centres and m p^3 / 3 for slopes of all of u;
 * memory n p and a block of centres, about 8 MB.
 *
 * Reference: Xia, Tong, Li and Zhu (2002). */
#ifndef ALD_ENGINES_LOCAL_FITS_H
#define ALD_ENGINES_LOCAL_FITS_H

#include "methods/engines/whiten.h"

typedef struct ald_local_rows {
    int64_t n, p, q, m, r;
    const double *u;        /* n x p */
    double *y;              /* n x q */
    const int64_t *centres; /* m rows, ascending */
    double ridge;           /* this times the mean of the diagonal is added to what a local fit inverts */
} ald_local_rows;

/* What the fits of some centres need; may be overwritten. */
typedef struct ald_local_block {
    int64_t count;
    double *s;      /* S_j, count x p x p */
    double *cross;  /* s_j, count x p x q */
    double *spread; /* v_j, count */
} ald_local_block;

typedef ald_status (*ald_local_visit)(ald_run *run, const ald_local_rows *rows, const ald_local_block *block,
                                      void *self);

/* The stages of a fit, before it begins. */
void ald_local_announce(const ald_run *run, const ald_problem *problem);
/* All in scratch; `w` has rows. */
ald_status ald_local_rows_make(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                               ald_local_rows *rows);
/* Visits all centres in blocks; c (p x f) NULL: I. */
ald_status ald_local_sweep(ald_run *run, const ald_local_rows *rows, const double *c, double h,
                           ald_local_visit visit, void *self);
/* a (k x k) <- its Cholesky factor with the ridge, b (k x q) <- the slopes; 0 where a is 0. */
ald_status ald_local_slopes(ald_run *run, double ridge, ald_area a, ald_area b);

/* The sweep of opg: c (p x r) becomes the leading eigenvectors of the mean of b_j b_j', b_j the slopes along
 * all of u; their eigenvalues in `values` (r). `from` NULL: I. */
ald_status ald_local_outer(ald_run *run, const ald_local_rows *rows, const double *from, double h, double *c,
                           double *values);

/* One sweep from `from` to c, both p x r. */
typedef ald_status (*ald_local_step)(ald_run *run, const ald_local_rows *rows, const double *from, double h,
                                     double *c, void *self);
/* ald_local_outer from I, then `step` until it stops; *h is the last bandwidth. Notes sweeps and bandwidth in
 * the model, and warns where it did not converge. */
ald_status ald_local_descend(ald_run *run, const ald_local_rows *rows, ald_local_step step, void *self,
                             ald_model *model, double *c, double *h);

/* ridge, tol, max_iter, centres. */
extern const ald_param *const ald_local_params[];

/* What the tables of these methods have in common. */
#define ALD_LOCAL_METHOD                                                                                     \
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |                    \
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,                                                    \
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS, .inverse = ALD_INVERTS_OTHER, .scale_free = 1,                   \
    .tables = (const ald_param_table[])                                                                      \
    {                                                                                                        \
        ald_local_params, NULL                                                                               \
    }

#endif
