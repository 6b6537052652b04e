/* ald_subspace_distance, ald_model_difference: the model's directions beside known ones, or beside another
 * model's. With z = W'(x - mean), W = diag(1/scale) components', the model keeps the span of the columns of W
 * in the units of the data; the known directions are rows of d numbers in the same units.
 *
 * |W W' - V V'| of two models: with [W V] = Q [R0 R1], Q'Q = I, it is the largest modulus of an eigenvalue of
 * R0 R0' - R1 R1', which is as small as the rows r + s and loses nothing to cancellation beyond the rounding
 * of |W W'| (the eigenvalues of the Gram matrix of [W V] would give half the digits). Cost: d (r + s)^2. */
#include <alidade/evaluate.h>

#include "base/core/error.h"
#include "base/core/model.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "judge/measuring/directions.h"
#include "math/linalg/linalg.h"
#include "math/solvers/subspace.h"

#include <math.h>
#include <string.h>

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
