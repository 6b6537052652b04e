/* The stress of pairs that are elsewhere and are not added up: those who have them go to the same points, and
 * what they find is summed. Without ridge, smoothness and spread. */
#ifndef ALD_OPTIMIZE_FAR_STRESS_H
#define ALD_OPTIMIZE_FAR_STRESS_H

#include "math/optimize/quadratic.h"

typedef struct ald_far_stress {
    void *self;
    double at_zero; /* J(0) */
    /* As an objective's (objective.h), the line as ald_stress_line. */
    ald_status (*place)(ald_run *run, void *self, const double *w, int64_t r, int64_t groups);
    ald_status (*gradient)(ald_run *run, void *self, int64_t groups, double *values, int64_t count,
                           double *g);
    ald_status (*line)(ald_run *run, void *self, int64_t count, const double *v, int64_t groups, double *c);
    ald_status (*move)(ald_run *run, void *self, int64_t groups, const double *steps);
    /* z (p x p) = 2 A P + b as a matrix at W (p x r; r may be 0). */
    ald_status (*matrix)(ald_run *run, void *self, const double *w, int64_t r, double *z);
    /* A, b and c in the coordinates F x, x p x q with q (q + 1) / 2 up to 2000; until the next call. */
    ald_status (*within)(ald_run *run, void *self, const double *x, int64_t q, ald_quadratic *sums);
    /* z (p x k) = b v, b that of the matrix above for r = 0; for more columns than it is made for. */
    ald_status (*times)(ald_run *run, void *self, const double *v, int64_t k, double *z);
} ald_far_stress;

/* Whether the pairs are elsewhere, added up or not. */
static inline int ald_stress_is_far(const ald_stress *stress)
{
    return stress->sums || stress->far;
}
/* The matrix above, of one or the other. */
ald_status ald_far_matrix(ald_run *run, const ald_stress *stress, const double *w, int64_t r, double *z);

#endif
