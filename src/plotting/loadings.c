/* P = (T'T)^-1 T'X with T the scores (n x r) and X the rows, both about their means. The r x r system is
 * solved by elimination with pivots; a pivot below 1e-12 of the largest leaves its component at 0. */
#include "plotting/loadings.h"

#include "plotting/dots.h"

#include <math.h>
#include <string.h>

static double entry(const ald_matrix *x, int64_t i, int64_t j)
{
    const int64_t at = i * x->row_stride + j * x->col_stride;
    return x->type == ALD_F32 ? (double)((const float *)x->values)[at] : ((const double *)x->values)[at];
}

/* The columns of t (n x r) less their means, in place. */
static void centre(int64_t n, int64_t r, double *t)
{
    for (int64_t k = 0; k < r; k++) {
        double mean = 0.0;
        for (int64_t i = 0; i < n; i++) mean += t[i * r + k] / (double)n;
        for (int64_t i = 0; i < n; i++) t[i * r + k] -= mean;
    }
}

static int64_t find_pivot(int64_t r, const double *gram, const unsigned char *used)
{
    int64_t best = -1;
    for (int64_t k = 0; k < r; k++)
        if (!used[k] && (best < 0 || gram[k * r + k] > gram[best * r + best])) best = k;
    return best;
}

/* gram (r x r, destroyed) P = right (r x d), P in place of right. */
static void solve(int64_t r, int64_t d, double *gram, double *right, unsigned char *used)
{
    double largest = 0.0;
    for (int64_t step = 0; step < r; step++) {
        const int64_t p = find_pivot(r, gram, used);
        const double pivot = gram[p * r + p];
        used[p] = 1;
        largest = fmax(largest, pivot);
        for (int64_t j = 0; j < d; j++)
            right[p * d + j] = pivot > 1e-12 * largest ? right[p * d + j] / pivot : 0.0;
        for (int64_t l = 0; l < r; l++)
            gram[p * r + l] = pivot > 1e-12 * largest ? gram[p * r + l] / pivot : 0.0;
        for (int64_t k = 0; k < r; k++) {
            const double factor = gram[k * r + p];
            if (k == p) continue;
            for (int64_t j = 0; j < d; j++) right[k * d + j] -= factor * right[p * d + j];
            for (int64_t l = 0; l < r; l++) gram[k * r + l] -= factor * gram[p * r + l];
        }
    }
}

static ald_status rebuild(ald_run *run, const ald_picture *picture, const double **loadings)
{
    const ald_dataset *data = picture->data ? picture->data : picture->test;
    const int64_t r = ald_model_component_count(picture->model), d = ald_model_feature_count(picture->model);
    const double *z;
    double *t, *gram, *right;
    unsigned char *used;
    if (!data || data->x.storage != ALD_DENSE)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "loadings are what rebuilds rows from their scores: give rows, as a dense table");
    const int64_t n = data->x.rows;
    ALD_TRY(ald_picture_project(run, picture, data, &z));
    ALD_TRY(ALD_SCRATCH(run, {&t, n, r}, {&gram, r, r}, {&right, r, d}));
    ALD_TRY(ald_scratch(run, r, 1, 1, &used));
    memset(used, 0, (size_t)r);
    memcpy(t, z, (size_t)(n * r) * sizeof *t);
    centre(n, r, t);
    memset(gram, 0, (size_t)(r * r) * sizeof *gram);
    memset(right, 0, (size_t)(r * d) * sizeof *right);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < r; k++) {
            for (int64_t l = 0; l < r; l++) gram[k * r + l] += t[i * r + k] * t[i * r + l];
            for (int64_t j = 0; j < d; j++) right[k * d + j] += t[i * r + k] * entry(&data->x, i, j);
        }
    solve(r, d, gram, right, used);
    *loadings = right;
    return ALD_OK;
}

ald_status ald_picture_loadings(ald_run *run, const ald_picture *picture, const double **loadings)
{
    const int64_t r = ald_model_component_count(picture->model), d = ald_model_feature_count(picture->model);
    const char *method = ald_model_method(picture->model);
    static const char *const kept[] = {"loadings", "spread.loadings"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        *loadings = ald_model_reals(picture->model, kept[i], r, d);
        if (*loadings) return ALD_OK;
    }
    if (method && strcmp(method, "pca") == 0) *loadings = ald_model_reals(picture->model, "components", r, d);
    return *loadings ? ALD_OK : rebuild(run, picture, loadings);
}
