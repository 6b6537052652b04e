/* Methods side by side: all on the same splits of the rows, with everything learned from the training part
 * only. */
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
    /* The candidates: give one of a list, a search, or just the names of methods with usual settings. None of
     * them: the usual search. */
    const ald_candidate *candidates;
    int count;
    const ald_search *search;
    const char *methods;
    const ald_splits_options *splits; /* NULL: the usual ones */
    const char *metric;               /* NULL: rmse, accuracy or macro_auc by the kind of target */
    int fill_missing; /* NaN in X is filled with the column's mean in the training part, except for settings
                         that handle it (gaps=1); 0: it is an error */
    int keep_predictions; /* for every row of the result (ald_comparison_predictions); takes memory */
    /* A file that records finished fits, so that the same call resumes after any interruption; NULL: none. */
    const char *resume;
    double (*clock)(void); /* seconds from an arbitrary origin, callable from any thread; NULL: not timed */
    ald_race race;         /* inside candidates that choose */
    /* Seconds after which no new fit is started: the result covers the splits that are finished by then, and
     * ald_comparison_cut describes what is missing. 0: no limit; otherwise `timer` is required, a clock as
     * above. How much gets done depends on the machine. */
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
    /* Mean and standard deviation (divisor count - 1; NaN for one split) of the metric over the splits where
     * it is defined. */
    double mean, std;
    int64_t count;  /* number of those splits */
    double p_value; /* against the best row, two-sided; NaN: not tested */
    ald_mark mark;
    double fit_seconds, apply_seconds; /* mean over the splits; NaN: not timed */
    ald_status status;                 /* of the worst split: out of memory, then other failures, then
                                          warnings, then 0 */
    const char *reason;                /* its message, or why the metric is undefined; NULL: none */
    const char *method;                /* its name; NULL: a baseline, or chosen among several */
    const char *words; /* the settings that distinguish it from other rows, such as "ridge=1"; "": none */
    /* The metric minus that of the best row, split by split: the mean, and the 95 % interval that belongs to
     * the test. 0 for the best row itself; NaN: not tested. */
    double difference, difference_low, difference_high;
    /* The number of splits after which it dropped out of the race, being clearly behind; mean and count then
     * cover only those splits. 0: it did not drop out. */
    int64_t left_after;
} ald_comparison_row;

typedef struct ald_comparison ald_comparison;

/* Each fit runs on one thread, and several run at once; the figures do not depend on the number of threads. A
 * fit that fails leaves its reason in its row and does not stop the others; where all fail, their reasons are
 * the error. */
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
/* The mark as text: "", "best", "not shown to be worse". */
ALD_API const char *ald_mark_name(ald_mark mark);
/* Rows are ordered by candidate, then setting, then dims. */
ALD_API const ald_comparison_row *ald_comparison_at(const ald_comparison *comparison, int row);
/* The metric of the means and marks, and whether larger is better. */
ALD_API const char *ald_comparison_metric(const ald_comparison *comparison, int *larger_is_better);
/* Why no row is marked; NULL: some are. */
ALD_API const char *ald_comparison_unmarked(const ald_comparison *comparison);
/* What was left undone when the time was up, in a sentence; NULL: nothing. */
ALD_API const char *ald_comparison_cut(const ald_comparison *comparison);
/* All metrics that such splits have, by index; NULL past the end. */
ALD_API const char *ald_comparison_metric_at(const ald_comparison *comparison, int metric);
/* One value per split, NaN where undefined. */
ALD_API const double *ald_comparison_values(const ald_comparison *comparison, int row, int metric);
/* The figure of the test rows of all splits taken together, for metrics that have one (`pooled` of
 * ald_metric_facts); otherwise NaN. A row that was tested twice counts twice. */
ALD_API double ald_comparison_pooled(const ald_comparison *comparison, int row, int metric);
/* The choice in one split: index of the settings, and number of components. For rows without `choose` both
 * are those of the row. For a split that does not exist: -1 and 0. */
ALD_API void ald_comparison_choice(const ald_comparison *comparison, int row, int64_t split, int *setting,
                                   int64_t *dims);
/* All rows as a table to print, one line each: label and words, components, mean and standard deviation of
 * the metric, and the mark as text (ald_mark_name). Free with ald_text_free. */
ALD_API ald_status ald_comparison_text(ald_context *context, const ald_comparison *comparison, char **text,
                                       ald_error *error);
/* The words of one setting of a candidate. */
ALD_API const char *ald_comparison_words(const ald_comparison *comparison, int candidate, int setting);

/* For one row of the result: predictions for the rows of the data by fits that did not see them. */
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
/* Views into the comparison. It is an error if predictions were not kept or the row does not exist. */
ALD_API ald_status ald_comparison_predictions(const ald_comparison *comparison, int row,
                                              ald_out_of_fold *predictions, ald_error *error);
/* 1: larger values of the metric are better, 0: smaller ones; -1: there is no metric of that name. */
ALD_API int ald_metric_larger_is_better(const char *name);

#ifdef __cplusplus
}
#endif
#endif
