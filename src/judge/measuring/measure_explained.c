/* ald_explained: the projection of the rows by any map, then least squares (evaluate/explained.h). */
#include "judge/measuring/measure_explained.h"

#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "judge/evaluate/explained.h"
#include "math/kernel/hsic.h"
#include "math/kernel/incomplete_cholesky.h"
#include "math/kernel/width.h"
#include "math/operator/entry.h"

#include <alidade/dimension.h>
#include <alidade/evaluate.h>
#include <math.h>
#include <string.h>

ald_status ald_scaled_weights(ald_run *run, const ald_target *y, const double **weights)
{
    double *scaled;
    double sum = 0.0;
    *weights = NULL;
    if (!y || !y->weights) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, y->rows, 1, &scaled));
    for (int64_t i = 0; i < y->rows; i++) sum += y->weights[i];
    for (int64_t i = 0; i < y->rows; i++) scaled[i] = y->weights[i] / sum * (double)y->rows;
    *weights = scaled;
    return ALD_OK;
}

ald_status ald_check_row_count(ald_run *run, int64_t rows)
{
    if (rows >= 2) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "X has %lld row%s: two or more are needed", (long long)rows,
                    rows == 1 ? "" : "s");
}

ald_status ald_check_rows_and_target(ald_run *run, const ald_model *model, const ald_matrix *x,
                                     const ald_target *y)
{
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    ALD_TRY(ald_check_columns(run, model, x));
    ALD_TRY(ald_check_row_count(run, x->rows));
    return y && y->kind != ALD_TARGET_NONE ? ald_check_truth(run, y, x->rows) : ALD_OK;
}

/* The rows that have a target, closed up in place; gives how many. */
static int64_t keep_labelled(const ald_target *y, int64_t cols, double *values)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < y->rows; i++) {
        if (y->labelled && !y->labelled[i]) continue;
        if (kept < i) memcpy(values + kept * cols, values + i * cols, (size_t)cols * sizeof *values);
        kept++;
    }
    return kept;
}

ald_status ald_explained_target(ald_run *run, int64_t r, const double *z, const ald_target *y, double *share)
{
    double *values, *q, *weights = NULL;
    const double *scaled;
    int64_t m, n = y->rows;
    ALD_TRY(ald_target_numbers(run, y, &values, &m));
    ALD_TRY(ald_scaled_weights(run, y, &scaled));
    ALD_TRY(ald_scratch_reals(run, n, r, &q));
    memcpy(q, z, (size_t)(n * r) * sizeof *q);
    if (scaled) {
        ALD_TRY(ald_scratch_reals(run, n, 1, &weights));
        memcpy(weights, scaled, (size_t)n * sizeof *weights);
        keep_labelled(y, 1, weights);
    }
    keep_labelled(y, m, values);
    n = keep_labelled(y, r, q);
    ald_weighted_basis(n, r, q, weights, q);
    return ald_explained_columns(run, n, r, q, weights, m, values, share);
}

static ald_status explain_rows(ald_run *run, const ald_measured *m, int64_t r, const double *z, double *share)
{
    ald_operator prepared;
    const double *weights = NULL;
    double *q;
    ald_status status = ald_scratch_reals(run, m->x->rows, r, &q);
    if (status >= 0) status = ald_scaled_weights(run, m->weights, &weights);
    if (status >= 0) status = ald_measured_prepare(run, m, &prepared);
    ALD_TRY(ald_measured_agree(run, m, status));
    ALD_TRY(ald_divided_basis(run, &prepared, r, z, weights, q));
    return ald_explained_rows(run, &prepared, r, q, weights, share);
}

/* Where the target is; elsewhere, and where there is none, the shares are not known. */
static ald_status explain_target(ald_run *run, const ald_measured *m, int64_t r, double *z, double *share)
{
    double *all;
    ald_status status = ALD_OK;
    ALD_TRY(ald_measured_collect(run, m, r, z, &all));
    for (int64_t k = 0; k < r; k++) share[k] = (double)NAN;
    if (m->y && m->y->kind != ALD_TARGET_NONE) status = ald_explained_target(run, r, all, m->y, share);
    return ald_measured_agree(run, m, status);
}

ald_status ald_explained_run(ald_run *run, const ald_measured *m, double *x_share, double *y_share)
{
    const int64_t r = ald_model_component_count(m->model);
    double *z;
    ALD_TRY(ald_measured_scores(run, m, &z));
    ALD_TRY(explain_rows(run, m, r, z, x_share));
    return explain_target(run, m, r, z, y_share);
}

