/* ald_hsic: how much a target depends on rows. */
#include <alidade/evaluate.h>

#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/prepare/check.h"
#include "math/kernel/hsic.h"
#include "math/kernel/incomplete_cholesky.h"
#include "math/kernel/width.h"
#include "methods/engines/problem.h"

#include <math.h>
#include <string.h>

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
        .rows = {n, q, values, result->response_width},
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
        ALD_TRY(ald_kernel_median(run, &rbf, &task.rows, options->seed, &median));
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
