#include "option_table.h"

#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

const cli_option *cli_option_at(const cli_verb *verb, int index)
{
    for (const cli_option *option = verb->options; option && option->name; option++)
        if (index-- == 0) return option;
    for (const cli_option *option = cli_shared_options; option->name; option++)
        if ((option->verbs & verb->bit) && index-- == 0) return option;
    return NULL;
}

static int is_called(const cli_option *option, const char *name)
{
    return cli_name_equal(option->name, name) || (option->alias && cli_name_equal(option->alias, name));
}

const cli_option *cli_option_find(const cli_verb *verb, const char *name)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(verb, i)); i++)
        if (is_called(option, name)) return option;
    return NULL;
}

const char *cli_option_value_name(const cli_option *option)
{
    if (option->type == CLI_FLAG) return "";
    return option->value_name ? option->value_name : "VALUE";
}

int cli_option_is_flag(const cli_option *option)
{
    return option->type == CLI_FLAG || option->type == CLI_FLAG_FILE;
}

void cli_option_label(const cli_option *option, char *text, size_t size)
{
    const char *value = cli_option_value_name(option);
    if (option->type == CLI_FLAG_FILE)
        snprintf(text, size, "--%s[=%s]", option->name, value);
    else
        snprintf(text, size, "--%s%s%s", option->name, *value ? " " : "", value);
}

void cli_option_help(const cli_option *option, char *text, size_t size)
{
    const char *before = ": ";
    snprintf(text, size, "%s", option->help);
    for (int m = 0; m < ald_method_count(); m++) {
        const size_t used = strlen(text);
        if (!(ald_method_capabilities(ald_method_at(m)) & option->methods)) continue;
        snprintf(text + used, size - used, "%s%s", before, ald_method_name(ald_method_at(m)));
        before = ", ";
    }
}

const ald_param *cli_method_param(const ald_method *method, const char *name)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)); i++)
        if (cli_name_equal(param->name, name)) return param;
    return NULL;
}

int cli_method_has(const ald_method *method, const char *parameter)
{
    return cli_method_param(method, parameter) != NULL;
}

/* Statistics are kept where a model is written: the verbs that write one have an option for them. */
static int is_option(const ald_param *param)
{
    return (param->traits & ALD_PARAM_IS_STATISTICS) != 0;
}

enum { most_params = 512 };

static void add_param(const ald_param **list, int *count, const ald_param *param)
{
    if (is_option(param)) return;
    for (int i = 0; i < *count; i++)
        if (cli_name_equal(list[i]->name, param->name)) return;
    if (*count < most_params) list[(*count)++] = param;
}

/* Made once: to go through the methods again for every index takes a third of a second. */
static int list_params(const ald_param *const **params)
{
    static const ald_param *list[most_params];
    static int count, made;
    const ald_param *param;
    for (int m = 0; !made && m < ald_method_count(); m++)
        for (int i = 0; (param = ald_method_param(ald_method_at(m), i)); i++) add_param(list, &count, param);
    made = 1;
    *params = list;
    return count;
}

const ald_param *cli_param_at(int index)
{
    const ald_param *const *params;
    return index < list_params(&params) ? params[index] : NULL;
}

/* The entry of the first method that has it, as in cli_param_at, which costs much more. */
const ald_param *cli_param_find(const char *name)
{
    const ald_param *param = NULL;
    for (int m = 0; m < ald_method_count() && !param; m++) param = cli_method_param(ald_method_at(m), name);
    return param && is_option(param) ? NULL : param;
}

const char *cli_given_key(const cli_given *given)
{
    if (given->param) return given->param->name;
    return given->option->parameter ? given->option->parameter : given->option->name;
}

int cli_given_is(const cli_given *given, unsigned trait)
{
    const ald_param *param = given->param ? given->param : cli_param_find(cli_given_key(given));
    return param && (param->traits & trait);
}

const cli_given *cli_given_find(const cli_args *args, const char *name)
{
    for (int i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];
        if (cli_name_equal(cli_given_key(given), name) || (given->option && is_called(given->option, name)))
            return given;
    }
    return NULL;
}

