/* Predictors whose scores are b0 + B'z: centring, and the two arrays of the model. */
#include "methods/predict/affine.h"

#include "math/linalg/few_columns.h"
#include "math/linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ald_status weighted_means(ald_run *run, const ald_predictor_data *data, int64_t cols,
                                 const double *values, double *means)
{
    const double total = ald_predictor_total(data);
    memset(means, 0, (size_t)cols * sizeof *means);
    for (int64_t i = 0; i < data->n; i++) {
        for (int64_t j = 0; j < cols; j++) means[j] += ald_predictor_weight(data, i) * values[i * cols + j];
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)cols));
    }
    for (int64_t j = 0; j < cols; j++) means[j] /= total;
    return ALD_OK;
}

/* In the centred form the means are given, and rows have lost them and have the roots of their weights. */
static ald_status centre(ald_run *run, const ald_predictor_data *data, int64_t cols, const double *values,
                         const double *given, ald_centred *c)
{
    const double total = ald_predictor_total(data);
    ALD_TRY(ald_scratch_zeros(run, cols, 1, &c->mean));
    ALD_TRY(ald_scratch_zeros(run, cols, 1, &c->deviation));
    ALD_TRY(ald_scratch_reals(run, data->n, cols, &c->values));
    if (!data->y_mean) ALD_TRY(weighted_means(run, data, cols, values, c->mean));
    for (int64_t i = 0; i < data->n; i++) {
        const double root = data->y_mean ? 1.0 : sqrt(ald_predictor_weight(data, i));
        for (int64_t j = 0; j < cols; j++) {
            const double value = root * (values[i * cols + j] - c->mean[j]);
            c->values[i * cols + j] = value;
            c->deviation[j] += value * value;
        }
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)cols));
    }
    if (given) memcpy(c->mean, given, (size_t)cols * sizeof *c->mean);
    for (int64_t j = 0; j < cols; j++) {
        const double deviation = sqrt(c->deviation[j] / total);
        c->deviation[j] = deviation > 16.0 * DBL_EPSILON * fabs(c->mean[j]) ? deviation : 1.0;
    }
    return ALD_OK;
}

ald_status ald_centre_z(ald_run *run, const ald_predictor_data *data, ald_centred *centred)
{
    return centre(run, data, data->r, data->z, data->z_mean, centred);
}

ald_status ald_centre_y(ald_run *run, const ald_predictor_data *data, ald_centred *centred)
{
    return centre(run, data, data->q, data->y, data->y_mean, centred);
}

ald_status ald_affine_store(ald_run *run, const ald_predictor_data *data, const double *mean, const double *b,
                            double *offset, ald_model *model)
{
    for (int64_t j = 0; j < data->q; j++)
        for (int64_t k = 0; k < data->r; k++) offset[j] -= mean[k] * b[k * data->q + j];
    ALD_TRY(ald_model_add_matrix(run, model, "predictor/coefficients", data->r, data->q, b));
    return ald_model_add_vector(run, model, "predictor/intercept", data->q, offset);
}

ald_status ald_affine_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                            const double *z, double *scores)
{
    const double *b = ald_model_reals(model, "predictor/coefficients", r, q);
    const double *intercept = ald_model_reals(model, "predictor/intercept", q, -1);
    const ald_matrix rows = ald_matrix_row_major(z, n, r, r);
    ald_few few;
    if (q <= ald_few_most && ald_few_serve(run)) {
        ALD_TRY(ald_few_pack(run, ald_of(b, r, q), NULL, NULL, intercept, &few));
        ald_few_multiply(&few, &rows, 0, n, scores);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n; i++) memcpy(scores + i * q, intercept, (size_t)q * sizeof *scores);
    return ald_product_add(run, 1.0, ald_of(z, n, r), ald_of(b, r, q), 1.0, ald_at(scores, n, q));
}

ald_status ald_affine_apply_to(ald_run *run, const ald_model *model, const ald_operator *rows, int64_t q,
                               double *scores)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    const double *b = ald_model_reals(model, "predictor/coefficients", d, q);
    const double *intercept = ald_model_reals(model, "predictor/intercept", q, -1);
    ALD_TRY(ald_operator_apply(run, rows, ald_of(b, d, q), ald_at(scores, n, q)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < q; j++) scores[i * q + j] += intercept[j];
    return ALD_OK;
}

int64_t ald_affine_outputs(const ald_model *model, int64_t r)
{
    ald_array intercept;
    if (!ald_model_array(model, "predictor/intercept", &intercept) || intercept.dims != 1) return 0;
    const int64_t q = intercept.shape[0];
    return ald_model_reals(model, "predictor/intercept", q, -1) &&
                   ald_model_reals(model, "predictor/coefficients", r, q)
               ? q
               : 0;
}

/* The decomposition that all penalties of a penalised predictor share (path.h). */

static const double negligible = 1e-11;

