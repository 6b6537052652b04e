/* alidade dimension: how many directions a method finds. */
#include "cli.h"
#include "printing/print_json.h"
#include "typed_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 1000 };

typedef struct dimension_job {
    const char *data;
    const ald_method *method;
    char reason[300];
    ald_dataset *dataset;
    ald_settings *settings;
    ald_dimension_options options;
    ald_dimension_row *rows; /* room for most_rows */
    int count;
    ald_dimension_choice choice;
} dimension_job;

/* What a rule would choose, in the order of the output. */
typedef struct rule {
    const char *name;
    int64_t dims;
    const char *what;
} rule;
enum { rule_count = 9 };

static void list_rules(const dimension_job *job, rule *rules)
{
    const ald_dimension_choice *c = &job->choice;
    const rule all[rule_count] = {
        {"permutation", c->by_permutation,
         c->by_permutation < job->count ? "the first number that the permutation test does not reject"
                                        : "the permutation test rejects every smaller number"},
        {"chi_square", c->by_chi_square,
         c->by_chi_square < job->count ? "the first number that the chi-square test does not reject"
                                       : "the chi-square test rejects every smaller number"},
        {"aic", c->by_aic, "the least AIC"},
        {"bic", c->by_bic, "the least BIC"},
        {"ladle", c->by_ladle, "the least sum of eigenvalue k + 1 and turn of the first k in bootstraps"},
        {"gap", c->by_gap, "the largest difference between an eigenvalue and the next"},
        {"ratio", c->by_ratio, "the largest ratio of an eigenvalue to the next"},
        {"explained_x", c->by_x, "the fewest that explain 90 % of X"},
        {"explained_y", c->by_y, "the fewest that explain 95 % of what all of these explain of the target"},
    };
    memcpy(rules, all, sizeof all);
}

static json_t *row_json(const ald_dimension_row *row, int *bad)
{
    const struct {
        const char *name;
        double value;
    } cells[] = {
        {"eigenvalue", row->eigenvalue},
        {"gap", row->gap},
        {"ratio", row->ratio},
        {"explained_x", row->x_share},
        {"explained_y", row->y_share},
        {"chi_square", row->chi_square},
        {"freedom", row->freedom},
        {"chi_square_p", row->chi_square_p},
        {"statistic", row->statistic},
        {"permutation_p", row->permutation_p},
        {"loglik", row->loglik},
        {"aic", row->aic},
        {"bic", row->bic},
        {"ladle_turn", row->ladle_turn},
        {"ladle_value", row->ladle_value},
    };
    json_t *one = json_object();
    *bad |= json_object_set_new(one, "components", json_integer(row->k));
    *bad |= json_object_set_new(one, "dims", json_integer(row->k)); /* its older name */
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        *bad |= json_object_set_new(one, cells[i].name, cli_json_real(cells[i].value));
    *bad |= json_object_set_new(one, "failed_permutations", json_integer(row->failed));
    return one;
}

/* The columns of a row that are known of no component too. */
static json_t *none_json(const ald_dimension_choice *c, int *bad)
{
    json_t *none = json_object();
    *bad |= json_object_set_new(none, "loglik", cli_json_real(c->none_loglik));
    *bad |= json_object_set_new(none, "aic", cli_json_real(c->none_aic));
    *bad |= json_object_set_new(none, "bic", cli_json_real(c->none_bic));
    *bad |= json_object_set_new(none, "ladle_value", cli_json_real(c->none_ladle));
    return none;
}

