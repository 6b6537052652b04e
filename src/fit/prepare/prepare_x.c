/* Preparing X: rows (row_plan.c), then columns. Nothing is copied but where rows have steps or weight 0:
 * the result is an operator, X with a shift and a factor for each row and a mean and a scale for each
 * column.
 *
 *   z_ij = sqrt(w_i) ((x_ij - shift_i) factor_i - mean_j) / scale_j
 *
 * Columns of a size whose squares are not numbers, or 0, have their statistics nevertheless
 * (math/operator/column_sizes.c). */
#include "fit/prepare/prepare_x.h"

#include "base/core/known_rows.h"
#include "base/numbers/ordering.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "fit/prepare/check.h"
#include "math/device/held.h"
#include "methods/gaps/gaps.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* 1 / size, and 1 for rows or columns that do not vary. */
static void invert_sizes(int64_t n, double *sizes)
{
    for (int64_t i = 0; i < n; i++) sizes[i] = sizes[i] > 0.0 ? 1.0 / sizes[i] : 1.0;
}

/* `given` are the rows as they came, for messages. */
static ald_status scale_rows(ald_run *run, ald_row_scale row_scale, const ald_matrix *given, ald_operator *z)
{
    const int64_t n = z->x.rows;
    double *shift = NULL, *factor;
    if (row_scale == ALD_ROWS_PLAIN) return ALD_OK;
    const int standard = row_scale == ALD_ROWS_STANDARD;
    ALD_TRY(ald_scratch_reals(run, n, 1, &factor));
    if (standard) ALD_TRY(ald_scratch_reals(run, n, 1, &shift));
    ALD_TRY(ald_row_moments(run, &z->x, shift, standard ? factor : NULL, standard ? NULL : factor));
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(factor[i])) {
            ALD_TRY(ald_check_finite(run, &z->x, "X"));
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "X: the values of row %lld are too large to be scaled",
                            (long long)ald_row_number(run, given, i));
        }
    invert_sizes(n, factor);
    z->row_shift = shift;
    z->row_factor = factor;
    return ALD_OK;
}

ald_status ald_check_row_order(ald_run *run, const ald_settings *settings, const char *categorical)
{
    if (!categorical || ald_common_settings_of(settings).rows.count == 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "`rows` prepares rows whose columns are ordered numbers, such as spectra, but %s is "
                    "categorical: leave it out (`ignore`), or leave `rows` at none",
                    categorical);
}

/* A step would carry a bad entry through its row, so they are looked for first. */
static ald_status check_entries(ald_run *run, const ald_row_plan *plan, const ald_matrix *x)
{
    return plan->steps.count > 0 ? ald_check_finite(run, x, "X") : ALD_OK;
}

ald_status ald_prepare_rows(ald_run *run, const ald_row_plan *plan, ald_operator *z)
{
    const ald_matrix x = z->x;
    ALD_TRY(check_entries(run, plan, &x));
    ALD_TRY(ald_row_plan_apply(run, plan, &x, &z->x));
    return scale_rows(run, plan->scale, &x, z);
}

static ald_status learn_rows(ald_run *run, const double *weights, ald_row_plan *plan, ald_operator *z)
{
    const ald_matrix x = z->x;
    ALD_TRY(check_entries(run, plan, &x));
    ALD_TRY(ald_row_plan_learn(run, &x, weights, plan, &z->x));
    return scale_rows(run, plan->scale, &x, z);
}

ald_status ald_prepare_rows_alone(ald_run *run, const ald_settings *settings, ald_operator *z)
{
    ald_row_plan plan = ald_row_plan_of(settings);
    return learn_rows(run, NULL, &plan, z);
}

ald_status ald_problem_weigh(ald_run *run, const double *weights, ald_problem *problem)
{
    double *roots;
    problem->total = (double)problem->n;
    if (!weights) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->n, 1, &roots));
    problem->total = 0.0;
    for (int64_t i = 0; i < problem->n; i++) {
        problem->total += weights[i];
        roots[i] = sqrt(weights[i]);
    }
    problem->weights = weights;
    problem->x.row_weight = roots;
    return ALD_OK;
}

