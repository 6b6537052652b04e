/* Choosing a method, its number of components and its parameters by cross-validation, and judging the choice
 * by rows that had no part in it. */
#ifndef ALIDADE_TUNE_H
#define ALIDADE_TUNE_H

#include <alidade/compare.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with ALD_TUNE_OPTIONS_INIT. */
typedef struct ald_tune_options {
    size_t size;
    /* What is tried, by one of three, none of them: the usual search. A candidate is a method, or several one
     * after the other in its settings: every pair of settings and dims is tried by the splits `inner`, and
     * `rule` says which is taken; its own `choose`, `rule` and `inner` are not read. Of a search `tuning` is
     * taken for granted. */
    const ald_candidate *candidate;
    const ald_search *search;
    const char *methods;
    ald_rule rule;
    const ald_splits_options *inner; /* NULL: 10 folds */
    /* The whole choosing is judged again on splits of its own, in each of which it is done anew from the
     * training part alone: what was chosen is not judged by the rows that chose it. */
    int no_nested;
    const ald_splits_options *outer; /* NULL: 5 folds, else as the inner ones */
    /* One number per row: no split divides rows with the same number. NULL: the groups of the dataset. */
    const int64_t *groups;
    const char *metric; /* NULL: rmse, accuracy or macro_auc by the kind of target */
    /* As in ald_compare_options; the model itself is fitted on X filled with the means of all rows, or
     * as it is where its settings do without (gaps=1). */
    int fill_missing;
    int keep_predictions; /* of the curve and of the nested comparison */
    const char *resume;   /* as in ald_compare_options */
    ald_race race;        /* on all rows, and where the choosing is judged */
    /* As in ald_compare_options: the best of what was tried by then is fitted on all rows, whatever that
     * takes; what was not tried is told by ald_comparison_cut of the two comparisons. Where the time is up
     * before the choosing is judged there is no nested comparison. */
    double time_limit;
    double (*timer)(void);
} ald_tune_options;
#define ALD_TUNE_OPTIONS_INIT ALD_INIT(ald_tune_options)

typedef struct ald_tuning ald_tuning;

/* The model of what was chosen, fitted on all rows, with its predictor (that of the settings, or the usual
 * one of the kind of target) and the curve: arrays tuning/dims, tuning/mean, tuning/std, tuning/setting and
 * the texts alidade.tuning.*. Where no pair can be fitted the reason of the first is the error. The figures
 * do not depend on the number of threads. Methods that are fitted from moments are cross-validated without
 * refitting (docs/tuning.md). */
ALD_API ald_status ald_tune(ald_context *context, const ald_dataset *dataset, const ald_tune_options *options,
                            ald_tuning **tuning, ald_model **model, ald_error *error);
ALD_API void ald_tuning_free(ald_tuning *tuning);
/* Every pair of settings and number of components, judged on all rows by the inner splits. The best of these
 * figures is too good, as it was picked among them. */
ALD_API const ald_comparison *ald_tuning_curve(const ald_tuning *tuning);
/* The honest figure. Row 0: the whole choosing, judged on the outer splits; row 1: the mean or the most
 * frequent class. NULL: not asked for, or the time was up. */
ALD_API const ald_comparison *ald_tuning_nested(const ald_tuning *tuning);
/* Rows of the curve: what was chosen, and what has the best mean. */
ALD_API int ald_tuning_chosen(const ald_tuning *tuning);
ALD_API int ald_tuning_best(const ald_tuning *tuning);
/* The worst mean that the rule counted as good as the best. */
ALD_API double ald_tuning_within(const ald_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
