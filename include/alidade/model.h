/* Fit, project, predict, save, load. A model is a set of named arrays plus text; it keeps no pointer to the
 * data or the settings, is immutable, and may be shared between threads. */
#ifndef ALIDADE_MODEL_H
#define ALIDADE_MODEL_H

#include <alidade/context.h>
#include <alidade/matrix.h>
#include <alidade/method.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_model ald_model;

/* `y` may be NULL for methods that need no target. */
ALD_API ald_status ald_fit(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                           const ald_target *y, ald_model **model, ald_error *error);
/* Everything that a fit can be given. Begin with ALD_INPUTS_INIT, then set what you have. */
typedef struct ald_inputs {
    size_t size;
    const ald_matrix *x;
    const ald_target *y;
    /* n x n: entry (i, j) is the weight of row j as a neighbour of row i. For methods that work on a graph
     * (ALD_CAN_GRAPH); without it they find one. */
    const ald_matrix *graph;
    /* n x n: distances between the targets of the rows; y may then be NULL. A sparse matrix gives the
     * distances of some pairs, and the other pairs are not used. For methods that need nothing else from the
     * target (ALD_CAN_DISTANCES). */
    const ald_matrix *target_distances;
    /* Names of the columns of X, all different, and of its rows; NULL: none. With feature_names the model
     * knows its columns by name, and files are read to match it (ald_load_options.like) whatever the order of
     * their columns. Row names are kept by datasets, and by models that have no map but only the rows they
     * were fitted on (alidade.row_names). */
    const char *const *feature_names;
    const char *const *row_names;
    /* Classes: the name of the target column; NULL: none. Responses and labels use y->names. */
    const char *target_name;
    /* n x n, symmetric and positive semidefinite: products of the targets of the rows in a feature space,
     * with `response_kernel=given`; y may then be NULL, and the model has no predictor. For methods that need
     * nothing else from the target (ALD_CAN_RESPONSE_KERNEL). */
    const ald_matrix *response_kernel;
    /* n_components x d: directions to start from, in units of the prepared columns, as `components` of a
     * model has them. For methods that climb from a start (ALD_CAN_START). */
    const ald_matrix *start;
} ald_inputs;
#define ALD_INPUTS_INIT ALD_INIT(ald_inputs)
ALD_API ald_status ald_fit_inputs(ald_context *context, const ald_settings *settings,
                                  const ald_inputs *inputs, ald_model **model, ald_error *error);
/* The same in one call, with the method and its settings as text: "lda n_components=2 predictor=centroid". */
ALD_API ald_status ald_fit_words(ald_context *context, const char *words, const ald_inputs *inputs,
                                 ald_model **model, ald_error *error);
ALD_API void ald_model_free(ald_model *model);

ALD_API int64_t ald_model_feature_count(const ald_model *model);
ALD_API int64_t ald_model_component_count(const ald_model *model);
ALD_API const char *ald_model_method(const ald_model *model);

/* Writes the projection of the rows of x, row major, x->rows x ald_model_component_count(model). */
ALD_API ald_status ald_transform(ald_context *context, const ald_model *model, const ald_matrix *x, double *z,
                                 ald_error *error);

/* Where results are written: element (i, k) goes to values[i * row_stride + k * col_stride]; strides are
 * counted in elements. */
typedef struct ald_output_view {
    ald_type type;
    int64_t rows; /* that of X */
    int64_t cols; /* the number of components of the model */
    void *values; /* doubles, or floats for ALD_F32 */
    int64_t row_stride;
    int64_t col_stride;
} ald_output_view;
/* The same projection into any dense array, rounded to its type. Apart from X and the output, it needs memory
 * for one block of rows only. After a failure some rows may have been written. */
ALD_API ald_status ald_transform_to(ald_context *context, const ald_model *model, const ald_matrix *x,
                                    const ald_output_view *output, ald_error *error);

/* The shape of a prediction. `kind` is as in ald_target. `columns` is the count of numbers per row:
 * responses, label scores, or for classes the class code alone; 0: the model has no predictor. `scores` is
 * the count of scores per row from which the prediction follows: one per class, of which the largest wins;
 * one per label, predicted above 0.5; or the responses. */
typedef struct ald_prediction_shape {
    size_t size;
    ald_target_kind kind;
    int64_t columns;
    int64_t scores;
    int probabilities; /* the scores are probabilities */
} ald_prediction_shape;
#define ALD_PREDICTION_SHAPE_INIT ALD_INIT(ald_prediction_shape)
/* Returns 1 and fills `shape`, or 0 if there is no model or the shape was not initialised. */
ALD_API int ald_model_prediction_shape(const ald_model *model, ald_prediction_shape *shape);
/* The predictor to start with for such a target: gaussian for classes, linear for numbers, one-vs-rest for
 * labels; "none" without a target. A value of the setting `predictor`. */
