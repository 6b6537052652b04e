/* What a comparison is made of: cells (rows x splits) and their summary. */
#ifndef ALD_COMPARE_COMPARISON_H
#define ALD_COMPARE_COMPARISON_H

#include "judge/cells/cell.h"
#include "judge/splitting/splits.h"

#include <stdint.h>

/* The texts of one candidate. */
typedef struct ald_kept_words {
    char *label;
    char **words; /* of each of its settings */
    int count;
} ald_kept_words;

/* Predictions by fits that did not have the row; cells NULL: not kept. */
typedef struct ald_kept_predictions {
    int64_t rows, outputs;
    int64_t tests;   /* test rows of all splits, one after the other */
    int64_t *starts; /* splits + 1: where those of each begin */
    double *cells;   /* n_rows x tests x outputs; NaN: none */
    double *mean;    /* n_rows x rows x outputs */
    double *classes; /* n_rows x rows; NULL: no classes */
    int64_t *tested; /* n_rows x rows */
} ald_kept_predictions;

struct ald_comparison {
    ald_allocator allocator;
    ald_arena memory;
    ald_splits *splits;
    int random; /* splits: not every row is tested, so there is no figure of cross-validation */
    ald_target_kind kind;
    ald_metric_kind metrics;  /* by which its target is judged, */
    const ald_metric *metric; /* and of these the one that counts */
    int n_rows;
    ald_comparison_row *rows;
    ald_cell *cells; /* n_rows x splits */
    double *values;  /* ALD_MOST_METRICS x n_rows x splits */
    double *rank;    /* n_rows: what rows are ranked by; the mean, or where the size counts the mean size */
    double *truth;   /* of real responses: splits x 2 x responses, see summary.c; else NULL */
    int64_t responses;
    int64_t judged; /* splits, from the first on, that count; fewer than there are when the time was up */
    double ratio;   /* rows with a target: test over training, the mean over the splits */
    const char *unmarked;
    const char *cut; /* what the time was too short for; NULL: nothing */
    ald_kept_words *words;
    int n_candidates;
    ald_kept_predictions kept;
};

/* An error if some cell had no memory: what is chosen from the others might not be the best. */
ald_status ald_comparison_check_memory(ald_run *run, const ald_comparison *comparison);

/* An error where the time was up before anything was done. */
ald_status ald_comparison_check_begun(ald_run *run, const ald_comparison *comparison);
/* An error with the reasons where every fit failed. */
ald_status ald_comparison_check_any(ald_run *run, const ald_comparison *comparison);

/* From the cells: means, reasons, the best row and those that are not shown to be worse. */
ald_status ald_comparison_summarize(ald_run *run, ald_comparison *comparison);

/* Keeps of the true responses what the figures need: their sums in each test part. Once there are splits. */
ald_status ald_pooled_truth(ald_run *run, const ald_subset *data, ald_comparison *comparison);
/* The figure of row `row`, over the splits that were fitted; `count` receives how many. NaN where it is not
 * defined, and of figures that are means over the splits. */
double ald_pooled_figure(const ald_comparison *comparison, const ald_metric *metric, int row, int64_t *count);

/* Room for the cells, once rows and splits of the comparison are known. */
ald_status ald_out_of_fold_begin(ald_run *run, const ald_subset *data, ald_comparison *comparison);
/* Where the predictions of `count` rows of the comparison in one split go, for ald_cell_plan; NULL: not
 * wanted. */
ald_status ald_out_of_fold_places(ald_run *run, const ald_comparison *comparison, int row, int count,
                                  int64_t split, double ***places);
/* Means over the splits; the room of the cells is freed. */
ald_status ald_out_of_fold_finish(ald_run *run, ald_comparison *comparison);

/* The two-sided p-value of the corrected resampled t-test of the differences a - b over J splits, with
 * n_test/n_train = `ratio`. NaN for J < 2; 1 where all differences are 0. */
double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio);
/* The interval of the mean difference a - b that goes with that test: it holds 0 where the p-value is above
 * `level`. NaN for J < 2. */
typedef struct ald_paired_difference {
    double mean, low, high;
} ald_paired_difference;
ald_paired_difference ald_paired_interval(int64_t J, const double *a, const double *b, double ratio,
                                          double level);

typedef struct ald_choice {
    int row, best; /* taken, and the one with the best mean */
    int setting;   /* of row, and its dims */
    int64_t dims;
    double within; /* the worst mean that counts as equally good; that of the best itself by the rule best */
} ald_choice;

/* Whether row a of a comparison of this candidate is simpler than b (rule.c). */
int ald_rule_simpler(const ald_candidate *candidate, const ald_comparison_row *a,
                     const ald_comparison_row *b);
/* The comparison is of this one candidate. Where no row has values the reason of the first is the error. */
ald_status ald_rule_apply(ald_run *run, const ald_comparison *comparison, const ald_candidate *candidate,
                          ald_choice *choice);
/* Into the model of a tuning (keep_choice.c): the curve of the candidate `all`, and a sentence on the choice;
 * `nested` may be NULL. */
ald_status ald_keep_choice(ald_run *run, const ald_comparison *curve, const ald_comparison *nested,
                           const ald_candidate *all, const ald_choice *choice, ald_model *model);

#endif
