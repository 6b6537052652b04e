/* alidade compare: methods side by side on the same splits. */
#include "printing/printing.h"

#include <string.h>

typedef struct compare_job {
    const char *data, *csv, *plot, *report;
    ald_load_options load;
    ald_dataset *dataset;
    cli_candidates candidates;
    ald_splits_options splits;
    ald_compare_options options;
    ald_comparison *result;
    double seconds;
} compare_job;

static int read_data(cli_session *session, compare_job *job)
{
    return cli_judged_rows(
        session, job->data,
        "methods are compared by how well the target is predicted: name its columns with --target COLS",
        &job->load, &job->options.fill_missing, &job->dataset);
}

/* A split that is given leaves nothing to draw. */
static int check_given(cli_session *session)
{
    static const char *const others[] = {
        "folds", "splits", "train", "repeats", "stratify", "no-stratify", "groups",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given_find(&session->args, others[i]))
            return cli_usage(session,
                             "--%s applies to random splits, but the split is given; leave out one of them",
                             others[i]);
    return CLI_DONE;
}

/* Options that belong to one way of splitting, given with another. */
static int check_ways(cli_session *session)
{
    const cli_args *args = &session->args;
    const int folds = cli_given_find(args, "folds") != NULL;
    if (folds && (cli_given_find(args, "splits") || cli_given_find(args, "train")))
        return cli_usage(session, "--folds and %s are two ways to split; give one of them",
                         cli_given_find(args, "splits") ? "--splits" : "--train");
    if (cli_given_find(args, "split-column") || cli_given_find(args, "split-file"))
        return check_given(session);
    if (cli_given_find(args, "repeats") && !folds)
        return cli_usage(session, "--repeats is for --folds; give that too");
    if (cli_flag(args, "stratify") && cli_flag(args, "no-stratify"))
        return cli_usage(session, "--stratify and --no-stratify contradict each other; give one of them");
    return CLI_DONE;
}

static int read_splits(cli_session *session, ald_splits_options *splits)
{
    const cli_args *args = &session->args;
    CLI_TRY(check_ways(session));
    splits->size = sizeof *splits;
    splits->splits = cli_int(args, "splits", 0);
    splits->train = cli_real(args, "train", 0.0);
    splits->folds = cli_int(args, "folds", 0);
    splits->repeats = cli_int(args, "repeats", 0);
    splits->stratify = cli_flag(args, "no-stratify") ? -1 : 0;
    if (cli_flag(args, "stratify")) splits->stratify = 1;
    splits->keep_duplicates = strcmp(cli_text(args, "groups", ""), "duplicates") == 0;
    splits->seed = (uint64_t)cli_int(args, "random_state", 0);
    return CLI_DONE;
}

static int check_outputs(cli_session *session, compare_job *job)
{
    job->csv = cli_text(&session->args, "csv", NULL);
    job->options.resume = cli_text(&session->args, "resume", NULL);
    job->plot = cli_text(&session->args, "plot", NULL);
    job->report = cli_text(&session->args, "report", NULL);
    if (job->report && strcmp(job->report, "-") == 0)
        return cli_usage(session, "--report needs a file: the table goes to standard output");
    if (job->csv && strcmp(job->csv, "-") == 0 && session->json && !session->json_path)
        return cli_usage(session, "--csv - and --json both want standard output; give one of them a file");
    if (job->options.resume && strcmp(job->options.resume, "-") == 0)
        return cli_usage(session, "--resume needs a file that is kept, not standard output");
    return CLI_DONE;
}

/* --choose: one row per method, its dims and settings chosen inside each training part; so it is in the usual
 * search. */
static int read_choosing(cli_session *session, compare_job *job)
{
    const cli_args *args = &session->args;
    const ald_splits_options *outer = &job->splits;
    const int usual = strcmp(cli_text(args, "methods", "auto"), "auto") == 0;
    static const char *const of_choosing[] = {"inner-folds", "rule", "race"};
    ald_search *search = &job->candidates.search;
    search->choose = cli_flag(args, "choose") > 0;
    for (size_t i = 0; !search->choose && !usual && i < sizeof of_choosing / sizeof *of_choosing; i++)
        if (cli_given_find(args, of_choosing[i]))
            return cli_usage(session, "--%s is for --choose; give that too", of_choosing[i]);
    search->rule = cli_rule(session);
    search->inner = &job->candidates.inner;
    job->candidates.inner = (ald_splits_options){
        .size = sizeof job->candidates.inner,
        .folds = cli_int(args, "inner-folds", 0),
        .stratify = outer->stratify,
        .keep_duplicates = outer->keep_duplicates,
        .seed = outer->seed,
    };
    search->no_baselines = cli_flag(args, "no-baselines") > 0;
    return CLI_DONE;
}

