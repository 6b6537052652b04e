/* Predictors on the projection: small models from z (r numbers) to the target, stored in the model under
 * `predictor/`. Each is one entry of the table in predictor.c. */
#ifndef ALD_PREDICT_PREDICTOR_H
#define ALD_PREDICT_PREDICTOR_H

#include "base/core/model.h"

/* What was asked for, as in the settings predictor, predictor_neighbors and predictor_ridge. */
typedef struct ald_predictor_options {
    const char *name;  /* "none": no predictor */
    int64_t neighbors; /* knn; 0: the number of classes and one */
    double ridge; /* a part of the number of rows, on z of unit standard deviation; 0: the predictor's own */
} ald_predictor_options;

/* Rows to learn from, in one of three forms; the target as numbers: n x q responses, labels or class dummies.
 * - plain: rows as they are, with their weights;
 * - centred (y_mean set): made from moments, z and y centred and times the roots of the weights;
 * - groups (spread or within set): made from moments, one row for the mean of each class with its weight, and
 * the scatter within the classes, as it is or as that of further rows. */
typedef struct ald_predictor_data {
    int64_t n, r, q;
    const double *z;       /* n x r */
    const double *y;       /* n x q */
    const double *weights; /* n or NULL */
    ald_target_kind kind;
    double total;         /* rows that these stand for: the sum of the weights; 0: to be summed */
    const double *y_mean; /* q or NULL */
    const double *z_mean; /* r, or NULL: 0 */
    const double *spread; /* spread_rows x r or NULL */
    int64_t spread_rows;
    const double *within; /* r x r, the scatter itself, or NULL */
    const ald_target
        *survival; /* plain rows: their times and events, n of them; NULL: it is of another kind */
} ald_predictor_data;

/* The form that a predictor wants when there are moments only. */
typedef enum ald_predictor_moments {
    ALD_MOMENTS_NOT,
    ALD_MOMENTS_CENTRED,
    ALD_MOMENTS_GROUPS,
} ald_predictor_moments;

struct ald_path;
typedef struct ald_predictor {
    const char *name;
    unsigned kinds;         /* bit 1 << ald_target_kind for the targets it takes */
    unsigned probabilities; /* the same for those of which it gives probabilities */
    ald_predictor_moments moments;
    int takes_neighbors;
    int needs_events; /* it is of times with events alone */
    int by_distances; /* it depends on the inner products of rows only, so that they may be turned */
    int is_lazy;      /* it keeps the rows and learns nothing */
    int is_affine;    /* scores are b0 + B'z, found at once: it is kept for every number of components */
    double own_ridge; /* 0: it takes none */
    /* The same on many columns, with the penalty by cross-validation of these rows: path.h; NULL: there is no
     * such form. */
    ald_status (*penalised)(ald_run *run, const struct ald_path *path, ald_model *model);
    /* Options are resolved: the ridge is the one to be used. */
    ald_status (*fit)(ald_run *run, const ald_predictor_options *options, const ald_predictor_data *data,
                      ald_model *model);
    /* scores (n x q): fitted responses; for labels a score each, yes above one half; for classes a score
     * each, the largest of which wins. */
    ald_status (*apply)(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                        const double *z, double *scores);
    /* What becomes of affine scores (affine.h) in `apply`; NULL: nothing. */
    void (*link)(const ald_model *model, int64_t n, int64_t q, double *scores);
    /* `apply` where only the order of the scores of a row matters, with less work; NULL: apply. */
    ald_status (*rank)(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q, const double *z,
                       double *scores);
    /* Numbers q out of the stored arrays; 0 if they are not there or do not fit r. */
    int64_t (*outputs)(const ald_model *model, int64_t r);
} ald_predictor;

extern const ald_predictor ald_predictor_linear, ald_predictor_ridge, ald_predictor_one_vs_rest,
    ald_predictor_centroid, ald_predictor_gaussian, ald_predictor_logistic, ald_predictor_knn,
    ald_predictor_cox;

