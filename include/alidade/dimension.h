/* How many components are needed: what the first of them explain, gaps of the eigenvalues, tests; and how
 * stable they are. */
#ifndef ALIDADE_DIMENSION_H
#define ALIDADE_DIMENSION_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shares that the first 1, 2, ... r directions explain of these rows, by least squares with an intercept: of
 * X (scaled as the model scales it) and of the target (classes and labels as 0/1 columns). r entries each.
 * `y` may be NULL; what does not vary has a share of NaN. Weights enter; rows without a target enter the
 * share of X only. */
ALD_API ald_status ald_explained(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, double *x_share, double *y_share, ald_error *error);

/* Where eigenvalues (by modulus, in the order of the directions) fall off. */
typedef struct ald_eigengap_result {
    size_t size;
    int64_t count;    /* eigenvalues that were looked at */
    int64_t by_gap;   /* the largest difference to the next comes after this many; 0: fewer than two values */
    int64_t by_ratio; /* the largest ratio to the next; values up to 1e-12 of the first count as that */
    double gap, ratio; /* those */
} ald_eigengap_result;
#define ALD_EIGENGAP_RESULT_INIT ALD_INIT(ald_eigengap_result)
/* Of the model's spectrum (the convex optimum of sdpp) or else its eigenvalues; rising ones (contour) are
 * compared with the next likewise. The value after the last is not known: the last is never chosen. 1, or 0:
 * the model has none. */
ALD_API int ald_model_eigengap(const ald_model *model, ald_eigengap_result *result);

/* Sequential tests of "k directions are enough", k = 0, 1, ... docs/dimension.md has the definitions. */
typedef struct ald_dimension_options {
    size_t size;
    int64_t max_dims;     /* directions to look at; 0: 10, or as many as there are */
    int64_t permutations; /* per step of the permutation test; 0: no such test */
    double level;         /* of the tests; 0: 0.05 */
    uint64_t seed;
    int every; /* do not stop the permutation test where it accepts, so that all p-values are seen */
} ald_dimension_options;
#define ALD_DIMENSION_OPTIONS_INIT ALD_INIT(ald_dimension_options)

/* What is known of direction k = 1, 2, ... NaN: not known, or not asked for. */
typedef struct ald_dimension_row {
    size_t size;
    int64_t k;
    double eigenvalue, gap, ratio; /* of direction k, and to the next */
    double x_share, y_share;       /* explained by the k directions */
    /* sir: the chance of eigenvalues this large from k on, if k - 1 directions were all (Li 1991). */
    double chi_square, freedom, chi_square_p;
    /* The same by permutations, for every method. */
    double statistic, permutation_p;
    /* Permutations that could not be fitted; they count as if they had reached the statistic. */
    int64_t failed;
} ald_dimension_row;
#define ALD_DIMENSION_ROW_INIT ALD_INIT(ald_dimension_row)

/* What each rule chooses; -1: it has nothing to say. */
typedef struct ald_dimension_choice {
    size_t size;
    int64_t available;        /* directions there are; at most one more than were looked at */
    int64_t by_gap, by_ratio; /* of eigenvalues */
    int64_t by_x, by_y;       /* the fewest that explain 0.9 of X; 0.95 of what all explain of the target */
    int64_t by_chi_square;    /* the first k that is not rejected */
    int64_t by_permutation;   /* -1: not known, as further components are not tested (note) */
    char statistic[80];       /* what the permutation test compares, in words */
    char chi_square[160];     /* why there is no chi-square test; "": there is one */
    char note[160];           /* why the permutation test ended early, "" if it did not */
} ald_dimension_choice;
#define ALD_DIMENSION_CHOICE_INIT ALD_INIT(ald_dimension_choice)

/* Fits with 1, 2, ... directions and tests. `rows` has room for `capacity`; `count` receives how many there
 * are. Fits are on one thread each, several at once; the numbers do not depend on how many. n_components and
 * the predictor of the settings do not enter. */
ALD_API ald_status ald_dimension(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                                 const ald_target *y, const ald_dimension_options *options,
                                 ald_dimension_row *rows, int capacity, int *count,
                                 ald_dimension_choice *choice, ald_error *error);

/* How far the subspace moves when the rows are drawn again. */
typedef struct ald_stability_options {
    size_t size;
    int64_t resamples; /* 0: 100 */
    int half;          /* half the rows without replacement, instead of n rows with it */
    uint64_t seed;
    /* The yardstick: so many resamples of rows whose targets were permuted, against fits to the same permuted
     * targets; ten permutations take turns. 0: none, and none without a target. */
    int64_t permuted;
    int64_t leading;   /* features that count as the leading ones by their importance (vip); 0: a quarter of
                          them, at most 10 */
    double *frequency; /* where to write, per feature, the share of the resamples in which it is among the
                          leading ones: ald_model_feature_count numbers, for linear maps; NULL: not wanted */
    /* Where to write the same for permuted targets, the largest first: number i is the share of the feature
     * that led i-th most often, mean over the permutations. As many numbers; needs `frequency`, and all are
     * NaN where nothing was permuted. NULL: not wanted. */
    double *permuted_frequency;
} ald_stability_options;
#define ALD_STABILITY_OPTIONS_INIT ALD_INIT(ald_stability_options)

/* Angles, in radians, between the projections of all rows by the model and by that of a resample, for the
 * first k directions: principal angles between the spans of the centred scores. */
typedef struct ald_stability_row {
    size_t size;
    int64_t k;
    double mean;    /* of the k angles, mean over the resamples */
    double largest; /* the largest of the k, mean over the resamples */
    double high;    /* the largest of the k: 95 % of the resamples are below */
    double permuted_mean, permuted_largest,
        permuted_high; /* the same for permuted targets; NaN: not asked for */
} ald_stability_row;
#define ALD_STABILITY_ROW_INIT ALD_INIT(ald_stability_row)

typedef struct ald_stability_summary {
    size_t size;
    int64_t resamples; /* fits that succeeded */
    int64_t failed;    /* and that did not */
    char note[256];    /* why the first of those did not */
    int64_t permuted;  /* fits with permuted targets that succeeded */
    int64_t leading;   /* features that counted as leading; 0: frequencies were not wanted */
} ald_stability_summary;
#define ALD_STABILITY_SUMMARY_INIT ALD_INIT(ald_stability_summary)

/* Refits the model, with the settings it was fitted with, on resamples of the rows: drawn within classes
 * where the target is classes, so that none is lost. Weights stay with their rows. `rows` has room for
 * ald_model_component_count.
 */
ALD_API ald_status ald_stability(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, const ald_stability_options *options,
                                 ald_stability_row *rows, ald_stability_summary *summary, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
