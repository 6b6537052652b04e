/* ald_subspace_distance: the model's directions beside known ones. With z = W'(x - mean), W = diag(1/scale)
 * components', the model keeps the span of the columns of W in the units of the data; the known directions are rows of
 * d numbers in the same units. */
#include <alidade/evaluate.h>

#include "api/check.h"
#include "backend/threads.h"
#include "core/model.h"
#include "linalg/entry.h"
#include "linalg/linalg.h"
#include "linalg/subspace.h"

#include <math.h>
#include <string.h>

/* Rows of the known directions, k x d in scratch. */
static ald_status read_known(ald_run *run, const ald_matrix *m, int64_t d, double **known)
{
    ALD_TRY(ald_check_matrix(run, m, "the known subspace"));
    ALD_TRY(ald_check_finite(run, m, "the known subspace"));
    if (m->cols != d)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the known subspace has %lld columns: it is one direction a row, with the %lld features of the "
                        "model as columns",
                        (long long)m->cols, (long long)d);
    if (m->rows < 1 || m->rows > d)
        return ald_fail(run->error, ALD_ERROR_DATA, "the known subspace has %lld directions: expected 1 to %lld",
                        (long long)m->rows, (long long)d);
    ALD_TRY(ald_scratch_reals(run, m->rows, d, known));
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < d; j++) (*known)[i * d + j] = ald_matrix_at(m, i, j);
    return ALD_OK;
}

/* Independent rows: the smallest singular value of rows of length 1 is above 1e-10. */
static ald_status check_rank(ald_run *run, int64_t k, int64_t d, double *rows, const char *whose)
{
    double *copy, *u, *s, *vt;
    ALD_TRY(ald_scratch_reals(run, k, d, &copy));
    ALD_TRY(ald_scratch_reals(run, k, k, &u));
    ALD_TRY(ald_scratch_reals(run, k, 1, &s));
    ALD_TRY(ald_scratch_reals(run, k, d, &vt));
    for (int64_t i = 0; i < k; i++) {
        double square = 0.0;
        for (int64_t j = 0; j < d; j++) square += rows[i * d + j] * rows[i * d + j];
        for (int64_t j = 0; square > 0.0 && j < d; j++) rows[i * d + j] /= sqrt(square);
    }
    memcpy(copy, rows, (size_t)(k * d) * sizeof *copy);
    ALD_TRY(ald_svd(run, k, d, copy, u, s, vt));
    if (s[k - 1] > 1e-10) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "the %lld directions of %s are not independent of each other",
                    (long long)k, whose);
}

/* Rows components / scale, r x d in scratch. */
static ald_status own_directions(ald_run *run, const ald_model *model, int64_t r, int64_t d, double **own)
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

static ald_status distance(ald_run *run, const ald_model *model, const ald_matrix *known, ald_subspace_result *result)
{
    const int64_t d = ald_model_features(model), r = ald_model_components(model);
    double *a, *b, sine;
    ALD_TRY(own_directions(run, model, r, d, &b));
    ALD_TRY(read_known(run, known, d, &a));
    ALD_TRY(check_rank(run, known->rows, d, a, "the known subspace"));
    if (r > d) return ald_fail(run->error, ALD_ERROR_DATA, "the model has more directions than features");
    ALD_TRY(check_rank(run, r, d, b, "the model"));
    ALD_TRY(ald_subspace_compare(run, d, known->rows, a, r, b, &sine, &result->trace_correlation));
    result->dimension = known->rows;
    result->angle = asin(sine);
    return ALD_OK;
}

ald_status ald_subspace_distance(ald_context *context, const ald_model *model, const ald_matrix *known,
                                 ald_subspace_result *result, ald_error *error)
{
    ald_run run;
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = distance(&run, model, known, result);
    ald_threads_end();
    return ald_run_end(&run, status);
}
