/* alidade predict: model and rows to what the model's predictor says of them. */
#include "cli.h"
#include "printing/print_json.h"
#include "printing/printing.h"
#include "ranks/gather_rows.h"
#include "ranks/parts.h"

#include <stdlib.h>
#include <string.h>

enum { name_size = 160 };

typedef struct predict_job {
    ald_model *model;
    ald_dataset *dataset;
    ald_prediction_shape shape;
    int with_scores;      /* also the scores (or probabilities) behind the predictions */
    double *scores;       /* rows x shape.scores */
    double level;         /* of intervals or sets; 0: not wanted */
    double *low, *high;   /* rows x shape.columns: intervals of numbers */
    unsigned char *sets;  /* rows x shape.scores: classes or labels */
    double *table;        /* rows x columns: predictions, then scores, then intervals or sets if wanted */
    int64_t columns;      /* of the table */
    json_t *class_names;  /* lists of texts or NULL */
    json_t *column_names; /* of responses, labels, or the one class column */
    char (*header_text)[name_size];
    const char **header;
    const char **level_list;    /* class names, then NULL */
    const char *const **levels; /* of each column of the table */
} predict_job;

static json_t *names_in(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    return text ? json_loads(text, 0, NULL) : NULL;
}

/* The name at `index` of a list, or "PREFIX3" counted from 1. */
static void name_at(const json_t *names, int64_t index, const char *prefix, char *text, size_t size)
{
    const char *name = json_string_value(json_array_get(names, (size_t)index));
    if (name && *name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s%lld", prefix, (long long)index + 1);
}

static int is_classes(const predict_job *job)
{
    return job->shape.kind == ALD_TARGET_CLASSES;
}

static const char *instead_of_probabilities(const predict_job *job)
{
    if (job->shape.kind == ALD_TARGET_REAL) return ": it predicts numbers";
    if (is_classes(job)) return "; fit it again with --predictor gaussian, logistic or knn, or use --scores";
    return "; fit it again with --predictor logistic or knn, or use --scores";
}

static int check_options(cli_session *session, predict_job *job)
{
    const char *path = session->args.operands[0];
    const char *kind = ald_model_text(job->model, "alidade.predictor.kind");
    const int probabilities = cli_flag(&session->args, "probabilities") > 0;
    job->shape = (ald_prediction_shape)ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(job->model, &job->shape);
    job->with_scores = probabilities || cli_flag(&session->args, "scores") > 0;
    job->level = cli_real(&session->args, "interval", 0.0);
    if (job->shape.columns == 0)
        return cli_fail(session,
                        "%s has no predictor: it was fitted without a target, with --predictor none, or from "
                        "too few data to learn one; fit it again (see alidade methods %s)",
                        cli_path_name(path), ald_model_method(job->model));
    if (probabilities && !job->shape.probabilities)
        return cli_fail(session, "the %s predictor of %s gives no probabilities%s", kind, cli_path_name(path),
                        instead_of_probabilities(job));
    if (job->with_scores && job->shape.kind == ALD_TARGET_REAL)
        return cli_usage(session, "--scores is for classes and labels; %s predicts numbers",
                         cli_path_name(path));
    if (job->level > 0.0 && cli_predicts_risk(job->model))
        return cli_fail(session, "%s predicts a risk, which has no intervals: leave out --interval",
                        cli_path_name(path));
    if (job->level > 0.0 && ald_model_calibration_count(job->model) == 0)
        return cli_fail(session,
                        "%s does not know its errors on rows that it has not seen: fit it again with "
                        "--intervals 10, or give it such rows with alidade calibrate",
                        cli_path_name(path));
    return CLI_DONE;
}

/* Columns behind predictions and scores: low and high per response, or one per class or label. */
static int64_t interval_columns(const predict_job *job)
{
    if (!(job->level > 0.0)) return 0;
    return job->shape.kind == ALD_TARGET_REAL ? 2 * job->shape.columns : job->shape.scores;
}

/* The name of column e of these. */
static void interval_header(const predict_job *job, int64_t e, char text[name_size])
{
    const int numbers = job->shape.kind == ALD_TARGET_REAL;
    const json_t *names = is_classes(job) ? job->class_names : job->column_names;
    const char *what = is_classes(job) ? "in" : "set";
    char name[name_size - 10];
    name_at(names, numbers ? e / 2 : e, is_classes(job) ? "class" : "y", name, sizeof name);
    if (numbers) what = e % 2 ? "high" : "low";
    snprintf(text, name_size, "%s(%s)", what, name);
}

/* Whether a column that is carried along has the name: then the file has the cell and, beside it, what was
 * predicted, under two names. */
static int is_kept(const predict_job *job, const char *name)
{
    for (int64_t k = 0; k < ald_dataset_kept_count(job->dataset); k++) {
        const char *kept = ald_dataset_kept_name(job->dataset, k);
        if (kept && strcmp(kept, name) == 0) return 1;
    }
    return 0;
}

static int make_header(cli_session *session, predict_job *job)
{
    const size_t columns = (size_t)job->columns;
    char name[name_size - 10];
    job->header_text = calloc(columns + 1, sizeof *job->header_text);
    job->header = calloc(columns + 1, sizeof *job->header);
    if (!job->header_text || !job->header) return cli_out_of_memory(session);
    const int64_t plain = job->columns - interval_columns(job);
    for (int64_t j = 0; j < job->columns; j++) {
        const int64_t score = j - job->shape.columns;
        job->header[j] = job->header_text[j];
        if (j >= plain) {
            interval_header(job, j - plain, job->header_text[j]);
            continue;
        }
        const json_t *names = score >= 0 && is_classes(job) ? job->class_names : job->column_names;
        name_at(names, score >= 0 ? score : j, score >= 0 || !is_classes(job) ? "y" : "class", name,
                sizeof name);
        if (is_classes(job) && j == 0 && !json_array_size(names)) snprintf(name, sizeof name, "class");
        if (score < 0)
            snprintf(job->header_text[j], name_size, "%s%s", name, is_kept(job, name) ? "_predicted" : "");
        else
            snprintf(job->header_text[j], name_size, "%s(%s)", job->shape.probabilities ? "p" : "score",
                     name);
    }
    return CLI_DONE;
}

/* What may be in the set of a label, by its number (ald_predict_sets). */
static const char *const label_sets[] = {"", "0", "1", "0|1", NULL};

/* Class names for the first column, where the model has a name for each. */
static int make_levels(cli_session *session, predict_job *job)
{
    const size_t count = json_array_size(job->class_names);
    job->levels = calloc((size_t)job->columns + 1, sizeof *job->levels);
    job->level_list = calloc(count + 1, sizeof *job->level_list);
    if (!job->levels || !job->level_list) return cli_out_of_memory(session);
    for (size_t c = 0; c < count; c++) {
        const char *name = json_string_value(json_array_get(job->class_names, c));
        job->level_list[c] = name ? name : "";
    }
    if (is_classes(job) && count >= (size_t)job->shape.scores) job->levels[0] = job->level_list;
    if (job->shape.kind == ALD_TARGET_LABELS)
        for (int64_t j = job->columns - interval_columns(job); j < job->columns; j++)
            job->levels[j] = label_sets;
    return CLI_DONE;
}

/* Column e of the intervals or sets of row i. */
static double value_of_interval(const predict_job *job, int64_t i, int64_t e)
{
    const int64_t q = job->shape.scores;
    if (job->sets) return job->sets[i * q + e];
    return e % 2 ? job->high[i * q + e / 2] : job->low[i * q + e / 2];
}

/* What is predicted for row i, behind it its scores, and behind them its intervals or sets. */
static void fill_row(const predict_job *job, int64_t i)
{
    const int64_t q = job->shape.scores, n = interval_columns(job);
    const double *scores = job->scores + i * q;
    double *row = job->table + i * job->columns, *last = row + job->columns - n;
    ald_decide(job->shape.kind, 1, q, scores, row);
    for (int64_t j = 0; j < q && job->with_scores; j++) row[job->shape.columns + j] = scores[j];
    for (int64_t e = 0; e < n; e++) last[e] = value_of_interval(job, i, e);
}

static int find_intervals(cli_session *session, predict_job *job, const ald_matrix *x)
{
    const size_t cells = (size_t)x->rows * (size_t)job->shape.scores + 1;
    ald_status status;
    if (!(job->level > 0.0)) return CLI_DONE;
    if (job->shape.kind == ALD_TARGET_REAL) {
        job->low = calloc(cells, sizeof *job->low);
        job->high = calloc(cells, sizeof *job->high);
        if (!job->low || !job->high) return cli_out_of_memory(session);
        status = ald_predict_intervals(session->context, job->model, x, job->level, job->low, job->high,
                                       &session->error);
    } else {
        job->sets = calloc(cells, sizeof *job->sets);
        if (!job->sets) return cli_out_of_memory(session);
        status = ald_predict_sets(session->context, job->model, x, job->level, job->sets, &session->error);
    }
    return cli_check(session, status);
}

static int predict(cli_session *session, predict_job *job)
{
    const ald_matrix *x = ald_dataset_x(job->dataset);
    const int64_t q = job->shape.scores;
    job->columns = job->shape.columns + (job->with_scores ? q : 0) + interval_columns(job);
    job->scores = calloc((size_t)x->rows * (size_t)q + 1, sizeof *job->scores);
    job->table = calloc((size_t)x->rows * (size_t)job->columns + 1, sizeof *job->table);
    if (!job->scores || !job->table) return cli_out_of_memory(session);
    if (x->rows > 0 || !cli_rows_are_shared(session)) /* all rows of a rank may be left out */
        CLI_TRY(cli_check_data(
            session, session->args.operands[1],
            ald_predict_scores(session->context, job->model, x, job->scores, &session->error)));
    if (x->rows > 0) CLI_TRY(find_intervals(session, job, x));
    for (int64_t i = 0; i < x->rows; i++) fill_row(job, i);
    job->class_names = names_in(job->model, "alidade.class_names");
    job->column_names = names_in(job->model, "alidade.response_names");
    CLI_TRY(make_header(session, job));
    return make_levels(session, job);
}

static json_t *list_of(const double *values, int64_t count)
{
    json_t *list = json_array();
    int bad = 0;
    for (int64_t j = 0; j < count; j++) bad |= json_array_append_new(list, cli_json_real(values[j]));
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

/* A class by its name, one response as a number, several or labels as a list. */
static json_t *prediction_json(const predict_job *job, const double *row)
{
    const char *const *names = job->levels[0];
    json_t *labels;
    if (is_classes(job))
        return names ? cli_json_text(names[(size_t)row[0]]) : json_integer((json_int_t)row[0]);
    if (job->shape.kind == ALD_TARGET_REAL)
        return job->shape.columns == 1 ? cli_json_real(row[0]) : list_of(row, job->shape.columns);
    if (!(labels = json_array())) return NULL;
    for (int64_t j = 0; j < job->shape.columns; j++)
        if (json_array_append_new(labels, json_integer((json_int_t)row[j])) != 0) {
            json_decref(labels);
            return NULL;
        }
    return labels;
}

/* [low, high] of one response, a list of these for several; names of classes; sets of labels. */
static json_t *interval_json(const predict_job *job, int64_t i)
{
    const int64_t q = job->shape.scores;
    json_t *list = json_array();
    char name[name_size];
    int bad = 0;
    for (int64_t j = 0; j < q; j++) {
        const int in = job->sets ? job->sets[i * q + j] : 0;
        if (job->low)
            bad |= json_array_append_new(
                list, list_of((const double[]){job->low[i * q + j], job->high[i * q + j]}, 2));
        else if (!is_classes(job))
            bad |= json_array_append_new(list, cli_json_text(label_sets[in]));
        name_at(job->class_names, j, "class", name, sizeof name);
        if (is_classes(job) && in) bad |= json_array_append_new(list, cli_json_text(name));
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

/* One per row of the file, null where it was left out. */
static int put_rows(const predict_job *job, json_t *predictions, json_t *scores, json_t *intervals)
{
    const int64_t rows = ald_dataset_file_rows(job->dataset), q = job->shape.scores;
    int bad = 0;
    for (int64_t i = 0, next = 0; i < rows; i++) {
        const int there = ald_dataset_file_row(job->dataset, next) == i;
        bad |= json_array_append_new(
            predictions, there ? prediction_json(job, job->table + next * job->columns) : json_null());
        if (job->with_scores)
            bad |= json_array_append_new(scores, there ? list_of(job->scores + next * q, q) : json_null());
        if (job->level > 0.0)
            bad |= json_array_append_new(intervals, there ? interval_json(job, next) : json_null());
        next += there;
    }
    return bad;
}

/* What there is of each row, of all ranks: the lists `predictions`, `scores` and, with columns that are
 * carried, those of `kept`. */
static int list_rows(cli_session *session, const predict_job *job, json_t **rows)
{
    json_t *predictions = json_array(), *scores = json_array(), *intervals = json_array();
    int bad = 0;
    json_t *carried = cli_carried_json(job->dataset, &bad);
    *rows = json_object();
    bad |= put_rows(job, predictions, scores, intervals);
    bad |= json_object_set_new(*rows, "predictions", predictions);
    bad |= json_object_set_new(*rows, "scores", scores);
    bad |= json_object_set_new(*rows, "intervals", intervals);
    if (carried) bad |= json_object_set_new(*rows, "kept", carried);
    if (bad && !cli_rows_are_shared(session)) return cli_out_of_memory(session);
    return cli_gather_json(session, *rows, bad);
}

static int print_rows(cli_session *session, const predict_job *job, const json_t *rows)
{
    json_t *root = json_object(), *names = json_array(), *kept = json_object_get(rows, "kept");
    char name[name_size];
    int bad = 0;
    for (int64_t j = 0; j < (is_classes(job) ? job->shape.scores : job->shape.columns); j++) {
        name_at(is_classes(job) ? job->class_names : job->column_names, j, is_classes(job) ? "class" : "y",
                name, sizeof name);
        bad |= json_array_append_new(names, cli_json_text(name));
    }
    if (kept) bad |= json_object_set(root, "kept", kept);
    bad |= json_object_set_new(root, "target", cli_json_text(ald_model_text(job->model, "alidade.target")));
    bad |= json_object_set_new(root, "names", names);
    bad |= json_object_set(root, "predictions", json_object_get(rows, "predictions"));
    if (job->with_scores)
        bad |= json_object_set(root, job->shape.probabilities ? "probabilities" : "scores",
                               json_object_get(rows, "scores"));
    if (job->level > 0.0)
        bad |= json_object_set(root, job->low ? "intervals" : "sets", json_object_get(rows, "intervals"));
    return cli_json_print(session, root, bad);
}

static int print_json(cli_session *session, const predict_job *job)
{
    json_t *rows;
    int code = list_rows(session, job, &rows);
    if (code == CLI_DONE && !cli_waits(session)) code = print_rows(session, job, rows);
    json_decref(rows);
    return code;
}

/* npy and svmlight hold numbers: classes are counted from 0 there, in the order of the model. */
static int write_table(cli_session *session, const predict_job *job, const char *output)
{
    const cli_results results = {
        .values = job->table,
        .columns = job->columns,
        .header = job->header,
        .levels = (const char *const *const *)job->levels,
        .what = "column",
    };
    return cli_carried_write(session, output, job->dataset, &results);
}

static int run_steps(cli_session *session, predict_job *job)
{
    const char *const *paths = session->args.operands;
    const char *output = cli_text(&session->args, "output", session->json ? NULL : "-");
    CLI_TRY(cli_parts_check(session, output));
    CLI_TRY(cli_load_shared_model(session, paths[0], &job->model));
    CLI_TRY(check_options(session, job));
    CLI_TRY(cli_load_like(session, job->model, paths[1], &job->dataset));
    CLI_TRY(cli_ranks_settle(session, predict(session, job)));
    CLI_TRY(cli_stop(session));
    if (output) CLI_TRY(write_table(session, job, output));
    return session->json ? print_json(session, job) : CLI_DONE;
}

static int run(cli_session *session)
{
    predict_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    free(job.levels);
    free(job.level_list);
    free(job.header);
    free(job.header_text);
    json_decref(job.class_names);
    json_decref(job.column_names);
    free(job.table);
    free(job.low);
    free(job.high);
    free(job.sets);
    free(job.scores);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"probabilities", .type = CLI_FLAG,
     .help = "also the probability of each class or label, as columns p(NAME); for the predictors gaussian, "
             "logistic and knn"},
    {"scores", .type = CLI_FLAG,
     .help = "also the score of each class (the largest wins) or label (yes above 0.5), as columns "
             "score(NAME), or p(NAME) where it is a probability"},
    {"interval", .type = CLI_REAL, .value_name = "LEVEL", .min = 1e-6, .max = 1.0 - 1e-6,
     .help = "also the interval that contains the true number with this probability, such as 0.9, as columns "
             "low(NAME) and high(NAME); for classes the set that contains the true class, as columns "
             "in(NAME) with 0 and 1; for labels the set of values, as columns set(NAME). The model must know "
             "its errors on rows that it has not seen: tune keeps them, fit with --intervals, and alidade "
             "calibrate"},
    {"output", .letter = 'o', .type = CLI_PATH, .access = CLI_WRITES, .value_name = "OUT",
     .help = "where to write the predictions: csv, tsv or npy by the ending (npy: classes as numbers from "
             "0); csv on standard output by default"},
    {0},
};

static const char *const examples[] = {
    "alidade fit iris.csv --target y --method lda -o iris.ald",
    "a model that can predict",
    "alidade predict iris.ald new.csv",
    "the class of each row of new.csv, which need not have the column y",
    "alidade predict iris.ald new.csv --probabilities -o classes.csv",
    "with the probability of each class",
    "alidade predict fat.ald new.csv --interval 0.9",
    "intervals that contain the true number nine times out of ten",
    NULL,
};

const cli_verb cli_predict_verb = {
    .name = "predict",
    .bit = CLI_PREDICT,
    .summary = "predict the target of rows with a model",
    .usage = "MODEL DATA [--probabilities] [--interval LEVEL] [--keep COLS] [-o OUT] [--json[=FILE]]",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Projects the rows of DATA and predicts their target from the projection, with the predictor that "
        "the model was fitted with (fit adds the usual one, --predictor NAME another): the name of a class, "
        "the responses in their own units, or 0 and 1 for each label. DATA may contain the target columns; "
        "they are not used. The columns that name the rows (fit --id) and those of --keep come first, and "
        "every row of DATA has its row in the output, with empty cells if it was left out (--missing drop).",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
