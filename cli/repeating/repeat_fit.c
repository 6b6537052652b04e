/* An option of fit comes from one of these places: the schema of the model, which keeps how cells were read
 * and what every column is; the options by which the file is read now, as the layout of a file is not kept in
 * the model; the parameters of the model; and, for rows without a target, the number of rows. */
#include "repeating/repeat_fit.h"

#include "printing/print_json.h"

#include <stdlib.h>
#include <string.h>

typedef struct refit {
    const cli_session *session;
    const ald_model *model;
    const ald_method *method;
    const ald_dataset *data;
    const char *data_path;
    json_t *schema;         /* NULL: the model has none */
    int64_t rows, labelled; /* of the data, with a weight; of these, with a target */
} refit;

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int is_text(const char *text, const char *wanted)
{
    return text && strcmp(text, wanted) == 0;
}

static int has_no_schema(const refit *r)
{
    return !json_is_object(r->schema);
}

static int has_lost_target(const refit *r)
{
    return json_is_object(json_object_get(r->schema, "target")) &&
           ald_dataset_target(r->data)->kind == ALD_TARGET_NONE;
}

static int has_given_graph(const refit *r)
{
    return is_text(ald_model_text(r->model, "alidade.resolved.graph"), "as given");
}

static int has_given_kernel(const refit *r)
{
    return is_text(ald_model_text(r->model, "alidade.resolved.response_kernel"), "given");
}

/* Also where another start ended better: "random, beside the given one". */
static int has_given_start(const refit *r)
{
    const char *start = ald_model_text(r->model, "alidade.resolved.start");
    return start && strstr(start, "given");
}

/* Without a target, by a method that needs one. */
static int has_distances(const refit *r)
{
    return is_text(ald_model_text(r->model, "alidade.target"), "none") && r->method &&
           !(ald_method_capabilities(r->method) & ALD_CAN_NO_TARGET);
}

static int64_t rows_fitted(const refit *r)
{
    const char *text = ald_model_text(r->model, "alidade.n_samples");
    int64_t rows = -1;
    if (text) cli_read_int(text, &rows);
    return rows;
}

static int has_other_rows(const refit *r)
{
    return rows_fitted(r) != r->rows && rows_fitted(r) != r->labelled;
}

/* What keeps the line from being printed; NULL: nothing. */
static const char *why_not(const refit *r)
{
    static const struct {
        int (*holds)(const refit *r);
        const char *reason;
    } reasons[] = {
        {has_no_schema, "the model does not record which columns of a file it was fitted on"},
        {has_lost_target, "the data have no target"},
        {has_given_graph, "the model does not keep the name of its neighbours file"},
        {has_given_kernel, "the model does not keep the name of its response kernel file"},
        {has_given_start, "the model does not keep the name of its start file"},
        {has_distances, "the model does not keep the name of its target distances file"},
        {has_other_rows, "the data have a different number of rows from those the model was fitted on"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].holds(r)) return reasons[i].reason;
    return NULL;
}

/* The layout of the file, as it was given to this command. */
static void add_layout(cli_line *line, const refit *r)
{
    static const char *const options[] = {
        "format", "delimiter", "header", "comment", "skip", "sheet", "x", "y", "target-file",
    };
    const cli_args *args = &r->session->args;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (cli_text(args, options[i], NULL))
            cli_line_option(line, options[i], cli_text(args, options[i], NULL));
}

/* What the schema keeps under the name of the option, where it is not the usual. */
static void add_reading(cli_line *line, const refit *r)
{
    static const struct {
        const char *option, *group, *usual; /* group NULL: at the top of the schema */
    } kept[] = {
        {"na", "reading", ""},      {"decimal", "reading", ""},   {"thousands", "reading", ""},
        {"dates", "reading", ""},   {"transpose", "reading", ""}, {"encode", NULL, "onehot"},
        {"missing", NULL, "error"},
    };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const json_t *group = kept[i].group ? json_object_get(r->schema, kept[i].group) : r->schema,
                     *value = json_object_get(group, kept[i].option);
        const char *text = json_string_value(value);
        if (json_is_true(value) || (text && strcmp(text, kept[i].usual) != 0))
            cli_line_option(line, kept[i].option, text);
    }
}

/* Which columns of the file, from 1 to count, have been named. */
typedef struct named {
    char *taken;
    json_int_t count;
} named;

/* In a list a column is named by its place where it would be taken apart. */
static int is_name(const char *name)
{
    return name && *name && !strchr(name, ',') && *name != ' ' && name[strlen(name) - 1] != ' ';
}

