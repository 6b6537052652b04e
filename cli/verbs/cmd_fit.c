/* alidade fit: data to model. */
#include "cli.h"
#include "printing/printing.h"
#include "typed_settings.h"
#include "usual_fit.h"

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
    const char *predictor; /* added without being asked for; NULL: none was */
    double read_seconds, fit_seconds;
    int stream;
    int64_t rows; /* of the file */
    ald_load_options load;
    cli_choice choice; /* of the number of neighbours */
} fit_job;

/* 1 if the method has the parameter and takes the value, 0 if not: then session->error says why not. */
static int method_takes(cli_session *session, const ald_method *method, const cli_given *given)
{
    ald_settings *settings = NULL;
    if (ald_settings_new(session->context, ald_method_name(method), &settings, &session->error) < 0) return 0;
    const ald_status status = cli_set_value(session, settings, given);
    ald_settings_free(settings);
    return status >= 0;
}

/* While the method is not known, a value that no method takes is a slip, reported before much data is read.
 * What the method that auto chooses says to it comes later. */
static int try_parameter(cli_session *session, const cli_given *given)
{
    int tried = 0;
    for (int i = 0; i < ald_method_count(); i++) {
        if (!cli_method_has(ald_method_at(i), cli_given_key(given))) continue;
        if (method_takes(session, ald_method_at(i), given)) return CLI_DONE;
        tried++;
    }
    return tried ? cli_wrong_parameter(session, given, session->error.message) : CLI_DONE;
}

static int try_parameters(cli_session *session)
{
    for (int i = 0; i < session->args.n_given; i++)
        if (cli_is_parameter(&session->args.given[i]))
            CLI_TRY(try_parameter(session, &session->args.given[i]));
    return CLI_DONE;
}

/* --missing nipals leaves the cells empty, for the methods that can do with the others. */
static int allow_gaps(cli_session *session, fit_job *job)
{
    const ald_param *gaps = ald_method_param_with(job->method, ALD_PARAM_IS_GAPS);
    char others[300];
    if (!cli_wants_gaps(session)) return CLI_DONE;
    if (gaps) return cli_check(session, ald_settings_set_int(job->settings, gaps->name, 1, &session->error));
    cli_methods_with("gaps", others, sizeof others);
    return cli_usage(session, "--missing nipals is for %s: with %s use --missing mean or drop", others,
                     ald_method_name(job->method));
}

static int make_settings(cli_session *session, fit_job *job)
{
    CLI_TRY(cli_choice_read(session, job->method, &job->choice));
    CLI_TRY(cli_settings_make(session, job->method, *job->reason != '\0', &job->settings));
    return allow_gaps(session, job);
}

static int find_method(cli_session *session, fit_job *job)
{
    CLI_TRY(cli_method_named(session, &job->method));
    return job->method ? make_settings(session, job) : try_parameters(session);
}

static int check_output(cli_session *session, fit_job *job)
{
    job->output = cli_text(&session->args, "output", NULL);
    const int standard = strcmp(job->output, "-") == 0;
    if (standard && isatty(STDOUT_FILENO))
        return cli_usage(session,
                         "a model is not text for a terminal; give -o a file name or redirect the output");
    if (standard && session->json && (!session->json_path || strcmp(session->json_path, "-") == 0))
        return cli_usage(session, "-o - and --json both want standard output; give -o a file");
    return CLI_DONE;
}

static void say_weights(cli_session *session, const fit_job *job)
{
    const double *weights = ald_dataset_target(job->dataset)->weights;
    double sum = 0.0;
    int64_t without = 0;
    if (!job->load.weights) return;
    if (job->stream || !weights) {
        cli_say(session, "        weights from column %s", job->load.weights);
        return;
    }
    for (int64_t i = 0; i < job->rows; i++) {
        sum += weights[i];
        without += !(weights[i] > 0.0);
    }
    cli_say(session, "        weights from column %s, sum %g", job->load.weights, sum);
    if (without > 0)
        cli_say(session, "        %lld row%s of weight 0 left out", (long long)without, cli_s(without));
}