static int print_json(cli_session *session, const dimension_job *job)
{
    json_t *root = json_object(), *rows = json_array(), *choices = json_object();
    rule rules[rule_count];
    int bad = 0;
    list_rules(job, rules);
    for (int i = 0; i < job->count; i++) bad |= json_array_append_new(rows, row_json(&job->rows[i], &bad));
    for (int i = 0; i < rule_count; i++)
        bad |= json_object_set_new(choices, rules[i].name,
                                   rules[i].dims < 0 ? json_null() : json_integer(rules[i].dims));
    bad |= json_object_set_new(root, "method", cli_json_text(ald_method_name(job->method)));
    bad |= json_object_set_new(root, "method_reason", cli_json_text(*job->reason ? job->reason : NULL));
    bad |= json_object_set_new(root, "available", json_integer(job->choice.available));
    bad |= json_object_set_new(root, "permutations", json_integer(job->options.permutations));
    bad |= json_object_set_new(root, "resamples", json_integer(job->options.resamples));
    bad |=
        json_object_set_new(root, "no_ladle", cli_json_text(*job->choice.ladle ? job->choice.ladle : NULL));
    bad |= json_object_set_new(root, "none", none_json(&job->choice, &bad));
    bad |= json_object_set_new(root, "level", cli_json_real(job->options.level));
    bad |= json_object_set_new(root, "statistic", cli_json_text(job->choice.statistic));
    bad |= json_object_set_new(root, "rows", rows);
    bad |= json_object_set_new(root, "choices", choices);
    return cli_json_print(session, root, bad);
}

/* Columns without any value are left out. */
typedef struct column {
    const char *title, *format;
    int width;
    double (*value)(const ald_dimension_row *row);
} column;

static double eigenvalue_of(const ald_dimension_row *row)
{
    return row->eigenvalue;
}
static double gap_of(const ald_dimension_row *row)
{
    return row->gap;
}
static double ratio_of(const ald_dimension_row *row)
{
    return row->ratio;
}
static double x_of(const ald_dimension_row *row)
{
    return 100.0 * row->x_share;
}
static double y_of(const ald_dimension_row *row)
{
    return 100.0 * row->y_share;
}
static double chi_square_of(const ald_dimension_row *row)
{
    return row->chi_square_p;
}
static double permutation_of(const ald_dimension_row *row)
{
    return row->permutation_p;
}

static double aic_of(const ald_dimension_row *row)
{
    return row->aic;
}
static double bic_of(const ald_dimension_row *row)
{
    return row->bic;
}
static double ladle_of(const ald_dimension_row *row)
{
    return row->ladle_turn + row->ladle_value;
}

static const column columns[] = {
    {"eigenvalue", "%.5g", 10, eigenvalue_of},
    {"gap", "%.4g", 9, gap_of},
    {"ratio", "%.4g", 8, ratio_of},
    {"X, %", "%.1f", 6, x_of},
    {"target, %", "%.1f", 9, y_of},
    {"p chi-square", "%.3g", 12, chi_square_of},
    {"AIC", "%.2f", 10, aic_of},
    {"BIC", "%.2f", 10, bic_of},
    {"ladle", "%.4f", 7, ladle_of},
    {"p permutation", "%.3g", 13, permutation_of},
};
enum { column_count = sizeof columns / sizeof *columns };

static int is_known(const dimension_job *job, const column *c)
{
    for (int i = 0; i < job->count; i++)
        if (!isnan(c->value(&job->rows[i]))) return 1;
    return 0;
}

static void print_table(const dimension_job *job)
{
    char cell[32];
    fputs("components", stdout);
    for (int c = 0; c < column_count; c++)
        if (is_known(job, &columns[c])) printf("  %*s", columns[c].width, columns[c].title);
    putchar('\n');
    for (int i = 0; i < job->count; i++) {
        printf("%10lld", (long long)job->rows[i].k);
        for (int c = 0; c < column_count; c++) {
            const double value = columns[c].value(&job->rows[i]);
            if (!is_known(job, &columns[c])) continue;
            if (isnan(value))
                snprintf(cell, sizeof cell, "-");
            else
                snprintf(cell, sizeof cell, columns[c].format, value);
            printf("  %*s", columns[c].width, cell);
        }
        putchar('\n');
    }
}

