/* Help, made from the tables of verbs, options and methods. */
#include "cli.h"
#include "printing/printing.h"

#include <math.h>
#include <string.h>

enum { label_width = 28 };

void cli_help_main(FILE *out)
{
    const cli_verb *verb;
    fputs("alidade finds the few directions in a table that matter for a target.\n\nUsage: alidade VERB "
          "[OPERANDS] [OPTIONS]\n\nVerbs:\n",
          out);
    for (int i = 0; (verb = cli_verb_at(i)); i++)
        if (!verb->hidden) cli_print_entry(out, verb->name, 14, verb->summary);
    fputs("\nBegin with:\n  alidade fit DATA.csv --target COLUMN -o MODEL.ald\n  alidade plot MODEL.ald "
          "DATA.csv -o PICTURE.svg\n\nalidade VERB --help explains a verb, alidade methods NAME a method.\n",
          out);
}

/* "a number from 0 to 1": limits that only say "any" are left out. */
static void number_range(const ald_param *param, char *text, size_t size)
{
    const char *kind = param->type == ALD_PARAM_REAL ? "number" : "whole number";
    const int low = isfinite(param->min) && param->min > -1e15,
              high = isfinite(param->max) && param->max < 1e15;
    if (low && high)
        snprintf(text, size, "%s from %g to %.10g", kind, param->min, param->max);
    else if (low)
        snprintf(text, size, "%s, at least %g", kind, param->min);
    else if (high)
        snprintf(text, size, "%s, at most %g", kind, param->max);
    else
        snprintf(text, size, "%s", kind);
}

static void list_choices(const char *const *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices && choices[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", choices[i]);
}

void cli_param_range(const ald_param *param, char *text, size_t size)
{
    if (param->type == ALD_PARAM_CHOICE)
        list_choices(param->choices, text, size);
    else if (param->type == ALD_PARAM_BOOL)
        snprintf(text, size, "0, 1");
    else if (param->type == ALD_PARAM_STEPS)
        snprintf(text, size, "none, or steps separated by commas");
    else
        number_range(param, text, size);
}

/* A parameter that fit has as a flag takes no value there. */
static void print_param(FILE *out, const ald_param *param)
{
    static const char *const value_names[] = {" N", " X", " CHOICE", " BOOL", " STEPS", " N[,N...]"};
    const cli_option *own = cli_option_find(cli_verb_find("fit"), param->name);
    char label[80], range[300], text[1200];
    cli_param_range(param, range, sizeof range);
    snprintf(label, sizeof label, "    --%s%s", param->name,
             own && cli_option_is_flag(own) ? "" : value_names[param->type]);
    for (char *c = label; *c; c++)
        if (*c == '_') *c = '-';
    snprintf(text, sizeof text, "%s [%s; default %s]", param->help ? param->help : "", range, param->initial);
    cli_print_entry(out, label, label_width, text);
}

static void print_capabilities(FILE *out, const ald_method *method)
{
    const unsigned bits = ald_method_capabilities(method);
    const char *between = "";
    for (unsigned bit = 1; bit; bit <<= 1) {
        if (!(bits & bit) || !ald_capability_name(bit)) continue;
        fprintf(out, "%s%s", between, ald_capability_name(bit));
        between = ", ";
    }
    fputc('\n', out);
}

/* All of them, or those that a verb takes as parameters. */
static void print_params(FILE *out, const ald_method *method, int all)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)); i++)
        if (all || cli_param_find(param->name)) print_param(out, param);
}

static void print_weights(FILE *out, const ald_method *method)
{
    const unsigned can = ald_method_capabilities(method);
    const char *meaning = "a row of weight w counts as w rows";
    if (!(can & ALD_CAN_WEIGHTS)) return;
    if (ald_method_param_with(method, ALD_PARAM_IS_NEIGHBORS))
        meaning = "a row of weight w counts as w rows, but neighbours are found as without weights";
    if (can & ALD_CAN_GRAPH)
        meaning = "the graph is built on the rows of positive weight; a weight multiplies the pairs that "
                  "start from its row";
    fputs("Weights: ", out);
    cli_print_wrapped(out, 9, 9, meaning);
}

