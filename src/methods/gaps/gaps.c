/* NIPALS where cells have no value (Wold 1966; Martens and Naes, Multivariate Calibration, 1989).
 *
 * E is the prepared X with zeros in the cells that are not there, M_ij is 1 where a cell is there. Every
 * product with E is a regression through the origin over the cells that are there:
 *
 *   by columns   (E |c s)_j = sum_i E_ij s_i / sum_i M_ij s_i^2
 *   by rows      (E |r v)_i = sum_j E_ij v_j / sum_j M_ij v_j^2
 *
 * Component a, with responses F, from the column u of F of the largest sum of squares:
 *
 *   w  = E |c u, scaled to length 1  \
 *   t  = E |r w                       |  repeated until t stays
 *   q  = F't / t't                    |
 *   u  = F q / q'q                   /
 *   p  = E |c t
 *   E <- E - t p'                       in the cells that are there
 *   F <- F - t q'
 *
 * Principal components are the same with t in place of u, and p = w.
 *
 * A row without gaps has the scores z R, r_a = w_a - sum_{b<a} (p_b'w_a) r_b, which is the recursion above
 * written out; a row with gaps passes the recursion (ald_gaps_map). Without gaps this is pca and pls. With
 * them scores are not orthogonal, and the components of fewer are those of more.
 *
 * Weights: the rows of E and F are times the roots of their weights, and so is t. Then every sum over rows
 * above is the one in which a row of weight w stands w times, and (E |r v)_i is its score times the root.
 *
 * Cost: O(n d) per iteration; memory 9 n d bytes. */
#include "methods/gaps/gaps.h"

#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

static const ald_param gaps_param = ALD_FLAG_PARAM(
    "gaps", "0", "cells of X may have no value (NaN): components by nipals over the cells that are there",
    .traits = ALD_PARAM_IS_GAPS);

const ald_param *const ald_gaps_params[] = {&gaps_param, NULL};

enum { most_iterations = 20000 };
static const double settled = 1e-11;

typedef struct work {
    const ald_problem *problem;
    int64_t n, d, m;
    double *e; /* n x d */
    unsigned char *there;
    double *y; /* n x m, or NULL */
    double *t, *before, *u, *over;
    ald_gaps *g;
} work;

static ald_status begin(ald_run *run, const ald_problem *problem, double *y, int64_t m, work *w)
{
    *w = (work){.problem = problem, .n = problem->n, .d = problem->d, .m = m, .y = y};
    ALD_TRY(ALD_SCRATCH(run, {&w->e, w->n, w->d}, {&w->t, w->n, 1}, {&w->before, w->n, 1}, {&w->u, w->n, 1},
                        {&w->over, w->n > w->d ? w->n : w->d, 1}));
    ALD_TRY(ald_scratch(run, w->n, w->d, 1, &w->there));
    ALD_TRY(ald_operator_rows(run, &problem->x, 0, ald_at(w->e, w->n, w->d)));
    for (int64_t i = 0; i < w->n * w->d; i++) {
        w->there[i] = 1;
        if (isnan(w->e[i])) w->e[i] = w->there[i] = 0;
    }
    return ALD_OK;
}

/* v = E |c s. */
static void by_columns(const work *w, const double *s, double *v)
{
    memset(v, 0, (size_t)w->d * sizeof *v);
    memset(w->over, 0, (size_t)w->d * sizeof *w->over);
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            v[j] += w->e[i * w->d + j] * s[i];
            w->over[j] += w->there[i * w->d + j] ? s[i] * s[i] : 0.0;
        }
    for (int64_t j = 0; j < w->d; j++) v[j] = w->over[j] > 0.0 ? v[j] / w->over[j] : 0.0;
}

/* t = E |r v. */
static void by_rows(const work *w, const double *v, double *t)
{
    for (int64_t i = 0; i < w->n; i++) {
        double along = 0.0, over = 0.0;
        for (int64_t j = 0; j < w->d; j++) {
            along += w->e[i * w->d + j] * v[j];
            over += w->there[i * w->d + j] ? v[j] * v[j] : 0.0;
        }
        t[i] = over > 0.0 ? along / over : 0.0;
    }
}

