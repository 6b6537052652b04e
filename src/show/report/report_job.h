/* What a page is made from, shared by its sections. All arrays live in the scratch of the run. Rows are those
 * of the data and then those of the test; `total` of them are there, `shown` of them in the page. */
#ifndef ALD_REPORT_REPORT_JOB_H
#define ALD_REPORT_REPORT_JOB_H

#include "data/encode/dataset.h"
#include "show/report/page_data.h"

#include <alidade/report.h>

/* A figure with its 95 % interval; NaN: not known. */
typedef struct ald_figure {
    double value, low, high;
    int64_t n; /* rows it is made of */
} ald_figure;

typedef struct ald_named_figure {
    const char *name;
    ald_figure figure;
} ald_named_figure;

typedef struct ald_curve_point {
    int64_t components;
    ald_figure figure;
} ald_curve_point;

/* Predictions and what they are worth. */
typedef struct ald_judged_rows {
    ald_metric_facts metric;
    ald_figure headline;
    const char *source;   /* of the headline: "cross-validation", "test", "training"; NULL: there is none */
    const char *of_data;  /* the same of the predictions of the rows of the data, and of the test; NULL */
    const char *of_test;  /* where there are none */
    double *predicted;    /* total x outputs */
    double *class_scores; /* total x n_classes; NULL: not classes */
    int probabilities;    /* those are */
    ald_figure training;  /* of the model on its own rows */
    ald_named_figure baselines[2];
    int n_baselines;
    ald_curve_point *curve;
    int n_curve;
    const char *splits; /* how the rows were divided, in words; NULL: not */
    double fold_mean;   /* the headline's metric as the mean over the folds, NaN: there is none */
    int chosen_anew;    /* in each of them the settings too */
    const char *curve_splits;
    ald_score *figures; /* further ones of the headline's predictions */
    double *errors;     /* n_figures: their standard errors, NaN: not known */
    int n_figures;
} ald_judged_rows;

enum { ALD_REPORT_WARNINGS = 16 };

typedef struct ald_report_job {
    ald_context *context;
    const ald_model *model;
    const ald_dataset *data, *test; /* test NULL: none */
    ald_report_options options;
    const char *title;
    int64_t r, d; /* components, columns of the model */
    int64_t n_data, n_test, total, shown;
    const int64_t *rows;        /* shown: their numbers, rising */
    ald_target_kind kind;       /* NONE: neither data nor test have a target that is judged here */
    int times;                  /* as it is times with events, which are not */
    int64_t outputs, n_classes; /* columns of `measured`: responses, labels, or 1 for classes */
    double *measured;           /* total x outputs, class codes for classes, NaN: missing; or NULL */
    const double *z;            /* total x r */
    const char **column_names;  /* d */
    double *importance;         /* d, or NULL */
    int64_t n_columns;
    const int64_t *columns; /* those in the page, rising */
    ald_judged_rows judged;
    const char *warnings[ALD_REPORT_WARNINGS];
    int n_warnings;
} ald_report_job;

/* The dataset and the row in it of row i of all. */
const ald_dataset *ald_report_place(const ald_report_job *job, int64_t i, int64_t *row);
/* A sentence for the reader; more than there is room for are left out. */
ald_status ald_report_warn(ald_run *run, ald_report_job *job, const char *format, ...) ALD_PRINTF(3, 4);
/* For a step that not every model or dataset supports: *have is 0 if it failed, and the run continues, unless
 * memory ran out or a stop was requested. `job` NULL: no reason is given; otherwise a warning begins with
 * `what`. */
ald_status ald_report_optional(ald_run *run, ald_report_job *job, const char *what, ald_status status,
                               int *have);

/* Rows, target, projection, names of columns and their importance, in this order. */
ald_status ald_report_prepare(ald_run *run, ald_report_job *job);

/* Names of the model, otherwise of the data, otherwise x1, x2, ... */
ald_status ald_report_names(ald_run *run, ald_report_job *job);
/* order: all d columns, the most important first; as they are where that is not known. */
ald_status ald_order_by_importance(ald_run *run, const ald_report_job *job, int64_t *order);

/* A name with its unit, "fat (g/100 g)" or "fat [%]", cut in two: where the unit begins and how long it is;
 * 0: there is none. */
size_t ald_name_unit(const char *name, size_t *begins);

/* judged.c: what the model is worth on rows that it has not seen, by test rows, by cross-validation of the
 * same settings, or by the predictions that tuning kept. Fills job->judged; without a target there is
 * nothing to judge. */
ald_status ald_report_judge(ald_run *run, ald_report_job *job);

#endif
