/* Settings: the values of one method's parameters, checked against the table whenever one is set. */
#include "core/context.h"
#include "core/given.h"
#include "core/method.h"
#include "core/number.h"
#include "core/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const components_choices[] = {"exactly", "at-most", NULL};
static const char *const scale_choices[] = {"none", "standard", "minmax", NULL};
static const char *const row_scale_choices[] = {"none", "standard", "unit", NULL};
static const char *const predictor_choices[] = {"none",     "linear",   "ridge", "one-vs-rest", "centroid",
                                                "gaussian", "logistic", "knn",   NULL};

const ald_param ald_common_params[] = {
    {
        .name = "n_components",
        .type = ALD_PARAM_INT,
        .initial = "2",
        .min = 0,
        .max = INT32_MAX,
        .help = "number of components to find; 0 asks for the method's own rule",
        .traits = ALD_PARAM_IS_COMPONENTS,
    },
    {
        .name = "components_rule",
        .type = ALD_PARAM_CHOICE,
        .initial = "exactly",
        .choices = components_choices,
        .help = "where there are fewer than n_components: exactly is an error, at-most takes what there are",
    },
    {
        .name = "scale",
        .type = ALD_PARAM_CHOICE,
        .initial = "none",
        .choices = scale_choices,
        .help = "divide each column: standard by its standard deviation, minmax by its range (kept in the model)",
    },
    {
        .name = "row_scale",
        .type = ALD_PARAM_CHOICE,
        .initial = "none",
        .choices = row_scale_choices,
        .help = "before that, each row: standard to mean 0 and standard deviation 1 (spectra), unit to length 1 (text)",
    },
    {
        .name = "predictor",
        .type = ALD_PARAM_CHOICE,
        .initial = "none",
        .choices = predictor_choices,
        .help = "also fit a predictor on the projection: of numbers linear, ridge, knn; of classes gaussian, logistic, "
                "knn, "
                "centroid; of labels one-vs-rest, logistic, knn",
    },
    {
        .name = "predictor_neighbors",
        .type = ALD_PARAM_INT,
        .initial = "1",
        .min = 0,
        .max = 1e9,
        .help = "knn: how many of the nearest rows it looks at; 0: the number of classes and one",
        .simpler = ALD_SIMPLER_LARGER,
        .traits = ALD_PARAM_ZERO_IS_AUTO,
    },
    {
        .name = "predictor_ridge",
        .type = ALD_PARAM_REAL,
        .initial = "0",
        .min = 0,
        .max = ALD_NO_LIMIT,
        .help = "ridge, one-vs-rest and logistic: the penalty as a part of the rows; 0: the predictor's own",
        .simpler = ALD_SIMPLER_LARGER,
        .traits = ALD_PARAM_IS_PREDICTOR_RIDGE | ALD_PARAM_ZERO_IS_AUTO,
    },
    {
        .name = "keep_statistics",
        .type = ALD_PARAM_BOOL,
        .initial = "0",
        .help = "keep what is needed to add or take away rows later without the data (d x d numbers)",
    },
    {
        .name = "outlier_limits",
        .type = ALD_PARAM_BOOL,
        .initial = "0",
        .help = "keep what tells which rows are unlike those of the fit (r x d numbers; linear methods)",
    },
    {
        .name = "random_state",
        .type = ALD_PARAM_INT,
        .initial = "0",
        .min = 0,
        .max = 9007199254740992.0,
        .help = "seed of everything random",
        .traits = ALD_PARAM_IS_SEED,
    },
    {.name = NULL},
};

enum { value_text_size = 64 };

typedef struct value {
    const ald_param *param;
    int64_t integer;
    double real;
    int given; /* set by the caller, not only the default */
    char text[value_text_size];
} value;

struct ald_settings {
    ald_allocator allocator;
    ald_arena memory;
    const ald_method *method;
    value *values;
    int count;
};

static int same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_'))) return 0;
    return *a == *b;
}

static value *find_value(const ald_settings *settings, const char *name)
{
    for (int i = 0; i < settings->count; i++)
        if (same_name(settings->values[i].param->name, name)) return &settings->values[i];
    return NULL;
}

