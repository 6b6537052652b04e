/* How good a projection is for predicting the target. */
#ifndef ALIDADE_EVALUATE_H
#define ALIDADE_EVALUATE_H

#include <alidade/dataset.h>
#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One named figure. */
typedef struct ald_score {
    size_t size;
    char name[64];
    char of[128]; /* the response or label it refers to; "" for all together */
    double value; /* NaN if undefined; `note` then says why */
    char note[128];
} ald_score;
#define ALD_SCORE_INIT ALD_INIT(ald_score)

/* Properties of a metric, from ald_metric_at. */
typedef struct ald_metric_facts {
    size_t size;
    const char *name, *title;
    ald_target_kind kind; /* of the target; accuracy exists for classes and for labels */
    int larger_is_better; /* 1 yes, 0 no, -1: the closer to 0 the better */
    int needs_scores;     /* for classes: 1 scores, 2 probabilities, 0 predictions suffice */
    int pooled;           /* over several test parts: computed from all their rows together, instead of the
                             mean of the parts */
    double least, most;   /* its range */
} ald_metric_facts;
#define ALD_METRIC_FACTS_INIT ALD_INIT(ald_metric_facts)
/* Returns 1 and fills `facts`, or 0 past the end. Metrics of one kind of target are adjacent, in the order of
 * the scores below. */
ALD_API int ald_metric_at(int number, ald_metric_facts *facts);

/* Predicts the rows of x with the model's predictor and compares with y. `scores` has room for `capacity`;
 * `count` receives the number of figures, even if it exceeds the capacity. Overall figures come first:
 *     - responses: rmse, r2, mae, bias, sep, rpd (means over the responses), and q2; then, if there are
 *       several responses, the same for each
 *     - classes: accuracy, balanced_accuracy, mean_ovr_accuracy (mean one-vs-rest), auc, sensitivity,
 *       specificity, mcc, log_loss, brier
 *     - labels: accuracy (of single labels), macro_auc, micro_auc, macro_f1, micro_f1; then auc, f1 of each
 * docs/metrics.md has the formulas. Row weights are ignored. */
ALD_API ald_status ald_evaluate(ald_context *context, const ald_model *model, const ald_matrix *x,
                                const ald_target *y, ald_score *scores, int capacity, int *count,
                                ald_error *error);
/* The same for predictions from any source: y->rows x columns, in the format of ald_predict. */
ALD_API ald_status ald_score_predictions(ald_context *context, const ald_target *y, const double *prediction,
                                         int64_t columns, ald_score *scores, int capacity, int *count,
                                         ald_error *error);
/* What some metrics need besides the predictions; without it they are undefined. */
typedef struct ald_score_options {
    size_t size;
    const double *scores; /* for classes: y->rows x n_scores, row major, one per class; NULL: none */
    int64_t n_scores;
    int probabilities;   /* the scores are probabilities: log_loss and brier exist */
    const double *means; /* of the responses over the training rows, for q2; NULL: those of these rows */
} ald_score_options;
#define ALD_SCORE_OPTIONS_INIT ALD_INIT(ald_score_options)
/* The same with these; `options` may be NULL. */
ALD_API ald_status ald_score_predictions_with(ald_context *context, const ald_target *y,
                                              const double *prediction, int64_t columns,
                                              const ald_score_options *options, ald_score *scores,
                                              int capacity, int *count, ald_error *error);
/* counts (n_classes x n_classes, row major): the number of rows of class i predicted as class j. All codes in
 * y and in the prediction must be below n_classes. */
ALD_API ald_status ald_confusion(ald_context *context, const ald_target *y, const double *prediction,
                                 int64_t n_classes, int64_t *counts, ald_error *error);

/* The accuracy of always predicting the most frequent class of these rows or, for each label, the more
 * frequent value; NaN if the target has neither. *class_code (may be NULL) is that class, -1 if the target is
 * not classes. */
ALD_API ald_status ald_baseline_accuracy(ald_context *context, const ald_target *y, double *accuracy,
                                         int64_t *class_code, ald_error *error);

