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
    char of[128]; /* response or label it is for; "" for all together */
    double value; /* NaN where undefined, then `note` says why */
    char note[128];
} ald_score;
#define ALD_SCORE_INIT ALD_INIT(ald_score)

/* What a figure is, by ald_metric_at. */
typedef struct ald_metric_facts {
    size_t size;
    const char *name, *title;
    ald_target_kind kind; /* of the target; accuracy is there for classes and for labels */
    int larger_is_better; /* 1 yes, 0 no, -1: the nearer to 0 the better */
    int needs_scores;     /* of classes: 1 scores, 2 probabilities, 0 predictions are enough */
    int pooled;           /* over several test parts: of all their rows together, not the mean of the parts */
    double least, most;   /* what it can be */
} ald_metric_facts;
#define ALD_METRIC_FACTS_INIT ALD_INIT(ald_metric_facts)
/* 1 and fills `facts`; 0: past the end. Those of a kind stand together, in the order of the scores below. */
ALD_API int ald_metric_at(int number, ald_metric_facts *facts);

/* Predicts the rows of x with the model's predictor and compares with y. `scores` has room for `capacity`;
 * `count` receives how many there are, also when that is more than the room. Those for all together come
 * first:
 * - responses: rmse, r2, mae, the mean over them, rmsecv of all together, bias, sep, rpd, again means, and
 * q2; then, where there are several, the same of each
 * - classes: accuracy, balanced_accuracy, mean_ovr_accuracy (mean one-vs-rest), auc, sensitivity,
 * specificity, mcc, log_loss, brier
 * - labels: accuracy (of single labels), macro_auc, micro_auc, macro_f1, micro_f1; then auc and f1 of each
 * docs/metrics.md has the formulas. Weights do not enter. */
ALD_API ald_status ald_evaluate(ald_context *context, const ald_model *model, const ald_matrix *x,
                                const ald_target *y, ald_score *scores, int capacity, int *count,
                                ald_error *error);
/* The same for predictions that you have, from any source: y->rows x columns, as ald_predict gives them. */
ALD_API ald_status ald_score_predictions(ald_context *context, const ald_target *y, const double *prediction,
                                         int64_t columns, ald_score *scores, int capacity, int *count,
                                         ald_error *error);
/* What some figures need besides the predictions; what is not given leaves them undefined. */
typedef struct ald_score_options {
    size_t size;
    const double *scores; /* of classes: y->rows x n_scores, row major, one per class; NULL: none */
    int64_t n_scores;
    int probabilities;   /* the scores are probabilities: log_loss and brier exist */
    const double *means; /* of the responses in the rows learned from, for q2; NULL: those of these rows */
} ald_score_options;
#define ALD_SCORE_OPTIONS_INIT ALD_INIT(ald_score_options)
/* The same with those; `options` may be NULL. */
ALD_API ald_status ald_score_predictions_with(ald_context *context, const ald_target *y,
                                              const double *prediction, int64_t columns,
                                              const ald_score_options *options, ald_score *scores,
                                              int capacity, int *count, ald_error *error);
/* counts (n_classes x n_classes, row major): rows of class i that were predicted as class j. Codes in y and
 * in the prediction are below n_classes. */
ALD_API ald_status ald_confusion(ald_context *context, const ald_target *y, const double *prediction,
                                 int64_t n_classes, int64_t *counts, ald_error *error);

/* The accuracy of always predicting the most frequent class of these rows, or of each label what most of them
 * have; NaN where there is no such thing. *class_code (NULL: not wanted) is that class, -1 where the target
 * is not classes. */
ALD_API ald_status ald_baseline_accuracy(ald_context *context, const ald_target *y, double *accuracy,
                                         int64_t *class_code, ald_error *error);

/* How far known directions (rows of `known`, one number per feature, in the units of the data) lie outside
 * the span of the model's. For models with a linear map. */
typedef struct ald_subspace_result {
    size_t size;
    double angle; /* largest principal angle, radians; pi/2 where the model has fewer directions */
    double trace_correlation; /* squared: the mean of the squared cosines, tr(P Q)/dimension; 1: all lie
                                 within */
    int64_t dimension;        /* of the known subspace */
} ald_subspace_result;
#define ALD_SUBSPACE_RESULT_INIT ALD_INIT(ald_subspace_result)
ALD_API ald_status ald_subspace_distance(ald_context *context, const ald_model *model,
                                         const ald_matrix *known, ald_subspace_result *result,
                                         ald_error *error);

/* Principal angles between two subspaces of the features, from the smallest, in radians: in the units of the
 * columns as they are (`raw`), and in the metric of the covariance of X (`covariance`), which is the angle
 * between the scores and depends on no units. A direction that X does not vary in has no angle there. */
typedef enum ald_covariance_source {
    ALD_COVARIANCE_UNKNOWN = 0,    /* there is none: `covariance` is not written */
    ALD_COVARIANCE_ROWS = 1,       /* of the rows that were given */
    ALD_COVARIANCE_STATISTICS = 2, /* of the rows fitted on: the model keeps their statistics */
} ald_covariance_source;
typedef struct ald_angles_result {
    size_t size;
    int64_t raw_count, covariance_count; /* as many as the smaller subspace has dimensions */
    ald_covariance_source source;
} ald_angles_result;
#define ALD_ANGLES_RESULT_INIT ALD_INIT(ald_angles_result)
/* Of the directions of two linear models of the same features. `x` NULL: by the statistics of the first model
 * that keeps them. Of `y` the weights enter; it may be NULL. `raw` and `covariance` have room for
 * ald_model_component_count of the one that has fewer. */
