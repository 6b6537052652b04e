/* ald_dimension: how many directions a method finds. One fit with each number of directions (most methods
 * have their first k directions in common with any larger number; sdpp, kdr and rsir do not), of which the
 * table has eigenvalues with their gaps and what is explained; then the tests, the chi-square test below
 * and permutation_test.c. */
#include "judge/dimension/dimension.h"

#include "base/core/error.h"
#include "base/numbers/distributions.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "base/settings/limits.h"
#include "base/settings/options.h"
#include "base/settings/settings.h"
#include "base/threads/jobs.h"
#include "base/threads/threads.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "judge/measuring/directions.h"
#include "judge/measuring/measure_explained.h"
#include "judge/splitting/subset.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sequential chi-square test of sir (Li 1991, theorem 5.1).
 *
 * With n rows, H slices, p the rank of the covariance of X and l_1 >= l_2 >= ... the eigenvalues of sir,
 * under "k directions are enough" and x normal,
 *
 *   n (l_{k+1} + ... + l_p)   is asymptotically chi-square with (p - k)(H - k - 1) degrees of freedom,
 *
 * (n (p - k) times the mean of the p - k smallest). k rises from 0 until the p-value is above the level. For
 * x that is not normal the statistic is a weighted sum of chi-squares instead, and the permutation test is to
 * be preferred. It needs n well above p, plain rows without weights, and no ridge. p is counted on columns of
 * deviation 1, eigenvalues above 1e-10 of the largest. */

typedef struct sir_facts {
    int64_t n, p, slices, count;
    const double *values; /* count eigenvalues */
} sir_facts;

/* Why the test is not for this fit; "" if it is. */
static void why_not(const ald_dimension_task *task, char *reason, size_t size)
{
    const ald_settings *s = task->settings;
    reason[0] = '\0';
    if (!task->method->chi_square)
        snprintf(reason, size, "the chi-square test applies to sir and to methods with a likelihood only");
    else if (ald_settings_real_with(s, ALD_PARAM_IS_RIDGE, 0.0) > 0.0 ||
             ald_settings_real_with(s, ALD_PARAM_IS_RIDGE_REL, 0.0) > 0.0)
        snprintf(reason, size, "with a ridge the eigenvalues are not chi-square");
    else if (task->y->weights)
        snprintf(reason, size, "the chi-square test applies to rows without weights");
    else if (task->x->cols > ALD_CHI_SQUARE_COLUMNS)
        snprintf(reason, size, "there is no chi-square test beyond %d columns", ALD_CHI_SQUARE_COLUMNS);
}

/* The rank of the columns, each divided by its deviation. */
static ald_status count_rank(ald_run *run, const ald_dimension_task *task, int64_t *rank)
{
    const int64_t d = task->x->cols;
    ald_operator rows = {.x = *task->x};
    double *mean, *inverse, *scatter, *values;
    ALD_TRY(ald_prepare_rows_alone(run, task->settings, &rows));
    ALD_TRY(ALD_SCRATCH(run, {&mean, d, 1}, {&inverse, d, 1}, {&scatter, d, d}, {&values, d, 1}));
    ALD_TRY(
        ald_column_statistics(run, &rows, NULL, (ald_column_moments){.mean = mean, .deviation = inverse}));
    for (int64_t j = 0; j < d; j++) inverse[j] = inverse[j] > 1e-14 * fabs(mean[j]) ? 1.0 / inverse[j] : 0.0;
    rows.mean = mean;
    rows.inverse_scale = inverse;
    ALD_TRY(ald_operator_scatter(run, &rows, ald_at(scatter, d, d)));
    ALD_TRY(ald_eigenvalues(run, ald_at(scatter, d, d), d, values));
    for (*rank = 0; *rank < d && values[*rank] > 1e-10 * values[0];) ++*rank;
    return ALD_OK;
}

static int64_t count_slices(const ald_model *model)
{
    const char *text = ald_model_text(model, "alidade.resolved.slices");
    double value = 0.0;
    return text && ald_parse_real(text, strlen(text), &value) ? (int64_t)value : 0;
}

