/* The arrays that a model may have with their shapes by letters, which must agree with each other. */
#include "base/numbers/number.h"
#include "io/modelfile/modelfile.h"

#include <math.h>
#include <string.h>

/* Sizes by letter: d features, r components, n rows, m landmarks or random features, e entries, k steps
 * that have learned, 1 itself. n, m, e and k are free: the first array that has one fixes it. */
typedef struct expected_array {
    const char *map;
    const char *name;
    const char *shape;
    int optional;
    int positive; /* every entry > 0 */
} expected_array;

static const expected_array expected_arrays[] = {
    {"linear", "mean", "d", 0, 0},
    {"linear", "scale", "d", 1, 1},
    {"linear", "components", "rd", 0, 0},
    {"kernel", "landmarks", "md", 1, 0},
    {"kernel", "coefficients", "mr", 0, 0},
    {"kernel", "kernel_column_mean", "m", 0, 0},
    {"kernel", "kernel_mean", "1", 0, 0},
    {"kernel", "shift", "d", 1, 0},
    {"kernel", "scale", "d", 1, 1},
    {"features", "frequencies", "md", 0, 0},
    {"features", "phases", "m", 0, 0},
    {"features", "feature_mean", "m", 0, 0},
    {"features", "components", "rm", 0, 0},
    {"features", "shift", "d", 1, 0},
    {"features", "scale", "d", 1, 1},
    {"none", "embedding", "nr", 0, 0},
    {"kernel", "landmarks.data", "e", 1, 0},
    {"linear", "row_references", "kd", 1, 0},
    {"kernel", "row_references", "kd", 1, 0},
    {"features", "row_references", "kd", 1, 0},
    {"none", "row_references", "kd", 1, 0},
};
enum { n_expected = sizeof expected_arrays / sizeof *expected_arrays };

/* -1: not known yet. */
typedef struct sizes {
    int64_t d, r, n, m, e, k, one;
} sizes;

static int64_t *size_named(sizes *s, char letter)
{
    const struct {
        char letter;
        int64_t *size;
    } table[] = {
        {'d', &s->d}, {'r', &s->r}, {'n', &s->n}, {'m', &s->m}, {'e', &s->e}, {'k', &s->k}, {'1', &s->one},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].letter == letter) return table[i].size;
    return NULL;
}

static ald_status read_size(ald_run *run, const ald_model *model, const char *key, int64_t *size)
{
    const char *text = ald_model_text(model, key);
    if (text && ald_parse_int(text, strlen(text), size) && *size > 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "damaged model file: %s is '%.40s', expected a whole number from 1", key,
                    text ? text : "missing");
}

static ald_status check_shape(ald_run *run, const ald_array *array, const expected_array *expected,
                              sizes *known)
{
    const int dims = (int)strlen(expected->shape);
    if (array->type != ALD_ARRAY_F64 || array->dims != dims)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "damaged model file: array '%s' must hold reals in %d dimension%s", expected->name,
                        dims, dims == 1 ? "" : "s");
    for (int i = 0; i < dims; i++) {
        int64_t *size = size_named(known, expected->shape[i]);
        if (*size < 0) *size = array->shape[i];
        if (*size != array->shape[i])
            return ald_fail(run->error, ALD_ERROR_FORMAT,
                            "damaged model file: dimension %d of array '%s' has size %lld, expected %lld",
                            i + 1, expected->name, (long long)array->shape[i], (long long)*size);
    }
    return ALD_OK;
}

static ald_status check_values(ald_run *run, const ald_array *array, int positive)
{
    const double *values = array->data;
    int64_t count = 1;
    for (int k = 0; k < array->dims; k++) count *= array->shape[k];
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return ald_fail(run->error, ALD_ERROR_FORMAT,
                            "damaged model file: entry %lld of array '%.60s' is not a finite number",
                            (long long)i + 1, array->name);
        if (positive && values[i] <= 0.0)
            return ald_fail(run->error, ALD_ERROR_FORMAT,
                            "damaged model file: entry %lld of array '%.60s' is not positive",
                            (long long)i + 1, array->name);
    }
    return ALD_OK;
}

/* Their shapes depend on the predictor, which checks them itself. */
static ald_status check_predictor(ald_run *run, const ald_model *model)
{
    static const char prefix[] = "predictor/";
    ald_array array;
    for (int i = 0; ald_model_array_at(model, i, &array); i++)
        if (strncmp(array.name, prefix, sizeof prefix - 1) == 0 && array.type == ALD_ARRAY_F64)
            ALD_TRY(check_values(run, &array, 0));
    return ALD_OK;
}

static ald_status check_array(ald_run *run, const ald_model *model, const expected_array *expected,
                              sizes *known)
{
    ald_array array;
    if (!ald_model_array(model, expected->name, &array)) {
        if (expected->optional) return ALD_OK;
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model file: array '%s' is missing",
                        expected->name);
    }
    ALD_TRY(check_shape(run, &array, expected, known));
    return check_values(run, &array, expected->positive);
}

ald_status ald_model_check(ald_run *run, const ald_model *model)
{
    const char *method = ald_model_method(model), *map = ald_model_text(model, "alidade.map");
    if (!method || !*method || !map)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model file: metadata '%s' is missing",
                        method && *method ? "alidade.map" : "alidade.method");
    sizes known = {.n = -1, .m = -1, .e = -1, .k = -1, .one = 1};
    ALD_TRY(read_size(run, model, "alidade.n_features", &known.d));
    ALD_TRY(read_size(run, model, "alidade.n_components", &known.r));
    int found = 0;
    for (int i = 0; i < n_expected; i++) {
        if (strcmp(map, expected_arrays[i].map) != 0) continue;
        ALD_TRY(check_array(run, model, &expected_arrays[i], &known));
        found = 1;
    }
    if (found) return check_predictor(run, model);
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "damaged model file: alidade.map is '%.40s', expected linear, kernel, features or none",
                    map);
}
