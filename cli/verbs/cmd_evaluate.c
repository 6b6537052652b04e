/* alidade evaluate: how well the model's predictor does on labelled rows. */
#include "cli.h"
#include "printing/printing.h"
#include "ranks/gather_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { note_size = 200 };

typedef struct evaluate_job {
    ald_model *model;
    ald_dataset *dataset;
    ald_dataset *all; /* of rows that ranks share: the target of all of them; else NULL */
    int training;     /* these are the rows of the fit */
    cli_scores scores;
    int with_curve;
    cli_curve curve;
    cli_hsic hsic;
    const char *subspace_path; /* NULL: not wanted */
    ald_dataset *known;
    ald_subspace_result subspace;
    cli_angles angles;
    cli_explained explained;
    cli_stability stability;
    cli_importance importance;
} evaluate_job;

/* What cannot be found from the projection and the target of the rows. */
static int needs_columns(const evaluate_job *job)
{
    return job->subspace_path || job->explained.wanted || job->stability.wanted || job->importance.wanted;
}

/* Whether the projection itself is to be measured, which needs no predictor; and whether that needs a target.
 */
static int measures(const evaluate_job *job)
{
    return job->with_curve || job->hsic.wanted || needs_columns(job);
}

/* The target of all rows. */
static const ald_target *target_of(const evaluate_job *job)
{
    return ald_dataset_target(job->all ? job->all : job->dataset);
}

static void explain_baseline(const evaluate_job *job, char *text, size_t size)
{
    const ald_target *target = target_of(job);
    const int64_t code = job->scores.commonest;
    if (target->kind == ALD_TARGET_LABELS)
        snprintf(text, size, "baseline: predicting the more frequent value of each label in these rows");
    else if (code >= 0 && target->names && target->names[code])
        snprintf(text, size, "baseline: always predicting '%.100s'; no class is more frequent in these rows",
                 target->names[code]);
    else
        snprintf(text, size, "baseline: always predicting the most frequent class of these rows");
}

/* What the figures mean, in so many sentences; 0 where there is no such sentence. */
enum { sentences = 3 };
static int explain(const evaluate_job *job, int sentence, char *text, size_t size)
{
    const ald_target *target = target_of(job);
    if (sentence == 2) {
        if (!job->training) return 0;
        snprintf(text, size,
                 "training scores: the model was fitted on these rows; use alidade compare, or held-out rows "
                 "(alidade split), to see how it does on others");
        return 1;
    }
    if (sentence == 1) {
        if (!isfinite(job->scores.baseline)) return 0;
        explain_baseline(job, text, size);
        return 1;
    }
    if (target->kind == ALD_TARGET_LABELS && isfinite(job->scores.baseline))
        snprintf(text, size,
                 "accuracy: share of single labels predicted correctly; a label counts as predicted when its "
                 "score is above 0.5");
    else if (target->kind == ALD_TARGET_REAL && target->values.cols > 1)
        snprintf(text, size, "all: mean over the %lld responses", (long long)target->values.cols);
    else
        return 0;
    return 1;
}

static double degrees(double radians)
{
    return radians * (180.0 / 3.14159265358979323846);
}

static json_t *subspace_json(const evaluate_job *job)
{
    const ald_subspace_result *s = &job->subspace;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "angle_degrees", cli_json_real(degrees(s->angle)));
    bad |= json_object_set_new(object, "trace_correlation", cli_json_real(s->trace_correlation));
    bad |= json_object_set_new(object, "dimension", json_integer(s->dimension));
    bad |= cli_angles_set(object, &job->angles);
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static int print_json(cli_session *session, const evaluate_job *job)
{
    json_t *root = json_object(), *notes = json_array();
    char note[note_size];
    int bad = cli_scores_json(&job->scores, root, notes);
    for (int i = 0; job->scores.count && i < sentences; i++)
        if (explain(job, i, note, sizeof note)) bad |= json_array_append_new(notes, cli_json_text(note));
    bad |= json_object_set_new(root, "notes", notes);
    bad |= json_object_set_new(root, "n_rows", json_integer(target_of(job)->rows));
    if (job->subspace_path) bad |= json_object_set_new(root, "subspace", subspace_json(job));
    if (job->with_curve) bad |= json_object_set_new(root, "continuity", cli_curve_json(&job->curve));
    bad |= cli_hsic_set(root, &job->hsic);
    bad |= cli_explained_set(root, &job->explained);
    bad |= cli_stability_set(root, &job->stability);
    bad |= cli_importance_set(root, &job->importance);
    return cli_json_print(session, root, bad);
}