static void fill(const ald_dimension_task *task, const sir_facts *f, ald_dimension_row *rows,
                 ald_dimension_choice *choice)
{
    for (int64_t k = 0; k < task->count; k++) {
        const double freedom = (double)((f->p - k) * (f->slices - k - 1));
        double sum = 0.0;
        if (k >= f->p || k + 1 >= f->slices) break;
        for (int64_t j = f->count - 1; j >= k; j--) sum += f->values[j];
        rows[k].chi_square = (double)f->n * sum;
        rows[k].freedom = freedom;
        rows[k].chi_square_p = ald_chi_square_tail(rows[k].chi_square, freedom);
    }
    ald_choose_by_chi_square(task, rows, choice);
}

/* All the eigenvalues there are: n_components = 0. */
static ald_status test(ald_run *run, const ald_dimension_task *task, const ald_settings *settings,
                       ald_model **model, ald_dimension_row *rows, ald_dimension_choice *choice)
{
    sir_facts f = {.n = task->x->rows};
    ALD_TRY(count_rank(run, task, &f.p));
    if (f.n <= f.p + 1) {
        snprintf(choice->chi_square, sizeof choice->chi_square,
                 "the chi-square test needs more rows (%lld) than distinct columns (%lld)", (long long)f.n,
                 (long long)f.p);
        return ALD_OK;
    }
    ALD_TRY(ald_fit_inside(run, settings, task->x, task->y, model, run->error));
    f.slices = count_slices(*model);
    f.values = ald_model_spectrum(*model, &f.count);
    fill(task, &f, rows, choice);
    return ALD_OK;
}

/* Fills chi_square, freedom and p of the rows, and the choice, by likelihood or for sir; else says why. */
static ald_status test_chi_square(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                                  ald_dimension_choice *choice)
{
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    int found;
    ALD_TRY(ald_test_likelihood(run, task, rows, choice, &found));
    if (found) return ALD_OK;
    why_not(task, choice->chi_square, sizeof choice->chi_square);
    if (choice->chi_square[0]) return ALD_OK;
    ALD_TRY(ald_refit_settings(run, task->settings, 0, &settings));
    const ald_status status = test(run, task, settings, &model, rows, choice);
    ald_model_free(model);
    ald_settings_free(settings);
    return status;
}

enum { usual_dims = 10 };

typedef struct fitting {
    const ald_dimension_task *task;
    double *x_share, *y_share; /* task->fits */
    ald_status *status;
    ald_error *errors;
} fitting;

static ald_status fit_and_explain(ald_run *run, fitting *f, int64_t k)
{
    const ald_dimension_task *task = f->task;
    ald_settings *settings = NULL;
    double *x_share, *y_share;
    ALD_TRY(ald_refit_settings(run, task->settings, k, &settings));
    const ald_status status =
        ald_fit_inside(run, settings, task->x, task->y, &task->models[k - 1], run->error);
    ald_settings_free(settings);
    if (status < 0 || k > task->wanted) return status;
    ALD_TRY(ALD_SCRATCH(run, {&x_share, k, 1}, {&y_share, k, 1}));
    const ald_measured rows = ald_measured_here(task->models[k - 1], task->x, task->y);
    ALD_TRY(ald_explained_run(run, &rows, x_share, y_share));
    f->x_share[k - 1] = x_share[k - 1];
    f->y_share[k - 1] = y_share[k - 1];
    return status;
}

static ald_status fit_one(void *work, const ald_run *outer, int lane, int64_t at, ald_error *error)
{
    fitting *f = work;
    ald_run run;
    (void)lane;
    ald_run_inside(&run, outer, error);
    const ald_status status = fit_and_explain(&run, f, at + 1);
    f->status[at] = status;
    f->errors[at] = *error;
    ald_run_end(&run, ALD_OK);
    return ald_ends_all(status) ? status : ALD_OK;
}