int cli_flag(const cli_args *args, const char *name)
{
    const cli_given *given = cli_given_find(args, name);
    return given ? given->count : 0;
}

const char *cli_text(const cli_args *args, const char *name, const char *otherwise)
{
    const cli_given *given = cli_given_find(args, name);
    return given && given->values[0] ? given->values[0] : otherwise;
}

int64_t cli_int(const cli_args *args, const char *name, int64_t otherwise)
{
    const cli_given *given = cli_given_find(args, name);
    int64_t value = otherwise;
    if (given) cli_read_int(given->values[0], &value);
    return value;
}

double cli_real(const cli_args *args, const char *name, double otherwise)
{
    const cli_given *given = cli_given_find(args, name);
    double value = otherwise;
    if (given) cli_read_real(given->values[0], &value);
    return value;
}

int cli_read_int(const char *text, int64_t *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text)) return 0;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (*end || errno) return 0;
    *value = number;
    return 1;
}

int cli_read_real(const char *text, double *value)
{
    char *end;
    if (!*text || strspn(text, "+-.0123456789eE") != strlen(text)) return 0;
    const double number = strtod(text, &end);
    if (*end || !(number >= -DBL_MAX && number <= DBL_MAX)) return 0;
    *value = number;
    return 1;
}

/* The value of an option that is not what it should be. */
static int wrong_value(cli_session *session, const cli_given *given, const char *value, const char *expected)
{
    if (given->line)
        return cli_usage(session, "%s:%d: %s = %s: expected %s", session->args.config_path, given->line,
                         given->spelled, value, expected);
    return cli_usage(session, "%s %s: expected %s", given->spelled, value, expected);
}

static void describe_range(const cli_option *option, char *text, size_t size)
{
    const char *kind = option->type == CLI_INT ? "a whole number" : "a number";
    if (option->min == 0 && option->max == 0)
        snprintf(text, size, "%s", kind);
    else if (option->max >= 1e15)
        snprintf(text, size, "%s, at least %g", kind, option->min);
    else
        snprintf(text, size, "%s from %g to %g", kind, option->min, option->max);
}

static int check_number(cli_session *session, const cli_given *given, const char *text)
{
    const cli_option *option = given->option;
    int64_t whole = 0;
    double value = 0;
    int good = option->type == CLI_INT ? cli_read_int(text, &whole) : cli_read_real(text, &value);
    if (option->type == CLI_INT) value = (double)whole;
    if (option->min != 0 || option->max != 0) good = good && value >= option->min && value <= option->max;
    if (good) return CLI_DONE;
    char expected[100];
    describe_range(option, expected, sizeof expected);
    return wrong_value(session, given, text, expected);
}

static int check_choice(cli_session *session, const cli_given *given, const char *text)
{
    cli_suggestion near = {.wanted = text};
    char expected[300] = "one of ";
    size_t used = strlen(expected);
    for (const char *const *choice = given->option->choices; *choice; choice++) {
        if (strcmp(*choice, text) == 0) return CLI_DONE;
        cli_suggestion_consider(&near, *choice);
        used +=
            (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", used > 7 ? ", " : "", *choice);
        if (used >= sizeof expected) used = sizeof expected - 1;
    }
    if (near.best) snprintf(expected + used, sizeof expected - used, "; did you mean %s?", near.best);
    return wrong_value(session, given, text, expected);
}

int cli_given_check(cli_session *session, const cli_given *given)
{
    if (!given->option) return CLI_DONE;
    const char *value = given->values[0];
    switch (given->option->type) {
    case CLI_INT:
    case CLI_REAL:
        /* Another name of a parameter: its range is the method's affair. */
        return given->option->parameter ? CLI_DONE : check_number(session, given, value);
    case CLI_CHOICE:
        return check_choice(session, given, value);
    default:
        return CLI_DONE;
    }
}

void cli_args_free(cli_args *args)
{
    free(args->given);
    free(args->operands);
    free(args->config_text);
    memset(args, 0, sizeof *args);
}
