/* ald_model_first: the first components of a nested model, as a model of its own. */
#include "base/core/error.h"
#include "base/core/model.h"
#include "base/settings/method.h"
#include "methods/predict/predictor.h"

#include <string.h>

/* Arrays that have a place per component, and which of their dimensions it is. */
static const struct {
    const char *name;
    int dimension;
} per_component[] = {
    {"components", 0},
    {"coefficients", 1},
    {"eigenvalues", 0},
    {"explained_variance_ratio", 0},
    {"explained_response_ratio", 0},
    {"weights", 0},
    {"loadings", 0},
    {"response_loadings", 0},
    {"predictor/z", 1},
};

static int begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The dimension to cut, or -1. */
static int cut_dimension(const ald_array *array, int64_t r)
{
    for (size_t i = 0; i < sizeof per_component / sizeof *per_component; i++) {
        const int dimension = per_component[i].dimension;
        if (strcmp(array->name, per_component[i].name) == 0 && dimension < array->dims &&
            array->shape[dimension] == r)
            return dimension;
    }
    return -1;
}

/* Row-major copies of the first k of the dimension; arrays have two at most where they are cut. */
static ald_status copy_array(ald_run *run, const ald_array *from, int dimension, int64_t k, ald_model *to)
{
    int64_t shape[ALD_MAX_DIMS], rows = 1, width = 1, kept = 1;
    memcpy(shape, from->shape, sizeof shape);
    if (dimension >= 0) shape[dimension] = k;
    for (int i = 0; i < from->dims; i++) {
        if (i < dimension) rows *= from->shape[i];
        if (i >= dimension) width *= from->shape[i];
        if (i >= dimension) kept *= shape[i];
    }
    char *data;
    ALD_TRY(ald_model_add(run, to, from->name, from->type, from->dims, shape, &data));
    const size_t size = sizeof(double); /* of both types */
    for (int64_t i = 0; i < rows; i++)
        memcpy(data + (size_t)(i * kept) * size, (const char *)from->data + (size_t)(i * width) * size,
               (size_t)kept * size);
    return ALD_OK;
}

/* What is about all components together goes: the limits of outliers, the statistics of an update. */
static int is_left_out(const char *name)
{
    static const char *const starts[] = {
        "spread.",
        "statistics/",
        "calibration/",
        "predictor/nested",
        "predictor/coefficients",
        "predictor/intercept",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins_with(name, starts[i])) return 1;
    return 0;
}

/* An affine predictor is the one that belongs to k; without it the model has none. */
static ald_status copy_predictor(ald_run *run, const ald_model *from, int64_t k, ald_model *to, int *has)
{
    const double *b, *intercept;
    int64_t q;
    ald_array affine;
    *has = !ald_model_array(from, "predictor/coefficients", &affine);
    if (*has || !ald_predictor_nested(from, k, &q, &b, &intercept)) return ALD_OK;
    *has = 1;
    ALD_TRY(ald_model_add_matrix(run, to, "predictor/coefficients", k, q, b));
    return ald_model_add_vector(run, to, "predictor/intercept", q, intercept);
}

static ald_status copy_texts(ald_run *run, const ald_model *from, int with_predictor, int64_t k,
                             ald_model *to)
{
    for (int i = 0; i < from->n_texts; i++)
        if (with_predictor || !begins_with(from->texts[i].key, "alidade.predictor."))
            ALD_TRY(ald_model_set_text(run, to, from->texts[i].key, from->texts[i].value));
    ALD_TRY(ald_model_set_printed(run, to, "alidade.n_components", "%lld", (long long)k));
    return ald_model_set_printed(run, to, "alidade.param.n_components", "%lld", (long long)k);
}

static ald_status check_first(ald_run *run, const ald_model *model, int64_t k)
{
    const int64_t r = ald_model_component_count(model);
    const char *name = ald_model_method(model);
    const ald_method *method = name ? ald_method_find(name) : NULL;
    if (k < 1 || k > r)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`components=%lld`: the model has %lld component%s; choose 1 to %lld", (long long)k,
                        (long long)r, r == 1 ? "" : "s", (long long)r);
    if (k == r || (method && (method->capabilities & ALD_IS_NESTED))) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "the components of %s are found together, so the first %lld of %lld are not those of a "
                    "fit with %lld: refit it with `n_components=%lld`",
                    name ? name : "this model", (long long)k, (long long)r, (long long)k, (long long)k);
}

static ald_status copy_first(ald_run *run, const ald_model *from, int64_t k, ald_model *to)
{
    const int64_t r = ald_model_component_count(from);
    int with_predictor = 1;
    for (int i = 0; i < from->n_arrays; i++) {
        const ald_array *array = &from->arrays[i];
        if (k < r && is_left_out(array->name)) continue;
        ALD_TRY(copy_array(run, array, k < r ? cut_dimension(array, r) : -1, k, to));
    }
    if (k < r) ALD_TRY(copy_predictor(run, from, k, to, &with_predictor));
    return copy_texts(run, from, with_predictor, k, to);
}

ald_status ald_model_first(ald_context *context, const ald_model *model, int64_t components,
                           ald_model **first, ald_error *error)
{
    ald_run run;
    if (first) *first = NULL;
    ALD_GIVEN(error, context, model, first);
    ald_run_begin(&run, context, error);
    ald_status status = check_first(&run, model, components);
    if (status >= 0) status = ald_model_new(&run, first);
    if (status >= 0) status = copy_first(&run, model, components, *first);
    if (status < 0) {
        ald_model_free(*first);
        *first = NULL;
    }
    return ald_run_end(&run, status);
}