ALD_API const char *ald_predictor_usual(ald_target_kind kind);
/* Sets the predictor of settings that name none, as the command line and Python do: the usual one for such
 * a target. A predictor that was given, `none` too, stays as it is. There is none without a target, for a
 * method that cannot map new rows, and where only the slices of a real response are kept: with `stream`
 * (rows are read in blocks) or settings that keep statistics. `chosen`, which may be NULL, receives the name
 * that was set, or NULL where nothing was. */
ALD_API ald_status ald_predictor_auto(ald_settings *settings, ald_target_kind kind, int stream,
                                      const char **chosen, ald_error *error);
/* The same by the target itself: cox for times with events. */
ALD_API ald_status ald_predictor_auto_for(ald_settings *settings, const ald_target *y, int stream,
                                          const char **chosen, ald_error *error);
/* What the predictor of that name gives for such a target (NULL: the usual one). */
typedef enum ald_predictor_output {
    ALD_GIVES_NOTHING = 0, /* it does not take such a target, or there is none of that name */
    ALD_GIVES_RESPONSES = 1,
    ALD_GIVES_SCORES = 2, /* of each class or label */
    ALD_GIVES_PROBABILITIES = 3,
} ald_predictor_output;
ALD_API ald_predictor_output ald_predictor_gives(const char *name, ald_target_kind kind);
/* Predictions from the projection by the predictor stored in the model, row major, x->rows x columns. */
ALD_API ald_status ald_predict(ald_context *context, const ald_model *model, const ald_matrix *x,
                               double *prediction, ald_error *error);
/* The scores from which they follow, row major, x->rows x scores. */
ALD_API ald_status ald_predict_scores(ald_context *context, const ald_model *model, const ald_matrix *x,
                                      double *scores, ald_error *error);
/* What scores (row major, rows x columns) decide: for ALD_TARGET_CLASSES the code of the class with the
 * largest score, of equal ones the first, one number per row; for ALD_TARGET_LABELS 1 for each score above
 * 0.5, else 0; for ALD_TARGET_REAL the scores themselves. */
ALD_API void ald_decide(ald_target_kind kind, int64_t rows, int64_t columns, const double *scores,
                        double *decided);

/* A new model of the first components of a model whose components are nested (ALD_IS_NESTED), with the
 * predictor that a fit with that number would have. The model stores an affine predictor (linear, ridge,
 * one-vs-rest, gaussian) for every number of components where it is small; knn and centroid are truncated;
 * otherwise the new model has no predictor. */
ALD_API ald_status ald_model_first(ald_context *context, const ald_model *model, int64_t components,
                                   ald_model **first, ald_error *error);

/* Writes a temporary file in the same folder and renames it: a crash leaves either the old file or the new
 * one. */
ALD_API ald_status ald_model_save(ald_context *context, const ald_model *model, const char *path,
                                  ald_error *error);
ALD_API ald_status ald_model_load(ald_context *context, const char *path, ald_model **model,
                                  ald_error *error);

/* The contents of that file in memory; free with ald_bytes_free. */
ALD_API ald_status ald_model_to_bytes(ald_context *context, const ald_model *model, unsigned char **bytes,
                                      size_t *size, ald_error *error);
/* `bytes` may be NULL. The context is that of the call that made them, or another with the same allocator. */
ALD_API void ald_bytes_free(ald_context *context, unsigned char *bytes);
/* Reads them back, with all the checks of ald_model_load: the bytes need not be trusted. The model does not
 * refer to them afterwards. */
ALD_API ald_status ald_model_from_bytes(ald_context *context, const unsigned char *bytes, size_t size,
                                        ald_model **model, ald_error *error);

/* An array of the model, row major. `data` points into the model. */
typedef enum ald_array_type { ALD_ARRAY_F64 = 0, ALD_ARRAY_I64 = 1 } ald_array_type;
#define ALD_MAX_DIMS 4
typedef struct ald_array {
    const char *name;
    ald_array_type type;
    int dims;
    int64_t shape[ALD_MAX_DIMS];
    const void *data;
} ald_array;
/* Returns 1 and fills `array` if the model has it, otherwise 0. */
ALD_API int ald_model_array(const ald_model *model, const char *name, ald_array *array);
ALD_API int ald_model_array_at(const ald_model *model, int index, ald_array *array);
/* Metadata; NULL if there is no such key. docs/model-file.md lists the keys. */
ALD_API const char *ald_model_text(const ald_model *model, const char *key);
ALD_API int ald_model_text_at(const ald_model *model, int index, const char **key, const char **value);

#ifdef __cplusplus
}
#endif
#endif