/* The column of the largest sum of squares of a (n x cols). */
static void largest_column(int64_t n, int64_t cols, const double *a, double *column)
{
    int64_t best = 0;
    double most = -1.0;
    for (int64_t j = 0; j < cols; j++) {
        double square = 0.0;
        for (int64_t i = 0; i < n; i++) square += a[i * cols + j] * a[i * cols + j];
        if (square > most) best = j;
        most = fmax(most, square);
    }
    for (int64_t i = 0; i < n; i++) column[i] = a[i * cols + best];
}

/* q = F't / t't and u = F q / q'q. */
static void respond(const work *w, double *q)
{
    const double tt = ald_dot(w->n, w->t, w->t);
    memset(q, 0, (size_t)w->m * sizeof *q);
    for (int64_t i = 0; i < w->n; i++) ald_add_times(w->m, w->t[i] / tt, w->y + i * w->m, q);
    const double qq = ald_dot(w->m, q, q);
    for (int64_t i = 0; qq > 0.0 && i < w->n; i++) w->u[i] = ald_dot(w->m, w->y + i * w->m, q) / qq;
}

static int has_settled(const work *w)
{
    double change = 0.0;
    for (int64_t i = 0; i < w->n; i++) change += (w->t[i] - w->before[i]) * (w->t[i] - w->before[i]);
    return change <= settled * settled * ald_dot(w->n, w->t, w->t);
}

/* The weights and scores of component a; 0 where nothing is left. */
static ald_status iterate(ald_run *run, work *w, int64_t a, int *found)
{
    double *v = w->g->weights + a * w->d;
    largest_column(w->n, w->y ? w->m : w->d, w->y ? w->y : w->e, w->y ? w->u : w->t);
    for (int step = 0; step < most_iterations; step++) {
        memcpy(w->before, w->t, (size_t)w->n * sizeof *w->t);
        by_columns(w, w->y ? w->u : w->t, v);
        const double length = ald_norm(w->d, v);
        *found = length > 0.0 && isfinite(length);
        if (!*found) return ALD_OK;
        for (int64_t j = 0; j < w->d; j++) v[j] /= length;
        by_rows(w, v, w->t);
        *found = ald_dot(w->n, w->t, w->t) > 0.0;
        if (!*found) return ALD_OK;
        if (w->y) respond(w, w->g->y_loadings + a * w->m);
        if (step > 0 && has_settled(w)) return ALD_OK;
        if (step % 100 == 99)
            ALD_TRY(ald_progress(run, "extracting components", (double)a / (double)w->problem->r));
    }
    return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                    "nipals over the cells that are there did not converge within %d steps for component "
                    "%lld: use fewer components (`n_components`), or fill the cells (`missing=mean`)",
                    (int)most_iterations, (long long)a + 1);
}

static void deflate(const work *w, int64_t a)
{
    const double *p = w->g->loadings + a * w->d;
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++)
            if (w->there[i * w->d + j]) w->e[i * w->d + j] -= w->t[i] * p[j];
    for (int64_t i = 0; w->y && i < w->n; i++)
        ald_add_times(w->m, -w->t[i], w->g->y_loadings + a * w->m, w->y + i * w->m);
}

static void rotate(const work *w, int64_t a)
{
    const double *v = w->g->weights + a * w->d;
    double *rotation = w->g->rotations + a * w->d;
    memcpy(rotation, v, (size_t)w->d * sizeof *rotation);
    for (int64_t b = 0; b < a; b++)
        ald_add_times(w->d, -ald_dot(w->d, w->g->loadings + b * w->d, v), w->g->rotations + b * w->d,
                      rotation);
}

