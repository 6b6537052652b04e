/* The predictor of a fit: it learns from the scores of the rows that have a target. */
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "math/linalg/view.h"
#include "methods/engines/problem.h"
#include "methods/predict/predictor.h"

#include <string.h>

ald_status ald_check_predictor(ald_run *run, const ald_target *y)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    return ald_predictor_check(run, &options, y->kind, 0);
}

int ald_is_nested(const ald_run *run)
{
    return (ald_method_capabilities(ald_settings_method(run->settings)) & ALD_IS_NESTED) != 0;
}

ald_status ald_project_problem(ald_run *run, const ald_problem *problem, const ald_model *model, double **z)
{
    const int64_t d = problem->d, r = ald_model_component_count(model);
    const double *components = ald_model_reals(model, "components", r, d);
    double *columns;
    ALD_TRY(ALD_SCRATCH(run, {&columns, d, r}, {z, problem->n, r}));
    ald_transpose(r, d, components, columns);
    return ald_operator_apply(run, &problem->x, ald_of(columns, d, r), ald_at(*z, problem->n, r));
}

/* Rows that are not in memory lose the roots of their weights again; those of weight 0 count for nothing
 * anyhow. */
ald_status ald_score_problem(ald_run *run, const ald_problem *problem, const ald_model *model, int64_t r,
                             double **z)
{
    const double *roots = problem->x.row_weight;
    if (!problem->x.source) {
        ALD_TRY(ald_scratch_reals(run, problem->n, r, z));
        return ald_map_prepared(run, model, &problem->x, *z);
    }
    ALD_TRY(ald_project_problem(run, problem, model, z));
    for (int64_t i = 0; roots && i < problem->n; i++)
        for (int64_t k = 0; k < r; k++) (*z)[i * r + k] /= roots[i] > 0.0 ? roots[i] : 1.0;
    return ALD_OK;
}

/* Leaves out the rows without a target, in place. */
static void keep_labelled(const ald_target *y, double *z, double *values, double *weights,
                          ald_predictor_data *data)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < data->n; i++) {
        if (!y->labelled[i]) continue;
        memmove(z + kept * data->r, z + i * data->r, (size_t)data->r * sizeof *z);
        memmove(values + kept * data->q, values + i * data->q, (size_t)data->q * sizeof *values);
        if (weights) weights[kept] = weights[i];
        kept++;
    }
    data->n = kept;
}

/* Times and events of the rows that have a target. */
static ald_status take_survival(ald_run *run, const ald_target *y, ald_predictor_data *data)
{
    ald_target *taken;
    int64_t *rows;
    int64_t count = 0;
    data->survival = y;
    if (!y->labelled) return ALD_OK;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *taken, &taken));
    ALD_TRY(ald_scratch(run, y->rows, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < y->rows; i++)
        if (y->labelled[i]) rows[count++] = i;
    data->survival = taken;
    return ald_target_take(run, y, rows, count, taken);
}

/* The rows that have a target, as they are. */
static ald_status take_rows(ald_run *run, const ald_target *y, const double *given, int64_t r, double *z,
                            ald_predictor_data *data)
{
    double *values, *weights = NULL;
    *data = (ald_predictor_data){.n = y->rows, .r = r, .z = z, .weights = given, .kind = y->kind};
    ALD_TRY(ald_target_numbers(run, y, &values, &data->q));
    data->y = values;
    if (y->events) ALD_TRY(take_survival(run, y, data));
    if (y->labelled && given) {
        ALD_TRY(ald_scratch_reals(run, data->n, 1, &weights));
        memcpy(weights, given, (size_t)data->n * sizeof *weights);
        data->weights = weights;
    }
    if (y->labelled) keep_labelled(y, z, values, weights, data);
    return ALD_OK;
}

ald_status ald_predictor_learn(ald_run *run, const ald_target *y, const double *weights, int64_t r, double *z,
                               int nested, ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    const ald_predictor *predictor = ald_predictor_find(options.name);
    const ald_rows_to_learn rows = {.n = y->rows, .r = r, .z = z, .y = y, .weights = weights};
    ald_predictor_data data;
    int condensed;
    if (!predictor) return ALD_OK;
    ALD_TRY(ald_predictor_check(run, &options, y->kind, 0));
    ALD_TRY(ald_condense(run, predictor->moments, &rows, &data, &condensed));
    if (!condensed) ALD_TRY(take_rows(run, y, weights, r, z, &data));
    ALD_TRY(ald_predictor_fit(run, &options, &data, model));
    return nested ? ald_predictor_fit_nested(run, &options, &data, model) : ALD_OK;
}

/* The predictor learns from the projection that ald_transform would give, of the rows that have a target. */
ald_status ald_fit_predictor(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = ald_model_component_count(model);
    double *z;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    ALD_TRY(ald_score_problem(run, problem, model, r, &z));
    return ald_predictor_learn(run, problem->target, problem->weights, r, z, ald_is_nested(run), model);
}
