/* How many components are needed: the shares they explain, gaps between eigenvalues, tests; and how stable
 * the components are. */
#ifndef ALIDADE_DIMENSION_H
#define ALIDADE_DIMENSION_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shares of these rows that the first 1, 2, ... r directions explain, by least squares with an intercept:
 * of X (scaled as the model scales it) and of the target (classes and labels as 0/1 columns). r entries each.
 * `y` may be NULL; the share of a constant is NaN. Row weights count; rows without a target count only for
 * the share of X. */
ALD_API ald_status ald_explained(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, double *x_share, double *y_share, ald_error *error);

/* Where the eigenvalues (by modulus, in the order of the directions) drop. */
typedef struct ald_eigengap_result {
    size_t size;
    int64_t count;    /* eigenvalues that were examined */
    int64_t by_gap;   /* the largest difference to the next comes after this many; 0: fewer than two values */
    int64_t by_ratio; /* the same by the largest ratio; values up to 1e-12 of the first are raised to that */
    double gap, ratio; /* the largest difference and ratio */
} ald_eigengap_result;
#define ALD_EIGENGAP_RESULT_INIT ALD_INIT(ald_eigengap_result)
/* For the model's spectrum (the convex optimum of sdpp) or otherwise its eigenvalues; increasing ones
 * (contour) are likewise compared with the next. The value after the last is unknown, so the last is never
 * chosen. Returns 1, or 0 if the model has neither. */
ALD_API int ald_model_eigengap(const ald_model *model, ald_eigengap_result *result);

/* Sequential tests of "k directions are enough" for k = 0, 1, ...; docs/dimension.md has the definitions. */
typedef struct ald_dimension_options {
    size_t size;
    int64_t max_dims;     /* directions to examine; 0: 10, or as many as there are */
    int64_t permutations; /* per step of the permutation test; 0: no such test */
    double level;         /* significance level of the tests; 0: 0.05 */
    uint64_t seed;
    int every;         /* continue the permutation test after it accepts, so that all p-values are computed */
    int64_t resamples; /* bootstraps of the ladle (Luo and Li 2016), usually 200; 0: no ladle */
} ald_dimension_options;
#define ALD_DIMENSION_OPTIONS_INIT ALD_INIT(ald_dimension_options)

/* What is known about direction k = 1, 2, ... NaN: not known, or not requested. */
typedef struct ald_dimension_row {
    size_t size;
    int64_t k;
    double eigenvalue, gap, ratio; /* of direction k; gap and ratio to the next */
    double x_share, y_share;       /* explained by the first k directions */
    /* sir: the probability of eigenvalues this large from k on, if k - 1 directions were enough (Li 1991).
     * Methods with a likelihood (pfc, lad): that of its ratio to the one of all directions. */
    double chi_square, freedom, chi_square_p;
    /* The same by permutations, for every method. */
    double statistic, permutation_p;
    /* Permutations that could not be fitted; they count as having reached the statistic. */
    int64_t failed;
    /* Of k directions, for methods with a likelihood; the criteria are least for the number to take. */
    double loglik, aic, bic;
    /* The ladle: how far bootstraps turn the first k directions, and eigenvalue k + 1, both as parts. */
    double ladle_turn, ladle_value;
} ald_dimension_row;
#define ALD_DIMENSION_ROW_INIT ALD_INIT(ald_dimension_row)

/* What each rule chooses; -1: it does not apply. */
typedef struct ald_dimension_choice {
    size_t size;
    int64_t available;        /* number of directions there are; at most one more than were examined */
    int64_t by_gap, by_ratio; /* by the eigenvalues */
    int64_t by_x, by_y;       /* the fewest that explain 0.9 of X, and 0.95 of what all explain of the
                                 target */
    int64_t by_chi_square;    /* the first k that is not rejected */
    int64_t by_permutation;   /* -1: unknown, because further components are not tested (note) */
    char statistic[80];       /* what the permutation test compares, as text */
    char chi_square[160];     /* why there is no chi-square test; "": there is one */
    char note[160];           /* why the permutation test ended early; "": it did not */
    int64_t by_aic, by_bic;   /* the least criterion, of no direction too */
    int64_t by_ladle;         /* the least sum of turn and value, of no direction too */
    double none_loglik, none_aic, none_bic, none_ladle; /* the same of no direction; NaN: not known */
    char ladle[160]; /* why there is no ladle; "": there is one, or it was not asked for */
} ald_dimension_choice;
#define ALD_DIMENSION_CHOICE_INIT ALD_INIT(ald_dimension_choice)

/* Fits with 1, 2, ... directions, and tests. `rows` has room for `capacity`; `count` receives the number of
 * rows. Each fit runs on one thread, and several run at once; the numbers do not depend on how many.
 * n_components and the predictor of the settings are ignored. */
ALD_API ald_status ald_dimension(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                                 const ald_target *y, const ald_dimension_options *options,
                                 ald_dimension_row *rows, int capacity, int *count,
                                 ald_dimension_choice *choice, ald_error *error);

/* How far the subspace moves when the rows are resampled. */
typedef struct ald_stability_options {
    size_t size;
    int64_t resamples; /* 0: 100 */
    int half;          /* half of the rows without replacement, instead of n rows with replacement */
    uint64_t seed;
    /* The reference: number of resamples with permuted targets, each compared with the fit to the same
     * permuted targets; ten permutations are used in turn. 0: none, as without a target. */
    int64_t permuted;
    int64_t leading;   /* number of features that count as leading by their importance (vip); 0: a quarter of
                          them, at most 10 */
    double *frequency; /* receives for each feature the share of resamples in which it is among the leading
                          ones: ald_model_feature_count numbers, for linear maps; NULL: not computed */
    /* Receives the same for permuted targets in decreasing order: number i is the share of the feature that
     * led i-th most often, averaged over the permutations. The same length; requires `frequency`; all NaN if
     * nothing was permuted. NULL: not computed. */
    double *permuted_frequency;
} ald_stability_options;
#define ALD_STABILITY_OPTIONS_INIT ALD_INIT(ald_stability_options)

/* Angles, in radians, between the projections of all rows by the model and by the model of a resample, for
 * the first k directions: principal angles between the spans of the centred scores. */
typedef struct ald_stability_row {
    size_t size;
    int64_t k;
    double mean;    /* of the k angles, mean over the resamples */
    double largest; /* the largest of the k, mean over the resamples */
    double high;    /* the largest of the k: its 95 % quantile over the resamples */
    double permuted_mean, permuted_largest,
        permuted_high; /* the same for permuted targets; NaN: not requested */
} ald_stability_row;
#define ALD_STABILITY_ROW_INIT ALD_INIT(ald_stability_row)

typedef struct ald_stability_summary {
    size_t size;
    int64_t resamples; /* fits that succeeded */
    int64_t failed;    /* fits that failed */
    char note[256];    /* why the first of those failed */
    int64_t permuted;  /* fits with permuted targets that succeeded */
    int64_t leading;   /* features that counted as leading; 0: frequencies were not requested */
} ald_stability_summary;
#define ALD_STABILITY_SUMMARY_INIT ALD_INIT(ald_stability_summary)

/* Refits the model, with its own settings, to resamples of the rows, drawn within classes if the target is
 * classes, so that no class is lost. Weights stay with their rows. `rows` has room for
 * ald_model_component_count. */
ALD_API ald_status ald_stability(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, const ald_stability_options *options,
                                 ald_stability_row *rows, ald_stability_summary *summary, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
