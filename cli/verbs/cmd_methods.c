/* alidade methods: what there is to choose from. */
#include "cli.h"
#include "printing/print_json.h"
#include "printing/printing.h"

#include <math.h>

static json_t *capabilities_json(const ald_method *method)
{
    json_t *list = json_array();
    const unsigned bits = ald_method_capabilities(method);
    int bad = 0;
    for (unsigned bit = 1; bit; bit <<= 1)
        if ((bits & bit) && ald_capability_name(bit))
            bad |= json_array_append_new(list, cli_json_text(ald_capability_name(bit)));
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

/* A limit as a whole number where the parameter is one. */
static json_t *limit_json(const ald_param *param, double limit)
{
    if (param->type == ALD_PARAM_REAL) return cli_json_real(limit);
    if ((param->type != ALD_PARAM_INT && param->type != ALD_PARAM_INTS) || !(fabs(limit) < 9e18))
        return json_null();
    return json_integer((json_int_t)limit);
}

static json_t *param_json(const ald_param *param)
{
    static const char *const types[] = {"integer", "real", "choice", "boolean", "steps", "integers"};
    json_t *object = json_object(), *choices = json_array();
    int bad = 0;
    for (int i = 0; param->type == ALD_PARAM_CHOICE && param->choices[i]; i++)
        bad |= json_array_append_new(choices, cli_json_text(param->choices[i]));
    bad |= json_object_set_new(object, "name", cli_json_text(param->name));
    bad |= json_object_set_new(object, "type", cli_json_text(types[param->type]));
    bad |= json_object_set_new(object, "default", cli_json_param(param, param->initial));
    bad |= json_object_set_new(object, "chosen_unless_given",
                               json_boolean(param->traits & ALD_PARAM_CHOSEN_UNLESS_GIVEN));
    bad |= json_object_set_new(object, "min", limit_json(param, param->min));
    bad |= json_object_set_new(object, "max", limit_json(param, param->max));
    bad |= json_object_set_new(object, "choices", choices);
    bad |= json_object_set_new(object, "help", cli_json_text(param->help));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *method_json(const ald_method *method)
{
    json_t *object = json_object(), *parameters = json_array();
    const ald_param *param;
    int bad = 0;
    for (int i = 0; (param = ald_method_param(method, i)); i++)
        bad |= json_array_append_new(parameters, param_json(param));
    bad |= json_object_set_new(object, "name", cli_json_text(ald_method_name(method)));
    bad |= json_object_set_new(object, "title", cli_json_text(ald_method_title(method)));
    bad |= json_object_set_new(object, "summary", cli_json_text(ald_method_summary(method)));
    bad |= json_object_set_new(object, "synonyms", cli_json_text(ald_method_synonyms(method)));
    bad |= json_object_set_new(object, "reference", cli_json_text(ald_method_reference(method)));
    bad |= json_object_set_new(object, "capabilities", capabilities_json(method));
    bad |= json_object_set_new(object, "parameters", parameters);
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

/* A list also when one method is asked for, so that programs read one shape. */
static int print_json(cli_session *session, const ald_method *only)
{
    json_t *list = json_array();
    int bad = 0;
    for (int i = 0; i < ald_method_count(); i++)
        if (!only || only == ald_method_at(i))
            bad |= json_array_append_new(list, method_json(ald_method_at(i)));
    return cli_json_print(session, list, bad);
}

/* What it does and, in brackets, the targets it takes: what most choices hang on. */
static void print_summary(const ald_method *method)
{
    static const unsigned targets[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS, ALD_CAN_NO_TARGET};
    char text[600];
    size_t used = (size_t)snprintf(text, sizeof text, "%.500s", ald_method_summary(method));
    const char *between = " [";
    for (size_t i = 0; i < sizeof targets / sizeof *targets && used < sizeof text; i++) {
        if (!(ald_method_capabilities(method) & targets[i])) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", between,
                                 ald_capability_name(targets[i]));
        between = ", ";
    }
    if (used < sizeof text) snprintf(text + used, sizeof text - used, "]");
    cli_print_entry(stdout, ald_method_name(method), 14, text);
}

/* Whether a text has the word, in any case; - and _ are blanks, so that pls-da and "PLS DA" find each other.
 */
static int has_word(const char *text, const char *word)
{
    for (; text && *text; text++) {
        size_t i = 0;
        while (word[i] && text[i] && cli_same_letter(word[i], text[i])) i++;
        if (!word[i]) return 1;
    }
    return 0;
}

static int is_found(const ald_method *method, const char *word)
{
    return has_word(ald_method_name(method), word) || has_word(ald_method_title(method), word) ||
           has_word(ald_method_synonyms(method), word);
}

/* The methods that go by the word, with their other names. */
static int search(cli_session *session, const char *word)
{
    int found = 0;
    char text[800];
    if (!*word) return cli_usage(session, "--search needs a word, such as discriminant");
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        if (!is_found(method, word)) continue;
        snprintf(text, sizeof text, "%s: %s Also: %s", ald_method_title(method), ald_method_summary(method),
                 ald_method_synonyms(method));
        cli_print_entry(stdout, ald_method_name(method), 14, text);
        found++;
    }
    return found ? CLI_DONE
                 : cli_fail(session, "no method is known as '%s'; alidade methods lists them", word);
}

static int run(cli_session *session)
{
    const char *word = cli_text(&session->args, "search", NULL);
    const char *name = session->args.operands[0];
    const ald_method *method = name ? ald_method_find(name) : NULL;
    if (name && !method) return cli_no_method(session, name);
    if (word && name) return cli_usage(session, "--search goes through all methods: leave out %s", name);
    if (word && session->json) return cli_usage(session, "--search prints text, not JSON: leave out --json");
    if (word) return search(session, word);
    if (session->json) return print_json(session, method);
    if (method) {
        cli_help_method(stdout, method);
        return CLI_DONE;
    }
    for (int i = 0; i < ald_method_count(); i++) print_summary(ald_method_at(i));
    return CLI_DONE;
}

static const cli_option options[] = {
    {"search", .type = CLI_TEXT, .value_name = "WORD",
     .help = "the methods whose name, title or synonyms contain this word"},
    {0},
};

static const char *const examples[] = {
    "alidade methods",
    "the methods, one per line",
    "alidade methods --search pls-da",
    "which method a name from another field refers to",
    "alidade methods pls",
    "one method with its parameters",
    NULL,
};

const cli_verb cli_methods_verb = {
    .name = "methods",
    .bit = CLI_METHODS,
    .summary = "list the methods, or one with its parameters",
    .usage = "[[NAME] [--json[=FILE]] | --search WORD]",
    .operands = {"NAME"},
    .max_operands = 1,
    .description =
        "Without a name, lists the methods and, in brackets, the targets they take; with one, shows what it "
        "does, what targets it takes and its parameters with their ranges and defaults.",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
