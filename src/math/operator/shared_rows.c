#include "math/operator/shared_rows.h"

#include "math/operator/source.h"

static const ald_shared_rows *shared_of(const ald_operator *z)
{
    return z && z->source ? z->source->shared : NULL;
}

int ald_is_shared(const ald_operator *z)
{
    return shared_of(z) != NULL;
}

int64_t ald_shared_rows_of(const ald_operator *z)
{
    const ald_shared_rows *shared = shared_of(z);
    return shared ? shared->rows : z->x.rows;
}

double ald_shared_weight(const ald_operator *z)
{
    const ald_shared_rows *shared = shared_of(z);
    double sum = 0.0;
    if (shared) return shared->weight;
    if (!z->row_weight) return (double)z->x.rows;
    for (int64_t i = 0; i < z->x.rows; i++) sum += z->row_weight[i] * z->row_weight[i];
    return sum;
}

ald_status ald_shared_agree(ald_run *run, const ald_operator *z, ald_status status)
{
    const ald_shared_rows *shared = shared_of(z);
    return shared ? shared->agree(run, status) : status;
}

ald_status ald_shared_sum(ald_run *run, const ald_operator *z, double *values, int64_t count)
{
    const ald_shared_rows *shared = shared_of(z);
    return shared ? shared->sum(run, values, count) : ALD_OK;
}

ald_status ald_shared_largest(ald_run *run, const ald_operator *z, double *values, int64_t count)
{
    const ald_shared_rows *shared = shared_of(z);
    return shared ? shared->largest(run, values, count) : ALD_OK;
}

ald_status ald_shared_hear(ald_run *run, const ald_operator *z, void *bytes, int64_t size)
{
    const ald_shared_rows *shared = shared_of(z);
    return shared ? shared->hear(run, bytes, size) : ALD_OK;
}

ald_status ald_shared_decide(ald_run *run, const ald_operator *z, int *decision)
{
    return ald_shared_hear(run, z, decision, (int64_t)sizeof *decision);
}

ald_status ald_shared_gather(ald_run *run, const ald_operator *z, const double *own, int64_t count,
                             const double **all, int64_t *first)
{
    const ald_shared_rows *shared = shared_of(z);
    double *gathered;
    *all = own;
    *first = 0;
    if (!shared) return ALD_OK;
    ALD_TRY(shared->gather(run, own, count, &gathered, first));
    *all = gathered;
    return ALD_OK;
}
