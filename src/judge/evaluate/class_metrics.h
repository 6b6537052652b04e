/* Figures of classes beyond their accuracies, from the confusion matrix K of metrics.h or from probabilities
 * p. Undefined ones are NaN.
 *
 *   sensitivity        K_11 / K_1. of the second of two classes; of more the mean over the classes that occur
 *   specificity        K_00 / K_0.; of more the mean over classes c of (n - K_c. - K_.c + K_cc) / (n - K_c.)
 *   mcc                (n tr K - sum_c K_c. K_.c) / sqrt((n^2 - sum K_.c^2) (n^2 - sum K_c.^2)) (Gorodkin
 * 2004); 0 where one class is predicted throughout log loss           mean of -log p of the true class, p at
 * least 2.2e-16 (as scikit-learn) brier              mean of sum_c (p_c - [c is true])^2, of two classes half
 * of that */
#ifndef ALD_EVALUATE_CLASS_METRICS_H
#define ALD_EVALUATE_CLASS_METRICS_H

#include "judge/evaluate/metrics.h"

/* NaN where there is no row to be found, or to be left alone. */
double ald_metric_sensitivity(const ald_class_counts *counts);
double ald_metric_specificity(const ald_class_counts *counts);
/* NaN where all rows are of one class. */
double ald_metric_mcc(const ald_class_counts *counts);

/* Probabilities of classes, n x c row major; a class beyond them has none. */
double ald_metric_log_loss(int64_t n, const int32_t *truth, int64_t c, const double *p);
double ald_metric_brier(int64_t n, const int32_t *truth, int64_t c, const double *p);
/* The auc of the second of two classes, of more the mean over the classes with rows inside and outside of
 * them: `defined` receives how many, NaN where there is none. By the probabilities; scores that are none
 * (`margins`) by how far they are above the largest of the others. */
ald_status ald_metric_class_auc(ald_run *run, int64_t n, const int32_t *truth, int64_t c,
                                const double *scores, int margins, int64_t *defined, double *auc);

#endif