static int compare(cli_session *session, compare_job *job)
{
    const double began = cli_seconds();
    job->options.size = sizeof job->options;
    job->options.splits = &job->splits;
    job->options.candidates = job->candidates.list;
    job->options.count = job->candidates.count;
    job->options.metric = cli_text(&session->args, "metric", NULL);
    job->options.clock = cli_flag(&session->args, "no-times") ? NULL : cli_seconds;
    job->options.race = cli_race(session);
    job->options.time_limit = cli_real(&session->args, "time-limit", 0.0);
    job->options.timer = cli_seconds;
    CLI_TRY(cli_check_data(
        session, job->data,
        ald_compare_dataset(session->context, job->dataset, &job->options, &job->result, &session->error)));
    job->seconds = cli_seconds() - began;
    return CLI_DONE;
}

static int report(cli_session *session, const compare_job *job)
{
    const cli_comparison shown = {
        .data = job->data,
        .dataset = job->dataset,
        .candidates = &job->candidates,
        .result = job->result,
        .seed = job->splits.seed,
        .timed = job->options.clock != NULL,
    };
    if (job->plot) CLI_TRY(cli_comparison_plot(session, &shown, job->plot));
    if (job->report)
        CLI_TRY(cli_report_comparison(session, job->result, job->dataset, job->data, job->report));
    if (job->csv) CLI_TRY(cli_comparison_csv(session, &shown, job->csv));
    if (session->json) CLI_TRY(cli_comparison_json(session, &shown));
    if ((!session->json || session->json_path) && !(job->csv && strcmp(job->csv, "-") == 0))
        cli_comparison_print(session, &shown);
    cli_say(session, "compared %d candidate%s (%.2f s)", job->candidates.count, cli_s(job->candidates.count),
            job->seconds);
    return CLI_DONE;
}

static int run_steps(cli_session *session, compare_job *job)
{
    job->data = session->args.operands[0];
    CLI_TRY(check_outputs(session, job));
    CLI_TRY(read_splits(session, &job->splits));
    CLI_TRY(read_data(session, job));
    CLI_TRY(read_choosing(session, job));
    CLI_TRY(cli_candidates_read(session, job->dataset, &job->candidates));
    CLI_TRY(compare(session, job));
    return report(session, job);
}

static int run(cli_session *session)
{
    compare_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    ald_comparison_free(job.result);
    cli_candidates_free(&job.candidates);
    ald_dataset_free(job.dataset);
    return code;
}

static const char *const rules[] = {"one-se", "best", NULL};
static const char *const races[] = {"on", "off", NULL};

