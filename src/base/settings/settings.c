/* Settings: the values of one method's parameters, checked against the table whenever one is set. */
#include "base/settings/settings.h"

#include "base/core/context.h"
#include "base/core/error.h"
#include "base/numbers/near_names.h"
#include "base/numbers/number.h"
#include "base/settings/method.h"
#include "base/settings/row_steps.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { value_text_size = 160 };

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

static ald_status no_such_param(const ald_settings *settings, const char *name, ald_error *error)
{
    ald_near_name nearest = {0};
    const char *method = settings->method->name;
    for (int i = 0; i < settings->count; i++)
        ald_near_name_try(&nearest, name, settings->values[i].param->name);
    if (nearest.name)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s has no parameter '%s'; the nearest is '%s'", method,
                        name, nearest.name);
    return ald_fail(error, ALD_ERROR_ARGUMENT,
                    "%s has no parameter '%s'; `ald_method_param(%s)` lists those it has", method, name,
                    method);
}

/* "from 0 to 1", or "of at least 0" where there is no limit above. */
static ald_status outside_limits(const ald_param *p, const char *text, ald_error *error)
{
    const char *kind = p->type == ALD_PARAM_REAL ? "number" : "whole number";
    char low[ALD_REAL_TEXT_SIZE], high[ALD_REAL_TEXT_SIZE];
    ald_format_real(p->min, low);
    ald_format_real(p->max, high);
    if (isinf(p->max))
        return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` takes a %s of at least %s, not '%.40s'", p->name,
                        kind, low, text);
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` takes a %s from %s to %s, not '%.40s'", p->name, kind,
                    low, high, text);
}

static ald_status set_number(value *v, double number, const char *text, ald_error *error)
{
    const ald_param *p = v->param;
    const int whole = p->type == ALD_PARAM_INT;
    if (!(number >= p->min && number <= p->max) || (whole && number != floor(number)) || !isfinite(number))
        return outside_limits(p, text, error);
    v->real = number;
    if (whole) v->integer = (int64_t)number;
    ald_format_real(number, v->text);
    return ALD_OK;
}

/* The end of the number that begins at `text`, in a list with '+' or ',' between its numbers. */
static const char *number_end(const char *text)
{
    return text + strcspn(text, "+,");
}

