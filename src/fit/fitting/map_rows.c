/* The four maps of a model (alidade.map) applied to rows that are prepared as those of the fit were. */
#include "fit/fitting/map_rows.h"

#include "fit/prepare/prepare_x.h"
#include "math/kernel/model_map.h"
#include "math/linalg/linalg.h"
#include "math/operator/entry.h"
#include "methods/gaps/gaps.h"

#include <stdio.h>
#include <string.h>

ald_status ald_prepare_columns_like(ald_run *run, const ald_model *model, const double *mean,
                                    ald_operator *prepared)
{
    const int64_t d = ald_model_feature_count(model);
    const double *scale = ald_model_reals(model, "scale", d, -1);
    double *inverse = NULL;
    if (scale) ALD_TRY(ald_scratch_reals(run, d, 1, &inverse));
    for (int64_t j = 0; scale && j < d; j++) inverse[j] = 1.0 / scale[j];
    *prepared = (ald_operator){
        .x = prepared->x,
        .row_shift = prepared->row_shift,
        .row_factor = prepared->row_factor,
        .mean = mean,
        .inverse_scale = inverse,
    };
    return ALD_OK;
}

static ald_status prepare_rows_like(ald_run *run, const ald_model *model, const ald_matrix *x,
                                    ald_operator *prepared)
{
    ald_row_plan plan;
    *prepared = (ald_operator){.x = *x};
    ALD_TRY(ald_row_plan_load(run, model, &plan));
    return ald_prepare_rows(run, &plan, prepared);
}

ald_status ald_prepare_like(ald_run *run, const ald_model *model, const ald_matrix *x, const double *mean,
                            ald_operator *prepared)
{
    ALD_TRY(prepare_rows_like(run, model, x, prepared));
    return ald_prepare_columns_like(run, model, mean, prepared);
}

/* out = ((x - mean) / scale) columns: the operator of the fit applied to `columns` (d x k). */
static ald_status apply_to_columns(ald_run *run, const ald_model *model, ald_view columns, double *out,
                                   ald_operator *rows)
{
    const double *mean = ald_model_reals(model, "mean", columns.rows, -1);
    ALD_TRY(ald_prepare_columns_like(run, model, mean, rows));
    return ald_operator_apply(run, rows, columns, ald_at(out, rows->x.rows, columns.cols));
}

/* z = ((x - mean) / scale) components'. */
static ald_status map_linear(ald_run *run, const ald_model *model, const ald_operator *rows, double *z)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const double *components = ald_model_reals(model, "components", r, d),
                 *mean = ald_model_reals(model, "mean", d, -1);
    ald_operator prepared = *rows;
    double *columns;
    if (!components || !mean)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the model lacks components or mean, or their shapes do not fit %lld features",
                        (long long)d);
    ALD_TRY(ald_scratch_reals(run, d, r, &columns));
    ald_transpose(r, d, components, columns);
    ALD_TRY(apply_to_columns(run, model, ald_of(columns, d, r), z, &prepared));
    return ald_gaps_map(run, model, &prepared, z);
}

ald_status ald_map_fold(ald_run *run, const ald_model *model, const double **column)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const double *components = ald_model_reals(model, "components", r, d),
                 *slopes = ald_model_reals(model, "predictor/coefficients", r, 1);
    const char *map = ald_model_text(model, "alidade.map");
    double *folded;
    *column = NULL;
    if (r < 2 || !components || !slopes || !ald_model_reals(model, "mean", d, -1) || !map ||
        strcmp(map, "linear") != 0 || ald_gaps_taken(model))
        return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, 1, &folded));
    *column = folded;
    return ald_product(run, ald_t(ald_of(components, r, d)), ald_of(slopes, r, 1), ald_at(folded, d, 1));
}

ald_status ald_map_folded(ald_run *run, const ald_model *model, const ald_matrix *x, const double *column,
                          double *y)
{
    const double *intercept = ald_model_reals(model, "predictor/intercept", 1, -1);
    ald_operator rows;
    ALD_TRY(prepare_rows_like(run, model, x, &rows));
    ALD_TRY(apply_to_columns(run, model, ald_of(column, ald_model_feature_count(model), 1), y, &rows));
    for (int64_t i = 0; i < x->rows; i++) y[i] += intercept[0];
    return ALD_OK;
}

/* Kernels and random features see (x - shift) / scale. */
static ald_status apply_features(ald_run *run, const ald_model *model, const ald_feature_map *map,
                                 const ald_operator *rows, double *z)
{
    const double *shift = ald_model_reals(model, "shift", ald_model_feature_count(model), -1);
    ald_operator prepared = *rows;
    ALD_TRY(ald_prepare_columns_like(run, model, shift, &prepared));
    ALD_TRY(ald_kernel_rows(run, &map->features.kernel, shift, &prepared));
    return ald_features_apply(run, &map->features, &prepared, map->mean, map->t, map->p, z);
}

static ald_status map_kernel(ald_run *run, const ald_model *model, const ald_operator *rows, double *z)
{
    ald_feature_map map;
    ALD_TRY(ald_model_read_kernel(run, model, &map));
    return apply_features(run, model, &map, rows, z);
}

static ald_status map_features(ald_run *run, const ald_model *model, const ald_operator *rows, double *z)
{
    ald_feature_map map;
    ALD_TRY(ald_model_read_features(run, model, &map));
    return apply_features(run, model, &map, rows, z);
}

/* There is no map: only the rows of the fit are known again. */
static ald_status map_none(ald_run *run, const ald_model *model, const ald_operator *rows, double *z)
{
    const ald_matrix *x = &rows->x;
    const int64_t r = ald_model_component_count(model);
    const char *known = ald_model_text(model, "alidade.fingerprint");
    const double *embedding = ald_model_reals(model, "embedding", x->rows, r);
    char print[32];
    snprintf(print, sizeof print, "%016llx", (unsigned long long)ald_matrix_fingerprint(x));
    if (!embedding || !known || strcmp(known, print) != 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s embeds only the rows it was fitted on, all of them in order, and has no map for "
                        "others: include these rows when fitting (without a target if they have none), or "
                        "use a method with a map, such as rsir or kspca",
                        ald_model_method(model));
    memcpy(z, embedding, (size_t)(x->rows * r) * sizeof *z);
    return ALD_OK;
}

ald_status ald_map_prepared(ald_run *run, const ald_model *model, const ald_operator *rows, double *z)
{
    static const struct {
        const char *name;
        ald_status (*map)(ald_run *run, const ald_model *model, const ald_operator *rows, double *z);
    } maps[] = {
        {"linear", map_linear},
        {"kernel", map_kernel},
        {"features", map_features},
        {"none", map_none},
    };
    const char *name = ald_model_text(model, "alidade.map");
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (name && strcmp(maps[i].name, name) == 0) return maps[i].map(run, model, rows, z);
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "this version cannot apply a model with the map '%.40s'", name ? name : "(none given)");
}

ald_status ald_map_rows(ald_run *run, const ald_model *model, const ald_matrix *x, double *z)
{
    ald_operator rows;
    ALD_TRY(prepare_rows_like(run, model, x, &rows));
    return ald_map_prepared(run, model, &rows, z);
}