ALD_API ald_status ald_model_angles(ald_context *context, const ald_model *model, const ald_model *other,
                                    const ald_matrix *x, const ald_target *y, double *raw, double *covariance,
                                    ald_angles_result *result, ald_error *error);
/* Of the directions of a model and known ones, as in ald_subspace_distance; room for known->rows. */
ALD_API ald_status ald_subspace_angles(ald_context *context, const ald_model *model, const ald_matrix *known,
                                       const ald_matrix *x, const ald_target *y, double *raw,
                                       double *covariance, ald_angles_result *result, ald_error *error);

/* How far the linear maps of two models of the same features are from each other. Rotations and signs of the
 * directions do not count: with W (d x r) the directions in the units of the data, W W' is what distances |z
 * - z'| depend on. */
typedef struct ald_map_difference {
    size_t size;
    double distance; /* |W W' - V V'|, the largest singular value; V of the other model */
    double norm;     /* |W W'| */
    double relative; /* distance / norm */
} ald_map_difference;
#define ALD_MAP_DIFFERENCE_INIT ALD_INIT(ald_map_difference)
ALD_API ald_status ald_model_difference(ald_context *context, const ald_model *model, const ald_model *other,
                                        ald_map_difference *result, ald_error *error);

/* How much a target depends on rows (of data or of a projection): the Hilbert-Schmidt independence criterion,
 * tr(KHLH)/(n-1)^2, with an rbf kernel on the rows; on targets delta for classes, rbf for real ones, linear
 * for labels.
 */
typedef struct ald_hsic_options {
    size_t size;
    double kernel_width;   /* 0: the median distance of rows */
    double response_width; /* real targets; 0: their median distance */
    int64_t permutations;  /* random orders of the targets for the p-value; 0: none */
    uint64_t seed;
} ald_hsic_options;
#define ALD_HSIC_OPTIONS_INIT ALD_INIT(ald_hsic_options)
typedef struct ald_hsic_result {
    size_t size;
    double value;
    double p_value; /* (1 + orders with a value at least as large) / (1 + orders); 1 without permutations */
    double kernel_width, response_width;
} ald_hsic_result;
#define ALD_HSIC_RESULT_INIT ALD_INIT(ald_hsic_result)
/* Nothing of n x n is stored. NULL options: widths by the median, no permutations. */
ALD_API ald_status ald_hsic(ald_context *context, const ald_matrix *x, const ald_target *y,
                            const ald_hsic_options *options, ald_hsic_result *result, ald_error *error);

/* Continuity: whether the k nearest rows of a projection are near in the target too. 1: all of them; 0: as
 * far as can be. Trustworthiness asks the same of the k nearest in the target. Distances of real targets and
 * labels are Euclidean, of classes 0 or 1; ties go to the lower row. Rows without a target are left out,
 * weights do not enter. */
typedef struct ald_continuity_options {
    size_t size;
    const int64_t *k; /* sizes of neighbourhoods, rising, from 1 to the number of labelled rows less 2 */
    int count;        /* of k; 0: 4, 8, 16, ... up to 128 and half the rows */
    /* At most this many rows, drawn at random, are summed over; 0: all up to 20000 rows, then fewer. */
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
    int count;             /* of the points, also when that is more than the room */
    int64_t rows, sampled; /* labelled rows, and how many of them were summed over */
    double mean;           /* of the continuity, over all k */
    double error;          /* its standard error over the rows */
} ald_continuity_summary;
#define ALD_CONTINUITY_SUMMARY_INIT ALD_INIT(ald_continuity_summary)

/* Of the projection z, y->rows x r row major. `points` has room for `capacity`; `options` may be NULL. */
ALD_API ald_status ald_continuity(ald_context *context, const double *z, int64_t r, const ald_target *y,
                                  const ald_continuity_options *options, ald_continuity_point *points,
                                  int capacity, ald_continuity_summary *summary, ald_error *error);

/* A fit with one number of neighbours. */
typedef struct ald_trial {
    size_t size;
    int64_t n_neighbors;
    ald_status status;   /* of the fit; negative: there is none, and `note` says why */
    double continuity;   /* of the rows fitted on, mean over all sizes k; NaN without a fit */
    double error;        /* its standard error over the rows */
    double behind;       /* how far its continuity is below the best */
    double behind_error; /* the standard error of that, from the differences row by row */
    int as_good;         /* below the best by no more than two standard errors */
    int chosen;
    double objective; /* NaN: the method has none */
    double seconds;   /* NaN without a clock */
    char note[128];
} ald_trial;
#define ALD_TRIAL_INIT ALD_INIT(ald_trial)

typedef struct ald_choice_options {
    size_t size;
    const int64_t *n_neighbors;               /* what to try */
    int count;                                /* how many */
    const ald_continuity_options *continuity; /* how to judge; NULL: by the usual sizes */
    double (*clock)(void);                    /* seconds from any start, on any thread; NULL: not timed */
} ald_choice_options;
#define ALD_CHOICE_OPTIONS_INIT ALD_INIT(ald_choice_options)

/* Fits with every number of neighbours, each on one thread and several at once, and keeps the model of the
 * largest mean continuity, of equals the one with the fewest. `trials` has room for options->count. What
 * cannot be fitted is left out, unless that is all. The result does not depend on the number of threads. */
ALD_API ald_status ald_choose_neighbors(ald_context *context, const ald_settings *settings,
                                        const ald_dataset *dataset, const ald_choice_options *options,
                                        ald_trial *trials, ald_model **model, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
