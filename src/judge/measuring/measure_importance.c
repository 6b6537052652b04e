/* ald_importance: what a linear model says about features. With z_k = sum_j a_kj (x_j - m_j), a_kj =
 * components_kj / scale_j (of rows scaled first, where row_scale says so), s_j and t_k the deviations of
 * feature j and score k in the rows (weights w, divisor sum w):
 *
 *   weights       a_kj
 *   standardized  a_kj s_j
 *   structure     corr(x_j, z_k) = sum_i w_i x_ij z_ik / (n s_j t_k), both about their means
 *   loadings      P = (Z'WZ)^+ Z'WX: x_j - m_j is nearest to sum_k p_kj z_k; z and x about their means
 *   vip           sqrt(d sum_k g_k u_kj^2 / sum_k g_k),   u_k = c_k / |c_k|
 *
 * where for pls c_k are its weights and g_k what component k explains of the target, both kept in the model:
 * the variable importance of Wold, Johansson and Cocchi (1993); and for every other method c_kj = a_kj s_j,
 * so that units do not matter, and g_k the gain in the explained part of the target of the given rows by
 * direction k (explained.h); of a model without a target, in the explained part of X. The squares of vip have
 * mean 1: features above 1 matter more than the average.
 */
#include "judge/measuring/measure_importance.h"
#include "base/core/error.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "judge/evaluate/explained.h"
#include "judge/measuring/measure_explained.h"
#include "math/linalg/linalg.h"

#include <alidade/importance.h>
#include <math.h>
#include <string.h>

static const char *const names[ALD_IMPORTANCE_KINDS] = {
    [ALD_IMPORTANCE_WEIGHTS] = "weights",
    [ALD_IMPORTANCE_LOADINGS] = "loadings",
    [ALD_IMPORTANCE_STANDARDIZED] = "standardized",
    [ALD_IMPORTANCE_STRUCTURE] = "structure",
    [ALD_IMPORTANCE_VIP] = "vip",
};

typedef struct features {
    const ald_model *model;
    int64_t r, d;
    const double *components; /* r x d */
    const double *weights;    /* pls: r x d, else NULL */
    const double *shares;     /* pls: r, else NULL */
    const double *loadings;   /* pls: r x d, of the scaled features; else NULL */
    ald_measured rows;        /* x NULL: the model alone */
} features;

const char *ald_importance_name(int kind)
{
    return kind >= 0 && kind < ALD_IMPORTANCE_KINDS ? names[kind] : NULL;
}

static features features_of(const ald_model *model)
{
    features f = {.model = model, .r = ald_model_component_count(model), .d = ald_model_feature_count(model)};
    const char *map = ald_model_text(model, "alidade.map");
    if (!map || strcmp(map, "linear") != 0) return f;
    f.components = ald_model_reals(model, "components", f.r, f.d);
    f.weights = ald_model_reals(model, "weights", f.r, f.d);
    f.shares = ald_model_reals(model, "explained_response_ratio", f.r, -1);
    if (!f.weights || !f.shares) f.weights = f.shares = NULL;
    f.loadings = ald_model_reals(model, "loadings", f.r, f.d);
    return f;
}

int ald_importance_in_model(const ald_model *model, ald_importance_kind kind)
{
    const features f = features_of(model);
    return f.components &&
           (kind == ALD_IMPORTANCE_WEIGHTS || (kind == ALD_IMPORTANCE_VIP && f.weights != NULL) ||
            (kind == ALD_IMPORTANCE_LOADINGS && f.loadings != NULL));
}

static ald_status weights_of(ald_run *run, const features *f, double *values)
{
    const double *scale = ald_model_reals(f->model, "scale", f->d, -1);
    (void)run;
    for (int64_t i = 0; i < f->r * f->d; i++) values[i] = f->components[i] / (scale ? scale[i % f->d] : 1.0);
    return ALD_OK;
}