/* The columns of a list of the schema are taken (`t` NULL: they are of another file); their names, with
 * commas between, as an option. */
static void add_list(cli_line *line, const char *option, const json_t *columns, const named *t)
{
    cli_line names;
    cli_line_begin(&names, "");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const json_int_t at = json_integer_value(json_object_get(column, "position"));
        char number[32];
        snprintf(number, sizeof number, "#%lld", (long long)at);
        if (i) cli_line_add(&names, ",");
        cli_line_add(&names, is_name(text_of(column, "name")) ? text_of(column, "name") : number);
        if (t && at > 0 && at <= t->count) t->taken[at] = 1;
    }
    if (!cli_line_fits(&names))
        line->used = CLI_LINE_SIZE;
    else if (names.used > 0)
        cli_line_option(line, option, names.text);
}

/* The event stands behind the time. */
static void add_target(cli_line *line, const json_t *target, const named *t)
{
    const json_t *columns = json_object_get(target, "columns");
    if (!json_is_true(json_object_get(target, "event"))) {
        add_list(line, "target", columns, t);
        return;
    }
    json_t *time = json_pack("[O]", json_array_get(columns, 0)),
           *event = json_pack("[O]", json_array_get(columns, 1));
    add_list(line, "target", time, t);
    add_list(line, "event", event, t);
    json_decref(time);
    json_decref(event);
}

/* "1-3 5": those of the features. */
static void take_runs(const char *runs, const named *t)
{
    while (runs && *runs) {
        char *end;
        const long first = strtol(runs, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long j = first; j > 0 && j <= last && j <= t->count; j++) t->taken[j] = 1;
        runs = *end == ' ' ? end + 1 : NULL;
    }
}

/* All others were left out. */
static void add_ignored(cli_line *line, const named *t)
{
    const char *before = " --ignore '#";
    for (json_int_t j = 1, first; j <= t->count; j++) {
        char run[80];
        if (t->taken[j]) continue;
        for (first = j; j < t->count && !t->taken[j + 1];) j++;
        int length = snprintf(run, sizeof run, "%s%lld", before, (long long)first);
        if (j > first)
            snprintf(run + length, sizeof run - (size_t)length, "%s%lld", j > first + 1 ? "..#" : ",#",
                     (long long)j);
        cli_line_add(line, run);
        before = ",#";
    }
    if (*before == ',') cli_line_add(line, "'");
}

/* A table of unnamed numbers lists what is ignored, any other its features. */
static void add_features(cli_line *line, const json_t *schema, const named *t)
{
    const json_t *features = json_object_get(schema, "features");
    if (!json_is_object(features)) {
        add_list(line, "ignore", json_object_get(schema, "ignored"), t);
        return;
    }
    add_list(line, "categorical", json_object_get(features, "categorical"), t);
    take_runs(text_of(features, "positions"), t);
    add_ignored(line, t);
}

/* What keeps them from being printed; NULL: nothing. */
static const char *add_columns(cli_line *line, const json_t *schema)
{
    const json_t *target = json_object_get(schema, "target");
    named t = {.count = json_integer_value(json_object_get(schema, "columns"))};
    if (t.count <= 0 || t.count >= INT32_MAX)
        return "the model does not record how many columns the file has";
    t.taken = calloc((size_t)t.count + 1, 1);
    if (!t.taken) return "out of memory";
    add_target(line, target, is_text(text_of(target, "source"), "columns") ? &t : NULL);
    add_list(line, "weights", json_object_get(schema, "weights"), &t);
    add_list(line, "id", json_object_get(schema, "ids"), &t);
    add_features(line, schema, &t);
    free(t.taken);
    return NULL;
}

static void add_task(cli_line *line, const refit *r)
{
    static const struct {
        const char *target, *task;
    } tasks[] = {{"classes", "classification"}, {"real", "regression"}, {"labels", "multilabel"}};
    const char *target = ald_model_text(r->model, "alidade.target");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (is_text(target, tasks[i].target)) cli_line_option(line, "task", tasks[i].task);
    const char *given = cli_text(&r->session->args, "unlabelled-rows", NULL);
    if (given || rows_fitted(r) != r->rows) cli_line_option(line, "unlabelled-rows", given ? given : "drop");
}

/* The option of fit that stands for a parameter; NULL: its own name does. */
static const cli_option *option_of(const char *parameter)
{
    const cli_verb *fit = cli_verb_find("fit");
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(fit, i)); i++)
        if (is_text(option->parameter, parameter)) return option;
    return NULL;
}

