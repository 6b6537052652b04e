#include "repeat.h"

#include "printing/print_json.h"

#include <stdlib.h>
#include <string.h>

/* A line that grows; `used` beyond its size: it does not fit. */
typedef struct line {
    char *text;
    size_t used;
} line;

static void add(line *l, const char *text)
{
    const size_t length = strlen(text);
    if (l->used + length < CLI_LINE_SIZE) memcpy(l->text + l->used, text, length + 1);
    l->used += length;
}

/* " TEXT", in quotes where a shell would take it apart. */
static void add_word(line *l, const char *word)
{
    const size_t plain =
        strspn(word, "+-.,:/_=@%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    add(l, " ");
    if (*word && !word[plain]) {
        add(l, word);
        return;
    }
    add(l, "'");
    for (const char *c = word; *c; c++) add(l, *c == '\'' ? "'\\''" : (const char[]){*c, '\0'});
    add(l, "'");
}

static void add_option(line *l, const char *name, const char *value)
{
    char option[CLI_NAME_SIZE + 2];
    snprintf(option, sizeof option, "--%s", name);
    for (char *c = option; *c; c++)
        if (*c == '_') *c = '-';
    add_word(l, option);
    if (value) add_word(l, value);
}

/* The option of fit that stands for a parameter. */
static const char *option_of(const char *parameter)
{
    const cli_verb *fit = cli_verb_find("fit");
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(fit, i)); i++)
        if (option->parameter && strcmp(option->parameter, parameter) == 0) return option->name;
    return parameter;
}

/* Numbers may be written in several ways. */
static int is_same(const char *a, const char *b)
{
    double one, two;
    return strcmp(a, b) == 0 || (cli_read_real(a, &one) && cli_read_real(b, &two) && one == two);
}

/* Parameters that are not at their default. */
static void add_parameters(line *l, const ald_model *model)
{
    const ald_method *method = ald_method_find(ald_model_method(model));
    const ald_param *param;
    char key[160];
    for (int i = 0; method && (param = ald_method_param(method, i)) != NULL; i++) {
        snprintf(key, sizeof key, "alidade.param.%s", param->name);
        const char *value = ald_model_text(model, key);
        if (value && !is_same(value, param->initial)) add_option(l, option_of(param->name), value);
    }
}

/* 1 where the schema tells all that fit was told of the columns, and nothing was said of how to read them. */
static int is_told(const json_t *schema)
{
    const char *encode = json_string_value(json_object_get(schema, "encode")),
               *missing = json_string_value(json_object_get(schema, "missing")),
               *source = json_string_value(json_object_get(json_object_get(schema, "target"), "source"));
    return encode && strcmp(encode, "onehot") == 0 && missing && strcmp(missing, "error") == 0 &&
           !json_object_get(schema, "reading") && source && strcmp(source, "columns") == 0 &&
           json_array_size(json_object_get(json_object_get(schema, "features"), "categorical")) == 0;
}

/* Which columns of the file, from 1 to count, have been told. */
typedef struct told {
    char *taken;
    json_int_t count;
} told;

/* The columns of a list of the schema are taken; their names, with commas between, as an option. */
static void take_columns(line *l, const json_t *columns, const char *option, const told *t)
{
    char names[CLI_LINE_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < json_array_size(columns) && used < sizeof names; i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = json_string_value(json_object_get(column, "name"));
        const json_int_t at = json_integer_value(json_object_get(column, "position"));
        const char *comma = i ? "," : "";
        used += (size_t)(name ? snprintf(names + used, sizeof names - used, "%s%s", comma, name)
                              : snprintf(names + used, sizeof names - used, "%s#%lld", comma, (long long)at));
        if (at > 0 && at <= t->count) t->taken[at] = 1;
    }
    if (used > 0) add_option(l, option, names);
    if (used >= sizeof names) l->used = CLI_LINE_SIZE;
}

/* "1-3 5": those of the features. */
static void take_runs(const char *runs, const told *t)
{
    while (runs && *runs) {
        char *end;
        const long first = strtol(runs, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long j = first; j > 0 && j <= last && j <= t->count; j++) t->taken[j] = 1;
        runs = *end == ' ' ? end + 1 : NULL;
    }
}