/* --stream: the first reading; the second one is the fit. */
static int survey_data(cli_session *session, fit_job *job)
{
    const double began = cli_seconds();
    CLI_TRY(cli_check(session, ald_dataset_survey(session->context, job->data, &job->load, &job->dataset,
                                                  &job->rows, &session->error)));
    job->read_seconds = cli_seconds() - began;
    const int64_t features = ald_dataset_x(job->dataset)->cols;
    char rows[60];
    cli_say(session, "read    %s: %s, %lld column%s, in blocks (%.2f s)", job->data,
            cli_rows_read(job->dataset, job->rows, rows, sizeof rows), (long long)features, cli_s(features),
            job->read_seconds);
    cli_say(session, "        %s", ald_dataset_task_note(job->dataset));
    say_weights(session, job);
    return CLI_DONE;
}

static int read_data(cli_session *session, fit_job *job)
{
    ald_load_options *options = &job->load;
    cli_load_options(session, options);
    const unsigned can = job->method ? ald_method_capabilities(job->method) : 0;
    options->prefer_real = (can & ALD_CAN_REAL) && !(can & ALD_CAN_CLASSES);
    const double began = cli_seconds();
    job->stream = cli_flag(&session->args, "stream");
    if (job->stream && options->unlabelled_file)
        return cli_usage(session,
                         "--unlabelled is for methods that hold all rows in memory: leave out --stream");
    options->checkpoint_seconds = cli_real(&session->args, "checkpoint-seconds", 0.0);
    if (!job->stream && (options->keep_rows || options->checkpoint))
        return cli_usage(session, "--%s applies to files that are read in blocks: add --stream",
                         options->keep_rows ? "keep-rows" : "checkpoint");
    if (!options->checkpoint && options->checkpoint_seconds > 0.0)
        return cli_usage(session, "--checkpoint-seconds needs a checkpoint: add --checkpoint FILE");
    if (strcmp(job->output, "-") != 0) options->keep_beside = job->output;
    if (job->stream) return survey_data(session, job);
    CLI_TRY(cli_load_rows(session, job->data, options, &job->dataset));
    job->rows = ald_dataset_x(job->dataset)->rows;
    job->read_seconds = cli_seconds() - began;
    cli_say_read(session, job->data, job->dataset, job->read_seconds);
    say_weights(session, job);
    return CLI_DONE;
}

/* By the usual search, which gives the model itself; where there is nothing to choose by, by the data. */
static int choose_method(cli_session *session, fit_job *job)
{
    const double began = cli_seconds();
    if (!job->method) {
        CLI_TRY(cli_usual_fit(session, job->data, job->dataset, &job->load, &job->model));
        job->fit_seconds = cli_seconds() - began;
        if (job->model) {
            job->method = ald_method_find(ald_model_method(job->model));
            return CLI_DONE;
        }
        CLI_TRY(cli_method_by_auto(session, job->dataset, &job->method, job->reason, sizeof job->reason));
        CLI_TRY(make_settings(session, job));
    }
    const int has_target = ald_dataset_target(job->dataset)->kind != ALD_TARGET_NONE ||
                           job->load.distances_file || job->load.response_kernel_file;
    if (!has_target && !(ald_method_capabilities(job->method) & ALD_CAN_NO_TARGET))
        return cli_usage(session, "method %s needs a target: name its columns with --target COLS",
                         ald_method_name(job->method));
    return cli_check(session, ald_predictor_auto_for(job->settings, ald_dataset_target(job->dataset),
                                                     job->stream, &job->predictor, &session->error));
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
        const int added = job->predictor && (param->traits & ALD_PARAM_IS_PREDICTOR);
        if (value && !added && !is_default(param, value))
            cli_say(session, "        %s = %s", param->name, value);
    }
}

