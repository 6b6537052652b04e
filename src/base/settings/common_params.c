/* The entries of the parameters that every method has, and their values in one struct. */
#include "base/settings/common_params.h"

#include "base/settings/settings.h"

#include <string.h>

static const char *const components_rules[] = {"exactly", "at-most", NULL};
static const char *const scales[] = {"none", "standard", "minmax", NULL};
static const char *const row_scales[] = {"none", "standard", "unit", NULL};

static const ald_param n_components_param = ALD_INT_PARAM(
    "n_components", "2", 0, INT32_MAX, "number of components to find; 0 asks for the method's own rule",
    .traits = ALD_PARAM_IS_COMPONENTS);
static const ald_param components_rule_param =
    ALD_CHOICE_PARAM("components_rule", "exactly", components_rules,
                     "if there are fewer components than n_components requests: exactly is an error, at-most "
                     "takes those available; without n_components always at-most");
static const ald_param scale_param = ALD_CHOICE_PARAM(
    "scale", "none", scales,
    "divide each column: standard by its standard deviation, minmax by its range (kept in the model)");
static const ald_param rows_param = {
    .name = "rows",
    .type = ALD_PARAM_STEPS,
    .initial = "none",
    .help = "steps applied first to each row (spectra), in the order given: snv, msc, detrend:DEGREE, "
            "savgol:WINDOW:DEGREE:DERIVATIVE",
};
static const ald_param row_scale_param = ALD_CHOICE_PARAM(
    "row_scale", "none", row_scales,
    "before that, scale each row: standard to mean 0 and standard deviation 1 (SNV, for spectra), "
    "unit to length 1 (for texts)");
static const ald_param keep_statistics_param =
    ALD_FLAG_PARAM("keep_statistics", "0",
                   "keep what is needed to add or remove rows later without the data (d x d numbers)",
                   .traits = ALD_PARAM_IS_STATISTICS);
static const ald_param outlier_limits_param = ALD_FLAG_PARAM(
    "outlier_limits", "0",
    "keep the limits of T2 and Q, which show rows that are unlike those of the fit (r x d numbers; "
    "linear methods)");
static const ald_param random_state_param = ALD_INT_PARAM(
    "random_state", "0", 0, 9007199254740992.0, "seed of the random numbers", .traits = ALD_PARAM_IS_SEED);

const ald_param *const ald_common_params[] = {
    &n_components_param,
    &components_rule_param,
    &scale_param,
    &row_scale_param,
    &rows_param,
    &keep_statistics_param,
    &outlier_limits_param,
    &random_state_param,
    NULL,
};

/* What a setting holds was checked when it was set. */
static ald_row_steps rows_of(const ald_settings *settings)
{
    ald_row_steps steps;
    ald_row_steps_parse(ald_settings_text_of(settings, &rows_param), &steps, NULL);
    return steps;
}

/* By default as many as are usual, or as many as there are; only what was asked for must be there. */
static int takes_at_most(const ald_settings *settings)
{
    if (ald_settings_given(settings, components_rule_param.name))
        return ald_settings_int_of(settings, &components_rule_param) == 1;
    return !ald_settings_given(settings, n_components_param.name);
}

const char *ald_at_most_rule(const char **name)
{
    *name = components_rule_param.name;
    return components_rules[1];
}

int ald_gaps_in(const ald_settings *settings)
{
    return ald_settings_real_with(settings, ALD_PARAM_IS_GAPS, 0.0) > 0.0;
}

ald_common_settings ald_common_settings_of(const ald_settings *settings)
{
    return (ald_common_settings){
        .rows = rows_of(settings),
        .n_components = ald_settings_int_of(settings, &n_components_param),
        .at_most = takes_at_most(settings),
        .scale = (ald_column_scale)ald_settings_int_of(settings, &scale_param),
        .scale_given = ald_settings_given(settings, scale_param.name),
        .row_scale = (ald_row_scale)ald_settings_int_of(settings, &row_scale_param),
        .keep_statistics = ald_settings_int_of(settings, &keep_statistics_param) == 1,
        .outlier_limits = ald_settings_int_of(settings, &outlier_limits_param) == 1,
        .seed = (uint64_t)ald_settings_int_of(settings, &random_state_param),
    };
}

uint64_t ald_seed(const ald_run *run)
{
    return (uint64_t)ald_setting_int(run, &random_state_param);
}

ald_status ald_set_n_components(ald_settings *settings, int64_t n_components, ald_error *error)
{
    return ald_settings_set_int(settings, n_components_param.name, n_components, error);
}

ald_status ald_set_at_most(ald_settings *settings, ald_error *error)
{
    const char *name, *rule = ald_at_most_rule(&name);
    return ald_settings_set_text(settings, name, rule, error);
}

ald_status ald_set_keep_statistics(ald_settings *settings, int keep, ald_error *error)
{
    return ald_settings_set_int(settings, keep_statistics_param.name, keep, error);
}

ald_status ald_set_plain_rows(ald_settings *settings, ald_error *error)
{
    ALD_TRY(ald_settings_set_text(settings, rows_param.name, "none", error));
    return ald_settings_set_text(settings, row_scale_param.name, row_scales[ALD_ROWS_PLAIN], error);
}

ald_status ald_set_plain(ald_settings *settings, ald_error *error)
{
    ALD_TRY(ald_set_plain_rows(settings, error));
    return ald_settings_set_text(settings, scale_param.name, scales[ALD_COLUMNS_PLAIN], error);
}

static int same_steps(const ald_settings *a, const ald_settings *b)
{
    return ald_settings_int_of(a, &row_scale_param) == ald_settings_int_of(b, &row_scale_param) &&
           strcmp(ald_settings_text_of(a, &rows_param), ald_settings_text_of(b, &rows_param)) == 0;
}

int ald_same_preparation(const ald_settings *a, const ald_settings *b)
{
    return same_steps(a, b) && ald_settings_int_of(a, &scale_param) == ald_settings_int_of(b, &scale_param);
}

int ald_same_rows(const ald_settings *a, const ald_settings *b)
{
    const ald_row_steps steps = rows_of(a);
    return !ald_row_steps_learned(&steps) && same_steps(a, b);
}

ald_row_scale ald_model_row_scale(const ald_model *model)
{
    const char *text = ald_model_text(model, "alidade.param.row_scale");
    for (int i = 0; text && row_scales[i]; i++)
        if (strcmp(row_scales[i], text) == 0) return (ald_row_scale)i;
    return ALD_ROWS_PLAIN;
}
