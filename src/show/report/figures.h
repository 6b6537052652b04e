/* Figures of merit of predictions with their intervals. */
#ifndef ALD_REPORT_FIGURES_H
#define ALD_REPORT_FIGURES_H

#include "show/report/report_job.h"

/* The metric of the figure on top: the rmse of one response, the mean r2 of several, whose units may differ;
 * the accuracy of classes; the macro auc of labels. */
ald_metric_facts ald_report_metric(const ald_report_job *job);

/* What is known of a metric of this name; `facts` for `return`. */
const ald_metric_facts *ald_metric_named(const char *name, ald_target_kind kind, ald_metric_facts *facts);

/* Predictions of rows from .. from + count - 1 of the job. */
typedef struct ald_predictions {
    int64_t from, count;
    const double *predicted;    /* of all rows, total x outputs */
    const double *class_scores; /* total x n_classes, or NULL */
} ald_predictions;

/* The job's metric of the rows that have a target and a prediction. `intervals` 0: without one, which costs
 * less. */
ald_status ald_report_figure(ald_run *run, const ald_report_job *job, const ald_predictions *predictions,
                             int intervals, ald_figure *figure);
/* All metrics of them with their standard errors (NaN: not known), in scratch. */
ald_status ald_report_figures(ald_run *run, const ald_report_job *job, const ald_predictions *predictions,
                              ald_score **scores, double **errors, int *count);

/* Numbers as people read them. */

enum { ALD_SHORT_NUMBER = 48 };

/* As many digits as the standard error supports: two of it, as page/numbers.js does it; four of the value
 * where that is not known. */
void ald_short_number(double value, double standard_error, char text[ALD_SHORT_NUMBER]);
/* "2.28 (95 % interval 2.05 to 2.51)", or "2.28". */
enum { ALD_FIGURE_TEXT = 4 * ALD_SHORT_NUMBER };
void ald_figure_text(const ald_figure *figure, char text[ALD_FIGURE_TEXT]);

#endif
