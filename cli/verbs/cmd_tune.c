/* alidade tune: dimension, method and parameters by cross-validation, with a figure that is honest. */
#include "printing/printing.h"

#include <string.h>

typedef struct tune_job {
    ald_load_options load;
    ald_dataset *dataset;
    cli_candidates candidates;
    ald_splits_options inner, outer;
    ald_tune_options options;
    ald_model *model;
    cli_tuning shown;
    const char *csv, *plot, *report;
} tune_job;

static const char *const rules[] = {"one-se", "best", NULL};
static const char *const races[] = {"on", "off", NULL};

static int check_outputs(cli_session *session, tune_job *job)
{
    job->csv = cli_text(&session->args, "csv", NULL);
    job->shown.output = cli_text(&session->args, "output", NULL);
    job->options.resume = cli_text(&session->args, "resume", NULL);
    if (strcmp(job->shown.output, "-") == 0)
        return cli_usage(session, "the table goes to standard output: give -o a file for the model");
    if (job->csv && strcmp(job->csv, "-") == 0)
        return cli_usage(session, "--csv needs a file: the table goes to standard output");
    if (job->options.resume && strcmp(job->options.resume, "-") == 0)
        return cli_usage(session, "--resume needs a file that is kept, not standard output");
    job->plot = cli_text(&session->args, "plot", NULL);
    if (job->plot && strcmp(job->plot, "-") == 0)
        return cli_usage(session, "--plot needs a file: the table goes to standard output");
    job->report = cli_text(&session->args, "report", NULL);
    job->options.keep_predictions = job->report != NULL;
    if (job->report && strcmp(job->report, "-") == 0)
        return cli_usage(session, "--report needs a file: the table goes to standard output");
    return CLI_DONE;
}

static int read_data(cli_session *session, tune_job *job)
{
    return cli_judged_rows(
        session, job->shown.data,
        "tuning judges how well the target is predicted: name its columns with --target COLS", &job->load,
        &job->options.fill_missing, &job->dataset);
}

static void read_splits(const cli_session *session, tune_job *job)
{
    const cli_args *args = &session->args;
    ald_splits_options *inner = &job->inner, *outer = &job->outer;
    inner->size = sizeof *inner;
    inner->folds = cli_int(args, "folds", 0);
    inner->repeats = cli_int(args, "repeats", 0);
    inner->stratify = cli_flag(args, "no-stratify") ? -1 : 0;
    inner->keep_duplicates = strcmp(cli_text(args, "groups", ""), "duplicates") == 0;
    inner->seed = (uint64_t)cli_int(args, "random_state", 0);
    *outer = *inner;
    outer->folds = cli_int(args, "outer-folds", 0);
    outer->repeats = 0;
    job->options.inner = inner;
    job->options.outer = outer;
    job->options.no_nested = cli_flag(args, "no-nested") > 0;
    job->options.metric = cli_text(args, "metric", NULL);
    job->options.rule = cli_rule(session);
    job->options.race = cli_race(session);
    job->options.time_limit = cli_real(args, "time-limit", 0.0);
    job->options.timer = cli_seconds;
}

static int read_candidates(cli_session *session, tune_job *job)
{
    if (cli_flag(&session->args, "no-nested") && cli_given_find(&session->args, "outer-folds"))
        return cli_usage(session,
                         "--no-nested leaves out the outer folds that --outer-folds sets; give one of them");
    job->candidates.search.tuning = 1;
    CLI_TRY(cli_candidates_read(session, job->dataset, &job->candidates));
    job->shown.candidate = *job->candidates.list;
    read_splits(session, job);
    const ald_candidate *all = &job->shown.candidate;
    cli_say(session, "tuning  %d setting%s x %d number%s of components, %lld folds%s", all->n_settings,
            cli_s(all->n_settings), all->n_dims, cli_s(all->n_dims),
            (long long)cli_int(&session->args, "folds", all->inner->folds),
            job->options.no_nested ? "" : "; the choice itself is judged on outer folds");
    return CLI_DONE;
}