ald_status ald_explained(ald_context *context, const ald_model *model, const ald_matrix *x,
                         const ald_target *y, double *x_share, double *y_share, ald_error *error)
{
    ald_measured m;
    ald_run run;
    ALD_GIVEN(error, context, model, x, x_share, y_share);
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    ald_status status = ald_measured_begin(&run, model, x, y, &m);
    if (status >= 0) status = ald_explained_run(&run, &m, x_share, y_share);
    ald_threads_end();
    return ald_run_end(&run, ald_measured_end(&run, x, status));
}

/* ald_hsic: how much a target depends on rows. */

static ald_status resolve_width(ald_run *run, const char *name, const char *what, double given, double median,
                                double *width)
{
    *width = given > 0.0 ? given : median;
    if (!isfinite(given) || given < 0.0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s is %g, but it must be 0 or more", name, given);
    if (*width > 0.0 && isfinite(*width)) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "%s=0 stands for the median distance between %s, but that is %g here: give a number above 0", name,
        what, *width);
}

/* F with L = F F': dummies of classes, labels, or of real responses the rbf kernel to 1e-12 of its trace. */
static ald_status factor_targets(ald_run *run, const ald_target *y, const ald_hsic_options *options,
                                 ald_hsic_task *task, ald_hsic_result *result)
{
    const int64_t n = y->rows;
    double *values;
    double median = 0.0;
    int64_t q;
    ALD_TRY(ald_target_numbers(run, y, &values, &q));
    task->f = values;
    task->m = q;
    result->response_width = 0.0;
    if (y->kind != ALD_TARGET_REAL) return ALD_OK;
    if (options->response_width == 0.0)
        ALD_TRY(ald_median_distance(run, n, q, values, options->seed, &median));
    ALD_TRY(resolve_width(run, "response_width", "the targets", options->response_width, median,
                          &result->response_width));
    ald_incomplete_cholesky cholesky = {
        .rows = {.n = n, .q = q, .points = values, .width = result->response_width},
        .tol = 1e-12,
        .most = 4000,
    };
    ALD_TRY(ald_incomplete_cholesky_run(run, &cholesky));
    task->f = cholesky.f;
    task->m = cholesky.rank;
    return ALD_OK;
}

static ald_status measure_hsic_measure(ald_run *run, const ald_matrix *x, const ald_target *y,
                                       const ald_hsic_options *options, ald_hsic_result *result)
{
    const ald_kernel rbf = {.kind = ALD_KERNEL_RBF};
    ald_hsic_task task = {.rows = {.x = *x}, .permutations = options->permutations, .seed = options->seed};
    double median = 0.0;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    if (!y || y->kind == ALD_TARGET_NONE)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the hsic criterion compares the rows with their target, but there is none: give one");
    ALD_TRY(ald_check_truth(run, y, x->rows));
    if (x->rows < 2 || y->labelled || options->permutations < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the hsic criterion needs two or more rows, each with a target, and a number of "
                        "permutations of 0 or more");
    ALD_TRY(ald_kernel_rows(run, &rbf, NULL, &task.rows));
    if (options->kernel_width == 0.0)
        ALD_TRY(ald_kernel_median(run, &rbf, &task.rows, options->seed, NULL, &median));
    ALD_TRY(resolve_width(run, "kernel_width", "the rows", options->kernel_width, median, &task.width));
    ALD_TRY(factor_targets(run, y, options, &task, result));
    ALD_TRY(ald_hsic_run(run, &task));
    result->value = task.value;
    result->p_value = task.p_value;
    result->kernel_width = task.width;
    return ALD_OK;
}

ald_status ald_hsic(ald_context *context, const ald_matrix *x, const ald_target *y,
                    const ald_hsic_options *options, ald_hsic_result *result, ald_error *error)
{
    ald_hsic_options whole;
    ald_run run;
    ALD_GIVEN(error, context, x, result);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_hsic_options, options, &whole));
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_hsic_result, result));
    ald_hsic_result found = {0};
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = measure_hsic_measure(&run, x, y, &whole, &found);
    ald_threads_end();
    ALD_OPTIONS_WRITE(ald_hsic_result, &found, result);
    return ald_run_end(&run, status);
}
