/* alidade fit: data to model. */
#include "cli.h"
#include "json.h"

#include <string.h>
#include <unistd.h>

/* What the command makes on its way; released once, at its end. */
typedef struct fit_job {
    const char *data, *output;
    const ald_method *method; /* NULL: auto, not chosen yet */
    char reason[300];         /* why auto chose it */
    ald_dataset *dataset;
    ald_settings *settings;
    ald_model *model;
    double read_seconds, fit_seconds;
} fit_job;

/* "a, b": the methods that have a parameter. */
static void list_methods_with(const char *parameter, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < ald_method_count() && used < size; i++)
        if (cli_method_has(ald_method_at(i), parameter))
            used +=
                (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", ald_method_name(ald_method_at(i)));
}

static int set_value(cli_session *session, ald_settings *settings, const cli_given *given)
{
    const ald_status status = ald_settings_set_text(settings, cli_given_key(given), given->values[0], &session->error);
    if (status >= 0) return CLI_DONE;
    if (given->line)
        return cli_usage(session, "%s:%d: %s", session->args.config_path, given->line, session->error.message);
    return cli_usage(session, "%s", session->error.message);
}

static int set_parameter(cli_session *session, fit_job *job, const cli_given *given)
{
    const char *name = cli_given_key(given);
    if (cli_method_has(job->method, name)) return set_value(session, job->settings, given);
    char others[300];
    list_methods_with(name, others, sizeof others);
    return cli_usage(session, "method %s has no parameter %s; methods that have it: %s", ald_method_name(job->method),
                     name, *others ? others : "none");
}

static int is_parameter(const cli_given *given)
{
    return given->param || given->option->parameter;
}

/* While the method is not known, a value is tried on the first one that has the parameter, so that a slip is told
 * before much data is read. */
static int try_parameter(cli_session *session, const cli_given *given)
{
    ald_settings *settings = NULL;
    int first = 0;
    while (first < ald_method_count() && !cli_method_has(ald_method_at(first), cli_given_key(given))) first++;
    if (first == ald_method_count()) return CLI_DONE;
    const char *name = ald_method_name(ald_method_at(first));
    int code = cli_check(session, ald_settings_new(session->context, name, &settings, &session->error));
    if (code == CLI_DONE) code = set_value(session, settings, given);
    ald_settings_free(settings);
    return code;
}

static int try_parameters(cli_session *session)
{
    for (int i = 0; i < session->args.n_given; i++)
        if (is_parameter(&session->args.given[i])) CLI_TRY(try_parameter(session, &session->args.given[i]));
    return CLI_DONE;
}

static int make_settings(cli_session *session, fit_job *job)
{
    const char *name = ald_method_name(job->method);
    CLI_TRY(cli_check(session, ald_settings_new(session->context, name, &job->settings, &session->error)));
    for (int i = 0; i < session->args.n_given; i++) {
        const cli_given *given = &session->args.given[i];
        if (is_parameter(given)) CLI_TRY(set_parameter(session, job, given));
    }
    return CLI_DONE;
}

static int find_method(cli_session *session, fit_job *job)
{
    const char *name = cli_text(&session->args, "method", "auto");
    if (strcmp(name, "auto") == 0) return try_parameters(session);
    job->method = ald_method_find(name);
    if (job->method) return make_settings(session, job);
    const char *near = ald_method_suggest(name);
    if (near) return cli_usage(session, "there is no method %s; did you mean %s?", name, near);
    return cli_usage(session, "there is no method %s; alidade methods lists them", name);
}

static int check_output(cli_session *session, fit_job *job)
{
    job->output = cli_text(&session->args, "output", NULL);
    const int standard = strcmp(job->output, "-") == 0;
    if (standard && isatty(STDOUT_FILENO))
        return cli_usage(session,
                         "a model is not text for a terminal; give -o a file name or send the output elsewhere");
    if (standard && session->json)
        return cli_usage(session, "-o - and --json both want standard output; give -o a file");
    const char *const inputs[] = {job->data, cli_text(&session->args, "target-file", NULL)};
    return cli_check_output(session, job->output, inputs, 2);
}

static int read_data(cli_session *session, fit_job *job)
{
    ald_load_options options;
    cli_load_options(session, &options);
    const char *const inputs[] = {job->data, options.target_file};
    CLI_TRY(cli_check_inputs(session, inputs, 2));
    const unsigned can = job->method ? ald_method_capabilities(job->method) : 0;
    options.prefer_real = (can & ALD_CAN_REAL) && !(can & ALD_CAN_CLASSES);
    const double began = cli_seconds();
    CLI_TRY(
        cli_check(session, ald_dataset_load(session->context, job->data, &options, &job->dataset, &session->error)));
    job->read_seconds = cli_seconds() - began;
    cli_say_read(session, job->data, job->dataset, job->read_seconds);
    return CLI_DONE;
}

static int choose_method(cli_session *session, fit_job *job)
{
    if (!job->method) {
        const char *name = ald_method_auto(job->dataset, job->reason, sizeof job->reason);
        job->method = name ? ald_method_find(name) : NULL;
        if (!job->method) return cli_fail(session, "no method fits this data: %s", job->reason);
        CLI_TRY(make_settings(session, job));
    }
    const int has_target = ald_dataset_target(job->dataset)->kind != ALD_TARGET_NONE;
    if (!has_target && !(ald_method_capabilities(job->method) & ALD_CAN_NO_TARGET))
        return cli_usage(session, "method %s needs a target: name its columns with --target COLS",
                         ald_method_name(job->method));
    return CLI_DONE;
}

