/* The decomposition that all penalties of a penalised predictor share (path.h). */
#include "methods/predict/path.h"

#include "math/linalg/linalg.h"

#include <math.h>

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
    const int64_t n = path->data->n, d = path->data->r;
    double *gram;
    ALD_TRY(ALD_SCRATCH(run, {&gram, d, d}, {&span->squares, d, 1}, {&span->vt, d, d}));
    if (path->scatter)
        standardize_scatter(d, ald_predictor_total(path->data), path->scatter, span->z.deviation, gram);
    else
        ALD_TRY(ald_gram(run, ald_of(span->z.values, n, d), ald_at(gram, d, d)));
    ALD_TRY(ald_eigen(run, ald_at(gram, d, d), span->squares, ald_at(span->vt, d, d)));
    span->k = count_kept(d, span->squares);
    return ALD_OK;
}

/* V = Z'U / s with U from Z Z', n < d. */
static ald_status by_rows(ald_run *run, const ald_path *path, ald_path_span *span)
{
    const int64_t n = path->data->n, d = path->data->r;
    double *gram, *u;
    ALD_TRY(ALD_SCRATCH(run, {&gram, n, n}, {&u, n, n}, {&span->squares, n, 1}));
    ALD_TRY(ald_gram(run, ald_t(ald_of(span->z.values, n, d)), ald_at(gram, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(gram, n, n), span->squares, ald_at(u, n, n)));
    span->k = count_kept(n, span->squares);
    ALD_TRY(ald_scratch_reals(run, span->k, d, &span->vt));
    ALD_TRY(
        ald_product(run, ald_of(u, span->k, n), ald_of(span->z.values, n, d), ald_at(span->vt, span->k, d)));
    for (int64_t i = 0; i < span->k * d; i++) span->vt[i] /= sqrt(span->squares[i / d]);
    return ALD_OK;
}

ald_status ald_path_decompose(ald_run *run, const ald_path *path, ald_path_span *span)
{
    const int64_t n = path->data->n, d = path->data->r;
    ALD_TRY(ald_centre_z(run, path->data, &span->z));
    ALD_TRY(ald_ask_again(run));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) span->z.values[i * d + j] /= span->z.deviation[j];
    ALD_TRY(ald_ask_again(run));
    return n < d ? by_rows(run, path, span) : by_columns(run, path, span);
}

ald_status ald_path_store(ald_run *run, const ald_path *path, const ald_path_span *span, const double *inner,
                          double *offset, ald_model *model)
{
    const int64_t d = path->data->r, q = path->data->q;
    double *b;
    ALD_TRY(ald_scratch_reals(run, d, q, &b));
    ALD_TRY(
        ald_product(run, ald_t(ald_of(span->vt, span->k, d)), ald_of(inner, span->k, q), ald_at(b, d, q)));
    for (int64_t i = 0; i < d * q; i++) b[i] /= span->z.deviation[i / q];
    return ald_affine_store(run, path->data, span->z.mean, b, offset, model);
}

int64_t ald_path_groups(const ald_path *path)
{
    int64_t count = 0;
    if (!path->groups) return path->data->n;
    for (int64_t i = 0; i < path->data->n; i++) count += path->groups[i] == i;
    return count;
}