/* The rows scaled by rows, as the fit did, but not by columns; their means and deviations. */
static ald_status describe_columns(ald_run *run, const features *f, ald_operator *rows,
                                   const double **weights, double **deviation)
{
    const ald_measured *m = &f->rows;
    double *mean;
    *weights = NULL;
    ald_status status = ALD_SCRATCH(run, {&mean, f->d, 1}, {deviation, f->d, 1});
    if (status >= 0) status = ald_measured_prepare(run, m, rows);
    if (status >= 0) status = ald_scaled_weights(run, m->weights, weights);
    ALD_TRY(ald_measured_agree(run, m, status));
    rows->inverse_scale = NULL;
    ALD_TRY(ald_column_statistics(run, rows, *weights,
                                  (ald_column_moments){.mean = mean, .deviation = *deviation}));
    for (int64_t j = 0; j < f->d; j++)
        if (!((*deviation)[j] > 1e-14 * fabs(mean[j]))) (*deviation)[j] = 0.0;
    rows->mean = mean;
    return ALD_OK;
}

ald_status ald_column_deviations(ald_run *run, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, double *deviation)
{
    const features f = {
        .model = model,
        .d = ald_model_feature_count(model),
        .rows = ald_measured_here(model, x, y),
    };
    ald_operator rows;
    const double *weights;
    double *found;
    ALD_TRY(describe_columns(run, &f, &rows, &weights, &found));
    memcpy(deviation, found, (size_t)f.d * sizeof *deviation);
    return ALD_OK;
}

static ald_status standardized(ald_run *run, const features *f, double *values)
{
    ald_operator rows;
    const double *weights;
    double *deviation;
    ALD_TRY(describe_columns(run, f, &rows, &weights, &deviation));
    ALD_TRY(weights_of(run, f, values));
    for (int64_t i = 0; i < f->r * f->d; i++) values[i] *= deviation[i % f->d];
    return ALD_OK;
}

/* The scores about their means, each of length 1 in the weights. */
static ald_status shorten_scores(ald_run *run, const features *f, const double *w, double *one, double *z)
{
    const int64_t n = f->rows.x->rows, r = f->r;
    for (int64_t k = 0; k < r; k++) {
        for (int64_t i = 0; i < n; i++) one[i] = z[i * r + k];
        ALD_TRY(ald_divided_basis(run, &f->rows.rows, 1, one, w, one));
        for (int64_t i = 0; i < n; i++) z[i * r + k] = one[i] * (w ? w[i] : 1.0);
    }
    return ALD_OK;
}

/* One product of X with the scores of length 1. */
static ald_status structure(ald_run *run, const features *f, double *values)
{
    const int64_t r = f->r;
    ald_operator rows;
    const double *w;
    double *deviation, *z, *one, *along;
    ALD_TRY(describe_columns(run, f, &rows, &w, &deviation));
    ALD_TRY(
        ald_measured_agree(run, &f->rows, ALD_SCRATCH(run, {&one, f->rows.x->rows, 1}, {&along, f->d, r})));
    ALD_TRY(ald_measured_scores(run, &f->rows, &z));
    ALD_TRY(shorten_scores(run, f, w, one, z));
    ALD_TRY(ald_operator_apply_transposed(run, &rows, ald_of(z, rows.x.rows, r), ald_at(along, f->d, r)));
    for (int64_t k = 0; k < r; k++)
        for (int64_t j = 0; j < f->d; j++) {
            const double size = deviation[j] * sqrt((double)ald_rows_total(&rows)),
                         value = along[j * r + k] / size;
            values[k * f->d + j] = size > 0.0 ? fmax(-1.0, fmin(1.0, value)) : (double)NAN;
        }
    return ALD_OK;
}