/* Numbers are compared as numbers: 1e-9 and 1e-09 are the same value. */
static int is_default(const ald_param *param, const char *value)
{
    double initial, given;
    if (strcmp(value, param->initial) == 0) return 1;
    if (!cli_read_real(param->initial, &initial) || !cli_read_real(value, &given)) return 0;
    return !(initial < given) && !(initial > given);
}

static void say_method(cli_session *session, const fit_job *job)
{
    const ald_param *param;
    cli_say(session, "method  %s (%s)", ald_method_name(job->method), ald_method_title(job->method));
    if (*job->reason) cli_say(session, "        auto chose %s", job->reason);
    for (int i = 0; (param = ald_method_param(job->method, i)); i++) {
        const char *value = ald_settings_text(job->settings, param->name);
        if (value && !is_default(param, value)) cli_say(session, "        %s = %s", param->name, value);
    }
}

static int fit_model(cli_session *session, fit_job *job)
{
    const double began = cli_seconds();
    say_method(session, job);
    CLI_TRY(cli_check(session,
                      ald_fit_dataset(session->context, job->settings, job->dataset, &job->model, &session->error)));
    job->fit_seconds = cli_seconds() - began;
    cli_say(session, "fitted  %lld features to %lld components (%.2f s)", (long long)ald_model_features(job->model),
            (long long)ald_model_components(job->model), job->fit_seconds);
    return CLI_DONE;
}

static int save_model(cli_session *session, const fit_job *job)
{
    /* A reservation about the fit stays what --json tells about. */
    const ald_error fitted = session->error;
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_model_save(session->context, job->model, job->output, &session->error)));
    session->error = fitted;
    cli_say(session, "wrote   %s", strcmp(job->output, "-") == 0 ? "the model to standard output" : job->output);
    return CLI_DONE;
}

static int print_json(cli_session *session, const fit_job *job)
{
    const ald_matrix *x = ald_dataset_x(job->dataset);
    json_t *root = json_object();
    int bad = 0;
    bad |= json_object_set_new(root, "method", cli_json_text(ald_method_name(job->method)));
    bad |= json_object_set_new(root, "method_reason", cli_json_text(*job->reason ? job->reason : NULL));
    bad |= json_object_set_new(root, "task", cli_json_text(ald_dataset_task_note(job->dataset)));
    bad |= json_object_set_new(root, "n_rows", json_integer(x->rows));
    bad |= json_object_set_new(root, "n_features", json_integer(ald_model_features(job->model)));
    bad |= json_object_set_new(root, "n_components", json_integer(ald_model_components(job->model)));
    bad |= json_object_set_new(root, "parameters", cli_json_texts(job->model, "alidade.param."));
    bad |= json_object_set_new(root, "resolved", cli_json_texts(job->model, "alidade.resolved."));
    bad |= json_object_set_new(root, "reservation", cli_json_text(session->reserved ? session->error.message : NULL));
    bad |= json_object_set_new(root, "read_seconds", cli_json_real(job->read_seconds));
    bad |= json_object_set_new(root, "fit_seconds", cli_json_real(job->fit_seconds));
    bad |= json_object_set_new(root, "model", cli_json_text(job->output));
    return cli_json_print(session, root, bad);
}

static int run_steps(cli_session *session, fit_job *job)
{
    job->data = session->args.operands[0];
    CLI_TRY(check_output(session, job));
    CLI_TRY(find_method(session, job));
    CLI_TRY(read_data(session, job));
    CLI_TRY(choose_method(session, job));
    CLI_TRY(fit_model(session, job));
    CLI_TRY(save_model(session, job));
    return session->json ? print_json(session, job) : CLI_DONE;
}

static int run(cli_session *session)
{
    fit_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_model_free(job.model);
    ald_settings_free(job.settings);
    ald_dataset_free(job.dataset);
    return code;
}

static const cli_option options[] = {
    {"method", .type = CLI_METHOD_NAME, .value_name = "NAME",
     .help = "how to find the directions; alidade methods lists them. auto, the default, chooses by the target and the "
             "size of "
             "the data and says why"},
    {"dims", .type = CLI_INT, .value_name = "R", .parameter = "n_components",
     .help = "how many directions to find; another name for --n-components"},
    {"seed", .type = CLI_INT, .value_name = "S", .parameter = "random_state",
     .help = "seed of the random numbers; another name for --random-state"},
    {"output", .letter = 'o', .type = CLI_PATH, .value_name = "MODEL", .required = 1,
     .help = "where to write the model, for example model.ald"},
    {0},
};

static const char *const examples[] = {
    "alidade fit iris.csv --target y -o iris.ald",
    "a method chosen by alidade, two directions",
    "alidade fit tecator.csv --target fat --ignore water,protein --dims 3 -o fat.ald",
    "three directions for one of the responses, the others left out",
    "alidade fit spectra.csv --target 1 --method pls --row-scale standard -o m.ald",
    "a chosen method, with each row scaled first",
    "zcat big.csv.gz | alidade fit - --method pca -o pca.ald",
    "principal components of what comes from a pipe",
    NULL,
};

const cli_verb cli_fit_verb = {
    .name = "fit",
    .bit = CLI_FIT,
    .summary = "find the directions of a table that matter for its target",
    .usage = "DATA [--target COLS] [--method NAME] [--dims R] [--PARAM VALUE]... -o MODEL",
    .operands = {"DATA"},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Reads DATA (csv, tsv, npy, svmlight, mtx, arff, mat; text formats also as .gz; - is standard input), fits a "
        "method and writes the model to one file that transform, evaluate, plot and inspect read. The parameters of "
        "the "
        "method are options: n_components is --n-components.\n\n"
        "What was read and done is told on standard error; --json prints it on standard output.",
    .options = options,
    .has_parameters = 1,
    .examples = examples,
    .run = run,
};
