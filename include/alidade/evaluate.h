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

#ifdef __cplusplus
}
#endif
#endif