static void print_subspace(cli_session *session, const evaluate_job *job)
{
    const ald_subspace_result *s = &job->subspace;
    printf("subspace  %12s  %17s\n          %12.6g  %17.6g\n", "angle", "trace_correlation",
           degrees(s->angle), s->trace_correlation);
    cli_say(session,
            "subspace: largest angle in degrees between the %lld known direction%s and the model's, and the "
            "mean of the squared cosines; 0 and 1 if all lie in the span",
            (long long)s->dimension, cli_s(s->dimension));
    putchar('\n');
    cli_angles_print(session, &job->angles);
}

/* An empty line between two parts of the output. */
static int separate(int wanted, int *any)
{
    if (wanted && *any) putchar('\n');
    *any |= wanted;
    return wanted;
}

static int print_text(cli_session *session, const evaluate_job *job)
{
    char note[note_size];
    int any = job->scores.count > 0;
    if (any) cli_scores_print(session, &job->scores);
    /* What is said of classes and labels is about their accuracy. */
    const int explained = job->scores.kind == ALD_TARGET_REAL || cli_scores_have_baseline(&job->scores);
    for (int i = 0; any && i < sentences; i++)
        if ((explained || i == 2) && explain(job, i, note, sizeof note)) cli_say(session, "%s", note);
    if (separate(job->subspace_path != NULL, &any)) print_subspace(session, job);
    if (separate(job->with_curve, &any)) cli_curve_print(session, &job->curve);
    if (separate(job->hsic.wanted, &any)) cli_hsic_print(session, &job->hsic);
    if (separate(job->explained.wanted, &any)) cli_explained_print(session, &job->explained);
    if (separate(job->stability.wanted, &any)) cli_stability_print(session, &job->stability);
    if (separate(job->importance.wanted, &any)) cli_importance_print(session, &job->importance);
    return CLI_DONE;
}

/* Scores need a predictor; what measures the projection itself needs none. */
static int check_options(cli_session *session, evaluate_job *job)
{
    job->with_curve = cli_flag(&session->args, "continuity") > 0;
    job->subspace = (ald_subspace_result)ALD_SUBSPACE_RESULT_INIT;
    job->subspace_path = cli_text(&session->args, "subspace", NULL);
    if (!job->with_curve && cli_given_find(&session->args, "continuity-k"))
        return cli_usage(session, "--continuity-k is for --continuity; give that too");
    cli_explained_read(session, &job->explained);
    CLI_TRY(cli_stability_read(session, &job->stability));
    CLI_TRY(cli_importance_read(session, &job->importance));
    CLI_TRY(cli_hsic_read(session, &job->hsic));
    if (!cli_rows_are_shared(session) || !job->stability.wanted) return CLI_DONE;
    return cli_usage(session, "--stability refits the model to resamples of all rows, which no single rank "
                              "has: start it without mpirun");
}

static int check_model(cli_session *session, evaluate_job *job, int predicts)
{
    const char *path = session->args.operands[0];
    if (predicts) return cli_scores_choose(session, job->model, &job->scores);
    if (cli_given_find(&session->args, "metric") || !measures(job))
        return cli_fail(session,
                        "%s has no predictor: it was fitted without a target, with --predictor none, or from "
                        "too few data to learn one; fit it again (see alidade methods %s), or measure the "
                        "projection itself with --continuity, --hsic or --explained",
                        path, ald_model_method(job->model));
    return CLI_DONE;
}

/* A header is not needed; one that there is names the columns of the rows in their order. */
static int check_columns(cli_session *session, const evaluate_job *job)
{
    for (int64_t j = 0; j < ald_dataset_x(job->known)->cols; j++) {
        const char *name = ald_dataset_feature_name(job->known, j),
                   *own = ald_dataset_feature_name(job->dataset, j);
        if (name && own && strcmp(name, own) != 0)
            return cli_fail(
                session,
                "%s: column %lld is '%.80s', but that of the rows is '%.80s': directions have the "
                "columns of the rows in their order, or no header",
                job->subspace_path, (long long)j + 1, name, own);
    }
    return CLI_DONE;
}

static int compare_subspace(cli_session *session, evaluate_job *job)
{
    const ald_load_options options = {.size = sizeof options, .hdf5 = "child"};
    CLI_TRY(cli_check(session, ald_dataset_load(session->context, job->subspace_path, &options, &job->known,
                                                &session->error)));
    CLI_TRY(check_columns(session, job));
    CLI_TRY(cli_check_data(session, job->subspace_path,
                           ald_subspace_distance(session->context, job->model, ald_dataset_x(job->known),
                                                 &job->subspace, &session->error)));
    return cli_angles_of_known(session, job->model, ald_dataset_x(job->known), ald_dataset_x(job->dataset),
                               target_of(job), &job->angles);
}

