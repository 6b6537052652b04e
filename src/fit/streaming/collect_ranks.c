/* With w_r, m_r, q_r the weight, means and sums of squares of rank r, w = sum of w_r:
 *
 *   m = sum of w_r m_r / w,    q = sum of q_r + w_r (m_r - m)^2. */
#include "fit/streaming/collect_ranks.h"

#include "base/ranks/communicator.h"
#include "fit/streaming/recall_collection.h"

#include <string.h>

static ald_status add_means(ald_run *run, ald_collection *c, double *mean, double *square)
{
    const int64_t d = c->survey->x.cols;
    const double own = c->mean ? c->weight : 0.0;
    c->weight = own;
    ALD_TRY(ald_all_sum(run, &c->weight, 1));
    for (int64_t j = 0; j < d; j++) mean[j] = own > 0.0 ? own * c->mean[j] / c->weight : 0.0;
    ALD_TRY(ald_all_sum(run, mean, d));
    for (int64_t j = 0; j < d; j++) {
        const double apart = own > 0.0 ? c->mean[j] - mean[j] : 0.0;
        square[j] = own > 0.0 ? c->square[j] + own * apart * apart : 0.0;
    }
    ALD_TRY(ald_all_sum(run, square, d));
    c->mean = c->weight > 0.0 ? mean : NULL;
    c->square = c->weight > 0.0 ? square : NULL;
    return ALD_OK;
}

/* `array` (rows x size bytes of this rank, or NULL) becomes that of all ranks, in scratch. */
static ald_status gather_rows(ald_run *run, const void *array, int64_t rows, size_t size, void **all)
{
    ald_gathered gathered;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, array, rows * (int64_t)size, &gathered));
    *all = gathered.bytes;
    return ALD_OK;
}

static ald_status gather_target(ald_run *run, ald_collection *c)
{
    const ald_target own = c->target;
    const ald_target *y = &c->survey->target;
    const int64_t q = own.values.cols;
    void *classes = NULL, *values = NULL, *weights = NULL;
    if (y->kind == ALD_TARGET_CLASSES)
        ALD_TRY(gather_rows(run, own.classes, c->n, sizeof *own.classes, &classes));
    if (q > 0) ALD_TRY(gather_rows(run, own.values.values, c->n, (size_t)q * sizeof(double), &values));
    if (y->weights) ALD_TRY(gather_rows(run, own.weights, c->n, sizeof(double), &weights));
    ALD_TRY(ald_all_count(run, &c->n, 1));
    c->target = ald_collection_target(c, c->n, classes, values, weights);
    return ALD_OK;
}

ald_status ald_collection_unite(ald_run *run, ald_status status, ald_collection *c)
{
    const int64_t d = c->survey->x.cols;
    double *mean = NULL, *square = NULL;
    if (ald_rank_count(run) == 1) return status;
    if (status >= 0 && c->columns) status = ALD_SCRATCH(run, {&mean, d, 1}, {&square, d, 1});
    ALD_TRY(ald_all_agree(run, status));
    if (c->columns) ALD_TRY(add_means(run, c, mean, square));
    return c->gather ? gather_target(run, c) : ALD_OK;
}
