/* The stress of squares as a quadratic function of P = W W', once and for all:
 *
 *   J(P) = p'A p + b'p + c
 *
 *   p = svec(P),   t = svec(tau tau')
 *   A = c sum w t t'
 *   b = -2 c sum w t_ij t + svec(R)
 *
 * with svec the upper triangle by rows, off-diagonal entries times sqrt 2, so that p'q = <P, Q>; tau the
 * differences of the rows of F and R what ridge, smoothness and spread add. s = p (p + 1) / 2 unknowns: s^2
 * flops per pair once, then s^2 per product, independent of n. */
#ifndef ALD_OPTIMIZE_QUADRATIC_H
#define ALD_OPTIMIZE_QUADRATIC_H

#include "math/optimize/stress.h"

typedef struct ald_quadratic {
    int64_t p, s;
    double *a, *b; /* s x s, s */
    double c;
    /* The point W and the line: P + t P1 + t^2 P2. */
    int64_t r, groups;
    double *w, *v;         /* p x r groups */
    double *at, *a_at;     /* groups x s: svec(P), A svec(P) */
    double *line, *a_line; /* 2 groups x s: svec(P1), svec(P2) of each, and A times them */
} ald_quadratic;

static inline int64_t ald_svec_size(int64_t p)
{
    return p * (p + 1) / 2;
}
/* x = svec of the symmetric m (p x p), and back. */
void ald_svec(int64_t p, const double *m, double *x);
void ald_svec_matrix(int64_t p, const double *x, double *m);

/* For points of up to `columns` columns in all, at most `groups` of them. */
ald_status ald_quadratic_of_stress(ald_run *run, const ald_stress *stress, int64_t columns, int64_t groups,
                                   ald_quadratic *q);
/* The same in two steps: A, b without R and c, which do not depend on ridge and points; and from them a
 * quadratic that shares A. */
ald_status ald_quadratic_sum(ald_run *run, const ald_stress *stress, ald_quadratic *sums);
ald_status ald_quadratic_of_sums(ald_run *run, const ald_stress *stress, const ald_quadratic *sums,
                                 int64_t columns, int64_t groups, ald_quadratic *q);
ald_objective ald_quadratic_objective(ald_quadratic *q);

/* The t at which c[0] + c[1] t + ... + c[4] t^4 is lowest, c[4] >= 0; *change is its value there less c[0]. 0
 * and 0 if it falls without bound or nowhere. */
double ald_quartic_lowest(const double c[5], double *change);

/* z (p x p) = 2 A P + b as a matrix, of sums without R; w is p x r, r may be 0. */
ald_status ald_quadratic_matrix(ald_run *run, const ald_quadratic *sums, const double *w, int64_t r,
                                double *z);

/* The stress of pairs that are elsewhere and are not added up: each call goes to them, and what it finds
 * is summed over them. Without ridge, smoothness and spread. */
typedef struct ald_remote_stress {
    void *self;
    double at_zero; /* J(0) */
    /* As an objective's (conjugate_gradient.h), the line as ald_stress_line. */
    ald_status (*place)(ald_run *run, void *self, const double *w, int64_t r, int64_t groups);
    ald_status (*gradient)(ald_run *run, void *self, int64_t groups, double *values, int64_t count,
                           double *g);
    ald_status (*line)(ald_run *run, void *self, int64_t count, const double *v, int64_t groups, double *c);
    ald_status (*move)(ald_run *run, void *self, int64_t groups, const double *steps);
    /* z (p x p) = 2 A P + b as a matrix at W (p x r; r may be 0). */
    ald_status (*matrix)(ald_run *run, void *self, const double *w, int64_t p, int64_t r, double *z);
    /* A, b and c in the coordinates F x, x p x q with q (q + 1) / 2 up to 2000; until the next call. */
    ald_status (*within)(ald_run *run, void *self, const double *x, int64_t p, int64_t q,
                         ald_quadratic *sums);
    /* z (p x k) = b v, b that of the matrix above for r = 0; for more columns than it is made for. */
    ald_status (*times)(ald_run *run, void *self, const double *v, int64_t p, int64_t k, double *z);
} ald_remote_stress;

/* Whether the pairs are elsewhere, added up or not. */
static inline int ald_stress_is_remote(const ald_stress *stress)
{
    return stress->sums || stress->remote;
}
/* z (p x p) = 2 A P + b of remote pairs, added up or not. */
ald_status ald_remote_matrix(ald_run *run, const ald_stress *stress, const double *w, int64_t r, double *z);

/* R of the stress in the coordinates of its basis (p x p). `rows` is F. */
ald_status ald_stress_linear_term(ald_run *run, const ald_stress *stress, const double *rows, double *term);

#endif
