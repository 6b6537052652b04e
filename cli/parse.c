/* From argv to what was given. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    int argc;
    char **argv;
    int next;
} cursor;

/* "fit, split": the other verbs that have an option of this name. */
static int verbs_with(const char *name, char *list, size_t size)
{
    int count = 0;
    size_t used = 0;
    const cli_verb *verb;
    for (int i = 0; (verb = cli_verb_at(i)); i++) {
        if (verb->hidden || !cli_option_find(verb, name) || used >= size) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%s", count++ ? ", " : "", verb->name);
    }
    return count;
}

/* A name from elsewhere: what it is called here, or which verbs have that. */
static int foreign_name(cli_session *session, const char *where, const char *dashes, const char *name)
{
    const char *here = cli_foreign_name(session->verb->name, name);
    char others[200];
    if (!here) return CLI_DONE;
    if (cli_option_find(session->verb, here) || (session->verb->has_parameters && cli_param_find(here)))
        return cli_usage(session, "%sunknown option %s%s; here it is %s%s", where, dashes, name, dashes,
                         here);
    if (verbs_with(here, others, sizeof others))
        return cli_usage(session, "%sunknown option %s%s; here it is %s%s, an option of: %s", where, dashes,
                         name, dashes, here, others);
    return CLI_DONE;
}

static int unknown_name(cli_session *session, const char *where, const char *name)
{
    const cli_verb *verb = session->verb;
    const char *dashes = *where ? "" : "--";
    char others[200];
    const cli_option *option;
    const ald_param *param;
    if (verbs_with(name, others, sizeof others))
        return cli_usage(session, "%s%s%s is not an option of this verb, but of: %s", where, dashes, name,
                         others);
    if (cli_param_find(name) && !verb->has_parameters)
        return cli_usage(session, "%s%s%s is a parameter of methods: give it to alidade fit", where, dashes,
                         name);
    CLI_TRY(foreign_name(session, where, dashes, name));
    cli_suggestion near = {.wanted = name};
    for (int i = 0; (option = cli_option_at(verb, i)); i++) cli_suggestion_consider(&near, option->name);
    for (int i = 0; verb->has_parameters && (param = cli_param_at(i)); i++)
        cli_suggestion_consider(&near, param->name);
    if (!near.best)
        return cli_usage(session, "%sunknown option %s%s; see alidade %s --help", where, dashes, name,
                         verb->name);
    char spelled[CLI_NAME_SIZE];
    snprintf(spelled, sizeof spelled, "%s", near.best);
    for (char *c = spelled; *c; c++)
        if (*c == '_') *c = '-';
    return cli_usage(session, "%sunknown option %s%s; did you mean %s%s?", where, dashes, name, dashes,
                     spelled);
}

int cli_named_find(cli_session *session, const char *where, const char *name, cli_given *found)
{
    memset(found, 0, sizeof *found);
    found->count = 1;
    found->option = cli_option_find(session->verb, name);
    if (!found->option && session->verb->has_parameters) found->param = cli_param_find(name);
    if (found->option || found->param) return CLI_DONE;
    return unknown_name(session, where, name);
}

static const char *spelling(const cli_given *given)
{
    return given->option ? given->option->name : given->param->name;
}

/* In the words of the line or file that has them. */
static int given_twice(cli_session *session, const char *where, const cli_given *first,
                       const cli_given *second)
{
    if (strcmp(spelling(first), spelling(second)) == 0)
        return cli_usage(session, "%s%s is given twice; give it once", where, second->spelled);
    return cli_usage(session, "%s%s and %s are the same thing; give one of them", where, second->spelled,
                     first->spelled);
}

int cli_given_add(cli_session *session, const char *where, const cli_given *given)
{
    cli_args *args = &session->args;
    const char *key = cli_given_key(given);
    cli_given *before = (cli_given *)cli_given_find(args, key);
    if (before && given->line && !before->line) return CLI_DONE;
    if (before && given->option && cli_option_is_flag(given->option) &&
        !(before->values[0] && given->values[0])) {
        before->count += given->count;
        if (given->values[0]) before->values[0] = given->values[0];
        return CLI_DONE;
    }
    if (before && !(given->option && given->option->many)) return given_twice(session, where, before, given);
    cli_given *grown = realloc(args->given, (size_t)(args->n_given + 1) * sizeof *grown);
    if (!grown) return cli_out_of_memory(session);
    args->given = grown;
    args->given[args->n_given++] = *given;
    return CLI_DONE;
}

static int is_negative_number(const char *text)
{
    double value;
    return cli_read_real(text, &value);
}

static int wants_values(const cli_given *given)
{
    if (given->param) return 1;
    if (cli_option_is_flag(given->option)) return 0;
    return given->option->values ? given->option->values : 1;
}

/* The values behind an option. `first` is what followed its = sign, or NULL. */
static int take_values(cli_session *session, cursor *at, const char *first, cli_given *given)
{
    const int wanted = wants_values(given);
    const char *name = given->spelled;
    if (first && given->option && given->option->type == CLI_FLAG_FILE) {
        given->values[0] = first;
        return *first ? CLI_DONE
                      : cli_usage(session, "%s= names no file; write %s=FILE or %s", name, name, name);
    }
    if (!wanted && first) return cli_usage(session, "%s takes no value; leave out =%s", name, first);
    for (int i = 0; i < wanted; i++) {
        const char *next = at->next < at->argc ? at->argv[at->next] : NULL;
        const char *value = i == 0 && first ? first : next;
        const int is_option =
            value && value != first && value[0] == '-' && value[1] && !is_negative_number(value);
        const char *shape = given->option ? cli_option_value_name(given->option) : "VALUE";
        if (!value || is_option)
            return cli_usage(session, "%s needs %s: write %s %s%s%s", name,
                             wanted > 1 ? "two values" : "a value", name, shape,
                             is_option ? "; it is followed by " : "", is_option ? value : "");
        if (value != first) at->next++;
        given->values[i] = value;
    }
    return CLI_DONE;
}