/* A warning of a fit is one of the whole. */
static ald_status fit_all(ald_run *run, ald_dimension_task *task, fitting *f)
{
    ALD_TRY(ALD_SCRATCH(run, {&f->x_share, task->fits, 1}, {&f->y_share, task->fits, 1}));
    ALD_TRY(ald_scratch(run, task->fits, 1, sizeof *f->status, &f->status));
    ALD_TRY(ald_scratch(run, task->fits, 1, sizeof *f->errors, &f->errors));
    const ald_span before = ald_span_enter(task->wide, 0.0, ald_dimension_done(task, 0));
    ALD_TRY(ald_jobs_run(task->wide, task->fits, "fitting each number of directions", fit_one, f));
    ald_span_leave(task->wide, before);
    while (task->available < task->fits && f->status[task->available] >= 0) task->available++;
    if (task->available == 0) return ald_fail(run->error, f->status[0], "%s", f->errors[0].message);
    task->count = task->available < task->wanted ? task->available : task->wanted;
    for (int64_t k = 0; k < task->count; k++)
        if (f->status[k] > 0) ald_warn(run, f->status[k], "%s", f->errors[k].message);
    return ALD_OK;
}

static void fill_rows(const ald_dimension_task *task, const fitting *f, ald_dimension_row *rows)
{
    int64_t n = 0;
    const double *values = ald_model_spectrum(task->models[task->available - 1], &n);
    for (int64_t k = 0; k < task->count; k++) {
        ald_dimension_row *row = &rows[k];
        *row = (ald_dimension_row){
            .k = k + 1,
            .eigenvalue = values && k < n ? values[k] : (double)NAN,
            .gap = NAN,
            .ratio = NAN,
            .x_share = f->x_share[k],
            .y_share = f->y_share[k],
            .chi_square = NAN,
            .freedom = NAN,
            .chi_square_p = NAN,
            .statistic = NAN,
            .permutation_p = NAN,
            .loglik = NAN,
            .aic = NAN,
            .bic = NAN,
            .ladle_turn = NAN,
            .ladle_value = NAN,
        };
        if (values && k + 1 < n) ald_gap_after(n, values, k, &row->gap, &row->ratio);
    }
}

/* The rules that only look at the table. */
static void choose(const ald_dimension_task *task, const ald_dimension_row *rows,
                   ald_dimension_choice *choice)
{
    double gap = 0.0, ratio = 0.0, most = 0.0;
    for (int64_t k = 0; k < task->count; k++) most = fmax(most, rows[k].y_share);
    for (int64_t k = task->count - 1; k >= 0; k--) {
        if (rows[k].x_share >= 0.9) choice->by_x = k + 1;
        if (most > 0.0 && rows[k].y_share >= 0.95 * most) choice->by_y = k + 1;
    }
    for (int64_t k = 0; k < task->count; k++) {
        if (rows[k].gap > gap) choice->by_gap = k + 1;
        if (rows[k].ratio > ratio) choice->by_ratio = k + 1;
        gap = fmax(gap, rows[k].gap);
        ratio = fmax(ratio, rows[k].ratio);
    }
}

