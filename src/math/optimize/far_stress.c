#include "math/optimize/far_stress.h"

ald_status ald_far_matrix(ald_run *run, const ald_stress *stress, const double *w, int64_t r, double *z)
{
    if (stress->sums) return ald_quadratic_matrix(run, stress->sums, w, r, z);
    return stress->far->matrix(run, stress->far->self, w, r, z);
}