/* Kept with '+' between the numbers, so that it can stand in a list. */
static ald_status set_ints(value *v, const char *text, ald_error *error)
{
    const ald_param *p = v->param;
    char kept[value_text_size] = "", one[ALD_REAL_TEXT_SIZE];
    size_t used = 0;
    double number;
    for (const char *at = text, *end;; at = end + 1) {
        end = number_end(at);
        if (!ald_parse_real(at, (size_t)(end - at), &number))
            return ald_fail(error, ALD_ERROR_ARGUMENT,
                            "`%s` takes a whole number, or one for each component (10+5), not '%.40s'",
                            p->name, text);
        if (!(number >= p->min && number <= p->max) || number != floor(number))
            return outside_limits(p, text, error);
        ald_format_real(number, one);
        if (used + strlen(one) + 2 > sizeof kept)
            return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` has too many numbers: '%.40s...'", p->name,
                            text);
        used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%s", used ? "+" : "", one);
        if (at == text) v->real = number;
        if (!*end) break;
    }
    v->integer = (int64_t)v->real;
    strcpy(v->text, kept);
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
                strcpy(v->text, words[truth][0]);
                return ALD_OK;
            }
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` takes 0 or 1, not '%.40s'", v->param->name, text);
}

static ald_status no_such_choice(const ald_param *param, const char *text, ald_error *error)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; param->choices[i]; i++) {
        const int written =
            snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", param->choices[i]);
        if (written > 0 && used + (size_t)written < sizeof list) used += (size_t)written;
    }
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` is one of %s, not '%.40s'", param->name, list, text);
}

static ald_status set_choice(value *v, const char *text, ald_error *error)
{
    int i = 0;
    while (v->param->choices[i] && strcmp(text, v->param->choices[i]) != 0) i++;
    if (!v->param->choices[i]) return no_such_choice(v->param, text, error);
    const size_t length = strlen(text);
    assert(length < sizeof v->text);
    v->integer = i;
    memcpy(v->text, text, length + 1);
    return ALD_OK;
}

/* Kept with '+' between the steps, so that it can stand in a list. */
static ald_status set_steps(value *v, const char *text, ald_error *error)
{
    ald_row_steps steps;
    ALD_TRY(ald_row_steps_parse(text, &steps, error));
    ald_row_steps_write(&steps, v->text, sizeof v->text);
    return ALD_OK;
}

static ald_status set_value(value *v, const char *text, ald_error *error)
{
    double number;
    if (v->param->type == ALD_PARAM_CHOICE) return set_choice(v, text, error);
    if (v->param->type == ALD_PARAM_BOOL) return set_bool(v, text, error);
    if (v->param->type == ALD_PARAM_STEPS) return set_steps(v, text, error);
    if (v->param->type == ALD_PARAM_INTS) return set_ints(v, text, error);
    if (!ald_parse_real(text, strlen(text), &number))
        return ald_fail(error, ALD_ERROR_ARGUMENT, "`%s` takes a number, not '%.40s'", v->param->name, text);
    return set_number(v, number, text, error);
}

static ald_status fill_values(ald_settings *settings, const ald_param *const *params, ald_error *error)
{
    for (int i = 0; i < settings->count; i++) {
        value *v = &settings->values[i];
        memset(v, 0, sizeof *v);
        v->param = params[i];
        ALD_TRY(set_value(v, params[i]->initial, error));
    }
    return ALD_OK;
}

/* Room for `count` values, which are not set. */
static ald_status new_settings(const ald_allocator *allocator, const ald_method *method, int count,
                               ald_settings **settings, ald_error *error)
{
    ald_settings *made = allocator->resize(allocator->user, NULL, sizeof *made);
    *settings = NULL;
    if (!made) return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for the settings of %s", method->name);
    made->allocator = *allocator;
    made->method = method;
    made->count = count;
    ald_arena_init(&made->memory, &made->allocator);
    made->values = ald_arena_get(&made->memory, count, 1, sizeof *made->values);
    if (!made->values) {
        ald_settings_free(made);
        return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for the settings of %s", method->name);
    }
    *settings = made;
    return ALD_OK;
}

ald_status ald_settings_make(const ald_context *context, const ald_method *method,
                             const ald_param *const *params, int count, ald_settings **settings,
                             ald_error *error)
{
    ALD_TRY(new_settings(&context->allocator, method, count, settings, error));
    const ald_status status = fill_values(*settings, params, error);
    if (status >= 0) return status;
    ald_settings_free(*settings);
    *settings = NULL;
    return status;
}

static ald_status copy(const ald_allocator *allocator, const ald_settings *from, ald_settings **settings,
                       ald_error *error)
{
    *settings = NULL;
    ALD_TRY(new_settings(allocator, from->method, from->count, settings, error));
    memcpy((*settings)->values, from->values, (size_t)from->count * sizeof *from->values);
    return ALD_OK;
}

ald_status ald_settings_copy(ald_context *context, const ald_settings *from, ald_settings **settings,
                             ald_error *error)
{
    if (settings) *settings = NULL;
    ALD_GIVEN(error, context, from, settings);
    ald_clear_error(error);
    return copy(&context->allocator, from, settings, error);
}

ald_status ald_settings_clone(const ald_run *run, const ald_settings *from, ald_settings **settings,
                              ald_error *error)
{
    return copy(run->call.allocator, from, settings, error);
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

int ald_settings_given(const ald_settings *settings, const char *name)
{
    const value *v = settings && name ? find_value(settings, name) : NULL;
    return v && v->given;
}

const ald_param *ald_settings_param_at(const ald_settings *settings, int index)
{
    return index < settings->count ? settings->values[index].param : NULL;
}

const char *ald_settings_text_at(const ald_settings *settings, int index)
{
    return settings->values[index].text;
}

int ald_settings_given_at(const ald_settings *settings, int index)
{
    return settings->values[index].given;
}

int ald_settings_has(const ald_settings *settings, const ald_param *param)
{
    return find_value(settings, param->name) != NULL;
}

/* A method that reads what is in none of its tables is wrong: tests with assertions say so. */
static const value *value_of(const ald_settings *settings, const ald_param *param)
{
    static const value none = {.integer = INT64_MIN, .real = NAN};
    for (int i = 0; i < settings->count; i++)
        if (settings->values[i].param == param) return &settings->values[i];
    const value *v = find_value(settings, param->name);
    assert(v && "the method has no such parameter in its tables");
    return v ? v : &none;
}

int64_t ald_settings_int_of(const ald_settings *settings, const ald_param *param)
{
    return value_of(settings, param)->integer;
}

const char *ald_settings_text_of(const ald_settings *settings, const ald_param *param)
{
    return value_of(settings, param)->text;
}

int64_t ald_setting_int(const ald_run *run, const ald_param *param)
{
    return value_of(run->settings, param)->integer;
}

int64_t ald_setting_ints(const ald_run *run, const ald_param *param)
{
    int64_t count = 1;
    for (const char *at = value_of(run->settings, param)->text; *number_end(at); at = number_end(at) + 1)
        count++;
    return count;
}

int64_t ald_setting_int_at(const ald_run *run, const ald_param *param, int64_t at)
{
    const char *text = value_of(run->settings, param)->text;
    double number = 0.0;
    for (; at > 0 && *number_end(text); at--) text = number_end(text) + 1;
    ald_parse_real(text, (size_t)(number_end(text) - text), &number);
    return (int64_t)number;
}

double ald_setting_real(const ald_run *run, const ald_param *param)
{
    return value_of(run->settings, param)->real;
}

int ald_setting_choice(const ald_run *run, const ald_param *param)
{
    const value *v = value_of(run->settings, param);
    assert(!v->param || v->param->type == ALD_PARAM_CHOICE);
    return (int)v->integer;
}

int ald_setting_flag(const ald_run *run, const ald_param *param)
{
    return value_of(run->settings, param)->integer == 1;
}

static int is_listed(const ald_param *param, const char *choice)
{
    for (int i = 0; param && param->choices && param->choices[i]; i++)
        if (strcmp(param->choices[i], choice) == 0) return 1;
    return 0;
}

int ald_setting_is(const ald_run *run, const ald_param *param, const char *choice)
{
    const value *v = value_of(run->settings, param);
    const int listed = is_listed(param, choice) || is_listed(v->param, choice);
    assert(listed && "no such choice");
    return listed && strcmp(v->text, choice) == 0;
}

const char *ald_setting_text(const ald_run *run, const ald_param *param)
{
    return value_of(run->settings, param)->text;
}

int ald_setting_given(const ald_run *run, const ald_param *param)
{
    return value_of(run->settings, param)->given;
}

static const value *value_with(const ald_settings *settings, unsigned trait)
{
    for (int i = 0; i < settings->count; i++)
        if (settings->values[i].param->traits & trait) return &settings->values[i];
    return NULL;
}

const ald_param *ald_settings_param_with(const ald_settings *settings, unsigned trait)
{
    const value *v = value_with(settings, trait);
    return v ? v->param : NULL;
}

double ald_settings_real_with(const ald_settings *settings, unsigned trait, double absent)
{
    const value *v = value_with(settings, trait);
    return v ? v->real : absent;
}
