/* What methods share about the problem they are given: the centred target, errors, rows without a target. */
#include "methods/engines/problem.h"

#include "base/numbers/ordering.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/tall.h"
#include "math/operator/all_rows.h"
#include "math/operator/entry.h"
#include "math/solvers/subspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ald_status centre(ald_run *run, const ald_problem *problem, int64_t q, double *y)
{
    double *mean;
    ALD_TRY(ald_scratch_reals(run, q, 1, &mean));
    ALD_TRY(ald_tall_sums(run, problem->n, q, y, problem->weights, mean));
    ALD_TRY(ald_rows_sum(run, &problem->x, mean, q));
    for (int64_t j = 0; j < q; j++) mean[j] /= problem->total;
    return ald_tall_centre(run, problem->n, q, mean, problem->weights, y);
}

ald_status ald_problem_responses(ald_run *run, const ald_problem *problem, double **y, int64_t *q)
{
    ALD_TRY(ald_target_numbers(run, problem->target, y, q));
    return problem->centred ? ALD_OK : centre(run, problem, *q, *y);
}

double ald_rounding_of_means(const ald_operator *z)
{
    double square = 0.0;
    for (int64_t j = 0; z->mean && !z->inverse_scale && j < z->x.cols; j++) square += z->mean[j] * z->mean[j];
    return 16.0 * DBL_EPSILON * DBL_EPSILON * ald_rows_weight(z) * square;
}

ald_status ald_problem_scale(ald_run *run, ald_problem *problem, const double *mean, double *scale)
{
    double *inverse;
    ALD_TRY(ald_scratch_reals(run, problem->d, 1, &inverse));
    for (int64_t j = 0; j < problem->d; j++) {
        if (!isfinite(scale[j]))
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "X: the values of column %lld are too large to be scaled", (long long)j + 1);
        if (!(scale[j] > 16.0 * DBL_EPSILON * fabs(mean[j]))) scale[j] = 1.0;
        inverse[j] = 1.0 / scale[j];
    }
    problem->scale = scale;
    problem->x.inverse_scale = inverse;
    return ALD_OK;
}

ald_status ald_too_many_components(ald_run *run, const ald_problem *problem, int64_t available,
                                   const char *why)
{
    run->available = available;
    if (available == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s has no component here (%s): there is no direction to find",
                        ald_settings_method(run->settings)->name, why);
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%s has %lld component%s here (%s), but %lld were requested: lower `n_components`",
                    ald_settings_method(run->settings)->name, (long long)available, available == 1 ? "" : "s",
                    why, (long long)problem->r);
}

/* Classes less one, responses or labels; slices less one of each real response that is cut. */
static int64_t bound_of_target(const ald_settings *settings, const ald_target *y)
{
    const ald_param *kernel = ald_settings_param_with(settings, ALD_PARAM_IS_RESPONSE_KERNEL);
    if (kernel && strcmp(ald_settings_text_of(settings, kernel), kernel->initial) != 0) return INT64_MAX;
    const double slices = ald_settings_real_with(settings, ALD_PARAM_IS_SLICES, 0.0);
    const ald_method *method = ald_settings_method(settings);
    if (method->bound) return method->bound(settings, y);
    if (y->kind == ALD_TARGET_CLASSES) return y->n_classes - 1;
    const int64_t each = slices > 0.0 && y->kind == ALD_TARGET_REAL ? (int64_t)slices - 1 : 1;
    return each * y->values.cols;
}

int64_t ald_most_components(const ald_settings *settings, int64_t rows, int64_t cols, const ald_target *y)
{
    const unsigned bounds = ald_settings_method(settings)->bounds;
    const int centred = ald_settings_real_with(settings, ALD_PARAM_IS_CENTER, 1.0) != 0.0;
    int64_t most = INT64_MAX;
    if (bounds & ALD_BY_COLUMNS) most = cols;
    if (bounds & ALD_BY_ROWS) most = ald_least(most, centred ? rows - 1 : rows);
    if (bounds & ALD_BY_TARGET) most = ald_least(most, bound_of_target(settings, y));
    return most > 1 ? most : 1;
}

ald_status ald_check_bounds(ald_run *run, const ald_problem *problem, const char *why)
{
    const int64_t most =
        ald_most_components(run->settings, (int64_t)problem->samples, problem->d, problem->target);
    return problem->r > most ? ald_too_many_components(run, problem, most, why) : ALD_OK;
}

ald_status ald_check_class_columns(ald_run *run, const ald_problem *problem)
{
    const ald_target *y = problem->target;
    const int64_t most = ald_most(ALD_FEW_CLASSES, ALD_CLASS_CELLS / ald_most(1, problem->n));
    if (y->kind != ALD_TARGET_CLASSES || y->n_classes <= most) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "%s goes over a column for each of the %lld classes again and again, which is too much for "
        "%lld rows: merge rare classes, leave them out, or use lda",
        ald_settings_method(run->settings)->name, (long long)y->n_classes, (long long)problem->n);
}

