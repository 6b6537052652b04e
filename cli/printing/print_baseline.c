#include "printing/print_baseline.h"

#include <math.h>
#include <stdlib.h>

static double value_at(const ald_matrix *matrix, int64_t index)
{
    return matrix->type == ALD_F64 ? ((const double *)matrix->values)[index]
                                   : (double)((const float *)matrix->values)[index];
}

static int64_t index_at(const void *indices, int bits, int64_t at)
{
    return bits == 64 ? ((const int64_t *)indices)[at] : ((const int32_t *)indices)[at];
}

static void count_dense(const ald_matrix *labels, int64_t *ones)
{
    for (int64_t i = 0; i < labels->rows; i++)
        for (int64_t j = 0; j < labels->cols; j++)
            ones[j] += value_at(labels, i * labels->row_stride + j * labels->col_stride) > 0.5;
}

static void count_rows(const ald_matrix *labels, int64_t *ones)
{
    const int64_t entries = index_at(labels->pointers, labels->index_bits, labels->rows);
    for (int64_t k = 0; k < entries; k++)
        ones[index_at(labels->indices, labels->index_bits, k)] += value_at(labels, k) > 0.5;
}

static double labels_baseline(const ald_matrix *labels)
{
    int64_t *ones = labels->storage == ALD_CSC ? NULL : calloc((size_t)labels->cols + 1, sizeof *ones);
    if (!ones) return NAN;
    if (labels->storage == ALD_DENSE)
        count_dense(labels, ones);
    else
        count_rows(labels, ones);
    double right = 0;
    for (int64_t j = 0; j < labels->cols; j++)
        right += (double)(2 * ones[j] > labels->rows ? ones[j] : labels->rows - ones[j]);
    free(ones);
    return right / ((double)labels->rows * (double)labels->cols);
}

static double classes_baseline(const ald_target *target, int64_t *class_code)
{
    int64_t *counts = calloc((size_t)target->n_classes + 1, sizeof *counts);
    if (!counts) return NAN;
    int64_t best = 0;
    for (int64_t i = 0; i < target->rows; i++) counts[target->classes[i]]++;
    for (int64_t c = 1; c < target->n_classes; c++)
        if (counts[c] > counts[best]) best = c;
    const double share = (double)counts[best] / (double)target->rows;
    free(counts);
    if (class_code) *class_code = best;
    return share;
}

double cli_baseline_accuracy(const ald_target *target, int64_t *class_code)
{
    if (class_code) *class_code = -1;
    if (target->rows < 1) return NAN;
    /* A score exists only where every row has its target. */
    if (target->kind == ALD_TARGET_CLASSES) return classes_baseline(target, class_code);
    if (target->kind == ALD_TARGET_LABELS && target->values.cols > 0) return labels_baseline(&target->values);
    return NAN;
}