void cli_help_method(FILE *out, const ald_method *method)
{
    fprintf(out, "%s: %s\n\n", ald_method_name(method), ald_method_title(method));
    cli_print_wrapped(out, 0, 0, ald_method_summary(method));
    fputs("\nCan: ", out);
    print_capabilities(out, method);
    print_weights(out, method);
    fputs("\nParameters:\n", out);
    print_params(out, method, 1);
    fputs("\nReference: ", out);
    cli_print_wrapped(out, 11, 11, ald_method_reference(method));
}

/* Not just one of that name: the same entry of the same table. */
static int method_shares(const ald_method *method, const ald_param *param)
{
    const ald_param *own;
    for (int i = 0; (own = ald_method_param(method, i)); i++)
        if (own == param) return 1;
    return 0;
}

/* Whether an option of the verb describes the parameter, by its name or by another one. */
static int is_told(const cli_verb *verb, const ald_param *param)
{
    const cli_option *option;
    if (cli_option_find(verb, param->name)) return 1;
    if ((param->traits & ALD_PARAM_IS_COMPONENTS) &&
        (cli_option_find(verb, "components") || cli_option_find(verb, "max-components")))
        return 1;
    for (int i = 0; (option = cli_option_at(verb, i)); i++)
        if (option->parameter && strcmp(option->parameter, param->name) == 0) return 1;
    return 0;
}

/* The parameters that no method lacks, but for those that the verb's own options describe. */
static void print_common_params(FILE *out, const cli_verb *verb)
{
    const ald_param *param;
    for (int i = 0; (param = cli_param_at(i)); i++) {
        int m = 0;
        if (is_told(verb, param)) continue;
        while (m < ald_method_count() && method_shares(ald_method_at(m), param)) m++;
        if (m == ald_method_count()) print_param(out, param);
    }
}

static void print_option(FILE *out, const cli_option *option)
{
    char label[80] = "    ", choices[200], help[CLI_HELP_SIZE], text[CLI_HELP_SIZE + 204];
    if (option->letter) snprintf(label, sizeof label, "-%c, ", option->letter);
    cli_option_label(option, label + 4, sizeof label - 4);
    list_choices(option->choices, choices, sizeof choices);
    cli_option_help(option, help, sizeof help);
    snprintf(text, sizeof text, "%s%s%s%s", help, *choices ? " [" : "", choices, *choices ? "]" : "");
    cli_print_entry(out, label, label_width, text);
}

static void print_group(FILE *out, const cli_verb *verb, cli_group group)
{
    static const char *const titles[CLI_GROUPS] = {"Options", "Reading the data", "General"};
    const cli_option *option;
    int printed = 0;
    for (int i = 0; (option = cli_option_at(verb, i)); i++) {
        if (option->group != group) continue;
        if (!printed++) fprintf(out, "\n%s:\n", titles[group]);
        print_option(out, option);
    }
}

static void print_method_part(FILE *out, const cli_verb *verb, const ald_method *method)
{
    if (method) {
        fprintf(out, "\nParameters of the method %s (%s):\n", ald_method_name(method),
                ald_method_title(method));
        print_params(out, method, 0);
        return;
    }
    fputs("\nParameters that every method has (those of one: alidade fit --help --method NAME):\n", out);
    print_common_params(out, verb);
}

static void print_examples(FILE *out, const cli_verb *verb)
{
    if (!verb->examples) return;
    fputs("\nExamples:\n", out);
    for (int i = 0; verb->examples[i]; i += 2) {
        fprintf(out, "  %s\n      ", verb->examples[i]);
        cli_print_wrapped(out, 6, 6, verb->examples[i + 1]);
    }
}

void cli_help_verb(FILE *out, const cli_verb *verb, const ald_method *method)
{
    fprintf(out, "alidade %s: %s\n\n", verb->name, verb->summary);
    const int used = fprintf(out, "Usage: alidade %s ", verb->name);
    cli_print_wrapped(out, used, used, verb->usage);
    fputc('\n', out);
    cli_print_wrapped(out, 0, 0, verb->description);
    print_group(out, verb, CLI_GROUP_OWN);
    if (verb->has_parameters) print_method_part(out, verb, method);
    print_group(out, verb, CLI_GROUP_READING);
    print_group(out, verb, CLI_GROUP_GENERAL);
    print_examples(out, verb);
}
