/* Methods side by side: the same splits of the rows for all, everything learned in the training part only. */
#ifndef ALIDADE_COMPARE_H
#define ALIDADE_COMPARE_H

#include <alidade/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How rows are divided into training and test parts. Zero it, then set what differs. */
typedef struct ald_splits_options {
    int64_t splits;  /* how many, at random; 0: 10 */
    double train;    /* part of the rows for training; 0: two thirds */
    int64_t folds;   /* instead: this many parts of equal size, each the test part in turn; 0: random splits */
    int64_t repeats; /* of the folds, each time other ones; 0: 1 */
    int stratify; /* classes in equal proportions in all parts: 1 yes, -1 no, 0 for classes unless there are groups */
    const int64_t *groups; /* a number per row: rows of the same number are never divided; NULL: none */
    int keep_duplicates;   /* the same for rows that are equal in X and target, besides `groups` */
    /* Given parts: a number from 0 to n_parts - 1 a row. Each part is the test part in turn, all others train; where
     * test_part is 1 or more only part test_part - 1 is. NULL: by the above. */
    const int64_t *parts;
    int64_t n_parts, test_part;
    uint64_t seed;
} ald_splits_options;

typedef struct ald_splits ald_splits;

/* `y` may be NULL where nothing is stratified. Rows without a target (y->labelled) are in no test part and in every
 * training part. It cannot be done with fewer rows, or groups, than parts. */
ALD_API ald_status ald_splits_new(ald_context *context, const ald_matrix *x, const ald_target *y,
                                  const ald_splits_options *options, ald_splits **splits, ald_error *error);
ALD_API void ald_splits_free(ald_splits *splits);
ALD_API int64_t ald_splits_count(const ald_splits *splits);
/* Rows of a split in rising order; `train` and `test` have room for all rows, NULL: not wanted. */
ALD_API void ald_splits_rows(const ald_splits *splits, int64_t split, int64_t *train, int64_t *n_train, int64_t *test,
                             int64_t *n_test);
/* What they are, in a sentence: "10 random splits, 2/3 of the rows for training, stratified by class". */
ALD_API const char *ald_splits_note(const ald_splits *splits);
/* Test rows, summed over the splits, of which an equal row (in X and target) is in the training part. */
ALD_API int64_t ald_splits_duplicates(const ald_splits *splits);

/* How one of several rows is chosen. */
typedef enum ald_rule {
    ALD_RULE_BEST = 0,  /* the best mean */
    ALD_RULE_ONE_SE = 1 /* the simplest that is no more than a standard error of the best worse (docs/tuning.md) */
} ald_rule;

typedef enum ald_candidate_kind {
    ALD_CANDIDATE_METHOD = 0,
    ALD_CANDIDATE_CONSTANT = 1, /* the mean of the responses, the most frequent class, the shares of the labels */
    ALD_CANDIDATE_FEATURES = 2  /* the predictor on the prepared X itself: all features */
} ald_candidate_kind;

/* What takes part. Every pair of settings and dims is a row of the result; with `choose` the candidate is one row, and
 * the best pair is found for each split anew, by splits of its training part alone. */
typedef struct ald_candidate {
    ald_candidate_kind kind;
    const char *label; /* its name in the result; NULL: that of the method */
    /* All of one method; with `choose` of several, one after the other. n_components is not read; predictor=none stands
     * for the usual one of the kind of target. Of the baselines only the common settings are read. */
    const ald_settings *const *settings;
    int n_settings;
    const int64_t *dims; /* numbers of directions, rising; baselines have none */
    int n_dims;
    int choose;
    ald_rule rule;            /* choose */
    ald_splits_options inner; /* choose: how the training part is split again; groups and parts are the outer ones' */
} ald_candidate;

typedef struct ald_compare_options {
    const ald_candidate *candidates;
    int count;
    ald_splits_options splits;
    const char *metric;    /* NULL: rmse, accuracy or macro_auc by the kind of target */
    int fill_missing;      /* NaN in X: filled with the mean of the column in the training part; else an error */
    const char *resume;    /* a file where finished fits are kept, and found again by the same call; NULL: none */
    double (*clock)(void); /* seconds from any start, on any thread; NULL: not timed */
} ald_compare_options;

typedef enum ald_mark {
    ALD_MARK_NONE = 0,
    ALD_MARK_BEST = 1, /* the best mean */
    ALD_MARK_EQUAL = 2 /* not worse than the best by the paired test, at 5 % */
} ald_mark;

typedef struct ald_comparison_row {
    int candidate;
    int setting;       /* of the candidate; -1: chosen anew in every split */
    int64_t dims;      /* 0: a baseline; -1: chosen anew in every split */
    const char *label; /* of the candidate */
    double mean, std;  /* of the metric over the splits that have it; std with divisor count - 1, NaN for one */
    int64_t count;     /* of those splits */
    double p_value;    /* against the best row, two-sided; NaN: not tested */
    ald_mark mark;
    double fit_seconds, apply_seconds; /* mean over the splits; NaN: not timed */
    ald_status status;                 /* of the first split that failed, else of the first with a warning, or 0 */
    const char *reason;                /* the message of that, or why the metric is undefined; NULL: none */
} ald_comparison_row;

typedef struct ald_comparison ald_comparison;

/* Fits on one thread each, several at once: the figures do not depend on the number of threads. What fails has its
 * reason in its row; the rest goes on. */
ALD_API ald_status ald_compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                               const ald_compare_options *options, ald_comparison **comparison, ald_error *error);
ALD_API void ald_comparison_free(ald_comparison *comparison);
ALD_API const ald_splits *ald_comparison_splits(const ald_comparison *comparison);
ALD_API int ald_comparison_count(const ald_comparison *comparison);
/* Rows are in the order of the candidates, their settings, their dims. */
ALD_API const ald_comparison_row *ald_comparison_at(const ald_comparison *comparison, int row);
/* The metric of the means and marks, and whether larger is better. */
ALD_API const char *ald_comparison_metric(const ald_comparison *comparison, int *larger_is_better);
/* Why nothing is marked; NULL: marks are there. */
ALD_API const char *ald_comparison_unmarked(const ald_comparison *comparison);
/* All metrics by number; NULL past the end. */
ALD_API const char *ald_comparison_metric_at(const ald_comparison *comparison, int metric);
/* One value per split, NaN where there is none. */
ALD_API const double *ald_comparison_values(const ald_comparison *comparison, int row, int metric);
/* What was taken in a split: the number of the settings and the dims (of rows with `choose`; else as in the row). */
ALD_API void ald_comparison_choice(const ald_comparison *comparison, int row, int64_t split, int *setting,
                                   int64_t *dims);
/* Whether a value of the metric says more when it is larger; -1: no metric of that name. */
ALD_API int ald_metric_larger_is_better(const char *name);

#ifdef __cplusplus
}
#endif
#endif
