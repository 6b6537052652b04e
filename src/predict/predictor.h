/* Predictors on the projection: small models from z (r numbers) to the target, stored in the model under `predictor/`.
 */
#ifndef ALD_PREDICT_PREDICTOR_H
#define ALD_PREDICT_PREDICTOR_H

#include "core/model.h"

/* The target as numbers: n x q responses, labels or class dummies; not centred. */
typedef struct ald_predictor_data {
    int64_t n, r, q;
    const double *z;       /* n x r */
    const double *y;       /* n x q */
    const double *weights; /* n or NULL */
    ald_target_kind kind;
    const double *y_mean; /* NULL; or q means, and z and y are centred and weighted already (made from moments) */
} ald_predictor_data;

typedef struct ald_predictor {
    const char *name;
    unsigned kinds; /* bit 1 << ald_target_kind for the targets it takes */
    ald_status (*fit)(ald_run *run, const ald_predictor_data *data, ald_model *model);
    /* scores (n x q): fitted responses or labels, or for classes a score each, the largest of which wins. */
    ald_status (*apply)(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q, const double *z,
                        double *scores);
    /* Numbers q out of the stored arrays; 0 if they are not there or do not fit r. */
    int64_t (*outputs)(const ald_model *model, int64_t r);
} ald_predictor;

/* NULL if there is none of that name. */
const ald_predictor *ald_predictor_find(const char *name);

#endif