/* Rows of weight 0 leave, so that a fit cannot tell them from rows that are not there: X is copied without
 * them. */
static ald_status keep_rows_that_count(ald_run *run, const double **weights, ald_problem *problem)
{
    double *kept;
    const ald_operator all = problem->x;
    if (!*weights) return ALD_OK;
    if (!problem->gappy) ALD_TRY(ald_check_finite(run, &all.x, "X"));
    ALD_TRY(ald_rows_that_count(run, all.x.rows, *weights, &problem->which, &problem->n));
    if (!problem->which) return ALD_OK;
    if (problem->n < 2)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "weights: %lld row has a weight above 0; a fit needs two or more",
                        (long long)problem->n);
    ALD_TRY(ald_operator_take(run, &all, problem->which, problem->n, &problem->x));
    ALD_TRY(ald_scratch_reals(run, problem->n, 1, &kept));
    for (int64_t i = 0; i < problem->n; i++) kept[i] = (*weights)[problem->which[i]];
    *weights = kept;
    return ALD_OK;
}

/* A mean that is not finite shows a bad entry; X is searched only then. */
static ald_status check_means(ald_run *run, const ald_problem *problem, const double *mean)
{
    int64_t bad = -1;
    for (int64_t j = 0; j < problem->d && bad < 0; j++)
        if (!isfinite(mean[j])) bad = j;
    if (bad < 0) return ALD_OK;
    ALD_TRY(ald_check_finite(run, &problem->x.x, "X"));
    return ald_fail(run->error, ALD_ERROR_DATA, "X: the values of column %lld are too large to be summed",
                    (long long)bad + 1);
}

/* Whether the method does not mind the units of the columns, with the run's settings. */
static int is_invariant(const ald_run *run)
{
    const ald_settings *settings = run->settings;
    if (!ald_settings_method(settings)->scale_free) return 0;
    return !(ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE, 0.0) > 0.0) &&
           !(ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE_REL, 0.0) > 0.0);
}

/* Columns of an extreme size are divided by a power of two, which the model keeps as their scale. */
static ald_status bring_to_size(ald_run *run, const double *peak, ald_problem *problem)
{
    double *scale, *inverse;
    ALD_TRY(ALD_SCRATCH(run, {&scale, problem->d, 1}, {&inverse, problem->d, 1}));
    for (int64_t j = 0; j < problem->d; j++) {
        int exponent = 0;
        if (!ald_peak_is_plain(peak[j])) frexp(peak[j], &exponent);
        if (exponent < -1020) exponent = -1020; /* the inverse is a number too */
        scale[j] = ldexp(1.0, exponent);
        inverse[j] = ldexp(1.0, -exponent);
    }
    problem->scale = scale;
    problem->x.inverse_scale = inverse;
    return ALD_OK;
}

/* With scale=none. Columns beyond 2^300 or below 2^-300 are divided by a power of two where the method does
 * not depend on units; elsewhere columns too large to be squared are an error, and so are columns that are
 * all too small. */
static ald_status settle_sizes(ald_run *run, const double *peak, ald_problem *problem)
{
    const ald_method *method = ald_settings_method(run->settings);
    int64_t largest = 0;
    int extreme = 0;
    for (int64_t j = 0; j < problem->d; j++) {
        if (peak[j] > peak[largest]) largest = j;
        extreme |= !ald_peak_is_plain(peak[j]);
    }
    if (!extreme) return ALD_OK;
    if (is_invariant(run)) return bring_to_size(run, peak, problem);
    if (peak[largest] > ALD_LARGEST_SQUARE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X: the values of column %lld lie up to %.1e apart, too far to be squared as %s "
                        "requires: use `scale=standard`, or give the column in a larger unit",
                        (long long)largest + 1, peak[largest], method->name);
    if (peak[largest] < ALD_SMALLEST_SQUARE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X: the values of no column lie more than %.1e apart, too close to be squared as %s "
                        "requires: use `scale=standard`, or give the columns in a smaller unit",
                        peak[largest], method->name);
    return ALD_OK;
}

