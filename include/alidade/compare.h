/* Methods side by side: the same splits of the rows for all, everything learned in the training part only. */
#ifndef ALIDADE_COMPARE_H
#define ALIDADE_COMPARE_H

#include <alidade/candidates.h>
#include <alidade/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with ALD_COMPARE_OPTIONS_INIT. */
typedef struct ald_compare_options {
    size_t size;
    /* What is compared. Give one of three: candidates one by one, a search, or only the names of methods,
     * with the usual rest. None of them: the usual search. */
    const ald_candidate *candidates;
    int count;
    const ald_search *search;
    const char *methods;
    const ald_splits_options *splits; /* NULL: the usual ones */
    const char *metric;               /* NULL: rmse, accuracy or macro_auc by the kind of target */
    int fill_missing; /* NaN in X: filled with the mean of the column in the training part, but for settings
                         that do without (gaps=1); else an error */
    int keep_predictions; /* of every row of the result, for ald_comparison_predictions; takes memory */
    /* A file in which finished fits are kept, so that the same call can go on after it was stopped; NULL:
     * none. */
    const char *resume;
    double (*clock)(void); /* seconds from any start, on any thread; NULL: not timed */
    ald_race race;         /* inside candidates that choose */
    /* Seconds after which nothing new is begun: the result is of the splits that are done by then, and
     * ald_comparison_cut tells how many. 0: no limit; else `timer` is needed, a clock as above. How far it
     * comes depends on the machine. */
    double time_limit;
    double (*timer)(void);
} ald_compare_options;
#define ALD_COMPARE_OPTIONS_INIT ALD_INIT(ald_compare_options)

typedef enum ald_mark {
    ALD_MARK_NONE = 0,
    ALD_MARK_BEST = 1,  /* the best mean */
    ALD_MARK_EQUAL = 2, /* not shown to be worse than the best: the paired test gives p > 0.05 */
} ald_mark;

typedef struct ald_comparison_row {
    int candidate;
    int setting;       /* of the candidate; -1: chosen anew in every split */
    int64_t dims;      /* 0: a baseline; -1: chosen anew in every split */
    const char *label; /* of the candidate */
    /* Mean and standard deviation (divisor count - 1; NaN for one split) of the metric over the splits that
     * have a value. */
    double mean, std;
    int64_t count;  /* of those splits */
    double p_value; /* against the best row, two-sided; NaN: not tested */
    ald_mark mark;
    double fit_seconds, apply_seconds; /* mean over the splits; NaN: not timed */
    ald_status status;                 /* of the gravest split: no memory, else a failure, a warning, or 0 */
    const char *reason;                /* the message of that, or why the metric is undefined; NULL: none */
    const char *method;                /* its name; NULL: a baseline, or one of several, chosen */
    const char *words; /* the settings that tell it from other rows, such as "ridge=1"; "": none */
    /* The metric less that of the best row, split by split: the mean, and the 95 % interval that goes with
     * the test. 0 for the best row itself; NaN: not tested. */
    double difference, difference_low, difference_high;
    /* After how many splits it left the race, being clearly behind, so that mean and count are of those;
     * 0: it did not. */
    int64_t left_after;
} ald_comparison_row;

typedef struct ald_comparison ald_comparison;

/* Each fit runs on one thread, and several run at once: the figures do not depend on the number of threads. A
 * fit that fails leaves its reason in its row, and the others go on. */
ALD_API ald_status ald_compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                               const ald_compare_options *options, ald_comparison **comparison,
                               ald_error *error);
/* The same for a dataset. Its groups and parts are used where the options have none. */
ALD_API ald_status ald_compare_dataset(ald_context *context, const ald_dataset *dataset,
                                       const ald_compare_options *options, ald_comparison **comparison,
                                       ald_error *error);
ALD_API void ald_comparison_free(ald_comparison *comparison);
ALD_API const ald_splits *ald_comparison_splits(const ald_comparison *comparison);
ALD_API int ald_comparison_count(const ald_comparison *comparison);
/* The mark in words: "", "best", "not shown to be worse". */
ALD_API const char *ald_mark_name(ald_mark mark);
/* Rows are in the order of the candidates, their settings, their dims. */
ALD_API const ald_comparison_row *ald_comparison_at(const ald_comparison *comparison, int row);
/* The metric of the means and marks, and whether larger is better. */
ALD_API const char *ald_comparison_metric(const ald_comparison *comparison, int *larger_is_better);
/* Why no row is marked; NULL: some are. */
ALD_API const char *ald_comparison_unmarked(const ald_comparison *comparison);
/* What was not done because the time was up, in a sentence; NULL: all was done. */
ALD_API const char *ald_comparison_cut(const ald_comparison *comparison);
/* All metrics by number; NULL past the end. */
ALD_API const char *ald_comparison_metric_at(const ald_comparison *comparison, int metric);
/* One value per split, NaN where there is none. */
ALD_API const double *ald_comparison_values(const ald_comparison *comparison, int row, int metric);
/* The figure of the test rows of all splits together, for metrics that have such a one (`pooled` of
 * ald_metric_facts); else NaN. A row that was tested twice counts twice. */
ALD_API double ald_comparison_pooled(const ald_comparison *comparison, int row, int metric);
/* What was chosen in one split: the number of the settings, and the number of components. For rows without
 * `choose` both are those of the row. Where there is no such split: -1 and 0. */
ALD_API void ald_comparison_choice(const ald_comparison *comparison, int row, int64_t split, int *setting,
                                   int64_t *dims);
/* All rows as a table to be printed, a line each: label and words, components, mean and standard deviation of
 * the metric, and the mark in words (ald_mark_name). Free it by ald_text_free. */
ALD_API ald_status ald_comparison_text(ald_context *context, const ald_comparison *comparison, char **text,
                                       ald_error *error);
/* The words of one of the settings of a candidate. */
ALD_API const char *ald_comparison_words(const ald_comparison *comparison, int candidate, int setting);

/* For one row of the result: the predictions of the data's rows by fits that did not see them. */
typedef struct ald_out_of_fold {
    size_t size;
    int64_t rows, outputs; /* of the data; responses, classes or labels */
    /* rows x outputs, row major: responses, or scores of the classes or labels; the mean over the splits in
     * which the row was a test row. NaN: it was in none. */
    const double *mean;
    /* One per row: the class with the largest mean score, NaN where there is none. NULL: the target is not
     * classes. */
    const double *classes;
    const int64_t *tested; /* one per row: in how many splits it was predicted */
} ald_out_of_fold;
#define ALD_OUT_OF_FOLD_INIT ALD_INIT(ald_out_of_fold)
/* Views into the comparison. An error where predictions were not kept, or the row does not exist. */
ALD_API ald_status ald_comparison_predictions(const ald_comparison *comparison, int row,
                                              ald_out_of_fold *predictions, ald_error *error);
/* 1: larger values of the metric are better, 0: smaller ones; -1: there is no metric of that name. */
ALD_API int ald_metric_larger_is_better(const char *name);

#ifdef __cplusplus
}
#endif
#endif
