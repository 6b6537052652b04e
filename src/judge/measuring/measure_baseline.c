/* ald_baseline_accuracy: what always predicting the most frequent is worth on the rows it is taken from. */
#include "base/core/error.h"
#include "base/core/run.h"
#include "fit/prepare/check.h"
#include "math/operator/entry.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <string.h>

static ald_status count_classes(ald_run *run, const ald_target *y, double *accuracy, int64_t *class_code)
{
    int64_t *counts;
    int64_t best = 0;
    ALD_TRY(ald_scratch(run, y->n_classes, 1, sizeof *counts, &counts));
    memset(counts, 0, (size_t)y->n_classes * sizeof *counts);
    for (int64_t i = 0; i < y->rows; i++) counts[y->classes[i]]++;
    for (int64_t c = 1; c < y->n_classes; c++)
        if (counts[c] > counts[best]) best = c;
    *accuracy = (double)counts[best] / (double)y->rows;
    *class_code = best;
    return ALD_OK;
}

static void count_ones(const ald_matrix *labels, int64_t *ones)
{
    const int64_t n = labels->rows, q = labels->cols;
    if (labels->storage == ALD_CSR) {
        const int64_t entries = ald_matrix_index(labels, labels->pointers, n);
        for (int64_t e = 0; e < entries; e++)
            ones[ald_matrix_index(labels, labels->indices, e)] += ald_matrix_value(labels, e) > 0.5;
        return;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < q; j++) ones[j] += ald_matrix_at(labels, i, j) > 0.5;
}

/* The more frequent value of each label. */
static ald_status count_labels(ald_run *run, const ald_matrix *labels, double *accuracy)
{
    const int64_t n = labels->rows, q = labels->cols;
    double right = 0.0;
    int64_t *ones;
    ALD_TRY(ald_scratch(run, q, 1, sizeof *ones, &ones));
    memset(ones, 0, (size_t)q * sizeof *ones);
    count_ones(labels, ones);
    for (int64_t j = 0; j < q; j++) right += (double)(2 * ones[j] > n ? ones[j] : n - ones[j]);
    *accuracy = right / ((double)n * (double)q);
    return ALD_OK;
}

static ald_status measure(ald_run *run, const ald_target *y, double *accuracy, int64_t *class_code)
{
    if (y->rows < 1 || y->kind == ALD_TARGET_NONE || y->kind == ALD_TARGET_REAL) return ALD_OK;
    ALD_TRY(ald_check_truth(run, y, y->rows));
    if (y->kind == ALD_TARGET_CLASSES) return count_classes(run, y, accuracy, class_code);
    return y->values.cols > 0 ? count_labels(run, &y->values, accuracy) : ALD_OK;
}

ald_status ald_baseline_accuracy(ald_context *context, const ald_target *y, double *accuracy,
                                 int64_t *class_code, ald_error *error)
{
    ald_run run;
    int64_t code = -1;
    ALD_GIVEN(error, context, y, accuracy);
    *accuracy = (double)NAN;
    ald_run_begin(&run, context, error);
    const ald_status status = ald_run_end(&run, measure(&run, y, accuracy, &code));
    if (class_code) *class_code = code;
    return status;
}
