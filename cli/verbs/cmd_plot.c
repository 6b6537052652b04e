/* alidade plot: a picture of a model, as SVG. */
#include "cli.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct plot_job {
    ald_model *model;
    ald_dataset *data, *test;
    ald_plot_options options;
    char *svg;
} plot_job;

/* "2" or "1,3" */
static int read_components(cli_session *session, ald_plot_options *options)
{
    const char *text = cli_text(&session->args, "components", NULL);
    int used = 0, one = 0, two = 0;
    if (!text) return CLI_DONE;
    const int got = sscanf(text, "%6d%n,%6d%n", &one, &used, &two, &used);
    if (got < 1 || text[used] || one < 1 || (got == 2 && two < 1))
        return cli_usage(session, "--components %s: expected one or two numbers from 1, such as 1,2", text);
    options->x_component = one;
    options->y_component = two;
    return CLI_DONE;
}

static int64_t count_responses(const ald_target *target)
{
    return target->kind == ALD_TARGET_REAL || target->kind == ALD_TARGET_LABELS ? target->values.cols : 0;
}

/* By name, or by number from 1. */
static int read_response(cli_session *session, plot_job *job)
{
    const char *text = cli_text(&session->args, "response", NULL);
    if (!text) return CLI_DONE;
    const ald_dataset *dataset = job->data ? job->data : job->test;
    if (!dataset) return cli_usage(session, "--response %s needs rows: give a data file", text);
    const int64_t count = count_responses(ald_dataset_target(dataset));
    if (!count)
        return cli_usage(session, "--response %s: the target of this model has no responses to choose from",
                         text);
    int64_t number;
    job->options.by_label = 1;
    for (int64_t i = 0; i < count; i++) {
        const char *name = ald_dataset_response_name(dataset, i);
        if (!name || strcmp(name, text) != 0) continue;
        job->options.response = i;
        return CLI_DONE;
    }
    if (!cli_read_int(text, &number) || number < 1 || number > count)
        return cli_usage(session, "--response %s: expected the name of a response or a number from 1 to %lld",
                         text, (long long)count);
    job->options.response = number - 1;
    return CLI_DONE;
}

/* A pipe or a device may have any name. */
static int check_name(cli_session *session, const char *output)
{
    struct stat info;
    const size_t length = strlen(output);
    if (strcmp(output, "-") == 0 || (length > 4 && strcasecmp(output + length - 4, ".svg") == 0))
        return CLI_DONE;
    if (stat(output, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return CLI_DONE;
    return cli_usage(session, "-o %s: pictures are written as SVG; give a name that ends in .svg, or -",
                     output);
}

/* What a kind of picture is drawn from, and what can be chosen in it. */
enum { takes_rows = 1, takes_test = 2, takes_components = 4, takes_response = 8 };

static const struct {
    const char *name;
    unsigned takes;
} kinds_of_plot[] = {
    {"projection", takes_rows | takes_test | takes_components | takes_response},
    {"scores", takes_rows | takes_test | takes_components | takes_response},
    {"biplot", takes_rows | takes_test | takes_components | takes_response},
    {"labels", takes_rows | takes_test | takes_components},
    {"predicted", takes_rows | takes_test | takes_response},
    {"weights", takes_rows | takes_components},
    {"loadings", takes_rows | takes_components},
    {"coefficients", takes_rows | takes_components},
    {"outliers", takes_rows | takes_test},
    {"tuning", 0},
    {"spectrum", 0},
    {"importance", takes_rows | takes_components},
    {"eigengap", 0},
    {"continuity", takes_rows | takes_test},
    {"confusion", takes_rows | takes_test},
    {"calibration", takes_rows | takes_test},
    {"s-plot", takes_rows | takes_components},
};

static unsigned kind_takes(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds_of_plot / sizeof *kinds_of_plot; i++)
        if (strcmp(kinds_of_plot[i].name, kind) == 0) return kinds_of_plot[i].takes;
    return 0;
}

/* Refuses what a picture would not show. */
static int check_kind(cli_session *session)
{
    static const struct {
        const char *option;
        unsigned bit;
    } choices[] = {{"test", takes_test}, {"components", takes_components}, {"response", takes_response}};
    const cli_args *args = &session->args;
    const int rows = args->operands[1] || cli_given_find(args, "test");
    const char *asked = cli_text(args, "kind", NULL), *kind = asked;
    if (!kind) kind = rows ? "projection" : "spectrum";
    if (cli_given_find(args, "importance") && strcmp(kind, "importance") != 0)
        return cli_usage(session, "--importance is for --kind importance; give that too");
    if (args->operands[1] && !(kind_takes(kind) & takes_rows))
        return cli_usage(session, "--kind %s draws only the model; leave out %s", kind, args->operands[1]);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (!cli_given_find(args, choices[i].option) || kind_takes(kind) & choices[i].bit) continue;
        if (!asked)
            return cli_usage(session, "--%s is for a picture of rows; name their file: DATA",
                             choices[i].option);
        return cli_usage(session, "--%s has no effect with --kind %s; leave it out", choices[i].option, kind);
    }
    return CLI_DONE;
}

static int load_all(cli_session *session, plot_job *job)
{
    const cli_args *args = &session->args;
    const char *test = cli_text(args, "test", NULL);
    CLI_TRY(cli_load_model(session, args->operands[0], &job->model));
    if (args->operands[1]) CLI_TRY(cli_load_like(session, job->model, args->operands[1], &job->data));
    if (test) CLI_TRY(cli_load_like(session, job->model, test, &job->test));
    return CLI_DONE;
}