/* Numbers may be written in several ways. */
static int is_same(const char *a, const char *b)
{
    double one, two;
    return strcmp(a, b) == 0 || (cli_read_real(a, &one) && cli_read_real(b, &two) && one == two);
}

/* 1 where fit chose among several numbers of neighbours, which are printed then. */
static int add_choice(cli_line *line, const ald_model *model)
{
    ald_array sizes;
    char size[32];
    if (!ald_model_array(model, "choice/n_neighbors", &sizes)) return 0;
    if (sizes.type != ALD_ARRAY_I64 || sizes.dims != 1) return 0;
    cli_line_add(line, " --choose-neighbors ");
    for (int64_t i = 0; i < sizes.shape[0]; i++) {
        snprintf(size, sizeof size, "%s%lld", i ? "," : "", (long long)((const int64_t *)sizes.data)[i]);
        cli_line_add(line, size);
    }
    return 1;
}

/* fit chooses a predictor itself where none is named, and --missing nipals stands for gaps. */
static int is_told(const refit *r, const ald_param *param, const char *value)
{
    if ((param->traits & ALD_PARAM_IS_GAPS) && is_text(text_of(r->schema, "missing"), "nipals")) return 0;
    if (param->traits & ALD_PARAM_IS_PREDICTOR) return json_is_object(json_object_get(r->schema, "target"));
    return !is_same(value, param->initial);
}

static void add_parameters(cli_line *line, const refit *r)
{
    const int chosen = add_choice(line, r->model);
    const ald_param *param;
    char key[160];
    for (int i = 0; r->method && (param = ald_method_param(r->method, i)) != NULL; i++) {
        snprintf(key, sizeof key, "alidade.param.%s", param->name);
        const char *value = ald_model_text(r->model, key);
        if (!value || !is_told(r, param, value)) continue;
        if (chosen && (param->traits & ALD_PARAM_IS_NEIGHBORS)) continue;
        const cli_option *option = option_of(param->name);
        const int flag = option && cli_option_is_flag(option);
        cli_line_option(line, option ? option->name : param->name, flag ? NULL : value);
    }
}

/* What keeps it from being printed; NULL: nothing. */
static const char *write_line(const refit *r, cli_line *line)
{
    cli_line_begin(line, "alidade fit");
    cli_line_word(line, r->data_path);
    add_layout(line, r);
    add_reading(line, r);
    const char *reason = add_columns(line, r->schema);
    add_task(line, r);
    cli_line_option(line, "method", ald_model_method(r->model));
    add_parameters(line, r);
    cli_line_add(line, " -o");
    cli_line_word(line, r->session->args.operands[0]);
    return reason || cli_line_fits(line) ? reason : "it is too long for a line";
}

/* Rows of weight 0 are none. */
static void count_rows(refit *r)
{
    const ald_target *target = ald_dataset_target(r->data);
    const int64_t rows = ald_dataset_x(r->data)->rows;
    for (int64_t i = 0; i < rows; i++) {
        const int counts = !target->weights || target->weights[i] > 0.0;
        r->rows += counts;
        r->labelled += counts && (!target->labelled || target->labelled[i]);
    }
}

static refit refit_of(const cli_session *session, const ald_model *model)
{
    const char *schema = ald_model_text(model, "alidade.schema");
    return (refit){
        .session = session,
        .model = model,
        .method = ald_method_find(ald_model_method(model)),
        .schema = schema ? json_loads(schema, 0, NULL) : NULL,
    };
}

void cli_repeat_method(const ald_model *model, const ald_dataset *data, cli_line *line)
{
    refit r = refit_of(NULL, model);
    r.data = data;
    count_rows(&r);
    cli_line_begin(line, "");
    cli_line_option(line, "method", ald_model_method(model));
    add_parameters(line, &r);
    if (rows_fitted(&r) != r.rows) cli_line_option(line, "unlabelled-rows", "drop");
    json_decref(r.schema);
}

void cli_repeat_fit(const cli_session *session, const ald_model *model, const ald_dataset *data,
                    const char *data_path, cli_line *line)
{
    refit r = refit_of(session, model);
    r.data = data;
    r.data_path = data_path;
    count_rows(&r);
    const char *reason = why_not(&r);
    if (!reason) reason = write_line(&r, line);
    if (reason) {
        cli_line_begin(line, "# The command of the fit cannot be shown: ");
        cli_line_add(line, reason);
        cli_line_add(line, ".");
    }
    json_decref(r.schema);
}
