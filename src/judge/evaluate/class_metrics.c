#include "judge/evaluate/class_metrics.h"

#include <float.h>
#include <math.h>

double ald_metric_sensitivity(const ald_class_counts *counts)
{
    int64_t present;
    if (counts->c != 2) return ald_metric_balanced_accuracy(counts, &present);
    return counts->rows[1] > 0 ? (double)counts->right[1] / (double)counts->rows[1] : (double)NAN;
}

static int64_t all_rows(const ald_class_counts *counts)
{
    int64_t n = 0;
    for (int64_t c = 0; c < counts->c; c++) n += counts->rows[c];
    return n;
}

double ald_metric_specificity(const ald_class_counts *counts)
{
    const int64_t n = all_rows(counts);
    double sum = 0.0;
    int64_t defined = 0;
    if (counts->c == 2)
        return counts->rows[0] > 0 ? (double)counts->right[0] / (double)counts->rows[0] : (double)NAN;
    for (int64_t c = 0; c < counts->c; c++) {
        const int64_t others = n - counts->rows[c], wrongly = counts->predicted[c] - counts->right[c];
        if (others == 0) continue;
        sum += (double)(others - wrongly) / (double)others;
        defined++;
    }
    return defined > 0 ? sum / (double)defined : (double)NAN;
}

double ald_metric_mcc(const ald_class_counts *counts)
{
    const double n = (double)all_rows(counts);
    double right = 0.0, both = 0.0, predicted = 0.0, rows = 0.0;
    for (int64_t c = 0; c < counts->c; c++) {
        const double p = (double)counts->predicted[c], t = (double)counts->rows[c];
        right += (double)counts->right[c];
        both += p * t;
        predicted += p * p;
        rows += t * t;
    }
    if (!(n * n - rows > 0.0)) return (double)NAN;
    if (!(n * n - predicted > 0.0)) return 0.0;
    return (n * right - both) / sqrt((n * n - predicted) * (n * n - rows));
}

double ald_metric_log_loss(int64_t n, const int32_t *truth, int64_t c, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double own = truth[i] < c ? p[i * c + truth[i]] : 0.0;
        sum -= log(fmin(fmax(own, DBL_EPSILON), 1.0 - DBL_EPSILON));
    }
    return sum / (double)n;
}

double ald_metric_brier(int64_t n, const int32_t *truth, int64_t c, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += truth[i] < c ? 0.0 : 1.0;
        for (int64_t k = 0; k < c; k++) sum += pow(p[i * c + k] - (k == truth[i] ? 1.0 : 0.0), 2);
    }
    return sum / (double)n / (c == 2 ? 2.0 : 1.0);
}

/* The largest and the second largest of a row, and where the largest is. */
typedef struct leaders {
    int64_t where;
    double first, second;
} leaders;

static leaders leaders_of(int64_t c, const double *scores)
{
    leaders top = {-1, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < c; k++) {
        if (top.where < 0 || scores[k] > top.first) {
            top.second = top.first;
            top = (leaders){k, scores[k], top.second};
        } else if (scores[k] > top.second) {
            top.second = scores[k];
        }
    }
    return top;
}

/* What speaks for class k in a row: its score, or how far that is above the largest of the others. */
static double score_of(const leaders *top, const double *scores, int64_t k)
{
    if (!top) return scores[k];
    return scores[k] - (k == top->where ? top->second : top->first);
}

ald_status ald_metric_class_auc(ald_run *run, int64_t n, const int32_t *truth, int64_t c,
                                const double *scores, int margins, int64_t *defined, double *auc)
{
    double *yes, *own;
    double sum = 0.0;
    leaders *top = NULL;
    ALD_TRY(ALD_SCRATCH(run, {&yes, n, 1}, {&own, n, 1}));
    if (margins && c > 1) ALD_TRY(ald_scratch(run, n, 1, sizeof *top, &top));
    for (int64_t i = 0; top && i < n; i++) top[i] = leaders_of(c, scores + i * c);
    *defined = 0;
    for (int64_t k = c == 2 ? 1 : 0; k < c; k++) {
        double one;
        for (int64_t i = 0; i < n; i++) {
            yes[i] = truth[i] == k ? 1.0 : 0.0;
            own[i] = score_of(top ? &top[i] : NULL, scores + i * c, k);
        }
        ALD_TRY(ald_metric_auc(run, &(ald_binary){n, 1, yes, own}, &one));
        if (isnan(one)) continue;
        sum += one;
        ++*defined;
    }
    *auc = *defined > 0 ? sum / (double)*defined : (double)NAN;
    return ALD_OK;
}
