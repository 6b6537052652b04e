/* ald_subspace_distance, ald_model_difference: the model's directions beside known ones, or beside another
 * model's. With z = W'(x - mean), W = diag(1/scale) components', the model keeps the span of the columns of W
 * in the units of the data; the known directions are rows of d numbers in the same units.
 *
 * |W W' - V V'| of two models: with [W V] = Q [R0 R1], Q'Q = I, it is the largest modulus of an eigenvalue of
 * R0 R0' - R1 R1', which is as small as the rows r + s and loses nothing to cancellation beyond the rounding
 * of |W W'| (the eigenvalues of the Gram matrix of [W V] would give half the digits). Cost: d (r + s)^2. */
#include "judge/measuring/directions.h"
#include "base/core/error.h"
#include "base/core/model.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/prepare/check.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "math/solvers/subspace.h"

#include <alidade/dimension.h>
#include <alidade/evaluate.h>
#include <math.h>
#include <string.h>

ald_status ald_known_directions(ald_run *run, const ald_matrix *m, int64_t d, double **known)
{
    ALD_TRY(ald_check_matrix(run, m, "the known subspace"));
    ALD_TRY(ald_check_finite(run, m, "the known subspace"));
    if (m->cols != d)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the known subspace has %lld columns; it must have one direction per row, with the "
                        "%lld features of the model as columns",
                        (long long)m->cols, (long long)d);
    if (m->rows < 1 || m->rows > d)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the known subspace has %lld directions: expected 1 to %lld", (long long)m->rows,
                        (long long)d);
    ALD_TRY(ald_scratch_reals(run, m->rows, d, known));
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < d; j++) (*known)[i * d + j] = ald_matrix_at(m, i, j);
    return ALD_OK;
}

ald_status ald_own_directions(ald_run *run, const ald_model *model, int64_t r, int64_t d, double **own)
{
    const char *map = ald_model_text(model, "alidade.map");
    const double *components = ald_model_reals(model, "components", r, d),
                 *scale = ald_model_reals(model, "scale", d, -1);
    if (!map || strcmp(map, "linear") != 0 || !components)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s has no linear map, so it has no subspace of the features to compare with",
                        ald_model_method(model));
    ALD_TRY(ald_scratch_reals(run, r, d, own));
    for (int64_t i = 0; i < r * d; i++) (*own)[i] = components[i] / (scale ? scale[i % d] : 1.0);
    return ALD_OK;
}

ald_status ald_check_same_features(ald_run *run, const ald_model *model, const ald_model *other)
{
    const int64_t d = ald_model_feature_count(model), e = ald_model_feature_count(other);
    if (d == e) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "the models have %lld and %lld features: only maps of the same features can be compared",
                    (long long)d, (long long)e);
}

/* ald_model_eigengap: with l_1, l_2, ... the moduli of the eigenvalues in the order of the directions, the k
 * with the largest |l_k - l_{k+1}|, and with the largest l_k / l_{k+1} (the inverse where they rise). */

void ald_gap_after(int64_t n, const double *values, int64_t k, double *gap, double *ratio)
{
    double first = 0.0;
    for (int64_t i = 0; i < n; i++) first = fmax(first, fabs(values[i]));
    const double a = fmax(fabs(values[k]), 1e-12 * first), b = fmax(fabs(values[k + 1]), 1e-12 * first);
    *gap = fabs(fabs(values[k]) - fabs(values[k + 1]));
    *ratio = first > 0.0 ? fmax(a, b) / fmin(a, b) : 1.0;
}

const double *ald_model_spectrum(const ald_model *model, int64_t *count)
{
    static const char *const names[] = {"spectrum", "eigenvalues"};
    ald_array array;
    for (int i = 0; i < 2; i++)
        if (ald_model_array(model, names[i], &array) && array.type == ALD_ARRAY_F64 && array.dims == 1) {
            *count = array.shape[0];
            return array.data;
        }
    return NULL;
}

int ald_model_eigengap(const ald_model *model, ald_eigengap_result *result)
{
    ald_eigengap_result found = {0};
    if (!model || !result || ALD_OPTIONS_CHECK(NULL, ald_eigengap_result, result) < 0) return 0;
    const double *values = ald_model_spectrum(model, &found.count);
    if (!values) return 0;
    for (int64_t k = 0; k + 1 < found.count; k++) {
        double gap, ratio;
        ald_gap_after(found.count, values, k, &gap, &ratio);
        if (gap > found.gap) {
            found.gap = gap;
            found.by_gap = k + 1;
        }
        if (ratio > found.ratio) {
            found.ratio = ratio;
            found.by_ratio = k + 1;
        }
    }
    ALD_OPTIONS_WRITE(ald_eigengap_result, &found, result);
    return 1;
}

