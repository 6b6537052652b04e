/* The formulas of metrics.h, by plain sums over the rows; an auc is counted from sorted scores: n log n. */
#include "judge/evaluate/metrics.h"

#include "base/numbers/ordering.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

static double residual_squares(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double error = truth[i * q + j] - prediction[i * q + j];
        sum += error * error;
    }
    return sum;
}

double ald_metric_rmse(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    return sqrt(residual_squares(n, q, j, truth, prediction) / (double)n);
}

double ald_metric_mae(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += fabs(truth[i * q + j] - prediction[i * q + j]);
    return sum / (double)n;
}

double ald_metric_r2(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double mean = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) mean += truth[i * q + j];
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++) total += (truth[i * q + j] - mean) * (truth[i * q + j] - mean);
    return total > 0.0 ? 1.0 - residual_squares(n, q, j, truth, prediction) / total : NAN;
}

double ald_metric_bias(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += prediction[i * q + j] - truth[i * q + j];
    return sum / (double)n;
}

double ald_metric_sep(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    const double bias = ald_metric_bias(n, q, j, truth, prediction);
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += pow(prediction[i * q + j] - truth[i * q + j] - bias, 2);
    return n > 1 ? sqrt(sum / (double)(n - 1)) : (double)NAN;
}

double ald_metric_rpd(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    const double sep = ald_metric_sep(n, q, j, truth, prediction);
    double mean = 0.0, sum = 0.0;
    for (int64_t i = 0; i < n; i++) mean += truth[i * q + j] / (double)n;
    for (int64_t i = 0; i < n; i++) sum += pow(truth[i * q + j] - mean, 2);
    return sum > 0.0 && sep > 0.0 ? sqrt(sum / (double)(n - 1)) / sep : (double)NAN;
}

double ald_metric_q2(int64_t n, int64_t q, int64_t first, int64_t last, const double *truth,
                     const double *prediction, const double *mean)
{
    double missed = 0.0, total = 0.0;
    for (int64_t j = first; j < last; j++) {
        double centre = 0.0;
        for (int64_t i = 0; i < n; i++) centre += truth[i * q + j] / (double)n;
        if (mean) centre = mean[j];
        missed += residual_squares(n, q, j, truth, prediction);
        for (int64_t i = 0; i < n; i++) total += pow(truth[i * q + j] - centre, 2);
    }
    return total > 0.0 ? 1.0 - missed / total : (double)NAN;
}

double ald_metric_rmse_all(int64_t n, int64_t q, const double *truth, const double *prediction)
{
    return ald_metric_rmse(n * q, 1, 0, truth, prediction);
}

void ald_confusion_count(int64_t n, const int32_t *truth, const double *prediction, int64_t c,
                         int64_t *counts)
{
    memset(counts, 0, (size_t)(c * c) * sizeof *counts);
    for (int64_t i = 0; i < n; i++) counts[truth[i] * c + (int64_t)prediction[i]]++;
}

ald_status ald_class_count(ald_run *run, int64_t n, const int32_t *truth, const double *prediction, int64_t c,
                           ald_class_counts *counts)
{
    counts->c = c;
    ALD_TRY(ald_scratch(run, c, 1, sizeof *counts->rows, &counts->rows));
    ALD_TRY(ald_scratch(run, c, 1, sizeof *counts->predicted, &counts->predicted));
    ALD_TRY(ald_scratch(run, c, 1, sizeof *counts->right, &counts->right));
    memset(counts->predicted, 0, (size_t)c * sizeof *counts->predicted);
    memset(counts->rows, 0, (size_t)c * sizeof *counts->rows);
    memset(counts->right, 0, (size_t)c * sizeof *counts->right);
    for (int64_t i = 0; i < n; i++) {
        counts->rows[truth[i]]++;
        counts->predicted[(int64_t)prediction[i]]++;
        counts->right[truth[i]] += (int32_t)prediction[i] == truth[i];
    }
    return ALD_OK;
}

double ald_metric_accuracy(const ald_class_counts *counts)
{
    int64_t rows = 0, right = 0;
    for (int64_t t = 0; t < counts->c; t++) {
        rows += counts->rows[t];
        right += counts->right[t];
    }
    return rows > 0 ? (double)right / (double)rows : (double)NAN;
}

double ald_metric_balanced_accuracy(const ald_class_counts *counts, int64_t *present)
{
    double sum = 0.0;
    *present = 0;
    for (int64_t t = 0; t < counts->c; t++) {
        if (counts->rows[t] == 0) continue;
        sum += (double)counts->right[t] / (double)counts->rows[t];
        ++*present;
    }
    return *present ? sum / (double)*present : (double)NAN;
}

double ald_metric_one_vs_rest_accuracy(const ald_class_counts *counts)
{
    return 1.0 - 2.0 * (1.0 - ald_metric_accuracy(counts)) / (double)counts->c;
}

/* Over all pairs of an entry of a and one of b, both increasing: those with the smaller in b count 1, ties
 * 1/2. */
static double count_above(int64_t n_a, const uint64_t *a, int64_t n_b, const uint64_t *b)
{
    double sum = 0.0;
    int64_t below = 0, upto = 0;
    for (int64_t i = 0; i < n_a; i++) {
        while (below < n_b && b[below] < a[i]) below++;
        while (upto < n_b && b[upto] <= a[i]) upto++;
        sum += 0.5 * (double)(below + upto);
    }
    return sum;
}

ald_status ald_metric_auc(ald_run *run, const ald_binary *list, double *auc)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = list->n;
    int64_t yes = 0, no = 0;
    uint64_t *keys, *spare; /* those of yes from the front, those of no from the back */
    ALD_TRY(ald_scratch(run, n, 1, sizeof *keys, &keys));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *spare, &spare));
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = ald_real_key(list->scores[i * list->stride]);
        if (list->truth[i * list->stride] > 0.5)
            keys[yes++] = key;
        else
            keys[n - ++no] = key;
    }
    ald_sort_keys(yes, keys, spare);
    ald_sort_keys(no, keys + yes, spare);
    *auc = yes && no ? count_above(yes, keys, no, keys + yes) / ((double)yes * (double)no) : (double)NAN;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

double ald_metric_f1(const ald_binary *list)
{
    int64_t both = 0, either = 0; /* tp, and 2 tp + fp + fn */
    for (int64_t i = 0; i < list->n; i++) {
        const int yes = list->truth[i * list->stride] > 0.5;
        const int said = ald_decide_label(list->scores[i * list->stride]);
        both += yes && said;
        either += yes + said;
    }
    return either > 0 ? 2.0 * (double)both / (double)either : (double)NAN;
}
