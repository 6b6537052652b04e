/* The maps `kernel` and `features` of a model, applied to prepared rows. */
#include "math/kernel/model_map.h"

#include "base/numbers/number.h"
#include "math/kernel/features.h"
#include "math/linalg/view.h"

#include <string.h>

static ald_status damaged(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: %s", what);
}

static int real_text(const ald_model *model, const char *key, double *value)
{
    const char *text = ald_model_text(model, key);
    return text && ald_parse_real(text, strlen(text), value);
}

static ald_status read_kernel(ald_run *run, const ald_model *model, ald_kernel *kernel)
{
    double degree;
    if (!ald_kernel_find(ald_model_text(model, "alidade.param.kernel"), &kernel->kind))
        return damaged(run, "alidade.param.kernel is not a kernel of this version");
    const int has_width = kernel->kind == ALD_KERNEL_RBF || kernel->kind == ALD_KERNEL_LAPLACIAN;
    if (has_width &&
        (!real_text(model, "alidade.resolved.kernel_width", &kernel->width) || !(kernel->width > 0.0)))
        return damaged(run, "alidade.resolved.kernel_width is missing or not positive");
    if (kernel->kind != ALD_KERNEL_POLYNOMIAL) return ALD_OK;
    if (!real_text(model, "alidade.param.coef0", &kernel->coef0) ||
        !real_text(model, "alidade.param.degree", &degree) || !(degree >= 1.0 && degree <= 100.0))
        return damaged(run, "alidade.param.degree or coef0 is missing or out of range");
    kernel->degree = (int64_t)degree;
    return ALD_OK;
}

static const int64_t *whole_array(const ald_model *model, const char *name, int64_t *count)
{
    ald_array array;
    if (!ald_model_array(model, name, &array) || array.type != ALD_ARRAY_I64 || array.dims != 1) return NULL;
    *count = array.shape[0];
    return array.data;
}

/* Nothing of a file is trusted: pointers rise from 0 to the number of entries, columns rise within a row and
 * are below d. */
static int is_sound(int64_t m, int64_t d, int64_t entries, const int64_t *pointers, const int64_t *indices)
{
    if (pointers[0] != 0 || pointers[m] != entries) return 0;
    for (int64_t i = 0; i < m; i++) {
        if (pointers[i + 1] < pointers[i] || pointers[i + 1] > entries) return 0;
        for (int64_t e = pointers[i]; e < pointers[i + 1]; e++)
            if (indices[e] < 0 || indices[e] >= d || (e > pointers[i] && indices[e] <= indices[e - 1]))
                return 0;
    }
    return 1;
}

static ald_status read_sparse(ald_run *run, const ald_model *model, int64_t m, int64_t d, ald_landmarks *l)
{
    int64_t rows = 0, entries = 0;
    const int64_t *pointers = whole_array(model, "landmarks.indptr", &rows);
    const int64_t *indices = whole_array(model, "landmarks.indices", &entries);
    const double *values = ald_model_reals(model, "landmarks.data", entries, -1);
    if (!pointers || !indices || !values || rows != m + 1 || !is_sound(m, d, entries, pointers, indices))
        return damaged(run, "the landmarks are missing, or their arrays do not fit together");
    const ald_matrix csr = ald_matrix_csr(m, d, pointers, indices, values);
    return ald_landmarks_of_csr(run, &csr, l);
}

static ald_status read_landmarks(ald_run *run, const ald_model *model, int64_t m, int64_t d,
                                 ald_features *features)
{
    const double *rows = ald_model_reals(model, "landmarks", m, d);
    if (features->kernel.kind == ALD_KERNEL_PRECOMPUTED) {
        features->landmarks = (ald_landmarks){.m = m, .d = d};
        return m == d ? ALD_OK : damaged(run, "a precomputed kernel needs one coefficient per column");
    }
    if (rows) return ald_landmarks_of_rows(run, &features->kernel, m, d, rows, &features->landmarks);
    return read_sparse(run, model, m, d, &features->landmarks);
}

ald_status ald_model_read_kernel(ald_run *run, const ald_model *model, ald_feature_map *map)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    ald_array coefficients;
    *map = (ald_feature_map){.features = {.d = d}, .p = r};
    if (!ald_model_array(model, "coefficients", &coefficients)) return damaged(run, "it has no coefficients");
    map->features.m = coefficients.shape[0];
    map->t = ald_model_reals(model, "coefficients", map->features.m, r);
    map->mean = ald_model_reals(model, "kernel_column_mean", map->features.m, -1);
    if (!map->t || !map->mean || map->features.m < 1)
        return damaged(run, "coefficients and kernel_column_mean do not fit together");
    ALD_TRY(read_kernel(run, model, &map->features.kernel));
    return read_landmarks(run, model, map->features.m, d, &map->features);
}

ald_status ald_model_read_features(ald_run *run, const ald_model *model, ald_feature_map *map)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    ald_array phases;
    double *c;
    if (!ald_model_array(model, "phases", &phases)) return damaged(run, "it has no phases");
    const int64_t m = phases.shape[0];
    *map = (ald_feature_map){.features = {.m = m, .d = d, .fourier = {.m = m, .d = d}}, .p = r};
    ald_features *features = &map->features;
    features->kernel.kind = ALD_KERNEL_LINEAR; /* any that sees where rows are */
    features->fourier.frequencies = ald_model_reals(model, "frequencies", m, d);
    features->fourier.phases = ald_model_reals(model, "phases", m, -1);
    map->mean = ald_model_reals(model, "feature_mean", m, -1);
    const double *components = ald_model_reals(model, "components", r, m);
    if (!features->fourier.frequencies || !features->fourier.phases || !map->mean || !components || m < 1)
        return damaged(run, "its random features are missing, or their arrays do not fit together");
    ALD_TRY(ald_scratch_reals(run, m, r, &c));
    ald_transpose(r, m, components, c);
    map->t = c;
    return ALD_OK;
}
