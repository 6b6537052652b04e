/* Figures of merit of predictions. Undefined ones are NaN.
 *
 * Responses, column j, e the truth less the prediction, sd with divisor n - 1:
 *
 *   rmse = sqrt(mean e^2)                    bias = -mean e
 *   mae  = mean |e|                          sep  = sqrt(sum (e - mean e)^2 / (n - 1))
 *   r2   = 1 - sum e^2 / sum (y - mean y)^2  rpd  = sd(y) / sep
 *   q2   = r2 about the mean of the training rows
 *
 * Classes, from the confusion matrix K (K_tp rows of class t predicted as p, n in all, C classes):
 *
 *   accuracy            sum_t K_tt / n
 *   balanced accuracy   mean of K_tt / K_t. over the classes that occur
 *   mean one-vs-rest    mean over classes of the accuracy of separating it from the rest: each wrong row is
 *                       wrong twice, so 1 - 2 (1 - accuracy) / C
 *
 * Labels, with P rows that have the label and N that have not, tp, fp, fn as usual:
 *
 *   auc     the share of pairs (one of each) that the score orders rightly, ties counting half:
 *           (sum of the midranks of the P - P (P + 1) / 2) / (P N); undefined for P = 0 or N = 0
 *   f1      2 tp / (2 tp + fp + fn); undefined where the label neither occurs nor is predicted
 *   macro   mean over the labels where it is defined
 *   micro   all labels in one list */
#ifndef ALD_EVALUATE_METRICS_H
#define ALD_EVALUATE_METRICS_H

#include "base/core/run.h"

/* Of column `j` of n x q row-major matrices. */
double ald_metric_rmse(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
double ald_metric_mae(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
/* NaN when the truth does not vary. */
double ald_metric_r2(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);

double ald_metric_bias(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
/* NaN for one row. */
double ald_metric_sep(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
/* NaN when the truth does not vary, or the errors do not. */
double ald_metric_rpd(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
/* Of columns first to last - 1 together, about `mean` (q; NULL: those of these rows). NaN when there is
 * nothing to explain. */
double ald_metric_q2(int64_t n, int64_t q, int64_t first, int64_t last, const double *truth,
                     const double *prediction, const double *mean);
/* Over all columns together. */
double ald_metric_rmse_all(int64_t n, int64_t q, const double *truth, const double *prediction);

/* counts (c x c): row the true class, column the predicted one. Codes are 0 .. c - 1. */
void ald_confusion_count(int64_t n, const int32_t *truth, const double *prediction, int64_t c,
                         int64_t *counts);
/* Its row sums, its column sums and its diagonal, c numbers each, for many classes. */
typedef struct ald_class_counts {
    int64_t c;
    int64_t *rows, *predicted, *right;
} ald_class_counts;
ald_status ald_class_count(ald_run *run, int64_t n, const int32_t *truth, const double *prediction, int64_t c,
                           ald_class_counts *counts);
double ald_metric_accuracy(const ald_class_counts *counts);
/* `present`: classes that occur in the truth. */
double ald_metric_balanced_accuracy(const ald_class_counts *counts, int64_t *present);
double ald_metric_one_vs_rest_accuracy(const ald_class_counts *counts);

/* A list of yes or no with scores: entry i is yes where truth[i * stride] > 0.5, and predicted as
 * ald_decide_label(scores[i * stride]). */
typedef struct ald_binary {
    int64_t n, stride;
    const double *truth, *scores;
} ald_binary;
ald_status ald_metric_auc(ald_run *run, const ald_binary *list, double *auc);
double ald_metric_f1(const ald_binary *list);

#endif