static ald_status prepare_columns(ald_run *run, ald_column_scale asked, ald_problem *problem)
{
    const int standard = asked == ALD_COLUMNS_STANDARD, minmax = asked == ALD_COLUMNS_MINMAX;
    const int64_t d = problem->d;
    ald_column_moments moments = {0};
    ALD_TRY(ALD_SCRATCH(run, {&moments.mean, d, 1}, {&moments.peak, d, 1}));
    if (standard) ALD_TRY(ald_scratch_reals(run, d, 1, &moments.deviation));
    if (minmax) {
        ALD_TRY(ALD_SCRATCH(run, {&moments.low, d, 1}, {&moments.high, d, 1}));
    }
    ALD_TRY(ald_column_sizes(run, &problem->x, problem->weights, moments));
    ALD_TRY(check_means(run, problem, moments.mean));
    problem->x.mean = moments.mean;
    if (!standard && !minmax) return settle_sizes(run, moments.peak, problem);
    double *scale = standard ? moments.deviation : moments.high;
    for (int64_t j = 0; minmax && j < d; j++) scale[j] -= moments.low[j];
    problem->shift = moments.low;
    return ald_problem_scale(run, problem, moments.mean, scale);
}

ald_status ald_prepare_fit(ald_run *run, const ald_matrix *x, const double *weights, ald_row_plan *plan,
                           ald_problem *problem)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    memset(problem, 0, sizeof *problem);
    problem->x.x = *x;
    problem->n = x->rows;
    problem->d = x->cols;
    problem->r = asked.n_components;
    *plan = ald_row_plan_of(run->settings);
    ALD_TRY(ald_gaps_find(run, x, weights, &problem->gappy));
    ALD_TRY(learn_rows(run, weights, plan, &problem->x));
    ALD_TRY(keep_rows_that_count(run, &weights, problem));
    problem->samples = (double)problem->n;
    ALD_TRY(ald_problem_weigh(run, weights, problem));
    return problem->gappy ? ald_gaps_prepare(run, asked.scale, problem)
                          : prepare_columns(run, asked.scale, problem);
}

/* Rows that the note about unlike columns looks at, at most, and so many in any case. */
enum { most_rows = 1000, enough_rows = 100, most_entries = 1 << 19 };

static const double unlike = 100.0;

static int minds_units(const ald_run *run)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    const ald_method *method = ald_settings_method(run->settings);
    if (method->scale_free || (method->ignores_units && method->ignores_units(run->settings))) return 0;
    return run->call.log && !asked.scale_given && asked.scale == ALD_COLUMNS_PLAIN &&
           asked.row_scale == ALD_ROWS_PLAIN;
}

/* "age", or "column 3". */
static const char *column_shown(const ald_run *run, int64_t j, char *text, size_t size)
{
    const char *name = run->feature_names ? run->feature_names[j] : NULL;
    if (name && *name)
        snprintf(text, size, "'%.60s'", name);
    else
        snprintf(text, size, "column %lld", (long long)j + 1);
    return text;
}

void ald_note_unlike_deviations(ald_run *run, int64_t d, const double *deviations)
{
    int64_t least = -1, most = -1;
    char small[80], large[80];
    if (!minds_units(run)) return;
    for (int64_t j = 0; j < d; j++) {
        if (!(deviations[j] > 0.0) || !isfinite(deviations[j])) continue;
        if (least < 0 || deviations[j] < deviations[least]) least = j;
        if (most < 0 || deviations[j] > deviations[most]) most = j;
    }
    if (least < 0 || deviations[most] <= unlike * deviations[least]) return;
    ald_log(run, ALD_LOG_INFO,
            "the spreads of the columns differ by more than a factor of 100: the standard deviation of %s is "
            "%.3g, that of %s %.3g; %s favours the large ones: if the columns have different units, give "
            "`scale=standard`",
            column_shown(run, most, large, sizeof large), deviations[most],
            column_shown(run, least, small, sizeof small), deviations[least],
            ald_settings_method(run->settings)->name);
}