/* Whether predictions are to be judged: the model has a predictor and the rows a target. Without a target the
 * projection can still be measured. */
static int check_target(cli_session *session, const evaluate_job *job, int *predicts)
{
    if (target_of(job)->kind != ALD_TARGET_NONE) return CLI_DONE;
    if (!job->with_curve && !job->hsic.wanted && measures(job) && !cli_given_find(&session->args, "metric"))
        *predicts = 0;
    if (!*predicts && !job->with_curve && !job->hsic.wanted) return CLI_DONE;
    return cli_fail(session, "%s has no target columns; evaluation needs those the model was fitted on",
                    cli_path_name(session->args.operands[1]));
}

/* Figures, one after the other. Ranks agree on each: rank 0 alone has what all of them predict. */
static int compute_figures(cli_session *session, evaluate_job *job, int predicts)
{
    const char *path = session->args.operands[1];
    const ald_model *model = job->model;
    const ald_matrix *x = ald_dataset_x(job->dataset);
    const ald_target *y = target_of(job);
    if (predicts) CLI_TRY(cli_ranks_settle(session, cli_scores_compute(session, model, x, y, &job->scores)));
    if (job->subspace_path) CLI_TRY(cli_ranks_settle(session, compare_subspace(session, job)));
    if (job->with_curve)
        CLI_TRY(cli_ranks_settle(session, cli_curve_compute(session, model, x, y, path, &job->curve)));
    CLI_TRY(cli_ranks_settle(session, cli_hsic_compute(session, model, x, y, path, &job->hsic)));
    CLI_TRY(cli_ranks_settle(session, cli_explained_compute(session, model, x, y, path, &job->explained)));
    CLI_TRY(cli_stability_compute(session, model, job->dataset, path, &job->stability));
    return cli_ranks_settle(session, cli_importance_compute(session, model, x, y, path, &job->importance));
}

/* For divided rows, the target of all, on rank 0. */
static int gather_target(cli_session *session, evaluate_job *job)
{
    if (!cli_rows_are_shared(session)) {
        job->training = cli_are_training_rows(job->model, job->dataset);
        return CLI_DONE;
    }
    CLI_TRY(cli_check(session,
                      ald_dataset_gather_target(session->context, job->dataset, &job->all, &session->error)));
    return cli_gather_training(session, job->model, job->dataset, &job->training);
}

static int tell(cli_session *session, const evaluate_job *job)
{
    if (cli_waits(session)) return CLI_DONE;
    CLI_TRY(cli_importance_write(session, &job->importance));
    CLI_TRY(cli_stability_write(session, &job->stability));
    CLI_TRY(cli_stability_plot(session, &job->stability));
    return session->json ? print_json(session, job) : print_text(session, job);
}

static int run_steps(cli_session *session, evaluate_job *job)
{
    const char *const *paths = session->args.operands;
    CLI_TRY(check_options(session, job));
    CLI_TRY(cli_load_shared_model(session, paths[0], &job->model));
    int predicts = cli_prediction_shape(job->model).columns > 0;
    CLI_TRY(check_model(session, job, predicts));
    CLI_TRY(cli_load_like(session, job->model, paths[1], &job->dataset));
    CLI_TRY(gather_target(session, job));
    CLI_TRY(check_target(session, job, &predicts));
    CLI_TRY(compute_figures(session, job, predicts));
    return tell(session, job);
}

