#include "judge/measuring/directions.h"

#include "fit/prepare/check.h"
#include "math/operator/entry.h"

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
