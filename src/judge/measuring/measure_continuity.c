/* ald_continuity: which rows and sizes, the checks, and the summary. */
#include "judge/measuring/continuity.h"

#include "base/core/error.h"
#include "base/numbers/random.h"
#include "base/settings/limits.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/prepare/check.h"

#include <math.h>

enum { least_sample = 1000, largest_size = 128, least_size = 4, few_rows = 32 };

static ald_status measure_continuity_check(ald_run *run, const double *z, int64_t r, const ald_target *y)
{
    if (!z || r < 1) return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no projection to measure");
    if (!y || y->kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "the data have no target to compare with");
    ALD_TRY(ald_check_truth(run, y, y->rows));
    for (int64_t i = 0; i < y->rows * r; i++)
        if (!isfinite(z[i]))
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "the projection: row %lld, component %lld is not finite", (long long)(i / r) + 1,
                            (long long)(i % r) + 1);
    return ALD_OK;
}

static ald_status find_labelled(ald_run *run, const ald_target *y, int64_t **which, int64_t *n)
{
    ALD_TRY(ald_scratch(run, y->rows, 1, sizeof **which, which));
    *n = 0;
    for (int64_t i = 0; i < y->rows; i++)
        if (!y->labelled || y->labelled[i]) (*which)[(*n)++] = i;
    if (*n >= 3) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "continuity needs three or more rows with a target; there are %lld", (long long)*n);
}

/* 4, 8, 16, ...; from 1 on where rows are few. */
static ald_status own_sizes(ald_run *run, int64_t n, ald_continuity_curve *curve)
{
    ALD_TRY(ald_scratch(run, 64, 1, sizeof *curve->k, &curve->k));
    curve->count = 0;
    for (int64_t k = n < few_rows ? 1 : least_size; k <= largest_size && (2 * k <= n || k == 1); k *= 2)
        curve->k[curve->count++] = k;
    return ALD_OK;
}

static ald_status take_sizes(ald_run *run, int64_t n, const ald_continuity_options *options,
                             ald_continuity_curve *curve)
{
    if (options->count <= 0) return own_sizes(run, n, curve);
    curve->count = options->count;
    ALD_TRY(ald_scratch(run, curve->count, 1, sizeof *curve->k, &curve->k));
    for (int64_t g = 0; g < curve->count; g++) {
        const long long k = options->k[g];
        if (k < 1 || k > n - 2)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "continuity: neighbourhoods of %lld rows were requested; with %lld rows the "
                            "sizes are 1 to %lld",
                            k, (long long)n, (long long)n - 2);
        if (g > 0 && k <= options->k[g - 1])
            return ald_fail(
                run->error, ALD_ERROR_ARGUMENT,
                "continuity: the sizes of neighbourhoods must increase, but %lld comes after %lld", k,
                (long long)options->k[g - 1]);
        curve->k[g] = k;
    }
    return ALD_OK;
}

static int64_t sample_size(int64_t n, int64_t max_rows)
{
    if (max_rows > 0) return n < max_rows ? n : max_rows;
    if (n <= ALD_CONTINUITY_ROWS) return n;
    const int64_t fewer = (int64_t)((double)ALD_CONTINUITY_ROWS * ALD_CONTINUITY_ROWS / (double)n);
    return fewer > least_sample ? fewer : least_sample;
}

static ald_status draw_rows(ald_run *run, int64_t n, const ald_continuity_options *options,
                            ald_continuity_task *task)
{
    ald_random random;
    int64_t *order;
    task->n_rows = sample_size(n, options->max_rows);
    if (task->n_rows == n) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ald_random_seed(&random, options->seed, 0);
    ald_random_permutation(&random, n, order);
    task->rows = order;
    return ALD_OK;
}

ald_status ald_continuity_run(ald_run *run, const double *z, int64_t r, const ald_target *y,
                              const ald_continuity_options *options, int continuity_only,
                              ald_continuity_curve *curve)
{
    static const ald_continuity_options usual;
    ald_metric_space projected, target;
    int64_t *which;
    int64_t n;
    if (!options) options = &usual;
    ALD_TRY(measure_continuity_check(run, z, r, y));
    ALD_TRY(find_labelled(run, y, &which, &n));
    ALD_TRY(take_sizes(run, n, options, curve));
    ALD_TRY(ald_metric_space_of_rows(run, z, r, which, n, &projected));
    ALD_TRY(ald_metric_space_of_target(run, y, which, n, &target));
    ald_continuity_task task = {
        .z = &projected,
        .y = &target,
        .k = curve->k,
        .count = curve->count,
        .continuity_only = continuity_only,
    };
    ALD_TRY(draw_rows(run, n, options, &task));
    curve->rows = n;
    curve->sampled = task.n_rows;
    return ald_continuity_measure(run, &task, &curve->values);
}

void ald_mean_error(int64_t n, const double *values, double *mean, double *error)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < n; i++) sum += values[i];
    *mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++) squares += (values[i] - *mean) * (values[i] - *mean);
    *error = n > 1 ? sqrt(squares / ((double)n * (double)(n - 1))) : 0.0;
}

/* The curve as the caller's points and summary; `capacity` points at most. */
static void summarise(const ald_continuity_curve *curve, ald_continuity_point *points, int capacity,
                      ald_continuity_summary *summary)
{
    for (int64_t g = 0; g < curve->count && g < capacity; g++) {
        const ald_continuity_point point = {
            .k = curve->k[g],
            .continuity = curve->values.continuity[g],
            .trustworthiness = curve->values.trustworthiness[g],
        };
        ALD_OPTIONS_WRITE_AT(ald_continuity_point, &point, points, g);
    }
    summary->count = (int)curve->count;
    summary->rows = curve->rows;
    summary->sampled = curve->sampled;
    ald_mean_error(curve->sampled, curve->values.rows, &summary->mean, &summary->error);
}

ald_status ald_continuity(ald_context *context, const double *z, int64_t r, const ald_target *y,
                          const ald_continuity_options *options, ald_continuity_point *points, int capacity,
                          ald_continuity_summary *summary, ald_error *error)
{
    ald_continuity_options whole;
    ald_continuity_curve curve;
    ald_run run;
    ald_continuity_summary found = {0};
    ALD_GIVEN(error, context, z, y, points, summary);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_continuity_point, points));
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_continuity_summary, summary));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_continuity_options, options, &whole));
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = ald_continuity_run(&run, z, r, y, &whole, 0, &curve);
    if (status >= 0) summarise(&curve, points, capacity, &found);
    ald_threads_end();
    ALD_OPTIONS_WRITE(ald_continuity_summary, &found, summary);
    return ald_run_end(&run, status);
}
