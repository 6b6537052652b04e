/* Choosing a method, its number of components and its parameters by cross-validation, and judging the choice
 * on rows that played no part in it. */
#ifndef ALIDADE_TUNE_H
#define ALIDADE_TUNE_H

#include <alidade/compare.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with ALD_TUNE_OPTIONS_INIT. */
typedef struct ald_tune_options {
    size_t size;
    /* The candidates, given in one of three ways; none: the usual search. A candidate is a method, or several
     * in turn in its settings: every pair of settings and dims is tried on the splits `inner`, and `rule`
     * picks one; the candidate's own `choose` and `rule` are ignored. In a search, `tuning` is
     * implied. */
    const ald_candidate *candidate;
    const ald_search *search;
    const char *methods;
    ald_rule rule;
    /* NULL, or without a number of folds: 10; in the usual search of more than 1000 rows 5. */
    const ald_splits_options *inner;
    /* By default the whole choice is judged on separate outer splits; in each, it is repeated from the
     * training part alone, so that a choice is never judged by the rows that led to it. 1: leave this out. */
    int no_nested;
    const ald_splits_options *outer; /* NULL: 5 folds, more for few rows, otherwise like the inner ones */
    /* One number per row: no split divides rows with the same number. NULL: the groups of the dataset. */
    const int64_t *groups;
    const char *metric; /* NULL: rmse, accuracy or macro_auc by the kind of target */
    /* As in ald_compare_options; the final model is fitted to X filled with the means of all rows, or
     * unfilled if its settings handle missing values (gaps=1). */
    int fill_missing;
    int keep_predictions; /* of the curve and of the nested comparison */
    const char *resume;   /* as in ald_compare_options */
    ald_race race;        /* on all rows, and in the nested comparison */
    /* As in ald_compare_options: the best of what was tried by then is fitted to all rows, however long that
     * takes; ald_comparison_cut of the two comparisons describes what was not tried. If the time is up before
     * the choice can be judged, there is no nested comparison. */
    double time_limit;
    double (*timer)(void);
    /* By default the model keeps its errors on ten parts of the rows (ald_calibrate). 1: it does not. */
    int no_errors;
} ald_tune_options;
#define ALD_TUNE_OPTIONS_INIT ALD_INIT(ald_tune_options)

typedef struct ald_tuning ald_tuning;

/* The chosen model, fitted to all rows, with its predictor (that of the settings, or the usual one for the
 * kind of target) and the curve: arrays tuning/dims, tuning/mean, tuning/std, tuning/setting and the texts
 * alidade.tuning.*. If no pair can be fitted, the error is that of the first. The figures do not depend on
 * the number of threads. Methods that are fitted from moments are cross-validated without refitting
 * (docs/tuning.md). */
ALD_API ald_status ald_tune(ald_context *context, const ald_dataset *dataset, const ald_tune_options *options,
                            ald_tuning **tuning, ald_model **model, ald_error *error);
/* A fit where no method is named: the usual search on five folds of the rows, without outer folds, and a fit
 * of what it chose, which alidade.resolved.tuning describes. `search` (NULL: nothing is fixed) gives settings
 * and numbers of components; methods that do not have one of the parameters are not tried. */
ALD_API ald_status ald_fit_usual(ald_context *context, const ald_dataset *dataset, const ald_search *search,
                                 ald_model **model, ald_error *error);
ALD_API void ald_tuning_free(ald_tuning *tuning);
/* Every pair of settings and number of components, judged on all rows by the inner splits. The best of these
 * figures is optimistic, because it was picked among them. */
ALD_API const ald_comparison *ald_tuning_curve(const ald_tuning *tuning);
/* The unbiased figure. Row 0: the whole choice, judged on the outer splits; row 1: the mean or the most
 * frequent class; row 2, where it takes little time: all features, penalised. NULL: not requested, or the
 * time was up. */
ALD_API const ald_comparison *ald_tuning_nested(const ald_tuning *tuning);
/* Rows of the curve: the chosen one, and the one with the best mean. */
ALD_API int ald_tuning_chosen(const ald_tuning *tuning);
ALD_API int ald_tuning_best(const ald_tuning *tuning);
/* The worst mean that the rule still counted as equal to the best. */
ALD_API double ald_tuning_within(const ald_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