static int run(cli_session *session)
{
    evaluate_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    cli_scores_free(&job.scores);
    cli_explained_free(&job.explained);
    cli_stability_free(&job.stability);
    cli_angles_free(&job.angles);
    cli_importance_free(&job.importance);
    ald_dataset_free(job.known);
    ald_dataset_free(job.all);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const char *const resample_choices[] = {"bootstrap", "half", NULL};

static const cli_option options[] = {
    {"metric", .type = CLI_TEXT, .value_name = "NAME,...",
     .help = "the figures to show, or all. Numbers: rmse, r2, mae, bias, sep, rpd, q2; times with events: "
             "concordance; classes: accuracy, balanced_accuracy, mean_ovr_accuracy, auc, sensitivity, "
             "specificity, mcc, log_loss, brier, confusion; labels: accuracy, macro_auc, micro_auc, "
             "macro_f1, micro_f1, and auc and f1 of each label. By default rmse and r2, concordance, "
             "accuracy, or accuracy and macro_auc; --json has all"},
    {"subspace", .type = CLI_PATH, .access = CLI_READS, .value_name = "FILE",
     .help = "compare the model's directions with known ones, one per row of FILE (csv, npy), with one "
             "column per feature; needs no predictor"},
    {"continuity", .type = CLI_FLAG,
     .help =
         "measure whether rows that are near in the projection are near in the target, for neighbourhoods of "
         "several sizes k; needs no predictor"},
    {"continuity-k", .type = CLI_TEXT, .value_name = "K,K,...",
     .help = "the sizes k; by default 4,8,16,... up to 128 and half the rows"},
    {"hsic", .type = CLI_FLAG,
     .help = "measure how strongly the target depends on the projection, in any form, by the Hilbert-Schmidt "
             "independence criterion; needs no predictor"},
    {"permutations", .type = CLI_INT, .value_name = "N",
     .help = "--hsic: random orders of the target for the p-value; 199 by default, 0 for none"},
    {"explained", .type = CLI_FLAG,
     .help = "the shares of the columns and of the target of these rows that the first 1, 2, ... components "
             "explain; needs no predictor"},
    {"importance", .type = CLI_FLAG,
     .help = "which features matter, for linear models: vip, correlations with the scores, weights; needs no "
             "predictor"},
    {"importance-file", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "--importance: all features and components as a table, csv or tsv by the name"},
    {"stability", .type = CLI_FLAG,
     .help = "refit to resamples of DATA, the training rows of the model, and show the angles by which the "
             "components move, beside the same for permuted targets, and how often each feature is among the "
             "leading ones; needs no predictor"},
    {"leading", .type = CLI_INT, .value_name = "N", .min = 1, .max = 1e9,
     .help =
         "--stability: number of features that count as leading; a quarter of them by default, at most 10"},
    {"stability-file", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE",
     .help = "--stability: also write all of it as csv, a line per figure"},
    {"stability-plot", .type = CLI_PATH, .access = CLI_WRITES, .value_name = "FILE.svg",
     .help = "--stability: also draw how often each feature is among the leading ones"},
    {"resamples", .type = CLI_INT, .value_name = "N", .min = 1, .max = 1e6,
     .help = "--stability: number of resamples; 100 by default"},
    {"resample", .type = CLI_CHOICE, .value_name = "HOW", .choices = resample_choices,
     .help = "--stability: the same number of rows drawn with replacement (bootstrap, the default) or half "
             "of them without (half), which suits methods that use neighbours"},
    {"seed", .type = CLI_INT, .value_name = "S", .min = 0, .max = 9e15,
     .help = "--stability: seed of the resampling"},
    {0},
};

static const char *const examples[] = {
    "alidade evaluate fat.ald test.csv",
    "RMSE and R2, or accuracy, on held-out rows",
    "alidade evaluate iris.ald test.csv --metric all",
    "all figures, and which classes are confused with which",
    "alidade evaluate fat.ald test.csv --json",
    "the same for a program",
    "alidade evaluate fat.ald test.csv --continuity --continuity-k 5,10,20",
    "how well neighbourhoods of 5, 10 and 20 rows are preserved, for a model of any method",
    "alidade evaluate fat.ald test.csv --hsic --permutations 999",
    "whether the target depends on the projection at all, and how often chance does as well",
    "alidade evaluate fat.ald train.csv --explained --importance",
    "what the components explain, and which features they are made of",
    "alidade evaluate fat.ald train.csv --stability --resamples 200",
    "the angles by which the components move when the rows are resampled",
    NULL,
};

const cli_verb cli_evaluate_verb = {
    .name = "evaluate",
    .bit = CLI_EVALUATE,
    .summary = "score the predictions of a model on rows with a known target",
    .usage = "MODEL DATA [--metric NAME,...] [--subspace FILE] [--continuity] [--hsic] [--explained] "
             "[--importance] [--stability] [--json[=FILE]]",
    .operands = {"MODEL", "DATA"},
    .operand_access = {CLI_READS, CLI_READS},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Projects the rows of DATA, predicts the target from the projection with the predictor kept in the "
        "model, and compares with the target in DATA: RMSE and R2 for numbers, accuracy for classes and "
        "labels, beside that of a baseline that always predicts the most frequent class, area under the ROC "
        "curve for labels, and more with --metric. A figure that is undefined for these rows is shown as -, "
        "with the reason. Where DATA are the rows of the fit, a line says so; this is not noticed of rows "
        "with "
        "weights or steps (--rows, --row-scale), nor by a kernel model with landmarks or features. "
        "--continuity, --hsic, --explained, --importance, --stability and --subspace "
        "measure the projection itself, without a predictor.",
    .options = options,
    .examples = examples,
    .ranks = CLI_RANKS,
    .run = run,
};