/* All others were left out. */
static void add_ignored(line *l, const told *t)
{
    const char *before = " --ignore '#";
    for (json_int_t j = 1; j <= t->count; j++) {
        char number[32];
        if (t->taken[j]) continue;
        snprintf(number, sizeof number, "%s%lld", before, (long long)j);
        add(l, number);
        before = ",#";
    }
    if (*before == ',') add(l, "'");
}

static void add_columns(line *l, const json_t *schema)
{
    told t = {.count = json_integer_value(json_object_get(schema, "columns"))};
    t.taken = t.count > 0 && t.count < INT32_MAX ? calloc((size_t)t.count + 1, 1) : NULL;
    if (!t.taken) {
        l->used = CLI_LINE_SIZE; /* then it is not told */
        return;
    }
    take_columns(l, json_object_get(json_object_get(schema, "target"), "columns"), "target", &t);
    take_columns(l, json_object_get(schema, "weights"), "weights", &t);
    take_columns(l, json_object_get(schema, "ids"), "id", &t);
    take_runs(json_string_value(json_object_get(json_object_get(schema, "features"), "positions")), &t);
    add_ignored(l, &t);
    free(t.taken);
}

static void add_task(line *l, const ald_model *model)
{
    static const struct {
        const char *target, *task;
    } tasks[] = {{"classes", "classification"}, {"real", "regression"}, {"labels", "multilabel"}};
    const char *target = ald_model_text(model, "alidade.target");
    for (size_t i = 0; target && i < sizeof tasks / sizeof *tasks; i++)
        if (strcmp(tasks[i].target, target) == 0) add_option(l, "task", tasks[i].task);
}

/* 0: the model does not tell all of it. */
static int write_fit(line *l, const ald_model *model, const char *model_path, const char *data)
{
    const char *text = ald_model_text(model, "alidade.schema");
    json_t *schema = text ? json_loads(text, 0, NULL) : NULL;
    const int known = is_told(schema);
    if (known) {
        add(l, "alidade fit");
        add_word(l, data);
        add_columns(l, schema);
        add_task(l, model);
        add_option(l, "method", ald_model_method(model));
        add_parameters(l, model);
        add(l, " -o");
        add_word(l, model_path);
    }
    json_decref(schema);
    return known && l->used < CLI_LINE_SIZE;
}

/* What does not change the results, or is only about other files. */
static int is_left_out(const char *name)
{
    static const char *const names[] = {
        "threads", "max-memory", "quiet", "verbose", "json", "resume", "csv", "plot",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

static int is_page(const cli_session *session, const cli_given *given)
{
    const char *name = given->option ? given->option->name : "";
    return strcmp(name, "report") == 0 || (session->verb->bit == CLI_REPORT && strcmp(name, "output") == 0);
}

static void add_given(line *l, const cli_session *session, const cli_given *given)
{
    if (given->option && is_left_out(given->option->name)) return;
    add_word(l, given->spelled);
    if (is_page(session, given))
        add_word(l, "report.html"); /* so that the bytes do not depend on the name */
    else
        for (int k = 0; k < CLI_MAX_VALUES && given->values[k]; k++) add_word(l, given->values[k]);
}

static int write_command(line *l, const cli_session *session)
{
    const cli_args *args = &session->args;
    add(l, "alidade ");
    add(l, session->verb->name);
    for (int i = 0; i < args->n_operands; i++) add_word(l, args->operands[i]);
    for (int i = 0; i < args->n_given; i++) add_given(l, session, &args->given[i]);
    return l->used < CLI_LINE_SIZE;
}

void cli_repeat(const cli_session *session, const ald_model *model, const char *data, cli_lines *lines)
{
    int count = 0;
    line l = {.text = lines->text[0]};
    if (model && write_fit(&l, model, session->args.operands[0], data)) lines->list[count++] = l.text;
    l = (line){.text = lines->text[count]};
    if (write_command(&l, session)) lines->list[count++] = l.text;
    lines->list[count] = NULL;
}
