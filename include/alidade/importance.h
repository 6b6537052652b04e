/* Which features matter, for models with a linear map. */
#ifndef ALIDADE_IMPORTANCE_H
#define ALIDADE_IMPORTANCE_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* docs/importance.md has the formulas. */
typedef enum ald_importance_kind {
    ALD_IMPORTANCE_WEIGHTS = 0,      /* r x d: change of score k with one unit of feature j */
    ALD_IMPORTANCE_STANDARDIZED = 1, /* r x d: change of score k with one standard deviation of feature j */
    ALD_IMPORTANCE_STRUCTURE = 2, /* r x d: correlation of feature j with score k; NaN: one does not vary */
    /* 1 x d: what these pages mean by importance: for the target, over all components (in a model without a
     * target: for X); mean square 1 */
    ALD_IMPORTANCE_VIP = 3,
    ALD_IMPORTANCE_LOADINGS = 4, /* r x d: change of feature j with one unit of score k, by least squares */
} ald_importance_kind;
enum { ALD_IMPORTANCE_KINDS = 5 };

/* "weights", "standardized", "structure", "vip", "loadings"; NULL past the end. */
ALD_API const char *ald_importance_name(int kind);
/* 1 if the model alone suffices: for the weights, and for vip and loadings of pls. */
ALD_API int ald_importance_in_model(const ald_model *model, ald_importance_kind kind);
/* values: row major, ald_model_component_count x ald_model_feature_count (vip: 1 x ald_model_feature_count).
 * `x` and `y` may be NULL if the model alone suffices; y is for vip only. The weights of y are used. */
ALD_API ald_status ald_importance(ald_context *context, const ald_model *model, ald_importance_kind kind,
                                  const ald_matrix *x, const ald_target *y, double *values, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
