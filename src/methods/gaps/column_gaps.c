#include "methods/gaps/column_gaps.h"

#include "base/settings/settings.h"
#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

int ald_gaps_allowed(const ald_run *run)
{
    return ald_gaps_in(run->settings);
}

static ald_status refuse(ald_run *run, const char *what)
{
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "cells of X have no value, and %s: fill them (`missing=mean`) or drop such rows "
                    "(`missing=drop`)",
                    what);
}

/* Infinite cells are not missing; rows and columns have some cell. Rows of weight 0 do not count. */
static ald_status check_cells(ald_run *run, const ald_matrix *x, const double *weights)
{
    unsigned char *seen;
    ALD_TRY(ald_scratch(run, x->cols, 1, 1, &seen));
    memset(seen, 0, (size_t)x->cols);
    for (int64_t i = 0; i < x->rows; i++) {
        int64_t there = 0;
        if (weights && weights[i] == 0.0) continue;
        for (int64_t j = 0; j < x->cols; j++) {
            const double cell = ald_matrix_at(x, i, j);
            if (isinf(cell))
                return ald_fail(run->error, ALD_ERROR_DATA, "X: row %lld, column %lld is infinite",
                                (long long)i + 1, (long long)j + 1);
            there += !isnan(cell);
            if (!isnan(cell)) seen[j] = 1;
        }
        if (there == 0)
            return ald_fail(run->error, ALD_ERROR_DATA, "X: row %lld has no value at all: leave it out",
                            (long long)i + 1);
    }
    for (int64_t j = 0; j < x->cols; j++)
        if (!seen[j])
            return ald_fail(run->error, ALD_ERROR_DATA, "X: column %lld has no value at all: leave it out",
                            (long long)j + 1);
    return ALD_OK;
}

ald_status ald_gaps_find(ald_run *run, const ald_matrix *x, const double *weights, int *gappy)
{
    const ald_common_settings common = ald_common_settings_of(run->settings);
    int64_t row, column;
    *gappy = 0;
    if (!ald_gaps_allowed(run) || x->storage != ALD_DENSE) return ALD_OK;
    ald_matrix_find_bad(x, &row, &column);
    if (row < 0) return ALD_OK;
    ALD_TRY(check_cells(run, x, weights));
    if (common.rows.count > 0 || common.row_scale != ALD_ROWS_PLAIN)
        return refuse(run, "rows cannot be prepared without them (`rows`, `row_scale`)");
    if (common.keep_statistics || common.outlier_limits)
        return refuse(run, "`keep_statistics` and `outlier_limits` need them all");
    if (ald_settings_real_with(run->settings, ALD_PARAM_IS_CENTER, 1.0) == 0.0)
        return refuse(run, "without centring (`center=0`) none of them is known");
    *gappy = 1;
    return ALD_OK;
}

/* Mean, standard deviation (divisor: cells that are there, by their weights), smallest and largest cell of
 * column j. */
static void measure(const ald_problem *problem, int64_t j, double *mean, double *deviation, double *low,
                    double *high)
{
    const ald_matrix *x = &problem->x.x;
    const double *weights = problem->weights;
    double count = 0.0, sum = 0.0, square = 0.0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < x->rows; i++) {
        const double cell = ald_matrix_at(x, i, j);
        const double w = weights ? weights[i] : 1.0;
        if (isnan(cell)) continue;
        count += w;
        sum += w * cell;
        *low = fmin(*low, cell);
        *high = fmax(*high, cell);
    }
    *mean = sum / count;
    for (int64_t i = 0; i < x->rows; i++) {
        const double apart = ald_matrix_at(x, i, j) - *mean;
        if (!isnan(apart)) square += (weights ? weights[i] : 1.0) * apart * apart;
    }
    *deviation = sqrt(square / count);
}

ald_status ald_gaps_prepare(ald_run *run, ald_column_scale asked, ald_problem *problem)
{
    const int64_t d = problem->d;
    double *mean, *deviation, *low, *high;
    ALD_TRY(ALD_SCRATCH(run, {&mean, d, 1}, {&deviation, d, 1}, {&low, d, 1}, {&high, d, 1}));
    for (int64_t j = 0; j < d; j++) measure(problem, j, &mean[j], &deviation[j], &low[j], &high[j]);
    problem->x.mean = mean;
    if (asked == ALD_COLUMNS_PLAIN) return ALD_OK;
    for (int64_t j = 0; j < d; j++) high[j] -= low[j];
    if (asked == ALD_COLUMNS_MINMAX) problem->shift = low;
    return ald_problem_scale(run, problem, mean, asked == ALD_COLUMNS_MINMAX ? high : deviation);
}

static void map_row(int64_t r, int64_t d, const double *weights, const double *loadings, double *row,
                    double *z)
{
    for (int64_t a = 0; a < r; a++) {
        const double *w = weights + a * d, *p = loadings + a * d;
        double along = 0.0, over = 0.0;
        for (int64_t j = 0; j < d; j++) {
            if (isnan(row[j])) continue;
            along += row[j] * w[j];
            over += w[j] * w[j];
        }
        z[a] = over > 0.0 ? along / over : 0.0;
        for (int64_t j = 0; j < d; j++) row[j] -= z[a] * p[j];
    }
}

static int is_finite(int64_t r, const double *z)
{
    for (int64_t a = 0; a < r; a++)
        if (!isfinite(z[a])) return 0;
    return 1;
}

/* A row that is infinite, or that overflowed, is left as it is: the caller looks for such. */
ald_status ald_gaps_map(ald_run *run, const ald_model *model, const ald_operator *prepared, double *z)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const char *allowed = ald_model_text(model, "alidade.param.gaps");
    const double *weights = ald_model_reals(model, "weights", r, d),
                 *loadings = ald_model_reals(model, "loadings", r, d);
    double *row;
    if (!allowed || strcmp(allowed, "1") != 0 || !weights || !loadings || prepared->x.storage != ALD_DENSE)
        return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, 1, &row));
    for (int64_t i = 0; i < prepared->x.rows; i++) {
        int infinite = 0;
        if (is_finite(r, z + i * r)) continue;
        ALD_TRY(ald_operator_rows(run, prepared, i, ald_at(row, 1, d)));
        for (int64_t j = 0; j < d; j++) infinite |= isinf(row[j]) != 0;
        if (!infinite) map_row(r, d, weights, loadings, row, z + i * r);
    }
    return ALD_OK;
}