/* -v: the values that were chosen while fitting. */
static void say_resolved(cli_session *session, const ald_model *model)
{
    static const char prefix[] = "alidade.resolved.";
    const char *key, *value;
    for (int i = 0; session->verbose && ald_model_text_at(model, i, &key, &value); i++)
        if (strncmp(key, prefix, sizeof prefix - 1) == 0)
            cli_say(session, "        %s: %s", key + sizeof prefix - 1, value);
}

static ald_status call_fit(cli_session *session, fit_job *job)
{
    if (job->choice.count)
        return cli_choice_fit(session, job->settings, job->dataset, &job->choice, &job->model);
    if (job->stream)
        return ald_fit_stream(session->context, job->settings, job->data, &job->load, job->dataset,
                              &job->model, &session->error);
    return ald_fit_dataset(session->context, job->settings, job->dataset, &job->model, &session->error);
}

static int fit_chosen(cli_session *session, fit_job *job)
{
    const double began = cli_seconds();
    if (job->model) return CLI_DONE; /* the search fitted it */
    say_method(session, job);
    CLI_TRY(cli_check_data(session, job->data, call_fit(session, job)));
    job->fit_seconds = cli_seconds() - began;
    if (job->choice.count) cli_choice_say(session, &job->choice);
    return CLI_DONE;
}

static int fit_model(cli_session *session, fit_job *job)
{
    CLI_TRY(fit_chosen(session, job));
    const int64_t features = ald_model_feature_count(job->model),
                  components = ald_model_component_count(job->model);
    cli_say(session, "fitted  %lld feature%s to %lld component%s (%.2f s)", (long long)features,
            cli_s(features), (long long)components, cli_s(components), job->fit_seconds);
    if (session->verbose && job->predictor)
        cli_say(session, "        predictor: %s, the usual one for such a target", job->predictor);
    say_resolved(session, job->model);
    return CLI_DONE;
}

/* --intervals: the model with its errors on parts of the rows, by fits without them. */
static int calibrate_model(cli_session *session, fit_job *job)
{
    ald_calibration_options calibration = ALD_CALIBRATION_OPTIONS_INIT;
    ald_model *calibrated = NULL;
    calibration.folds = cli_int(&session->args, "intervals", 0);
    if (calibration.folds == 0) return CLI_DONE;
    CLI_TRY(cli_check_data(session, job->data,
                           ald_calibrate(session->context, job->model, ald_dataset_x(job->dataset),
                                         ald_dataset_target(job->dataset), &calibration, &calibrated,
                                         &session->error)));
    ald_model_free(job->model);
    job->model = calibrated;
    cli_say(session, "        errors of %s are kept, for predict --interval",
            ald_model_text(job->model, "alidade.calibration"));
    return CLI_DONE;
}

/* Fits of parts of the rows need rows in memory, of which parts can be taken. */
static int check_intervals(cli_session *session)
{
    const cli_args *args = &session->args;
    if (cli_int(args, "intervals", 0) == 0) return CLI_DONE;
    if (cli_text(args, "event", NULL))
        return cli_usage(session,
                         "what is predicted of times with events is a risk, which has no intervals: leave "
                         "out --intervals");
    if (cli_flag(args, "stream"))
        return cli_usage(session,
                         "--intervals fits parts of the rows in memory: leave it out with --stream, and use "
                         "alidade calibrate with rows that the model has not seen");
    if (cli_text(args, "graph-file", NULL) || cli_text(args, "target-distances", NULL) ||
        cli_text(args, "response-kernel-file", NULL))
        return cli_usage(
            session, "matrices that come with all rows cannot be divided into parts: leave out --intervals, "
                     "and use alidade calibrate with rows that the model has not seen");
    if (cli_text(args, "start-file", NULL))
        return cli_usage(session,
                         "fits of --intervals do not begin from --start-file: leave one of them out, or use "
                         "alidade calibrate with rows that the model has not seen");
    return CLI_DONE;
}