static const char *nearest_param(const ald_settings *settings, const char *name)
{
    const char *nearest = NULL;
    int best = ald_name_tolerance(name) + 1;
    for (int i = 0; i < settings->count; i++) {
        const int distance = ald_name_distance(name, settings->values[i].param->name);
        if (distance < best) {
            best = distance;
            nearest = settings->values[i].param->name;
        }
    }
    return nearest;
}

static ald_status no_such_param(const ald_settings *settings, const char *name, ald_error *error)
{
    const char *nearest = nearest_param(settings, name);
    const char *method = settings->method->name;
    if (nearest)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s has no parameter '%s'; the nearest is '%s'", method, name,
                        nearest);
    return ald_fail(error, ALD_ERROR_ARGUMENT, "%s has no parameter '%s'; `ald_method_param(%s)` lists those it has",
                    method, name, method);
}

/* "from 0 to 1", or "of at least 0" where there is no limit above. */
static ald_status outside_limits(const ald_param *p, const char *text, ald_error *error)
{
    const char *kind = p->type == ALD_PARAM_INT ? "whole number" : "number";
    char low[ALD_REAL_TEXT_SIZE], high[ALD_REAL_TEXT_SIZE];
    ald_format_real(p->min, low);
    ald_format_real(p->max, high);
    if (isinf(p->max))
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s takes a %s of at least %s, not '%.40s'", p->name, kind, low,
                        text);
    return ald_fail(error, ALD_ERROR_ARGUMENT, "%s takes a %s from %s to %s, not '%.40s'", p->name, kind, low, high,
                    text);
}

static ald_status set_number(value *v, double number, const char *text, ald_error *error)
{
    const ald_param *p = v->param;
    const int whole = p->type == ALD_PARAM_INT;
    if (!(number >= p->min && number <= p->max) || (whole && number != floor(number)) || !isfinite(number))
        return outside_limits(p, text, error);
    v->real = number;
    if (whole) v->integer = (int64_t)number;
    char shown[ALD_REAL_TEXT_SIZE];
    ald_format_real(number, shown);
    snprintf(v->text, sizeof v->text, "%s", shown);
    return ALD_OK;
}

static ald_status set_bool(value *v, const char *text, ald_error *error)
{
    static const char *const words[2][4] = {{"0", "false", "no", "off"}, {"1", "true", "yes", "on"}};
    for (int truth = 0; truth < 2; truth++)
        for (int w = 0; w < 4; w++)
            if (strcmp(text, words[truth][w]) == 0) {
                v->integer = truth;
                v->real = truth;
                snprintf(v->text, sizeof v->text, "%d", truth);
                return ALD_OK;
            }
    return ald_fail(error, ALD_ERROR_ARGUMENT, "%s takes 0 or 1, not '%.40s'", v->param->name, text);
}

static ald_status set_choice(value *v, const char *text, ald_error *error)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; v->param->choices[i]; i++) {
        if (strcmp(text, v->param->choices[i]) == 0) {
            v->integer = i;
            snprintf(v->text, sizeof v->text, "%s", text);
            return ALD_OK;
        }
        const int written = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", v->param->choices[i]);
        if (written > 0 && used + (size_t)written < sizeof list) used += (size_t)written;
    }
    return ald_fail(error, ALD_ERROR_ARGUMENT, "%s is one of %s, not '%.40s'", v->param->name, list, text);
}

static ald_status set_value(value *v, const char *text, ald_error *error)
{
    double number;
    if (v->param->type == ALD_PARAM_CHOICE) return set_choice(v, text, error);
    if (v->param->type == ALD_PARAM_BOOL) return set_bool(v, text, error);
    if (!ald_parse_real(text, strlen(text), &number))
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s takes a number, not '%.40s'", v->param->name, text);
    return set_number(v, number, text, error);
}