/* By evenly spaced rows about the first of them; 0 where a column does not vary but for rounding. `squares`
 * (d, zeros) is for the work. */
static void measure_deviations(const ald_matrix *x, int64_t step, double *squares, double *deviations)
{
    const double *first = x->values, *row = first;
    double n = 0.0;
    for (int64_t i = 0; i < x->rows; i += step, row += step * x->row_stride, n += 1.0)
        for (int64_t j = 0; j < x->cols; j++) {
            const double apart = row[j * x->col_stride] - first[j * x->col_stride];
            deviations[j] += apart;
            squares[j] += apart * apart;
        }
    for (int64_t j = 0; j < x->cols; j++) {
        const double sum = deviations[j], start = first[j * x->col_stride],
                     variance = (squares[j] - sum * (sum / n)) / n;
        const int varies = variance > 1e-24 * start * start && variance > 1e-12 * squares[j] / n;
        deviations[j] = varies ? sqrt(variance) : 0.0;
    }
}

static ald_status note_unlike_columns(ald_run *run, const ald_problem *problem)
{
    ald_matrix x = problem->x.x;
    double *work, *first;
    if (!minds_units(run) || problem->x.source || x.storage != ALD_DENSE || x.type != ALD_F64) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, 2, problem->d, &work));
    const int64_t rows = ald_within(most_entries / ald_most(1, problem->d), enough_rows, most_rows);
    if (ald_card_only(run, &x)) { /* those at its beginning, by one copy */
        const int64_t some = ald_least(rows, x.rows);
        const ald_operator plain = {.x = x};
        ALD_TRY(ald_scratch_reals(run, some, x.cols, &first));
        ALD_TRY(ald_operator_rows(run, &plain, 0, ald_at(first, some, x.cols)));
        x = ald_matrix_row_major(first, some, x.cols, x.cols);
    }
    measure_deviations(&x, 1 + (x.rows - 1) / rows, work, work + problem->d);
    ald_note_unlike_deviations(run, problem->d, work + problem->d);
    ald_arena_drop(&run->scratch, work);
    return ALD_OK;
}

static ald_status keep_square(ald_run *run, const ald_problem *problem, const ald_matrix **m)
{
    ald_matrix *kept;
    if (!*m) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *kept, &kept));
    ALD_TRY(ald_matrix_take_square(run, *m, problem->which, problem->n, kept));
    *m = kept;
    return ALD_OK;
}

/* The target, graph, distances and kernel of the rows that the problem has kept, in scratch where these are
 * not all. */
static ald_status keep_inputs(ald_run *run, const ald_inputs *inputs, ald_problem *problem)
{
    static const ald_target no_target;
    ald_target *kept;
    problem->target = inputs->y ? inputs->y : &no_target;
    problem->graph = inputs->graph;
    problem->distances = inputs->target_distances;
    problem->response_kernel = inputs->response_kernel;
    problem->start = inputs->start;
    if (!problem->which) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *kept, &kept));
    ALD_TRY(ald_target_take(run, problem->target, problem->which, problem->n, kept));
    problem->target = kept;
    ALD_TRY(keep_square(run, problem, &problem->graph));
    ALD_TRY(keep_square(run, problem, &problem->distances));
    return keep_square(run, problem, &problem->response_kernel);
}

ald_status ald_prepare_problem(ald_run *run, const ald_inputs *inputs, ald_model *model, ald_problem *problem)
{
    ald_row_plan plan;
    ALD_TRY(ald_prepare_fit(run, inputs->x, inputs->y ? inputs->y->weights : NULL, &plan, problem));
    ALD_TRY(ald_row_plan_store(run, &plan, inputs->x->cols, model));
    ALD_TRY(keep_inputs(run, inputs, problem));
    return note_unlike_columns(run, problem);
}