static void explain(cli_session *session, const dimension_job *job)
{
    int64_t failed = 0;
    cli_say(session, "X, target: the shares that this many components explain, by least squares");
    if (job->options.permutations > 0 || job->choice.by_chi_square >= 0)
        cli_say(session,
                "p: the probability of at least this much in a component if those before it were enough");
    if (job->options.permutations > 0)
        cli_say(session, "permutation: %s, %lld permutations, seed %llu", job->choice.statistic,
                (long long)job->options.permutations, (unsigned long long)job->options.seed);
    if (job->choice.by_aic >= 0)
        cli_say(session, "without any component: log-likelihood %.2f, AIC %.2f, BIC %.2f",
                job->choice.none_loglik, job->choice.none_aic, job->choice.none_bic);
    if (job->choice.by_ladle >= 0)
        cli_say(session, "ladle: %lld bootstraps, seed %llu; without any component %.4f",
                (long long)job->options.resamples, (unsigned long long)job->options.seed,
                job->choice.none_ladle);
    if (job->choice.ladle[0]) cli_say(session, "no ladle: %s", job->choice.ladle);
    if (job->choice.by_chi_square >= 0)
        cli_say(session, "chi-square: for many rows of normal columns; otherwise use the permutations");
    if (job->choice.note[0]) cli_say(session, "permutation: %s", job->choice.note);
    if (job->choice.by_permutation == 0)
        cli_say(session,
                "no component is significant for %s, which may not detect the dependence in these data: "
                "docs/dimension.md lists which methods detect what",
                ald_method_name(job->method));
    for (int i = 0; i < job->count; i++) failed += job->rows[i].failed;
    if (failed)
        cli_say(session, "%lld permutation%s could not be fitted and count as having reached the statistic",
                (long long)failed, cli_s(failed));
}

static int print_text(cli_session *session, const dimension_job *job)
{
    rule rules[rule_count];
    list_rules(job, rules);
    print_table(job);
    putchar('\n');
    for (int i = 0; i < rule_count; i++)
        if (rules[i].dims >= 0)
            printf("%-11s  %4lld  %s\n", rules[i].name, (long long)rules[i].dims, rules[i].what);
    explain(session, job);
    return CLI_DONE;
}

static int read_options(cli_session *session, dimension_job *job)
{
    const cli_args *args = &session->args;
    for (int i = 0; i < args->n_given; i++)
        if (cli_given_is(&args->given[i], ALD_PARAM_IS_COMPONENTS))
            return cli_usage(session,
                             "%s: the number of components is what this verb finds; --max-components is how "
                             "many to examine",
                             args->given[i].spelled);
    job->options = (ald_dimension_options)ALD_DIMENSION_OPTIONS_INIT;
    job->choice = (ald_dimension_choice)ALD_DIMENSION_CHOICE_INIT;
    job->rows[0] = (ald_dimension_row)ALD_DIMENSION_ROW_INIT;
    job->options.max_dims = cli_int(args, "max-components", 0);
    const int ladle = strcmp(cli_text(args, "rule", "tests"), "ladle") == 0;
    if (cli_given_find(args, "resamples") && !ladle)
        return cli_usage(session, "--resamples is a number of bootstraps of the ladle: add --rule ladle");
    job->options.resamples = ladle ? cli_int(args, "resamples", 200) : 0;
    job->options.permutations = cli_int(args, "permutations", ladle ? 0 : 199);
    job->options.level = cli_real(args, "level", 0.05);
    job->options.every = cli_flag(args, "every") > 0;
    return CLI_DONE;
}

static int read_data(cli_session *session, dimension_job *job)
{
    ald_load_options options;
    CLI_TRY(cli_no_gaps(session));
    cli_load_options(session, &options);
    const unsigned can = job->method ? ald_method_capabilities(job->method) : 0;
    options.prefer_real = (can & ALD_CAN_REAL) && !(can & ALD_CAN_CLASSES);
    const double began = cli_seconds();
    CLI_TRY(cli_load_rows(session, job->data, &options, &job->dataset));
    cli_say_read(session, job->data, job->dataset, cli_seconds() - began);
    return CLI_DONE;
}

static int choose_method(cli_session *session, dimension_job *job)
{
    int64_t seed = 0;
    if (ald_dataset_target(job->dataset)->kind == ALD_TARGET_NONE)
        return cli_usage(session,
                         "the number of components depends on a target: name its columns with --target COLS");
    if (!job->method) {
        CLI_TRY(cli_method_by_auto(session, job->dataset, &job->method, job->reason, sizeof job->reason));
        cli_say(session, "method  auto chose %s", job->reason);
    }
    CLI_TRY(cli_settings_make(session, job->method, *job->reason != '\0', &job->settings));
    const char *text =
        ald_settings_text(job->settings, ald_method_param_with(job->method, ALD_PARAM_IS_SEED)->name);
    if (text && cli_read_int(text, &seed)) job->options.seed = (uint64_t)seed;
    return CLI_DONE;
}