static int tune(cli_session *session, tune_job *job)
{
    const double began = cli_seconds();
    job->options.size = sizeof job->options;
    job->options.candidate = &job->shown.candidate;
    CLI_TRY(cli_check_data(session, job->shown.data,
                           ald_tune(session->context, job->dataset, &job->options, &job->shown.result,
                                    &job->model, &session->error)));
    job->shown.seconds = cli_seconds() - began;
    job->shown.model = job->model;
    job->shown.dataset = job->dataset;
    job->shown.seed = job->inner.seed;
    job->shown.limited = job->options.time_limit > 0.0 && !job->options.no_nested;
    return CLI_DONE;
}

static int write_all(cli_session *session, tune_job *job)
{
    CLI_TRY(cli_stop(session));
    CLI_TRY(
        cli_check(session, ald_model_save(session->context, job->model, job->shown.output, &session->error)));
    if (job->plot) CLI_TRY(cli_tuning_plot(session, &job->shown, job->plot));
    if (job->report)
        CLI_TRY(cli_report_tuning(session, job->shown.result, job->model, job->dataset, job->shown.data,
                                  job->report));
    if (job->csv) CLI_TRY(cli_tuning_csv(session, &job->shown, job->csv));
    if (session->json) CLI_TRY(cli_tuning_json(session, &job->shown));
    if (!session->json || session->json_path) cli_tuning_print(session, &job->shown);
    cli_wrote(session, "%s (tuned and fitted in %.2f s)", job->shown.output, job->shown.seconds);
    return CLI_DONE;
}

static int run_steps(cli_session *session, tune_job *job)
{
    job->shown.data = session->args.operands[0];
    CLI_TRY(check_outputs(session, job));
    CLI_TRY(read_data(session, job));
    CLI_TRY(read_candidates(session, job));
    CLI_TRY(tune(session, job));
    return write_all(session, job);
}

static int run(cli_session *session)
{
    tune_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_tuning_free(job.shown.result);
    ald_model_free(job.model);
    cli_candidates_free(&job.candidates);
    ald_dataset_free(job.dataset);
    return code;
}