/* (Z'WZ)^+ for scores z about their means: eigenvalues up to 1e-12 of the first count as 0. */
static ald_status invert_scores(ald_run *run, const features *f, const double *z, const double *w,
                                double *inverse)
{
    const int64_t r = f->r;
    double *gram, *values, *vectors;
    ald_status status = ald_scratch_zeros(run, r, r, &gram);
    if (status >= 0) status = ALD_SCRATCH(run, {&values, r, 1}, {&vectors, r, r});
    ALD_TRY(ald_measured_agree(run, &f->rows, status));
    for (int64_t i = 0; i < f->rows.x->rows; i++)
        for (int64_t k = 0; k < r * r; k++) gram[k] += (w ? w[i] : 1.0) * z[i * r + k / r] * z[i * r + k % r];
    ALD_TRY(ald_rows_sum(run, &f->rows.rows, gram, r * r));
    ALD_TRY(
        ald_measured_agree(run, &f->rows, ald_eigen(run, ald_at(gram, r, r), values, ald_at(vectors, r, r))));
    memset(inverse, 0, (size_t)(r * r) * sizeof *inverse);
    for (int64_t a = 0; a < r && values[a] > 1e-12 * values[0]; a++)
        for (int64_t k = 0; k < r * r; k++)
            inverse[k] += vectors[a * r + k / r] * vectors[a * r + k % r] / values[a];
    return ALD_OK;
}

/* By one product of X with the scores. */
static ald_status find_loadings(ald_run *run, const features *f, double *values)
{
    const int64_t r = f->r, n = f->rows.x->rows;
    const double *w;
    ald_operator rows;
    double *deviation, *z, *mean, *weighted, *along, *inverse;
    ALD_TRY(describe_columns(run, f, &rows, &w, &deviation));
    ALD_TRY(ald_measured_agree(
        run, &f->rows,
        ALD_SCRATCH(run, {&mean, r, 1}, {&weighted, n, r}, {&along, f->d, r}, {&inverse, r, r})));
    ALD_TRY(ald_measured_scores(run, &f->rows, &z));
    ALD_TRY(ald_divided_means(run, &rows, r, z, w, mean));
    for (int64_t i = 0; i < n * r; i++) z[i] -= mean[i % r];
    for (int64_t i = 0; i < n * r; i++) weighted[i] = z[i] * (w ? w[i / r] : 1.0);
    ALD_TRY(invert_scores(run, f, z, w, inverse));
    ALD_TRY(ald_operator_apply_transposed(run, &rows, ald_of(weighted, n, r), ald_at(along, f->d, r)));
    return ald_product(run, ald_of(inverse, r, r), ald_t(ald_of(along, f->d, r)), ald_at(values, r, f->d));
}

/* pls has them, of the features as they were scaled. */
static ald_status loadings(ald_run *run, const features *f, double *values)
{
    const double *scale = ald_model_reals(f->model, "scale", f->d, -1);
    if (!f->loadings) return find_loadings(run, f, values);
    for (int64_t i = 0; i < f->r * f->d; i++) values[i] = f->loadings[i] * (scale ? scale[i % f->d] : 1.0);
    return ALD_OK;
}

/* What each direction adds to the explained part of the target, or of X where there is none. */
static ald_status find_gains(ald_run *run, const features *f, double *gain)
{
    const ald_measured *m = &f->rows;
    const int by_target = m->y && m->y->kind != ALD_TARGET_NONE;
    double *other;
    double before = 0.0;
    if (f->shares) {
        memcpy(gain, f->shares, (size_t)f->r * sizeof *gain);
        return ALD_OK;
    }
    ALD_TRY(ald_measured_agree(run, m, ald_scratch_reals(run, f->r, 1, &other)));
    ALD_TRY(ald_explained_run(run, m, by_target ? other : gain, by_target ? gain : other));
    ALD_TRY(ald_rows_settle(run, &m->rows, gain, f->r * (int64_t)sizeof *gain));
    for (int64_t k = 0; k < f->r; k++) {
        const double now = gain[k];
        gain[k] = fmax(now - before, 0.0);
        before = now;
    }
    return ALD_OK;
}

