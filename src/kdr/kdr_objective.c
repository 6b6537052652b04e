#include "kdr/kdr_objective.h"

#include "linalg/linalg.h"

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