/* One component; the sums of squares that are left of X and Y are brought up to date. */
static ald_status extract(ald_run *run, work *w, int64_t a, const double total[2], double left[2])
{
    const int64_t cells = w->n * w->d, answers = w->y ? w->n * w->m : 0;
    int found;
    ALD_TRY(iterate(run, w, a, &found));
    if (!found || left[0] <= 1e-24 * total[0] || (w->y && left[1] <= 1e-24 * total[1]))
        return ald_too_many_components(run, w->problem, a, "after them nothing is left that X explains");
    if (w->y)
        by_columns(w, w->t, w->g->loadings + a * w->d);
    else
        memcpy(w->g->loadings + a * w->d, w->g->weights + a * w->d, (size_t)w->d * sizeof *w->t);
    w->g->squares[a] = ald_dot(w->n, w->t, w->t);
    deflate(w, a);
    rotate(w, a);
    const double x_left = ald_dot(cells, w->e, w->e), y_left = w->y ? ald_dot(answers, w->y, w->y) : 0.0;
    w->g->x_share[a] = (left[0] - x_left) / total[0];
    w->g->y_share[a] = w->y ? (left[1] - y_left) / total[1] : 0.0;
    left[0] = x_left;
    left[1] = y_left;
    return ALD_OK;
}

ald_status ald_gaps_solve(ald_run *run, const ald_problem *problem, double *y, int64_t m, ald_gaps *gaps)
{
    const int64_t r = problem->r, d = problem->d;
    const int64_t most = problem->n - 1 < d ? problem->n - 1 : d;
    work w;
    if (r > most) return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    ALD_TRY(ALD_SCRATCH(run, {&gaps->weights, r, d}, {&gaps->loadings, r, d}, {&gaps->rotations, r, d},
                        {&gaps->squares, r, 1}, {&gaps->x_share, r, 1}, {&gaps->y_share, r, 1},
                        {&gaps->y_loadings, r, y ? m : 1}));
    ALD_TRY(begin(run, problem, y, m, &w));
    w.g = gaps;
    const double total[2] = {ald_dot(w.n * d, w.e, w.e), y ? ald_dot(w.n * m, y, y) : 0.0};
    double left[2] = {total[0], total[1]};
    for (int64_t a = 0; a < r; a++) ALD_TRY(extract(run, &w, a, total, left));
    return ALD_OK;
}

ald_status ald_gaps_add(ald_run *run, const ald_problem *problem, int64_t m, ald_gaps *gaps, ald_model *model)
{
    const int64_t r = problem->r, d = problem->d;
    double *sign;
    ALD_TRY(ald_scratch_reals(run, r, 1, &sign));
    ALD_TRY(ald_add_components(run, problem, r, gaps->rotations, sign, model));
    ald_scale_rows(sign, ald_at(gaps->weights, r, d));
    ald_scale_rows(sign, ald_at(gaps->loadings, r, d));
    if (m > 0) ald_scale_rows(sign, ald_at(gaps->y_loadings, r, m));
    ALD_TRY(ald_model_add_matrix(run, model, "weights", r, d, gaps->weights));
    ALD_TRY(ald_model_add_matrix(run, model, "loadings", r, d, gaps->loadings));
    return ald_model_set_text(run, model, "alidade.resolved.solver", "nipals over the cells that are there");
}

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
    ALD_TRY(ald_scratch_clear(run, x->cols, 1, 1, &seen));
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
    ALD_TRY(ald_matrix_find_bad(run, x, &row, &column));
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

int ald_gaps_taken(const ald_model *model)
{
    const char *allowed = ald_model_text(model, "alidade.param.gaps");
    return allowed && strcmp(allowed, "1") == 0;
}

/* A row that is infinite, or that overflowed, is left as it is: the caller looks for such. */
ald_status ald_gaps_map(ald_run *run, const ald_model *model, const ald_operator *prepared, double *z)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const double *weights = ald_model_reals(model, "weights", r, d),
                 *loadings = ald_model_reals(model, "loadings", r, d);
    double *row;
    if (!ald_gaps_taken(model) || !weights || !loadings || prepared->x.storage != ALD_DENSE) return ALD_OK;
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