static const cli_option options[] = {
    {"method", .type = CLI_TEXT, .value_name = "A,B,...", .alias = "methods",
     .help =
         "the method, or several to choose from, each optionally followed by its own settings: "
         "\"pls,sdpp graph=epsilon\"; all, linear and kernel stand for those that accept the data; auto, "
         "the default, for the usual search: linear and kernel methods with the ridges, widths, scalings and "
         "predictors that suit the target"},
    {"components", .type = CLI_TEXT, .value_name = "LIST", .alias = "dims",
     .help = "numbers of components to choose from, 1:20 or 1,2,5; by default 1 to 10, in the usual search "
             "1,2,3,4,5,7,10,14,20,28,40; --dims is the same"},
    {"grid", .type = CLI_TEXT, .value_name = "P=V,V,...", .many = 1,
     .help =
         "values of a parameter to choose from: ridge=0,1,10 or ridge=log:1e-6:100:9 (lin: for even "
         "steps); repeat the option for all combinations. By default: ridge_rel 0 and 1e-4 to 1 in "
         "decades, n_neighbors 5, 10 and 20, kernel_width half, once and twice the median distance, for "
         "methods that have them, unless they are set or given; a grid of ridge stands for ridge_rel too"},
    {"random", .type = CLI_INT, .value_name = "N", .min = 1, .max = 100000,
     .help = "instead of all combinations, N settings per method, drawn from the grids: from log:LOW:HIGH "
             "uniformly in the logarithm, from lin:LOW:HIGH uniformly, otherwise from the list"},
    {"folds", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e9,
     .help = "cross-validation by K parts of the rows; 10 by default"},
    {"repeats", .type = CLI_INT, .value_name = "N", .min = 1, .max = 100000,
     .help = "how often the folds are repeated, each time divided differently"},
    {"rule", .type = CLI_CHOICE, .value_name = "RULE", .choices = rules,
     .help = "one-se, the default: the simplest of those within a standard error of the best; or best"},
    {"race", .type = CLI_CHOICE, .value_name = "HOW", .choices = races,
     .help = "on, the default: settings that are clearly behind after 3, 5 or 7 of 10 folds are not tried on "
             "the rest; off: everything is tried on all folds"},
    {"time-limit", .type = CLI_REAL, .value_name = "S", .min = 1e-3, .max = 1e9,
     .help = "start no new fit after S seconds: the best of what was tried by then is chosen and fitted, and "
             "what was not tried is reported"},
    {"outer-folds", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e9,
     .help = "folds on which the choice itself is judged: it is repeated without each of them; 5 by "
             "default, 10 to 20 in the usual search of few rows"},
    {"no-nested", .type = CLI_FLAG,
     .help = "do not judge the choice itself: faster, but the figure is optimistic"},
    {"no-stratify", .type = CLI_FLAG, .help = "ignore the classes when splitting"},
    {"groups", .type = CLI_TEXT, .value_name = "COLS",
     .help = "columns that define which rows belong together, such as those of one patient; such rows are "
             "never divided between training and test, and the columns are not features. The word duplicates "
             "keeps equal rows together"},
    {"metric", .type = CLI_TEXT, .value_name = "NAME",
     .help =
         "the metric to choose by, any of those of alidade compare: rmse, accuracy or macro_auc by default"},
    {"resume", .type = CLI_PATH, .access = CLI_READS | CLI_WRITES, .value_name = "FILE",
     .help = "record finished fits in FILE, and resume from there when the same command is given again"},
    {"csv", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "also write the whole curve as csv"},
    {"plot", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.svg",
     .help = "also draw the curve: the metric against the number of components, one line per setting"},
    {"report", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.html",
     .help = "also write a page that shows what was chosen, the path of the search and the model"},
    {"seed", .type = CLI_INT, .value_name = "S", .parameter = "random_state",
     .help = "seed of the folds, of --random and of the methods; 0 by default"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "MODEL", .required = 1,
     .help = "where to write the chosen model, fitted to all rows"},
    {0},
};

static const char *const examples[] = {
    "alidade tune tecator.csv --target fat --method pls --components 1:20 -o fat.ald",
    "the number of components of pls",
    "alidade tune iris.csv --target y --method lda,sir,pls -o iris.ald",
    "the method, its number of components and its ridge",
    "alidade tune d.csv --target y --method kspca --grid kernel_width=log:0.1:100:7 --rule best -o d.ald",
    "your own grid, and the best mean instead of the simplest close to it",
    "alidade tune d.csv --target y --method rsir --grid eta=log:0.01:100 --grid n_neighbors=3,5,10 --random "
    "20 -o d.ald",
    "twenty settings drawn at random",
    NULL,
};

const cli_verb cli_tune_verb = {
    .name = "tune",
    .bit = CLI_TUNE,
    .summary = "choose method, components and parameters by cross-validation",
    .usage = "DATA --target COLS [--method A,B,...] [--components LIST] [--grid P=V,...]... -o MODEL",
    .operands = {"DATA"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Tries every number of components with every setting by cross-validation, picks the simplest within "
        "a standard error of the best, fits it to all rows and writes the model, with its predictor and the "
        "curve.\n\nThe figure of the chosen setting is optimistic, because it was the reason for the choice. "
        "So the choice itself is judged too, on outer folds: for each of them it is repeated from the "
        "training rows alone. That figure is honest.\n\nParameters given as options apply to all methods "
        "that have them. Each fit runs on one thread, and --threads fits run at once; the figures and the "
        "model do not depend on the number.",
    .options = options,
    .has_parameters = 1,
    .examples = examples,
    .run = run,
};