static ald_status dimension_check(ald_run *run, const ald_dimension_task *task)
{
    const ald_matrix *x = task->x;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    if (!task->y || task->y->kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the number of components depends on a target: name its columns (`target`)");
    ALD_TRY(ald_check_target(run, task->y, x->rows, task->method));
    if (task->wanted < 1 || task->wanted > x->cols * 1000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "max_dims must be 1 or more, not %lld",
                        (long long)task->wanted);
    if (task->permutations < 0 || task->permutations > 10000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "permutations must be from 0 to 10000000, not %lld",
                        (long long)task->permutations);
    if (task->resamples < 0 || task->resamples > 1000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "resamples must be from 0 to 1000000, not %lld",
                        (long long)task->resamples);
    if (!(task->level > 0.0 && task->level < 1.0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the level of a test must be between 0 and 1, not %g",
                        task->level);
    if (task->permutations > 0 && 1.0 / (double)(1 + task->permutations) > task->level)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%lld permutations cannot give a p-value below %.3g, so nothing is ever rejected at "
                        "the level %g: use %.0f or more",
                        (long long)task->permutations, 1.0 / (double)(1 + task->permutations), task->level,
                        ceil(1.0 / task->level - 1.0));
    return ALD_OK;
}

/* Rows of weight 0 take part in nothing, permutations included. */
static ald_status keep_rows_that_count(ald_run *run, ald_dimension_task *task, ald_subset *kept)
{
    const ald_subset all = {*task->x, *task->y};
    const int64_t *which;
    int64_t count;
    ALD_TRY(ald_rows_that_count(run, task->x->rows, task->y->weights, &which, &count));
    if (!which) return ALD_OK;
    ALD_TRY(ald_subset_take(run, &all, which, count, kept));
    task->x = &kept->x;
    task->y = &kept->y;
    return ALD_OK;
}

static ald_status find_dimension(ald_run *run, ald_dimension_task *task, ald_dimension_row *rows,
                                 int capacity, int *count, ald_dimension_choice *choice)
{
    fitting f = {.task = task};
    ald_dimension_row *own;
    ALD_TRY(fit_all(run, task, &f));
    ALD_TRY(ald_scratch(run, task->count, 1, sizeof *own, &own));
    fill_rows(task, &f, own);
    choice->available = task->available;
    choose(task, own, choice);
    const ald_span before = ald_span_enter(run, ald_dimension_done(task, 0), 0.0);
    ALD_TRY(test_chi_square(run, task, own, choice)); /* short */
    ald_span_leave(run, before);
    if (task->resamples > 0) ALD_TRY(ald_find_ladle(run, task, own, choice));
    if (task->permutations > 0) ALD_TRY(ald_test_permutations(run, task, own, choice));
    *count = (int)task->count;
    for (int64_t k = 0; k < task->count && k < capacity; k++)
        ALD_OPTIONS_WRITE_AT(ald_dimension_row, &own[k], rows, k);
    return ALD_OK;
}

/* The methods whose minimum is found anew for every number of directions have no eigenvalues worth one fit
 * more. */
static ald_status make_room(ald_run *run, ald_dimension_task *task)
{
    task->fits = task->wanted + (task->method->relation != ALD_BY_OBJECTIVE);
    ALD_TRY(ald_scratch_clear(run, task->fits, 1, sizeof *task->models, &task->models));
    return ALD_OK;
}

static ald_dimension_choice nothing_chosen(void)
{
    return (ald_dimension_choice){
        .by_gap = -1,
        .by_ratio = -1,
        .by_x = -1,
        .by_y = -1,
        .by_chi_square = -1,
        .by_permutation = -1,
        .by_aic = -1,
        .by_bic = -1,
        .by_ladle = -1,
        .none_loglik = NAN,
        .none_aic = NAN,
        .none_bic = NAN,
        .none_ladle = NAN,
    };
}

ald_status ald_dimension(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                         const ald_target *y, const ald_dimension_options *options, ald_dimension_row *rows,
                         int capacity, int *count, ald_dimension_choice *choice, ald_error *error)
{
    ald_dimension_options o;
    ald_dimension_choice found = nothing_chosen();
    ald_run run, wide;
    if (count) *count = 0;
    ALD_GIVEN(error, context, settings, x, rows, count, choice);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_dimension_row, rows));
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_dimension_choice, choice));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_dimension_options, options, &o));
    ald_subset kept;
    ald_dimension_task task = {
        .wide = &wide,
        .settings = settings,
        .method = ald_settings_method(settings),
        .x = x,
        .y = y,
        .permutations = o.permutations,
        .level = o.level > 0.0 || o.level < 0.0 ? o.level : 0.05,
        .seed = o.seed,
        .every = o.every,
        .resamples = o.resamples,
        .most = o.max_dims,
        .wanted = o.max_dims ? o.max_dims : ald_least(x->cols, usual_dims),
    };
    ald_run_begin(&run, context, error);
    ald_run_inside(&wide, &run, run.error);
    run.call.threads = 1;
    ald_threads_begin(1);
    ald_status status = dimension_check(&run, &task);
    if (status >= 0) status = keep_rows_that_count(&run, &task, &kept);
    if (status >= 0) status = make_room(&run, &task);
    if (status >= 0) {
        status = find_dimension(&run, &task, rows, capacity, count, &found);
        for (int64_t k = 0; k < task.fits; k++) ald_model_free(task.models[k]);
    }
    ALD_OPTIONS_WRITE(ald_dimension_choice, &found, choice);
    ald_threads_end();
    ald_run_end(&wide, ALD_OK);
    return ald_run_end(&run, status);
}