ald_status ald_no_direction(ald_run *run, const ald_problem *problem)
{
    double *y;
    double largest = 0.0;
    int64_t q;
    ALD_TRY(ald_problem_responses(run, problem, &y, &q));
    for (int64_t i = 0; i < problem->n * q; i++) largest = fmax(largest, fabs(y[i]));
    ALD_TRY(ald_rows_largest(run, &problem->x, &largest, 1));
    if (largest > 0.0 && (largest > 1e140 || largest < 1e-140))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the target varies by %.1e, too %s to be squared: give it in another unit", largest,
                        largest > 1.0 ? "much" : "little");
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "no column of X varies together with the target: %s has no direction here",
                    ald_settings_method(run->settings)->name);
}

ald_status ald_too_large(ald_run *run)
{
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "X or the target is too large to be squared: scale X (`scale=standard`), or give the target in a "
        "larger unit");
}

ald_status ald_no_own_rule(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s has no rule for the number of components: set `n_components` to 1 or more",
                    ald_settings_method(run->settings)->name);
}

ald_status ald_map_none(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ALD_TRY(ald_model_set_printed(run, model, "alidade.fingerprint", "%016llx",
                                  (unsigned long long)ald_matrix_fingerprint(&problem->x.x)));
    return ald_model_set_text(run, model, "alidade.map", "none");
}

ald_status ald_add_components(ald_run *run, const ald_problem *problem, int64_t r, double *components,
                              double *sign, ald_model *model)
{
    ald_fix_signs(r, problem->d, components, sign);
    return ald_model_add_matrix(run, model, "components", r, problem->d, components);
}

ald_status ald_add_score_variances(ald_run *run, const ald_problem *problem, int64_t r, const double *squares,
                                   ald_model *model)
{
    double *variances;
    if (!(problem->total > 1.0)) return ALD_OK;
    ALD_TRY(ald_model_add(run, model, "score_variances", ALD_ARRAY_F64, 1, &r, &variances));
    for (int64_t k = 0; k < r; k++) variances[k] = squares[k] / (problem->total - 1.0);
    return ALD_OK;
}

static int is_labelled(const ald_target *y, int64_t i)
{
    return !y->labelled || y->labelled[i];
}

static ald_status take_classes(ald_run *run, const ald_target *y, ald_labelled *l)
{
    int32_t *classes;
    int64_t *size;
    int64_t missing = -1;
    ALD_TRY(ald_scratch(run, l->count, 1, sizeof *classes, &classes));
    ALD_TRY(ald_scratch_clear(run, y->n_classes, 1, sizeof *size, &size));
    for (int64_t i = 0; i < l->count; i++) {
        classes[i] = y->classes[l->which[i]];
        size[classes[i]]++;
    }
    for (int64_t c = y->n_classes - 1; c >= 0; c--)
        if (size[c] == 0) missing = c;
    l->target.classes = classes;
    if (missing < 0) return ALD_OK;
    if (y->names && y->names[missing])
        ald_warn(run, ALD_RANK_REDUCED,
                 "class '%.60s' has no labelled row, so it cannot be separated from the others",
                 y->names[missing]);
    else
        ald_warn(run, ALD_RANK_REDUCED,
                 "class code %lld has no labelled row, so it cannot be separated from the others",
                 (long long)missing);
    return ALD_OK;
}

static ald_status take_values(ald_run *run, const ald_target *y, ald_labelled *l)
{
    const int64_t q = y->values.cols;
    double *all, *values;
    int64_t columns;
    ALD_TRY(ald_scratch_reals(run, l->count, q, &values));
    ALD_TRY(ald_target_numbers(run, y, &all, &columns));
    for (int64_t i = 0; i < l->count; i++)
        memcpy(values + i * q, all + l->which[i] * q, (size_t)q * sizeof *values);
    l->target.values = ald_matrix_row_major(values, l->count, q, q);
    return ALD_OK;
}

ald_status ald_labelled_find(ald_run *run, const ald_problem *problem, ald_model *model,
                             ald_labelled *labelled)
{
    const ald_target *y = problem->target;
    const int64_t n = problem->n;
    *labelled = (ald_labelled){.target = *y};
    ALD_TRY(
        ald_ask_again(run)); /* targets have been checked, and are now copied: long where there are many */
    ALD_TRY(ald_scratch(run, n, 1, sizeof *labelled->which, &labelled->which));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *labelled->others, &labelled->others));
    for (int64_t i = 0; i < n; i++)
        if (is_labelled(y, i))
            labelled->which[labelled->count++] = i;
        else
            labelled->others[labelled->others_count++] = i;
    if (labelled->count < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "%lld of %lld rows %s a target: two or more are needed",
                        (long long)labelled->count, (long long)n, labelled->count == 1 ? "has" : "have");
    labelled->target.rows = labelled->count;
    labelled->target.labelled = NULL;
    labelled->target.weights = NULL;
    labelled->target.events = NULL; /* its values are the residuals */
    ALD_TRY(y->kind == ALD_TARGET_CLASSES ? take_classes(run, y, labelled) : take_values(run, y, labelled));
    if (labelled->others_count == 0) return ALD_OK;
    return ald_model_set_printed(run, model, "alidade.resolved.unlabelled_rows", "%lld",
                                 (long long)labelled->others_count);
}