static ald_status fill_values(ald_settings *settings, ald_error *error)
{
    const ald_param *param;
    for (settings->count = 0; (param = ald_method_param(settings->method, settings->count)) != NULL;
         settings->count++) {
        value *v = &settings->values[settings->count];
        memset(v, 0, sizeof *v);
        v->param = param;
        ALD_TRY(set_value(v, param->initial, error));
    }
    return ALD_OK;
}

static ald_status unknown_method(const char *name, ald_error *error)
{
    const char *nearest = ald_method_suggest(name);
    if (nearest)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "there is no method '%.60s'; the nearest is '%s'", name, nearest);
    return ald_fail(error, ALD_ERROR_ARGUMENT, "there is no method '%.60s'; `ald_method_at` lists the methods", name);
}

ald_status ald_settings_new(ald_context *context, const char *name, ald_settings **settings, ald_error *error)
{
    if (settings) *settings = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context, name, settings);
    const ald_method *method = ald_method_find(name);
    if (!method) return unknown_method(name, error);
    int count = 0;
    while (ald_method_param(method, count)) count++;
    ald_settings *made = context->allocator.resize(context->allocator.user, NULL, sizeof *made);
    if (!made) return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for the settings of %s", name);
    made->allocator = context->allocator;
    made->method = method;
    ald_arena_init(&made->memory, &made->allocator);
    made->values = ald_arena_get(&made->memory, count, 1, sizeof *made->values);
    const ald_status status = made->values
                                  ? fill_values(made, error)
                                  : ald_fail(error, ALD_ERROR_MEMORY, "out of memory for the settings of %s", name);
    if (status < 0)
        ald_settings_free(made);
    else
        *settings = made;
    return status;
}

ald_status ald_settings_copy(ald_context *context, const ald_settings *from, ald_settings **settings, ald_error *error)
{
    if (settings) *settings = NULL;
    ALD_GIVEN(error, context, from, settings);
    ALD_TRY(ald_settings_new(context, from->method->name, settings, error));
    memcpy((*settings)->values, from->values, (size_t)from->count * sizeof *from->values);
    return ALD_OK;
}

void ald_settings_free(ald_settings *settings)
{
    if (!settings) return;
    const ald_allocator allocator = settings->allocator;
    ald_arena_free(&settings->memory);
    allocator.resize(allocator.user, settings, 0);
}

const ald_method *ald_settings_method(const ald_settings *settings)
{
    return settings ? settings->method : NULL;
}

ald_status ald_settings_set_text(ald_settings *settings, const char *name, const char *text, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, settings, name, text);
    value *v = find_value(settings, name);
    if (!v) return no_such_param(settings, name, error);
    ALD_TRY(set_value(v, text, error));
    v->given = 1;
    return ALD_OK;
}

ald_status ald_settings_set_real(ald_settings *settings, const char *name, double number, ald_error *error)
{
    char text[ALD_REAL_TEXT_SIZE];
    ald_format_real(number, text);
    return ald_settings_set_text(settings, name, text, error);
}

ald_status ald_settings_set_int(ald_settings *settings, const char *name, int64_t number, ald_error *error)
{
    char text[ALD_REAL_TEXT_SIZE];
    snprintf(text, sizeof text, "%lld", (long long)number);
    return ald_settings_set_text(settings, name, text, error);
}

const char *ald_settings_text(const ald_settings *settings, const char *name)
{
    const value *v = settings && name ? find_value(settings, name) : NULL;
    return v ? v->text : NULL;
}

int64_t ald_setting_int(const ald_run *run, const char *name)
{
    const value *v = find_value(run->settings, name);
    return v ? v->integer : INT64_MIN;
}

double ald_setting_real(const ald_run *run, const char *name)
{
    const value *v = find_value(run->settings, name);
    return v ? v->real : NAN;
}

int ald_setting_is(const ald_run *run, const char *name, const char *choice)
{
    const value *v = find_value(run->settings, name);
    return v && strcmp(v->text, choice) == 0;
}

int ald_settings_given(const ald_settings *settings, const char *name)
{
    const value *v = settings && name ? find_value(settings, name) : NULL;
    return v && v->given;
}

int ald_setting_given(const ald_run *run, const char *name)
{
    return ald_settings_given(run->settings, name);
}