/* How far known directions (rows of `known`, one number per feature, in the units of the data) lie outside
 * the span of the model's directions. For models with a linear map. */
typedef struct ald_subspace_result {
    size_t size;
    double angle;             /* largest principal angle, radians; pi/2 if the model has fewer directions */
    double trace_correlation; /* squared: the mean of the squared cosines, tr(P Q)/dimension; 1: all lie in
                                 the span */
    int64_t dimension;        /* of the known subspace */
} ald_subspace_result;
#define ALD_SUBSPACE_RESULT_INIT ALD_INIT(ald_subspace_result)
ALD_API ald_status ald_subspace_distance(ald_context *context, const ald_model *model,
                                         const ald_matrix *known, ald_subspace_result *result,
                                         ald_error *error);

/* Principal angles between two subspaces of feature space, smallest first, in radians: in the units of the
 * columns (`raw`), and in the metric of the covariance of X (`covariance`), which is the angle between the
 * scores and independent of units. A direction in which X does not vary has no angle in that metric. */
typedef enum ald_covariance_source {
    ALD_COVARIANCE_UNKNOWN = 0,    /* none available: `covariance` is not written */
    ALD_COVARIANCE_ROWS = 1,       /* of the rows that were given */
    ALD_COVARIANCE_STATISTICS = 2, /* of the training rows: the model keeps their statistics */
} ald_covariance_source;
typedef struct ald_angles_result {
    size_t size;
    int64_t raw_count, covariance_count; /* the dimension of the smaller subspace */
    ald_covariance_source source;
} ald_angles_result;
#define ALD_ANGLES_RESULT_INIT ALD_INIT(ald_angles_result)
/* For the directions of two linear models of the same features. `x` NULL: from the statistics of the first
 * model that keeps them. Only the weights of `y` are used; it may be NULL. `raw` and `covariance` have room
 * for the smaller of the two ald_model_component_count. */
ALD_API ald_status ald_model_angles(ald_context *context, const ald_model *model, const ald_model *other,
                                    const ald_matrix *x, const ald_target *y, double *raw, double *covariance,
                                    ald_angles_result *result, ald_error *error);
/* For the directions of a model and known ones, as in ald_subspace_distance; room for known->rows. */
ALD_API ald_status ald_subspace_angles(ald_context *context, const ald_model *model, const ald_matrix *known,
                                       const ald_matrix *x, const ald_target *y, double *raw,
                                       double *covariance, ald_angles_result *result, ald_error *error);

/* How far apart the linear maps of two models of the same features are. Rotations and signs of the directions
 * do not matter: with W (d x r) the directions in the units of the data, distances |z - z'| depend only on W
 * W'. */
typedef struct ald_map_difference {
    size_t size;
    double distance; /* |W W' - V V'|, the largest singular value; V of the other model */
    double norm;     /* |W W'| */
    double relative; /* distance / norm */
} ald_map_difference;
#define ALD_MAP_DIFFERENCE_INIT ALD_INIT(ald_map_difference)
ALD_API ald_status ald_model_difference(ald_context *context, const ald_model *model, const ald_model *other,
                                        ald_map_difference *result, ald_error *error);

/* How strongly a target depends on rows (of data or of a projection): the Hilbert-Schmidt independence
 * criterion, tr(KHLH)/(n-1)^2, with an rbf kernel on the rows; on targets, delta for classes, rbf for real
 * ones, linear for labels. */
typedef struct ald_hsic_options {
    size_t size;
    double kernel_width;   /* 0: the median distance between rows */
    double response_width; /* real targets; 0: the median distance between them */
    int64_t permutations;  /* random permutations of the targets for the p-value; 0: none */
    uint64_t seed;
} ald_hsic_options;
#define ALD_HSIC_OPTIONS_INIT ALD_INIT(ald_hsic_options)
typedef struct ald_hsic_result {
    size_t size;
    double value;
    double p_value; /* (1 + permutations with a value at least as large) / (1 + permutations); 1 without
                       permutations */
    double kernel_width, response_width;
} ald_hsic_result;
#define ALD_HSIC_RESULT_INIT ALD_INIT(ald_hsic_result)
/* No n x n matrix is stored. NULL options: widths by the median, no permutations. */
ALD_API ald_status ald_hsic(ald_context *context, const ald_matrix *x, const ald_target *y,
                            const ald_hsic_options *options, ald_hsic_result *result, ald_error *error);