static const cli_option options[] = {
    {"methods", .type = CLI_TEXT, .value_name = "A,B,...", .alias = "method",
     .help = "the methods, each optionally followed by its own settings: \"pls,sdpp n_neighbors=10,sdpp "
             "n_neighbors=20\"; pcr is pca with a linear predictor. all, linear and kernel stand for those "
             "that accept the data; auto, the default, for the usual ones, linear and curved, each of which "
             "chooses from what is usual for it, as in alidade tune (docs/tuning.md)"},
    {"components", .type = CLI_TEXT, .value_name = "LIST", .alias = "dims",
     .help = "numbers of components, 1:4 (the default) or 1,2,5; a method may have its own: \"lda "
             "components=1:2\"; in the usual search to choose from; --dims is the same"},
    {"grid", .type = CLI_TEXT, .value_name = "P=V,V,...", .many = 1,
     .help = "try these values of a parameter with all methods that have it, such as ridge=0,1,10; repeat "
             "the option for all combinations"},
    {"metric", .type = CLI_TEXT, .value_name = "NAME",
     .help = "the metric to compare by. Numbers: rmse (the default), r2, mae, bias, sep, rpd, and over all "
             "test rows together rmsecv and q2; classes: accuracy (the default), balanced_accuracy, "
             "mean_ovr_accuracy, auc, sensitivity, specificity, mcc, log_loss, brier; labels: macro_auc (the "
             "default), accuracy, micro_auc, macro_f1, micro_f1. --json has all; docs/metrics.md has the "
             "formulas"},
    {"splits", .type = CLI_INT, .value_name = "N", .min = 1, .max = 100000,
     .help = "how many random splits into training and test rows; 10 by default"},
    {"train", .type = CLI_REAL, .value_name = "PART", .min = 1e-9, .max = 1,
     .help = "the fraction of the rows for training, two thirds by default"},
    {"folds", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e9,
     .help = "cross-validation instead: K parts of equal size, each the test part once"},
    {"repeats", .type = CLI_INT, .value_name = "N", .min = 1, .max = 100000,
     .help = "how often the folds are repeated, each time divided differently"},
    {"stratify", .type = CLI_FLAG,
     .help = "preserve the class proportions in all parts; the default for classes, unless rows are grouped"},
    {"no-stratify", .type = CLI_FLAG, .help = "ignore the classes when splitting"},
    {"groups", .type = CLI_TEXT, .value_name = "COLS",
     .help = "columns that define which rows belong together, such as those of one patient; such rows are "
             "never divided between training and test, and the columns are not features. The word duplicates "
             "keeps equal rows together"},
    {"split-column", .type = CLI_TEXT, .value_name = "COL",
     .help = "the split is given by a column: train and test, or 0 and 1; or names or numbers of parts, each "
             "of which is the test part once"},
    {"split-file", .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .help = "the same from a second file with one value per row"},
    {"choose", .type = CLI_FLAG,
     .help = "one row per method: its number of components and its values of the grid are chosen inside each "
             "training part, by cross-validation, so that the figure is honest; the choices are shown. With "
             "--methods auto it is always so"},
    {"inner-folds", .type = CLI_INT, .value_name = "K", .min = 2, .max = 1e9,
     .help = "with --choose: parts of that cross-validation, 10 by default; in the usual search as in "
             "alidade tune"},
    {"rule", .type = CLI_CHOICE, .value_name = "RULE", .choices = rules,
     .help = "with --choose: one-se, the default, picks the simplest within a standard error of the best; or "
             "best"},
    {"race", .type = CLI_CHOICE, .value_name = "HOW", .choices = races,
     .help = "with --choose: on: settings that are clearly behind after 3, 5 or 7 of 10 inner folds are not "
             "tried on the rest, as in alidade tune; off by default, on in the usual search"},
    {"time-limit", .type = CLI_REAL, .value_name = "S", .min = 1e-3, .max = 1e9,
     .help = "start no new fit after S seconds, and show the splits that are finished by then"},
    {"no-baselines", .type = CLI_FLAG,
     .help =
         "leave out the mean (the most frequent class), all features and pca, which are included by default"},
    {"no-times", .type = CLI_FLAG, .help = "leave out the seconds, so that two runs print the same bytes"},
    {"resume", .type = CLI_PATH, .access = CLI_READS | CLI_WRITES, .value_name = "FILE",
     .help = "record finished fits in FILE, and resume from there when the same command is given again"},
    {"csv", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "also write the table as csv"},
    {"plot", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.svg",
     .help = "also draw the metric against the number of components, a line per method with its standard "
             "deviation"},
    {"report", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.html",
     .help = "also write a page that shows the intervals, the differences and the times"},
    {"seed", .type = CLI_INT, .value_name = "S", .parameter = "random_state",
     .help = "seed of the splits and of the methods; 0 by default"},
    {0},
};

static const char *const examples[] = {
    "alidade compare tecator.csv --target fat --methods pls,opls,spca --components 1:10",
    "three methods and the baselines, each with one to ten components, on ten splits",
    "alidade compare iris.csv --target y --methods lda,sir --folds 10 --repeats 3",
    "cross-validation, three times",
    "alidade compare d.csv --target y --methods \"pls,spca,sdpp n_neighbors=5\" --scale standard "
    "--json=d.json",
    "settings of one method and of all; all figures in a file",
    "alidade compare d.csv --target y --methods rsir,pls --grid ridge=0,1,10 --resume d.jsonl",
    "a grid of values, and work that survives an interruption",
    NULL,
};

const cli_verb cli_compare_verb = {
    .name = "compare",
    .bit = CLI_COMPARE,
    .summary = "judge methods side by side on the same splits of the rows",
    .usage = "DATA --target COLS [--methods A,B,...] [--components LIST] [--splits N --train PART | --folds "
             "K] [--PARAM VALUE]...",
    .operands = {"DATA"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Fits every method with every number of components on the training rows of every split, predicts the "
        "test rows and prints the mean and the standard deviation of the metric. Everything, including "
        "scaling and widths, is learned from the training rows alone. The methods are listed in the order "
        "given. A fit that fails has its reason in the table and does not stop the others.\n\nParameters "
        "given as options apply to all methods that have them. Without --predictor numbers are predicted by "
        "linear regression on the projection, classes by gaussian, labels by one-vs-rest.\n\nEach fit runs "
        "on one thread, and --threads fits run at once; the figures do not depend on the number.",
    .options = options,
    .has_parameters = 1,
    .examples = examples,
    .run = run,
};