/* The scatter of the columns at deviation 1, from theirs: n times the correlations. */
static void standardize_scatter(int64_t d, double total, const double *scatter, const double *deviation,
                                double *gram)
{
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++) {
            const double size = sqrt(scatter[i * d + i]) * sqrt(scatter[j * d + j]);
            const int varies = deviation[i] > 0.0 && deviation[j] > 0.0 && size > 0.0;
            gram[i * d + j] = varies ? total * scatter[i * d + j] / size : 0.0;
        }
}

static int64_t count_kept(int64_t size, const double *values)
{
    int64_t k = 0;
    while (k < size && values[k] > negligible * values[0] && values[k] > 0.0) k++;
    return k;
}

/* V from Z'Z, n >= d. */
static ald_status by_columns(ald_run *run, const ald_path *path, ald_path_span *span)
{
    const int64_t d = path->data->r;
    double *gram, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&gram, d, d}, {&span->squares, d, 1}, {&vt, d, d}));
    if (path->scatter)
        standardize_scatter(d, ald_predictor_total(path->data), path->scatter, span->deviation, gram);
    else
        ALD_TRY(ald_operator_scatter_upper(run, &span->z, ald_at(gram, d, d)));
    ALD_TRY(ald_eigen(run, ald_at(gram, d, d), span->squares, ald_at(vt, d, d)));
    span->k = count_kept(d, span->squares);
    span->v = gram;
    ald_transpose(span->k, d, vt, span->v);
    return ALD_OK;
}

/* V = Z'U / s with U from Z Z', n < d. */
static ald_status by_rows(ald_run *run, const ald_path *path, ald_path_span *span)
{
    const int64_t n = path->data->n, d = path->data->r;
    double *gram, *ut;
    ALD_TRY(ALD_SCRATCH(run, {&gram, n, n}, {&ut, n, n}, {&span->squares, n, 1}));
    ALD_TRY(ald_operator_gram(run, &span->z, ald_at(gram, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(gram, n, n), span->squares, ald_at(ut, n, n)));
    span->k = count_kept(n, span->squares);
    ald_transpose(span->k, n, ut, gram);
    ALD_TRY(ald_scratch_reals(run, d, span->k, &span->v));
    ALD_TRY(
        ald_operator_apply_transposed(run, &span->z, ald_of(gram, n, span->k), ald_at(span->v, d, span->k)));
    for (int64_t i = 0; i < d * span->k; i++) span->v[i] /= sqrt(span->squares[i % span->k]);
    return ALD_OK;
}

/* The operator of the rows at mean 0 and deviation 1; a column that does not vary is 0 there. */
static ald_status standardize(ald_run *run, const ald_path *path, ald_path_span *span)
{
    const ald_predictor_data *data = path->data;
    const ald_operator *rows = path->rows;
    double *mean, *inverse, *peak, *root = NULL;
    ALD_TRY(ALD_SCRATCH(run, {&mean, data->r, 1}, {&inverse, data->r, 1}, {&peak, data->r, 1},
                        {&span->mean, data->r, 1}, {&span->deviation, data->r, 1}));
    ALD_TRY(ald_column_sizes(run, rows, data->weights,
                             (ald_column_moments){.mean = mean, .deviation = span->deviation, .peak = peak}));
    for (int64_t j = 0; j < data->r; j++) {
        const double factor = rows->inverse_scale ? rows->inverse_scale[j] : 1.0;
        const double deviation = span->deviation[j];
        const int varies = deviation > 16.0 * DBL_EPSILON * fabs(mean[j]);
        inverse[j] = varies ? 1.0 / deviation : 0.0;
        span->mean[j] = factor * (mean[j] - (rows->mean ? rows->mean[j] : 0.0));
        span->deviation[j] = varies && factor != 0.0 ? factor * deviation : 1.0;
    }
    if (data->weights) ALD_TRY(ald_scratch_reals(run, data->n, 1, &root));
    for (int64_t i = 0; root && i < data->n; i++) root[i] = sqrt(data->weights[i]);
    span->z = *rows;
    span->z.mean = mean;
    span->z.inverse_scale = inverse;
    span->z.row_weight = root;
    return ALD_OK;
}

ald_status ald_path_decompose(ald_run *run, const ald_path *path, ald_path_span *span)
{
    ALD_TRY(standardize(run, path, span));
    ALD_TRY(ald_ask_again(run));
    return path->data->n < path->data->r ? by_rows(run, path, span) : by_columns(run, path, span);
}

ald_status ald_path_store(ald_run *run, const ald_path *path, const ald_path_span *span, const double *inner,
                          double *offset, ald_model *model)
{
    const int64_t d = path->data->r, q = path->data->q;
    double *b;
    ALD_TRY(ald_scratch_reals(run, d, q, &b));
    ALD_TRY(ald_product(run, ald_of(span->v, d, span->k), ald_of(inner, span->k, q), ald_at(b, d, q)));
    for (int64_t i = 0; i < d * q; i++) b[i] /= span->deviation[i / q];
    return ald_affine_store(run, path->data, span->mean, b, offset, model);
}

int64_t ald_path_groups(const ald_path *path)
{
    int64_t count = 0;
    if (!path->groups) return path->data->n;
    for (int64_t i = 0; i < path->data->n; i++) count += path->groups[i] == i;
    return count;
}