/* Independent rows: the smallest singular value of rows of length 1 is above 1e-10. */
static ald_status check_rank(ald_run *run, int64_t k, int64_t d, double *rows, const char *whose)
{
    double *copy, *u, *s, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&copy, k, d}, {&u, k, k}, {&s, k, 1}, {&vt, k, d}));
    for (int64_t i = 0; i < k; i++) {
        double square = 0.0;
        for (int64_t j = 0; j < d; j++) square += rows[i * d + j] * rows[i * d + j];
        for (int64_t j = 0; square > 0.0 && j < d; j++) rows[i * d + j] /= sqrt(square);
    }
    memcpy(copy, rows, (size_t)(k * d) * sizeof *copy);
    ALD_TRY(ald_svd(run, ald_at(copy, k, d), ald_at(u, k, k), s, ald_at(vt, k, d)));
    if (s[k - 1] > 1e-10) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "the %lld directions of %s are not independent of each other",
                    (long long)k, whose);
}

static ald_status distance(ald_run *run, const ald_model *model, const ald_matrix *known,
                           ald_subspace_result *result)
{
    const int64_t d = ald_model_feature_count(model), r = ald_model_component_count(model);
    double *a, *b;
    double sine;
    ALD_TRY(ald_own_directions(run, model, r, d, &b));
    ALD_TRY(ald_known_directions(run, known, d, &a));
    ALD_TRY(check_rank(run, known->rows, d, a, "the known subspace"));
    if (r > d) return ald_fail(run->error, ALD_ERROR_DATA, "the model has more components than features");
    ALD_TRY(check_rank(run, r, d, b, "the model"));
    ALD_TRY(ald_subspace_compare(run, ald_of(a, known->rows, d), ald_of(b, r, d), &sine,
                                 &result->trace_correlation));
    result->dimension = known->rows;
    result->angle = asin(sine);
    return ALD_OK;
}

ald_status ald_subspace_distance(ald_context *context, const ald_model *model, const ald_matrix *known,
                                 ald_subspace_result *result, ald_error *error)
{
    ald_run run;
    ald_subspace_result found = {0};
    ALD_GIVEN(error, context, model, known, result);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_subspace_result, result));
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = distance(&run, model, known, &found);
    ald_threads_end();
    if (status >= 0) ALD_OPTIONS_WRITE(ald_subspace_result, &found, result);
    return ald_run_end(&run, status);
}

/* The largest modulus of an eigenvalue of R0 R0' - R1 R1', [R0 R1] the triangle of [W V]; w r x d, v s x d.
 */
static ald_status metric_distance(ald_run *run, int64_t d, int64_t r, const double *w, int64_t s,
                                  const double *v, double *distance)
{
    const int64_t k = r + s, rows = d > k ? d : k; /* rows of zeros where directions outnumber features */
    double *stack, *triangle, *with_signs, *m, *values;
    ALD_TRY(ald_scratch_zeros(run, rows, k, &stack));
    ALD_TRY(ALD_SCRATCH(run, {&triangle, k, k}, {&with_signs, k, k}, {&m, k, k}, {&values, k, 1}));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < d; j++) stack[j * k + i] = i < r ? w[i * d + j] : v[(i - r) * d + j];
    ALD_TRY(ald_triangle(run, ald_at(stack, rows, k), ald_at(triangle, k, k)));
    for (int64_t i = 0; i < k * k; i++) with_signs[i] = i % k < r ? triangle[i] : -triangle[i];
    ALD_TRY(ald_product(run, ald_of(with_signs, k, k), ald_t(ald_of(triangle, k, k)), ald_at(m, k, k)));
    ALD_TRY(ald_eigenvalues(run, ald_at(m, k, k), k, values));
    *distance = fmax(fabs(values[0]), fabs(values[k - 1]));
    return ALD_OK;
}

static ald_status difference(ald_run *run, const ald_model *model, const ald_model *other,
                             ald_map_difference *result)
{
    const int64_t d = ald_model_feature_count(model), r = ald_model_component_count(model),
                  s = ald_model_component_count(other);
    double *w, *v, *own;
    ALD_TRY(ald_check_same_features(run, model, other));
    ALD_TRY(ald_own_directions(run, model, r, d, &w));
    ALD_TRY(ald_own_directions(run, other, s, d, &v));
    ALD_TRY(metric_distance(run, d, r, w, s, v, &result->distance));
    ALD_TRY(ald_scratch_reals(run, r, r, &own));
    ALD_TRY(ald_product(run, ald_of(w, r, d), ald_t(ald_of(w, r, d)), ald_at(own, r, r)));
    ALD_TRY(ald_eigenvalues(run, ald_at(own, r, r), 1, &result->norm));
    result->relative = result->norm > 0.0 ? result->distance / result->norm : 0.0;
    return ALD_OK;
}

ald_status ald_model_difference(ald_context *context, const ald_model *model, const ald_model *other,
                                ald_map_difference *result, ald_error *error)
{
    ald_run run;
    ald_map_difference found = {0};
    ALD_GIVEN(error, context, model, other, result);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_map_difference, result));
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = difference(&run, model, other, &found);
    ald_threads_end();
    if (status >= 0) ALD_OPTIONS_WRITE(ald_map_difference, &found, result);
    return ald_run_end(&run, status);
}
