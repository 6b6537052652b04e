#include "methods/kdr/kdr_objective.h"

#include "base/numbers/wide.h"
#include "math/linalg/linalg.h"

#include <string.h>

ald_status ald_kdr_project(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work)
{
    const int64_t p = c->rows->p;
    return ald_product(run, ald_of(c->rows->rows, c->rows->n, p), ald_t(ald_of(b, c->r, p)),
                       ald_at(work->z, c->rows->n, c->r));
}

ald_status ald_kdr_pull_back(ald_run *run, const ald_kdr_criterion *c, const ald_kdr_work *work,
                             double factor, double *gradient)
{
    const int64_t p = c->rows->p;
    const double by = -factor / (c->width * c->width);
    return ald_product_add(run, by, ald_t(ald_of(work->pull, c->rows->n, c->r)),
                           ald_of(c->rows->rows, c->rows->n, p), 0.0, ald_at(gradient, c->r, p));
}

ald_status ald_kdr_cholesky(ald_run *run, const ald_kdr_criterion *c, int64_t order, double *a)
{
    const ald_status status = ald_cholesky(run, ald_at(a, order, order));
    if (status != ALD_ERROR_NUMERICAL) return status;
    return ald_fail(
        run->error, status,
        "`ridge=%g` is lost in the rounding of the kernel matrix, which is not positive definite: raise it",
        c->penalty / (double)c->rows->n);
}

ALD_WIDE void ald_kdr_exponents(const ald_kdr_criterion *c, const double *turned, const int64_t at[2],
                                int64_t count, double *restrict row)
{
    const int64_t n = c->rows->n, i = at[0], j0 = at[1];
    const double by = -0.5 / (c->width * c->width);
    memset(row, 0, (size_t)count * sizeof *row);
    for (int64_t k = 0; k < c->r; k++) {
        const double own = turned[k * n + i];
        const double *others = turned + k * n + j0;
        for (int64_t j = 0; j < count; j++) row[j] += (own - others[j]) * (own - others[j]);
    }
    for (int64_t j = 0; j < count; j++) row[j] *= by;
}
