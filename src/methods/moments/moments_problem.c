/* The few rows that stand for all of them. */
#include "base/settings/common_params.h"
#include "math/linalg/linalg.h"
#include "methods/moments/moments.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Correlations are at most 1 but for rounding, also that of a constant column whose values are large. */
static const double beyond_rounding = 1e50;

/* Rows (order of them) of a root R'R of the symmetric a (destroyed), which is positive semidefinite but for
 * rounding. Its rows and columns are divided by `sizes` first, so that quantities of very different size keep
 * their digits. */
static ald_status root_rows(ald_run *run, int64_t order, double *a, const double *sizes, double *rows,
                            int64_t stride)
{
    double *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&values, order, 1}, {&vectors, order, order}));
    double largest = 0.0;
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) {
            a[i * order + j] /= sizes[i] * sizes[j];
            largest = fabs(a[i * order + j]) <= largest ? largest : fabs(a[i * order + j]);
        }
    if (!(largest <= beyond_rounding)) /* LAPACK may search for ever in such a matrix */
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the sums of squares contradict each other: the statistics of the model are damaged, or "
            "values of the rows are too large");
    ALD_TRY(ald_eigen(run, ald_at(a, order, order), values, ald_at(vectors, order, order)));
    /* The root of rounding would be far above rounding: a direction without scatter must not get any. */
    const double noise = 8.0 * (double)order * DBL_EPSILON * fmax(values[0], 1.0);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++)
            rows[i * stride + j] =
                (values[i] > noise ? sqrt(values[i]) : 0.0) * vectors[i * order + j] * sizes[j];
    return ALD_OK;
}

/* Roots of the diagonal of a symmetric matrix, 1 where it is 0, behind `sizes`. */
static void diagonal_roots(int64_t order, const double *a, double *sizes)
{
    for (int64_t i = 0; i < order; i++) sizes[i] = a[i * order + i] > 0.0 ? sqrt(a[i * order + i]) : 1.0;
}

static ald_status pattern_problem(ald_run *run, const ald_moments *m, ald_target *target,
                                  ald_problem *problem)
{
    const int64_t d = m->d, P = m->patterns, rows = P + d;
    double *x, *within, *weights, *labels, *sizes;
    int32_t *classes;
    ALD_TRY(ALD_SCRATCH(run, {&x, rows, d}, {&within, d, d}));
    ALD_TRY(ald_scratch_zeros(run, rows, 1, &weights));
    for (int64_t p = 0; p < P; p++) {
        weights[p] = m->count[p];
        for (int64_t j = 0; j < d; j++) x[p * d + j] = sqrt(weights[p]) * (m->centre[p * d + j] - m->mean[j]);
    }
    memcpy(within, m->scatter, (size_t)(d * d) * sizeof *within);
    if (P > 0)
        ALD_TRY(
            ald_product_add(run, -1.0, ald_t(ald_of(x, P, d)), ald_of(x, P, d), 1.0, ald_at(within, d, d)));
    ALD_TRY(ald_scratch_reals(run, d, 1, &sizes));
    diagonal_roots(d, m->scatter, sizes);
    ALD_TRY(root_rows(run, d, within, sizes, x + P * d, d));
    problem->x.x = ald_matrix_row_major(x, rows, d, d);
    if (m->kind == ALD_TARGET_NONE) return ALD_OK;
    problem->weights = weights;
    if (m->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_scratch(run, rows, 1, sizeof *classes, &classes));
        for (int64_t i = 0; i < rows; i++) classes[i] = (int32_t)(i < P ? i : 0);
        *target = ald_target_classes(classes, rows, m->k);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_zeros(run, rows, m->k, &labels));
    memcpy(labels, m->pattern, (size_t)(P * m->k) * sizeof *labels);
    *target = ald_target_labels(ald_matrix_row_major(labels, rows, m->k, m->k));
    return ALD_OK;
}

/* Entry (i, j), i <= j, of the scatter of X and Y side by side. */
static double joint_scatter(const ald_moments *m, int64_t i, int64_t j)
{
    const int64_t d = m->d;
    if (j < d) return m->scatter[i * d + j];
    return i < d ? m->cross[i * m->k + j - d] : m->y_scatter[(i - d) * m->k + j - d];
}

static ald_status response_problem(ald_run *run, const ald_moments *m, ald_target *target,
                                   ald_problem *problem)
{
    const int64_t d = m->d, order = d + m->k;
    double *joint, *rows, *sizes;
    ALD_TRY(ald_scratch_reals(run, order, 1, &sizes));
    diagonal_roots(d, m->scatter, sizes);
    diagonal_roots(m->k, m->y_scatter, sizes + d);
    ALD_TRY(ALD_SCRATCH(run, {&joint, order, order}, {&rows, order, order}));
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = i; j < order; j++)
            joint[j * order + i] = joint[i * order + j] = joint_scatter(m, i, j);
    ALD_TRY(root_rows(run, order, joint, sizes, rows, order));
    problem->x.x = ald_matrix_row_major(rows, order, d, order);
    problem->centred = 1;
    *target = ald_target_real(ald_matrix_row_major(rows + d, order, m->k, order));
    return ALD_OK;
}

static ald_status set_scale(ald_run *run, const ald_moments *m, ald_problem *problem)
{
    const ald_column_scale asked = ald_common_settings_of(run->settings).scale;
    double *scale;
    if (asked == ALD_COLUMNS_PLAIN) return ALD_OK;
    if (asked == ALD_COLUMNS_MINMAX)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`scale=minmax` cannot be updated: the range of removed rows is unknown; use standard or none");
    ALD_TRY(ald_scratch_reals(run, m->d, 1, &scale));
    for (int64_t j = 0; j < m->d; j++) scale[j] = sqrt(fmax(m->scatter[j * m->d + j] / m->weight, 0.0));
    return ald_problem_scale(run, problem, m->mean, scale);
}

ald_status ald_moments_rows(ald_run *run, const ald_moments *m, ald_target *target, ald_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    memset(target, 0, sizeof *target);
    ALD_TRY(m->kind == ALD_TARGET_REAL ? response_problem(run, m, target, problem)
                                       : pattern_problem(run, m, target, problem));
    problem->n = problem->x.x.rows;
    problem->d = m->d;
    problem->total = m->weight;
    problem->samples = m->n;
    problem->moments = m;
    problem->target = target;
    return ALD_OK;
}

ald_status ald_moments_settle(ald_run *run, const ald_moments *m, ald_problem *problem)
{
    problem->r = ald_common_settings_of(run->settings).n_components;
    return set_scale(run, m, problem);
}

ald_status ald_moments_problem(ald_run *run, const ald_moments *m, ald_target *target, ald_problem *problem)
{
    ALD_TRY(ald_moments_rows(run, m, target, problem));
    return ald_moments_settle(run, m, problem);
}
