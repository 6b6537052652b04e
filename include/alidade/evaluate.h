/* How good a projection is for predicting the target. */
#ifndef ALIDADE_EVALUATE_H
#define ALIDADE_EVALUATE_H

#include <alidade/dataset.h>
#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One named figure. For several responses there is one a response after the overall one. */
typedef struct ald_score {
    char name[64]; /* rmse, r2, accuracy */
    char of[128];  /* response or label it is for; "" for all together */
    double value;  /* NaN where undefined, then `note` says why */
    char note[128];
} ald_score;

/* Predicts the rows of x with the model's predictor and compares with y. `scores` has room for `capacity`;
 * `count` receives how many there are, also when that is more than the room. */
ALD_API ald_status ald_evaluate(ald_context *context, const ald_model *model, const ald_matrix *x, const ald_target *y,
                                ald_score *scores, int capacity, int *count, ald_error *error);

/* How much a target depends on rows (of data or of a projection): the Hilbert-Schmidt independence criterion,
 * tr(KHLH)/(n-1)^2, with an rbf kernel on the rows; on targets delta for classes, rbf for real ones, linear for labels.
 */
typedef struct ald_hsic_options {
    double kernel_width;   /* 0: the median distance of rows */
    double response_width; /* real targets; 0: their median distance */
    int64_t permutations;  /* random orders of the targets for the p-value; 0: none */
    uint64_t seed;
} ald_hsic_options;
typedef struct ald_hsic_result {
    double value;
    double p_value; /* (1 + orders with a value at least as large) / (1 + orders); 1 without permutations */
    double kernel_width, response_width;
} ald_hsic_result;
/* Nothing of n x n is stored. NULL options: widths by the median, no permutations. */
ALD_API ald_status ald_hsic(ald_context *context, const ald_matrix *x, const ald_target *y,
                            const ald_hsic_options *options, ald_hsic_result *result, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
