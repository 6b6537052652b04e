/* alidade report: one page that shows what a model found. */
#include "printing/printing.h"
#include "repeating/repeat.h"

#include <string.h>

typedef struct report_job {
    ald_model *model;
    ald_dataset *data, *test;
    ald_report_options options;
    cli_lines lines;
    char *html;
} report_job;

static int load_all(cli_session *session, report_job *job)
{
    const cli_args *args = &session->args;
    const char *test = cli_text(args, "test", NULL);
    CLI_TRY(cli_load_model(session, args->operands[0], &job->model));
    CLI_TRY(cli_load_like(session, job->model, args->operands[1], &job->data));
    if (test) CLI_TRY(cli_load_like(session, job->model, test, &job->test));
    return CLI_DONE;
}

static void read_options(const cli_session *session, report_job *job)
{
    const cli_args *args = &session->args;
    ald_report_options *options = &job->options;
    *options = (ald_report_options)ALD_REPORT_OPTIONS_INIT;
    options->title = cli_text(args, "title", NULL);
    options->folds = cli_int(args, "folds", 0);
    options->resamples = cli_int(args, "resamples", 0);
    if (cli_given_find(args, "resamples") && options->resamples == 0) options->resamples = -1;
    options->quick = cli_flag(args, "quick") > 0;
    options->seed = (uint64_t)cli_int(args, "seed", 0);
    options->model_path = args->operands[0];
    options->data_path = args->operands[1];
    options->test_path = cli_text(args, "test", NULL);
    cli_repeat(session, job->model, job->data, options->data_path, &job->lines);
    options->commands = job->lines.list;
}

static int run_steps(cli_session *session, report_job *job)
{
    const cli_args *args = &session->args;
    CLI_TRY(load_all(session, job));
    read_options(session, job);
    if (ald_dataset_target(job->data)->kind == ALD_TARGET_NONE &&
        ald_model_text(job->model, "alidade.predictor.kind"))
        cli_warn(session, "the data have no target: the report has no prediction figures");
    CLI_TRY(cli_check_data(session, args->operands[1],
                           ald_report(session->context, job->model, job->data, job->test, &job->options,
                                      &job->html, &session->error)));
    return cli_report_write(session, cli_text(args, "output", NULL), job->html);
}

static int run(cli_session *session)
{
    report_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_text_free(session->context, job.html);
    ald_dataset_free(job.test);
    ald_dataset_free(job.data);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"test", .type = CLI_PATH, .access = CLI_READS, .value_name = "DATA2",
     .help = "held-out rows: if they have the target, the headline figure is theirs"},
    {"title", .type = CLI_TEXT, .value_name = "TEXT", .help = "title of the page"},
    {"folds", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e9,
     .help = "folds of the cross-validation behind the headline figure; 10 by default, 5 with --quick"},
    {"groups", .type = CLI_TEXT, .value_name = "COLS",
     .help = "columns of DATA that define which rows belong together, such as those of one patient; no fold "
             "divides them"},
    {"resamples", .type = CLI_INT, .value_name = "N", .min = 0, .max = 1e6,
     .help = "number of fits to resampled rows, and of fits to permuted targets, for the stability of the "
             "components and the selection frequency of columns; 0 for none. 20 by default, none if that "
             "would take long"},
    {"quick", .type = CLI_FLAG,
     .help = "leave out the slow parts: the stability, the curve over the number of components, all features "
             "as a baseline, and with --test the cross-validation"},
    {"seed", .type = CLI_INT, .value_name = "S", .min = 0, .max = 9e15,
     .help = "seed of the folds and of the resampling; 0 by default"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.html",
     .required = 1, .help = "where to write the page, for example report.html"},
    {0},
};

static const char *const examples[] = {
    "alidade report fat.ald train.csv -o report.html",
    "what the model found, and how good it is by cross-validation",
    "alidade report fat.ald train.csv --test test.csv -o report.html",
    "the headline figure is that of the test rows",
    "alidade report fat.ald train.csv --quick -o report.html",
    "without the slow parts",
    NULL,
};

const cli_verb cli_report_verb = {
    .name = "report",
    .bit = CLI_REPORT,
    .summary = "write one page that shows what a model found, and how good it is",
    .usage = "MODEL DATA [--test DATA2] [--folds K] [--groups COLS] [--resamples N] [--quick] -o FILE.html",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Writes one HTML file that any browser opens: scores, predicted against measured, weights, "
        "importance, the number of components, stability and outlying rows, linked with each other, and a "
        "record of what was done. It loads nothing from the network and can be sent by mail. DATA are the "
        "rows the model was fitted on.\n\nThe headline figure is computed from unseen rows: those of --test, "
        "or all rows of DATA, each predicted by a fit to the others with the same settings and number of "
        "components. Without a target in DATA there are no such figures.",
    .options = options,
    .examples = examples,
    .run = run,
};