static int run_steps(cli_session *session, dimension_job *job)
{
    job->data = session->args.operands[0];
    CLI_TRY(read_options(session, job));
    CLI_TRY(cli_method_named(session, &job->method));
    CLI_TRY(read_data(session, job));
    CLI_TRY(choose_method(session, job));
    CLI_TRY(cli_check_data(session, job->data,
                           ald_dimension(session->context, job->settings, ald_dataset_x(job->dataset),
                                         ald_dataset_target(job->dataset), &job->options, job->rows,
                                         most_rows, &job->count, &job->choice, &session->error)));
    return session->json ? print_json(session, job) : print_text(session, job);
}

static int run(cli_session *session)
{
    dimension_job job;
    memset(&job, 0, sizeof job);
    job.rows = calloc(most_rows, sizeof *job.rows);
    const int code = job.rows ? run_steps(session, &job) : cli_out_of_memory(session);
    free(job.rows);
    ald_settings_free(job.settings);
    ald_dataset_free(job.dataset);
    return code;
}

static const char *const rule_names[] = {"tests", "ladle", NULL};

static const cli_option options[] = {
    {"method", .type = CLI_METHOD_NAME, .value_name = "NAME", .alias = "methods",
     .help = "the method; alidade methods lists them. auto, the default, chooses by the target and the size "
             "of the data and says why"},
    {"max-components", .type = CLI_INT, .value_name = "R", .min = 1, .max = most_rows, .alias = "max-dims",
     .help = "how many components to examine; 10 by default, or the number of columns if smaller; --max-dims "
             "is the same"},
    {"permutations", .type = CLI_INT, .value_name = "N", .min = 0, .max = 1e7,
     .help = "permutations for each number of components, 199 by default; 0 leaves the test out"},
    {"rule", .type = CLI_CHOICE, .value_name = "RULE", .choices = rule_names,
     .help = "tests, the default: permutations, and chi-square where there is one; ladle: eigenvalues and "
             "bootstraps together, without permutations unless --permutations is given"},
    {"resamples", .type = CLI_INT, .value_name = "N", .min = 1, .max = 1e6,
     .help = "bootstraps of the ladle, 200 by default"},
    {"level", .type = CLI_REAL, .value_name = "P", .min = 1e-6, .max = 0.999,
     .help = "a component counts while its p-value is at most this; 0.05 by default"},
    {"every", .type = CLI_FLAG,
     .help = "test every number of components, even after the first that is not rejected"},
    {"seed", .type = CLI_INT, .value_name = "S", .parameter = "random_state",
     .help = "seed of the permutations and of the method; another name for --random-state"},
    {0},
};

static const char *const examples[] = {
    "alidade dimension data.csv --target y --method sir",
    "how many components sliced inverse regression finds, by its chi-square test and by permutations",
    "alidade dimension data.csv --target y --method pls --max-components 20 --permutations 999",
    "how many components of partial least squares are more than chance",
    "alidade dimension data.csv --target y --method lda --json",
    "the same for a program",
    NULL,
};

const cli_verb cli_dimension_verb = {
    .name = "dimension",
    .bit = CLI_DIMENSION,
    .summary = "test how many components matter for the target",
    .usage = "DATA --target COLS [--method NAME] [--max-components R] [--permutations N] [--level P] "
             "[--PARAM VALUE]...",
    .operands = {"DATA"},
    .operand_access = {CLI_READS},
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Fits a method with 1, 2, ... components and shows for each number the eigenvalue with its distance "
        "to the next, the explained shares of the columns and of the target, and the p-value of a test of "
        "whether one component fewer would do: by permutations for every method, and by the chi-square "
        "distribution for sir, pfc and lad. Below, what each rule would choose. docs/dimension.md explains "
        "the tests.",
    .options = options,
    .has_parameters = 1,
    .examples = examples,
    .run = run,
};