static ald_status vip(ald_run *run, const features *f, double *values)
{
    const double *directions = f->weights;
    double *gain, *own;
    double total = 0.0;
    ALD_TRY(ald_measured_agree(run, &f->rows, ALD_SCRATCH(run, {&own, f->r, f->d}, {&gain, f->r, 1})));
    if (!directions) {
        ALD_TRY(standardized(run, f, own));
        directions = own;
    }
    ALD_TRY(find_gains(run, f, gain));
    for (int64_t k = 0; k < f->r; k++) total += gain[k];
    if (!(total > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "vip distributes what the components explain over the features, but in these rows "
                        "they explain nothing");
    memset(values, 0, (size_t)f->d * sizeof *values);
    for (int64_t k = 0; k < f->r; k++) {
        const double *c = directions + k * f->d;
        double square = 0.0;
        for (int64_t j = 0; j < f->d; j++) square += c[j] * c[j];
        for (int64_t j = 0; square > 0.0 && j < f->d; j++)
            values[j] += gain[k] / total * c[j] * c[j] / square;
    }
    for (int64_t j = 0; j < f->d; j++) values[j] = sqrt((double)f->d * values[j]);
    return ALD_OK;
}

static int has_target(const ald_model *model)
{
    const char *target = ald_model_text(model, "alidade.target");
    return target && strcmp(target, "none") != 0;
}

/* The rows become those of `f`. */
static ald_status measure_importance_check(ald_run *run, const ald_matrix *x, const ald_target *y,
                                           ald_importance_kind kind, features *f)
{
    const int alone = ald_importance_in_model(f->model, kind);
    if ((unsigned)kind >= ALD_IMPORTANCE_KINDS)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no importance number %d", (int)kind);
    if (!f->components)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s has no weights of the features: importance is for linear methods",
                        ald_model_method(f->model));
    if (!x && !alone)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "importance by %s needs rows (the method is %s): give them", names[kind],
                        ald_model_method(f->model));
    if (!x) return ALD_OK;
    ALD_TRY(ald_measured_begin(run, f->model, x, y, &f->rows));
    const int needs = kind == ALD_IMPORTANCE_VIP && !alone && has_target(f->model) && !f->rows.elsewhere;
    ald_status status = ALD_OK;
    if (needs && (!y || y->kind == ALD_TARGET_NONE))
        status = ald_fail(run->error, ALD_ERROR_DATA,
                          "the vip of %s needs rows with a target, because it measures how much of it the "
                          "components explain",
                          ald_model_method(f->model));
    return ald_measured_agree(run, &f->rows, status);
}

/* In a run that has begun, which it ends. */
static ald_status importance(ald_run *run, const ald_model *model, ald_importance_kind kind,
                             const ald_matrix *x, const ald_target *y, double *values)
{
    static ald_status (*const compute[])(ald_run *, const features *, double *) = {
        [ALD_IMPORTANCE_WEIGHTS] = weights_of,
        [ALD_IMPORTANCE_LOADINGS] = loadings,
        [ALD_IMPORTANCE_STANDARDIZED] = standardized,
        [ALD_IMPORTANCE_STRUCTURE] = structure,
        [ALD_IMPORTANCE_VIP] = vip,
    };
    features f = features_of(model);
    ald_threads_begin(run->call.threads);
    ald_status status = measure_importance_check(run, x, y, kind, &f);
    if (status >= 0) status = compute[kind](run, &f, values);
    ald_threads_end();
    return ald_run_end(run, ald_measured_end(run, x, status));
}

ald_status ald_importance(ald_context *context, const ald_model *model, ald_importance_kind kind,
                          const ald_matrix *x, const ald_target *y, double *values, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, values);
    ald_run_begin(&run, context, error);
    return importance(&run, model, kind, x, y, values);
}

ald_status ald_vip_inside(const ald_run *outer, const ald_model *model, const ald_matrix *x,
                          const ald_target *y, double *vip)
{
    ald_run run;
    ald_run_inside(&run, outer, outer->error);
    return importance(&run, model, ALD_IMPORTANCE_VIP, x, y, vip);
}
