/* The library's messages put the names of its interface in backquotes: an argument or a parameter, with or
 * without a value (`n_components`, `unlabelled_rows=drop`), or a function (`ald_method_at`). Here, and
 * nowhere else, they become what is written on the command line: --components, --unlabelled-rows drop,
 * 'alidade methods'. */
#include "cli.h"

#include <ctype.h>
#include <string.h>

/* What the command line calls differently than the library. Options say themselves which parameter of a
 * method they stand for (n_components, random_state). */
static const struct {
    const char *name;
    const char *option;
} other_names[] = {
    {"x_variable", "x"},
    {"y_variable", "y"},
    {"distances_file", "target-distances"},
    {"unlabelled_file", "unlabelled"},
    {"split", "split-column"},
    {"methods", "method"},
    {"grids", "grid"},
};

/* The verbs behind functions. */
static const struct {
    const char *function;
    const char *verb;
} commands[] = {
    {"ald_model_save", "fit"},       {"ald_convert", "convert"},
    {"ald_calibrate", "calibrate"},  {"ald_method_at", "methods"},
    {"ald_method_param", "methods"}, {"ald_confusion", "evaluate --metric confusion"},
};

enum { longest_value = 200 };

/* A marked name, cut in two: `missing=mean`, `ald_method_param(pls)`. */
typedef struct mark {
    char name[CLI_NAME_SIZE];
    char value[longest_value]; /* "": none */
    size_t length;             /* of the whole with its backquotes; 0: this is no mark */
} mark;

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (islower((unsigned char)text[length]) || isdigit((unsigned char)text[length]) ||
           text[length] == '_')
        length++;
    return length;
}

/* Reads the mark at `text`, which is a backquote. */
static mark read_mark(const char *text)
{
    mark found = {.length = 0};
    const size_t name = name_length(text + 1), whole = strcspn(text + 1, "`");
    const char *behind = text + 1 + name;
    const size_t rest = whole - name;
    if (!name || name >= sizeof found.name || !text[1 + whole] || rest > sizeof found.value) return found;
    if (rest && !(*behind == '=' && rest > 1) && !(*behind == '(' && rest > 2 && behind[rest - 1] == ')'))
        return found;
    memcpy(found.name, text + 1, name);
    if (rest) memcpy(found.value, behind + 1, rest - (*behind == '(' ? 2 : 1));
    found.length = whole + 2;
    return found;
}

static const char *other_name(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0) return other_names[i].option;
    return name;
}

/* The option of the verb that stands for the argument or the parameter, or NULL. */
static const cli_option *option_for(const cli_verb *verb, const char *name)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(verb, i)); i++)
        if (option->parameter && strcmp(option->parameter, name) == 0) return option;
    option = cli_option_find(verb, name);
    return option ? option : cli_option_find(verb, other_name(name));
}

/* " VALUE", in quotes where a shell would take it apart; behind a = where it would be taken for an option. */
static void spell_value(const char *value, char *text, size_t size)
{
    const int plain =
        value[strspn(value, "+-.,:/_#%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == 0;
    const char *quote = plain && *value != '#' ? "" : "'";
    snprintf(text, size, "%c%s%s%s", *value == '-' ? '=' : ' ', quote, value, quote);
}

/* The name of the option: the verb's own, else that of fit, else a parameter of methods; NULL: none of them.
 */
static const char *option_name(const cli_verb *verb, const char *name, const cli_option **option)
{
    *option = verb ? option_for(verb, name) : NULL;
    if (!*option) *option = option_for(cli_verb_find("fit"), name);
    if (*option) return (*option)->name;
    return cli_param_find(name) ? name : NULL;
}

static int spell_option(const cli_verb *verb, const mark *m, char *text, size_t size)
{
    const cli_option *option;
    const char *name = option_name(verb, m->name, &option);
    if (!name) return 0;
    snprintf(text, size, "--%s", name);
    for (char *c = text; *c; c++)
        if (*c == '_') *c = '-';
    const size_t used = strlen(text);
    if (*m->value && !(option && cli_option_is_flag(option))) spell_value(m->value, text + used, size - used);
    return 1;
}

static int spell_command(const mark *m, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].function, m->name) == 0) {
            snprintf(text, size, "'alidade %s%s%s'", commands[i].verb, *m->value ? " " : "", m->value);
            return 1;
        }
    return 0;
}

static int spell_mark(const cli_verb *verb, const mark *m, char *text, size_t size)
{
    return m->length && (spell_command(m, text, size) || spell_option(verb, m, text, size));
}

/* Marks of the library follow a blank or a bracket; a column that is called `x` stands in quotes. */
static int may_begin(const char *message, const char *at)
{
    return *at == '`' && (at == message || at[-1] == ' ' || at[-1] == '(');
}

const char *cli_spell(const cli_verb *verb, const char *message, char *text, size_t size)
{
    size_t used = 0;
    if (!message) return NULL;
    text[0] = '\0';
    for (const char *at = message; *at && used + 1 < size;) {
        char spelled[CLI_NAME_SIZE + longest_value + 20];
        const mark m = may_begin(message, at) ? read_mark(at) : (mark){.length = 0};
        if (spell_mark(verb, &m, spelled, sizeof spelled)) {
            used += (size_t)snprintf(text + used, size - used, "%s", spelled);
            at += m.length;
        } else {
            text[used++] = *at++;
            text[used] = '\0';
        }
    }
    return text;
}