static int run_steps(cli_session *session, plot_job *job)
{
    const cli_args *args = &session->args;
    const char *output = cli_text(args, "output", NULL);
    ald_plot_options *options = &job->options;
    *options = (ald_plot_options)ALD_PLOT_OPTIONS_INIT;
    options->kind = cli_text(args, "kind", NULL);
    options->importance = cli_text(args, "importance", NULL);
    options->title = cli_text(args, "title", NULL);
    options->width = (int)cli_int(args, "width", 0);
    options->height = (int)cli_int(args, "height", 0);
    CLI_TRY(check_name(session, output));
    CLI_TRY(read_components(session, options));
    CLI_TRY(check_kind(session));
    CLI_TRY(load_all(session, job));
    CLI_TRY(read_response(session, job));
    CLI_TRY(cli_check(session, ald_plot(session->context, job->model, job->data, job->test, options,
                                        &job->svg, &session->error)));
    CLI_TRY(cli_stop(session));
    CLI_TRY(cli_check(session,
                      ald_write_text(session->context, output, job->svg, strlen(job->svg), &session->error)));
    if (strcmp(output, "-") != 0) cli_wrote(session, "%s", output);
    return CLI_DONE;
}

static int run(cli_session *session)
{
    plot_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    if (job.svg) ald_text_free(session->context, job.svg);
    ald_dataset_free(job.test);
    ald_dataset_free(job.data);
    ald_model_free(job.model);
    return code;
}

static const char *const kinds[] = {
    "projection",   "scores",    "labels", "predicted",   "weights",    "loadings",
    "coefficients", "outliers",  "tuning", "spectrum",    "importance", "eigengap",
    "continuity",   "confusion", "biplot", "calibration", "s-plot",     NULL,
};

static const char *const importances[] = {"vip", "structure", "standardized", "weights", "loadings", NULL};

static const cli_option options[] = {
    {"kind", .type = CLI_CHOICE, .value_name = "KIND", .choices = kinds,
     .help =
         "what to draw. Pictures of rows: projection, in the plane of two components (or, for one component, "
         "against "
         "the response); scores, the same with an ellipse and a name for each group and the names of rows "
         "where they fit; biplot, the projection with an arrow for each of the leading columns; labels, a "
         "small projection for each label; predicted, against measured, with "
         "residuals; outliers, T2 against Q with limits; continuity, how well neighbourhoods are preserved; "
         "confusion, which classes are confused with which; calibration, whether probabilities are what they "
         "say. Pictures of the model: weights, loadings, coefficients, "
         "as curves over the columns; importance, of features; s-plot, covariance and correlation of each "
         "feature "
         "with a score, which metabolomics draws of orthogonal-pls; spectrum and eigengap, of eigenvalues; "
         "tuning, the curve of a tuned model. By default projection with DATA, otherwise spectrum"},
    {"importance", .type = CLI_CHOICE, .value_name = "KIND", .choices = importances,
     .help = "--kind importance: importance for the target (vip, the default), correlations with the scores "
             "(structure), weights of the features per standard deviation or per unit, or loadings, the last "
             "four of the component that --components names; from the rows of DATA if the model alone is not "
             "enough"},
    {"test", .type = CLI_PATH, .access = CLI_READS, .value_name = "DATA2",
     .help = "additional rows, drawn with a different mark"},
    {"components", .type = CLI_TEXT, .value_name = "I,J",
     .help = "the components on the axes, 1,2 by default; or the one or two that are drawn as curves"},
    {"response", .type = CLI_TEXT, .value_name = "NAME",
     .help = "the response or label that colours the points, by name or number from 1; by default the first "
             "response, or the number of labels of a row"},
    {"title", .type = CLI_TEXT, .value_name = "TEXT", .help = "title of the picture"},
    {"width", .type = CLI_INT, .value_name = "N", .min = 200, .max = 10000,
     .help = "width in pixels; 800 by default"},
    {"height", .type = CLI_INT, .value_name = "N", .min = 150, .max = 10000,
     .help = "height in pixels; 600 by default"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.svg", .required = 1,
     .help = "where to write the picture, for example picture.svg"},
    {0},
};

static const char *const examples[] = {
    "alidade plot iris.ald iris.csv -o iris.svg",
    "the rows in the plane of the first two components, coloured by class",
    "alidade plot fat.ald train.csv --test test.csv -o fat.svg",
    "training and test rows with different marks",
    "alidade plot fat.ald train.csv --kind importance -o importance.svg",
    "which features matter most",
    "alidade plot fat.ald train.csv --kind importance --importance structure -o corr.svg",
    "which features correlate with the first scores",
    "alidade plot fat.ald train.csv --test test.csv --kind predicted -o predicted.svg",
    "predicted against measured, with residuals",
    "alidade plot fat.ald --kind coefficients -o coefficients.svg",
    "the formula of the prediction over the wavelengths",
    NULL,
};

const cli_verb cli_plot_verb = {
    .name = "plot",
    .bit = CLI_PLOT,
    .summary = "draw rows, predictions, weights and more of a model",
    .usage = "MODEL [DATA] [--test DATA2] [--kind KIND] [--components I,J] [--response NAME] -o FILE.svg",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 1,
    .max_operands = 2,
    .description = "Writes a picture as SVG. Pictures of the model alone need no rows. Rows are read in the "
                   "same way as those of the fit. In a browser, pointing at a row shows its name, target and "
                   "position, for up to 5000 rows.",
    .options = options,
    .examples = examples,
    .run = run,
};
