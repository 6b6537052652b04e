#include "math/solvers/pivot.h"

#include "math/linalg/linalg.h"

#include <math.h>

/* a / (s s'), with 1 on the diagonal where a has 0 there. */
static void to_unit_diagonal(int64_t d, const double *a, double *sizes, double *scaled)
{
    for (int64_t i = 0; i < d; i++) sizes[i] = a[i * d + i] > 0.0 ? sqrt(a[i * d + i]) : 0.0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            scaled[i * d + j] =
                sizes[i] > 0.0 && sizes[j] > 0.0 ? a[i * d + j] / sizes[i] / sizes[j] : (double)(i == j);
}

ald_status ald_smallest_pivot(ald_run *run, int64_t d, const double *a, double *pivot)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_error before = *run->error; /* it may hold a warning */
    double *factor, *sizes;
    *pivot = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&sizes, d, 1}, {&factor, d, d}));
    to_unit_diagonal(d, a, sizes, factor);
    const ald_status status = ald_cholesky(run, ald_at(factor, d, d));
    if (status < 0 && status != ALD_ERROR_NUMERICAL) return status;
    if (status < 0) *run->error = before;
    if (status >= 0) *pivot = 1.0;
    for (int64_t i = 0; status >= 0 && i < d; i++)
        *pivot = fmin(*pivot, factor[i * d + i] * factor[i * d + i]);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