/* Continuity: whether the k nearest rows in a projection are close in the target too. 1: all of them; 0: as
 * far as possible. Trustworthiness asks the converse, of the k nearest in the target. Distances between real
 * targets and between labels are Euclidean, between classes 0 or 1; ties go to the lower row. Rows without a
 * target are left out, and weights are ignored. */
typedef struct ald_continuity_options {
    size_t size;
    const int64_t *k; /* neighbourhood sizes, increasing, from 1 to the number of labelled rows minus 2 */
    int count;        /* of k; 0: 4, 8, 16, ... up to 128 and half the rows */
    /* The sum runs over at most this many rows, drawn at random; 0: all of up to 20000 rows, fewer beyond. */
    int64_t max_rows;
    uint64_t seed; /* of these draws */
} ald_continuity_options;
#define ALD_CONTINUITY_OPTIONS_INIT ALD_INIT(ald_continuity_options)

typedef struct ald_continuity_point {
    size_t size;
    int64_t k;
    double continuity, trustworthiness;
} ald_continuity_point;
#define ALD_CONTINUITY_POINT_INIT ALD_INIT(ald_continuity_point)

typedef struct ald_continuity_summary {
    size_t size;
    int count;             /* number of points, even if it exceeds the capacity */
    int64_t rows, sampled; /* labelled rows, and the number of them in the sum */
    double mean;           /* of the continuity over all k */
    double error;          /* its standard error over the rows */
} ald_continuity_summary;
#define ALD_CONTINUITY_SUMMARY_INIT ALD_INIT(ald_continuity_summary)

/* For the projection z, y->rows x r, row major. `points` has room for `capacity`; `options` may be NULL. */
ALD_API ald_status ald_continuity(ald_context *context, const double *z, int64_t r, const ald_target *y,
                                  const ald_continuity_options *options, ald_continuity_point *points,
                                  int capacity, ald_continuity_summary *summary, ald_error *error);

/* A fit with one number of neighbours. */
typedef struct ald_trial {
    size_t size;
    int64_t n_neighbors;
    ald_status status;   /* of the fit; negative: it failed, and `note` says why */
    double continuity;   /* of the training rows, mean over all sizes k; NaN without a fit */
    double error;        /* its standard error over the rows */
    double behind;       /* distance of its continuity below the best */
    double behind_error; /* the standard error of `behind`, from row-by-row differences */
    int as_good;         /* at most two standard errors below the best */
    int chosen;
    double objective; /* NaN: the method has none */
    double seconds;   /* NaN without a clock */
    char note[128];
} ald_trial;
#define ALD_TRIAL_INIT ALD_INIT(ald_trial)

typedef struct ald_choice_options {
    size_t size;
    const int64_t *n_neighbors;               /* the values to try */
    int count;                                /* number of values */
    const ald_continuity_options *continuity; /* how to judge; NULL: the usual sizes */
    double (*clock)(void);                    /* seconds from an arbitrary origin, callable from any thread;
                                                 NULL: not timed */
} ald_choice_options;
#define ALD_CHOICE_OPTIONS_INIT ALD_INIT(ald_choice_options)

/* Fits with every number of neighbours, each on one thread and several at once, and keeps the model with the
 * largest mean continuity; among equals, the one with the fewest neighbours. `trials` has room for
 * options->count. Values that cannot be fitted are left out, unless none can. The result does not depend on
 * the number of threads. */
ALD_API ald_status ald_choose_neighbors(ald_context *context, const ald_settings *settings,
                                        const ald_dataset *dataset, const ald_choice_options *options,
                                        ald_trial *trials, ald_model **model, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
