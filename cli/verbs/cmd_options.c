/* alidade options: the tables of verbs and options as JSON, for programs that try them all or build on them.
 */
#include "cli.h"
#include "printing/print_json.h"

#include <math.h>

static const char *const types[] = {
    [CLI_FLAG] = "flag",     [CLI_FLAG_FILE] = "flag or file",
    [CLI_TEXT] = "text",     [CLI_PATH] = "file",
    [CLI_INT] = "integer",   [CLI_REAL] = "real",
    [CLI_CHOICE] = "choice", [CLI_METHOD_NAME] = "method",
};

static const char *access_name(unsigned access)
{
    static const char *const names[] = {NULL, "read", "written", "read and written"};
    return names[access & (CLI_READS | CLI_WRITES)];
}

static json_t *choices_json(const cli_option *option)
{
    json_t *list = json_array();
    for (const char *const *choice = option->choices; choice && *choice; choice++)
        if (json_array_append_new(list, json_string(*choice)) != 0) return NULL;
    return list;
}

/* JSON has no infinity: a side without a limit is null. */
static json_t *limit_json(int ranged, double limit)
{
    return ranged && isfinite(limit) ? json_real(limit) : json_null();
}

static json_t *option_json(const cli_option *option)
{
    const char letter[2] = {option->letter, '\0'};
    const int ranged = option->min != 0 || option->max != 0;
    json_t *one = json_object();
    int bad = json_object_set_new(one, "name", json_string(option->name));
    bad |= json_object_set_new(one, "letter", cli_json_text(option->letter ? letter : NULL));
    bad |= json_object_set_new(one, "type", json_string(types[option->type]));
    bad |= json_object_set_new(one, "value", cli_json_text(option->value_name));
    bad |= json_object_set_new(one, "values", json_integer(option->values > 1 ? option->values : 1));
    bad |= json_object_set_new(one, "required", json_boolean(option->required));
    bad |= json_object_set_new(one, "many", json_boolean(option->many));
    bad |= json_object_set_new(one, "file", cli_json_text(access_name(option->access)));
    bad |= json_object_set_new(one, "in_place", json_boolean(option->in_place));
    bad |= json_object_set_new(one, "choices", choices_json(option));
    bad |= json_object_set_new(one, "min", limit_json(ranged, option->min));
    bad |= json_object_set_new(one, "max", limit_json(ranged, option->max));
    bad |= json_object_set_new(one, "parameter", cli_json_text(option->parameter));
    return bad ? NULL : one;
}

static json_t *operands_json(const cli_verb *verb)
{
    json_t *list = json_array();
    for (int i = 0; i < verb->max_operands; i++) {
        json_t *one = json_object();
        int bad = json_object_set_new(one, "name", json_string(verb->operands[i]));
        bad |= json_object_set_new(one, "file", cli_json_text(access_name(verb->operand_access[i])));
        bad |= json_object_set_new(one, "required", json_boolean(i < verb->min_operands));
        if (bad || json_array_append_new(list, one) != 0) return NULL;
    }
    return list;
}

static json_t *verb_json(const cli_verb *verb)
{
    json_t *one = json_object(), *options = json_array();
    const cli_option *option;
    int bad = 0;
    for (int i = 0; (option = cli_option_at(verb, i)); i++)
        bad |= json_array_append_new(options, option_json(option));
    bad |= json_object_set_new(one, "name", json_string(verb->name));
    bad |= json_object_set_new(one, "operands", operands_json(verb));
    bad |= json_object_set_new(one, "repeats", json_boolean(verb->repeats));
    bad |= json_object_set_new(one, "has_parameters", json_boolean(verb->has_parameters));
    bad |= json_object_set_new(one, "options", options);
    return bad ? NULL : one;
}

static int run(cli_session *session)
{
    json_t *list = json_array();
    const cli_verb *verb;
    int bad = 0;
    for (int i = 0; (verb = cli_verb_at(i)); i++) bad |= json_array_append_new(list, verb_json(verb));
    return cli_json_print(session, list, bad);
}

static const char *const examples[] = {"alidade options", "every verb with its operands and options", NULL};

const cli_verb cli_options_verb = {
    .name = "options",
    .bit = CLI_OPTIONS,
    .summary = "print the tables of verbs and options as JSON",
    .usage = "",
    .description = "Prints the operands and options of each verb, as the program itself reads them: their "
                   "types, ranges and choices, and which of them name files that are read or written.",
    .examples = examples,
    .hidden = 1,
    .run = run,
};