/* NULL if there is none of that name. */
const ald_predictor *ald_predictor_find(const char *name);
/* The one stored in the model, NULL if there is none. */
const ald_predictor *ald_predictor_of(const ald_model *model);
/* The run's settings. */
ald_predictor_options ald_predictor_options_of(const ald_run *run);
/* The one that is asked for, NULL for none; and how to ask for one. */
const ald_predictor *ald_predictor_asked(const ald_settings *settings);
/* Where none is asked for, even by `none`, the usual one: what is judged has to predict. */
ald_status ald_need_predictor(ald_settings *settings, const ald_target *y, ald_error *error);
/* Back to none, and the others of ald_predictor_params to their defaults. */
ald_status ald_unset_predictor(ald_settings *settings, ald_error *error);
/* The place of the predictor of the settings among all. */
int ald_predictor_place(const ald_settings *settings);
/* For a predictor of the settings that looks at neighbours: at this many, unless a number is given. */
ald_status ald_set_predictor_neighbors(ald_settings *settings, int64_t neighbors, ald_error *error);
/* Whether two settings differ, if at all, in their predictors alone: one map serves both. */
int ald_same_map(const ald_settings *a, const ald_settings *b);

/* predictor, predictor_neighbors and predictor_ridge. */
extern const ald_param *const ald_predictor_params[];

/* Rows and their scores, n x r; `weights` may be NULL. */
typedef struct ald_rows_to_learn {
    int64_t n, r;
    const double *z;
    const ald_target *y;
    const double *weights;
} ald_rows_to_learn;
/* condense.c: the rows that have a target, in the form asked for, as few as say the same. *done is 0, and
 * nothing was made, where the rows themselves are to be taken. */
ald_status ald_condense(ald_run *run, ald_predictor_moments form, const ald_rows_to_learn *rows,
                        ald_predictor_data *data, int *done);

/* The same of the first k components: z, spread and within have their first columns. */
ald_status ald_predictor_cut(ald_run *run, const ald_predictor_data *all, int64_t k,
                             ald_predictor_data *data);

/* Whether such a predictor can be had for such a target (with `moments`: without the rows), before anything
 * long is done; and that no option is given which it would not use. */
ald_status ald_predictor_check(ald_run *run, const ald_predictor_options *options, ald_target_kind kind,
                               int moments);
/* Checks, fits and adds it to the model, where there is one to fit. Any model will do: it need not have a
 * map. */
ald_status ald_predictor_fit(ald_run *run, const ald_predictor_options *options,
                             const ald_predictor_data *data, ald_model *model);

/* Whether a label is predicted with such a score; see ald_decide. */
static inline int ald_decide_label(double score)
{
    return score > 0.5;
}

/* The weight of row i, and the sum of them. */
double ald_predictor_weight(const ald_predictor_data *data, int64_t i);
double ald_predictor_total(const ald_predictor_data *data);
/* Class scores to probabilities in place: exp(s_c) / sum of exp. */
void ald_softmax(int64_t n, int64_t q, double *scores);
/* The score of a class without rows: no row is ever given to it. */
#define ALD_NO_SCORE (-1e300)

/* `means` (q x r) and `counts` (q, sums of weights) in scratch; a class of count 0 has the mean 0. */
ald_status ald_class_means(ald_run *run, const ald_predictor_data *data, double **means, double **counts);

/* The predictors that belong to the first components of a nested projection, kept beside the one
 * for all of them: what a fit with fewer components would have. */
/* For an affine predictor (predictor/coefficients, predictor/intercept) of the model: adds the vector
 * `predictor/nested`, for k = 1 .. r - 1 one after the other the k x q coefficients and the q intercepts.
 * Adds nothing if that takes long, or much memory. */
ald_status ald_predictor_fit_nested(ald_run *run, const ald_predictor_options *options,
                                    const ald_predictor_data *data, ald_model *model);
/* Those of k < r components; 0 if the model does not keep them. */
int ald_predictor_nested(const ald_model *model, int64_t k, int64_t *q, const double **coefficients,
                         const double **intercept);

#endif
