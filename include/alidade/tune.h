/* Choosing a method, its dimension and its parameters by cross-validation, honestly. */
#ifndef ALIDADE_TUNE_H
#define ALIDADE_TUNE_H

#include <alidade/compare.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_tune_options {
    /* A method, or several one after the other in its settings: every pair of settings and dims is tried by the splits
     * `inner`, and `rule` says which is taken. `choose` is not read. */
    const ald_candidate *candidate;
    /* The whole choosing is judged again on splits of its own, in each of which it is done anew from the training part
     * alone: what was chosen is not judged by the rows that chose it. */
    int nested;
    ald_splits_options outer;
    const int64_t *groups; /* a number per row, kept together by inner and outer splits alike; NULL: none */
    const char *metric;    /* NULL: rmse, accuracy or macro_auc by the kind of target */
    int fill_missing;      /* as in ald_compare_options; the model is fitted on X filled with the means of all rows */
    const char *resume;    /* as in ald_compare_options */
} ald_tune_options;

/* Zero it before; ald_tuning_free frees what is in it, also after a failure. */
typedef struct ald_tuning {
    ald_comparison *curve;  /* every pair, on all rows by the inner splits: the best of them is too good a figure */
    ald_comparison *nested; /* row 0: the choosing itself on the outer splits; row 1: the mean or most frequent class;
                               or NULL */
    int chosen, best;       /* rows of the curve */
    double within;          /* the worst mean that the rule took for as good as the best */
} ald_tuning;

/* The model of what was chosen, fitted on all rows, with its predictor (that of the settings, or the usual one of the
 * kind of target) and the curve: arrays tuning/dims, tuning/mean, tuning/std, tuning/setting and the texts
 * alidade.tuning.*. Where no pair can be fitted the reason of the first is the error. The figures do not depend on the
 * number of threads. Methods that are fitted from moments are cross-validated without refitting (docs/tuning.md). */
ALD_API ald_status ald_tune(ald_context *context, const ald_dataset *dataset, const ald_tune_options *options,
                            ald_tuning *tuning, ald_model **model, ald_error *error);
ALD_API void ald_tuning_free(ald_tuning *tuning);

/* Number `index` of the sequence of a seed, uniform on [0, 1): for random searches that can be repeated. */
ALD_API double ald_uniform(uint64_t seed, uint64_t index);

#ifdef __cplusplus
}
#endif
#endif