/* Behind the fit come those of --intervals, each as long as it; a search is about as long as all of them. */
static void expect_calls(cli_session *session, const fit_job *job)
{
    const double folds = (double)cli_int(&session->args, "intervals", 0);
    if (folds > 0.0) cli_time_left_expect(&session->progress.left, job->method ? 1.0 / (1.0 + folds) : 0.5);
}

static int save_model(cli_session *session, const fit_job *job)
{
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session, ald_model_save(session->context, job->model, job->output, &session->error)));
    if (job->load.checkpoint)
        CLI_TRY(cli_check(session,
                          ald_checkpoint_remove(session->context, job->load.checkpoint, &session->error)));
    cli_wrote(session, "%s", strcmp(job->output, "-") == 0 ? "the model to standard output" : job->output);
    return CLI_DONE;
}

static int print_json(cli_session *session, const fit_job *job)
{
    json_t *root = json_object();
    const char *reason = *job->reason ? job->reason : ald_model_text(job->model, "alidade.resolved.tuning");
    int bad = 0;
    bad |= json_object_set_new(root, "method", cli_json_text(ald_method_name(job->method)));
    bad |= json_object_set_new(root, "method_reason", cli_json_text(reason));
    bad |= json_object_set_new(root, "task", cli_json_text(ald_dataset_task_note(job->dataset)));
    bad |= json_object_set_new(root, "n_rows", json_integer(job->rows));
    bad |= json_object_set_new(root, "n_features", json_integer(ald_model_feature_count(job->model)));
    bad |= json_object_set_new(root, "n_components", json_integer(ald_model_component_count(job->model)));
    bad |= json_object_set_new(root, "parameters", cli_json_texts(job->model, "alidade.param."));
    bad |= json_object_set_new(root, "resolved", cli_json_texts(job->model, "alidade.resolved."));
    bad |= json_object_set_new(root, "warning", cli_json_text(session->warnings ? session->warning : NULL));
    bad |= json_object_set_new(root, "read_seconds", cli_json_real(job->read_seconds));
    bad |= json_object_set_new(root, "fit_seconds", cli_json_real(job->fit_seconds));
    bad |= json_object_set_new(root, "model", cli_json_text(job->output));
    if (job->choice.count) bad |= json_object_set_new(root, "trials", cli_choice_json(&job->choice));
    return cli_json_print(session, root, bad);
}