static int take_long(cli_session *session, cursor *at, const char *text)
{
    char name[CLI_NAME_SIZE];
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    cli_given given;
    snprintf(name, sizeof name, "%.*s", length > CLI_NAME_SIZE ? CLI_NAME_SIZE : (int)length, text);
    CLI_TRY(cli_named_find(session, "", name, &given));
    snprintf(given.spelled, sizeof given.spelled, "--%.*s", CLI_NAME_SIZE - 3, name);
    CLI_TRY(take_values(session, at, equals ? equals + 1 : NULL, &given));
    return cli_given_add(session, "", &given);
}

static const cli_option *find_letter(const cli_verb *verb, char letter)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(verb, i)); i++)
        if (option->letter == letter) return option;
    return NULL;
}

/* -q, -qv, -o FILE, -oFILE */
static int take_letters(cli_session *session, cursor *at, const char *text)
{
    const char *whole = text;
    while (*text) {
        cli_given given = {.option = find_letter(session->verb, *text), .count = 1};
        if (!given.option && text == whole && cli_option_find(session->verb, whole))
            return cli_usage(session, "unknown option -%s; did you mean --%s?", whole, whole);
        if (!given.option)
            return cli_usage(session, "unknown option -%c; see alidade %s --help", *text,
                             session->verb->name);
        snprintf(given.spelled, sizeof given.spelled, "-%c", *text++);
        const int takes_rest = wants_values(&given) && *text;
        CLI_TRY(take_values(session, at, takes_rest ? text : NULL, &given));
        CLI_TRY(cli_given_add(session, "", &given));
        if (takes_rest) break;
    }
    return CLI_DONE;
}

static int take_operand(cli_session *session, const char *text)
{
    cli_args *args = &session->args;
    const cli_verb *verb = session->verb;
    if (!*text)
        return cli_usage(session,
                         "an empty argument was given instead of a file: perhaps a shell variable is unset; "
                         "usage: alidade %s %s",
                         verb->name, verb->usage);
    if (args->n_operands < verb->max_operands || verb->repeats) {
        args->operands[args->n_operands++] = text;
        return CLI_DONE;
    }
    int64_t number;
    const cli_given *last = args->n_given ? &args->given[args->n_given - 1] : NULL;
    if (last && last->option && last->option->type == CLI_FLAG_FILE && !last->values[0])
        return cli_usage(session, "unexpected '%s'; for the file of %s write %s=%s", text, last->spelled,
                         last->spelled, text);
    if (last && last->option && last->option->type == CLI_FLAG && cli_read_int(text, &number))
        return cli_usage(session, "unexpected '%s': %s takes no value", text, last->spelled);
    return cli_usage(session, "unexpected '%s'; usage: alidade %s %s", text, verb->name, verb->usage);
}

static int take_all(cli_session *session, cursor *at)
{
    int only_operands = 0;
    while (at->next < at->argc) {
        const char *text = at->argv[at->next++];
        if (only_operands || text[0] != '-' || !text[1])
            CLI_TRY(take_operand(session, text));
        else if (strcmp(text, "--") == 0)
            only_operands = 1;
        else if (text[1] == '-')
            CLI_TRY(take_long(session, at, text + 2));
        else
            CLI_TRY(take_letters(session, at, text + 1));
    }
    return CLI_DONE;
}

static int check_required(cli_session *session)
{
    const cli_verb *verb = session->verb;
    const cli_option *option;
    if (session->args.n_operands < verb->min_operands && verb->repeats)
        return cli_usage(session, "two or more of %s are needed; usage: alidade %s %s", verb->operands[0],
                         verb->name, verb->usage);
    if (session->args.n_operands < verb->min_operands)
        return cli_usage(session, "%s is missing; usage: alidade %s %s",
                         verb->operands[session->args.n_operands], verb->name, verb->usage);
    for (int i = 0; (option = cli_option_at(verb, i)); i++) {
        if (!option->required || cli_given_find(&session->args, option->name)) continue;
        if (option->letter)
            return cli_usage(session, "-%c %s is missing: %s", option->letter, option->value_name,
                             option->help);
        return cli_usage(session, "--%s %s is missing: %s", option->name, option->value_name, option->help);
    }
    return CLI_DONE;
}

int cli_parse(cli_session *session, int argc, char **argv)
{
    cursor at = {.argc = argc, .argv = argv};
    session->args.operands = calloc((size_t)argc + CLI_MAX_OPERANDS, sizeof *session->args.operands);
    if (!session->args.operands) return cli_out_of_memory(session);
    CLI_TRY(take_all(session, &at));
    const char *config = cli_text(&session->args, "config", NULL);
    if (config) CLI_TRY(cli_config_read(session, config));
    for (int i = 0; i < session->args.n_given; i++)
        CLI_TRY(cli_given_check(session, &session->args.given[i]));
    return check_required(session);
}