static int run_steps(cli_session *session, fit_job *job)
{
    job->data = session->args.operands[0];
    CLI_TRY(check_output(session, job));
    CLI_TRY(cli_ranks_settle(session, find_method(session, job)));
    CLI_TRY(check_intervals(session));
    CLI_TRY(read_data(session, job));
    expect_calls(session, job);
    CLI_TRY(cli_ranks_settle(session, choose_method(session, job)));
    CLI_TRY(fit_model(session, job));
    CLI_TRY(calibrate_model(session, job));
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

static const char *const keeping[] = {"auto", "file", "none", NULL};

static const cli_option options[] = {
    {"method", .type = CLI_METHOD_NAME, .value_name = "NAME", .alias = "methods",
     .help =
         "how to find the components; alidade methods lists them. auto, the default, tries the usual "
         "methods on five folds of the rows, fits the one that predicts the target best to all of them, "
         "and says what it chose; with --stream, or without a target, it chooses by the kind of target and "
         "the size of the data"},
    {"components", .type = CLI_INT, .value_name = "R", .parameter = "n_components", .alias = "dims",
     .help = "how many components to find; --dims and --n-components are the same"},
    {"choose-neighbors", .type = CLI_TEXT, .value_name = "K,K,...",
     .help = "for methods with n_neighbors: fit with each of these numbers, several at once, show how they "
             "compare and keep the one with the largest mean continuity (see alidade evaluate), for example "
             "8,16,32"},
    {"stream", .type = CLI_FLAG,
     .help = "read DATA in blocks instead of loading it: csv, tsv, svmlight, npy, or several files by a "
             "pattern ('part-*.csv'); for methods that support it (alidade methods). The file is read twice, "
             "or once per iteration if it has more than 5000 columns"},
    {"keep-rows", .type = CLI_CHOICE, .value_name = "WHERE", .choices = keeping,
     .help = "with --stream: text is parsed once and the rows are kept for later passes, in memory if they "
             "take at most a quarter of it (auto, the default), otherwise in an unnamed file beside MODEL "
             "(file), or not at all (none)"},
    {"checkpoint", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "with --stream: save the progress of the fit every 30 s, in FILE and files beside it; the same "
             "command resumes after any interruption, and removes the files once the model is written"},
    {"checkpoint-seconds", .type = CLI_REAL, .value_name = "S", .min = 1e-6, .max = 1e9,
     .help = "with --checkpoint: seconds between two saves"},
    {"intervals", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e6,
     .help =
         "keep in the model its errors on rows that a fit has not seen, by K more fits, each without one of "
         "K parts of the rows: predict --interval needs them; 10 is usual"},
    {"seed", .type = CLI_INT, .value_name = "S", .parameter = "random_state",
     .help = "seed of the random numbers; another name for --random-state"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "MODEL", .required = 1,
     .help = "where to write the model, for example model.ald"},
    {0},
};

static const char *const examples[] = {
    "alidade fit iris.csv --target y -o iris.ald",
    "method, components and parameters chosen by alidade",
    "alidade fit tecator.csv --target fat --ignore water,protein --components 3 -o fat.ald",
    "three components for one of the responses, the others left out",
    "alidade fit spectra.csv --target 1 --method pls --row-scale standard -o m.ald",
    "a chosen method, with each row scaled first",
    "alidade fit rows.csv --method sdpp --target-distances d.mtx -o m.ald",
    "only distances between the targets are known",
    "alidade fit train.csv --target y --method sdpp --choose-neighbors 4,8,16,32 -o m.ald",
    "the number of neighbours that best preserves neighbourhoods",
    "alidade fit labelled.csv --target y --unlabelled rest.csv --method rsir -o m.ald",
    "rows without a target help to reveal the shape of the data",
    "zcat big.csv.gz | alidade fit - --method pca -o pca.ald",
    "principal components of data from a pipe",
    NULL,
};

const cli_verb cli_fit_verb = {
    .name = "fit",
    .bit = CLI_FIT,
    .summary = "find the directions in a table that matter for its target",
    .usage = "DATA [--target COLS] [--method NAME] [--components R] [--PARAM VALUE]... -o MODEL",
    .operands = {"DATA"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Reads DATA (csv, tsv, xlsx, npy, svmlight, mtx, arff, mat; text formats also as .gz; - is "
        "standard input), fits a method and writes the model to one file that transform, evaluate, plot and "
        "inspect read. "
        "The parameters of the method are options: n_components is --n-components.\n\nWith a target the "
        "model also gets "
        "a predictor on the projection, so that predict and evaluate work: gaussian for classes, "
        "linear for numbers, cox for times with events, one-vs-rest for labels; --predictor names another, "
        "--predictor none leaves it out.\n\nWithout --method it searches as alidade tune does, once, on five "
        "folds, with the "
        "parameters that are given fixed. What it prints repeats the fit without a search. How good such a "
        "model is, only rows that played no part in the choice can say: alidade tune judges the choice on "
        "outer folds, and alidade evaluate on other rows.\n\nWhat was read and done is "
        "printed on standard error; --json prints it on standard output, --json=FILE writes it to a file.",
    .options = options,
    .has_parameters = 1,
    .examples = examples,
    .ranks = CLI_RANKS_STREAM,
    .run = run,
};
