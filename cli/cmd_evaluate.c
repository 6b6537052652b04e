/* alidade evaluate: how well the model's predictor does on labelled rows. */
#include "baseline.h"
#include "cli.h"
#include "continuity.h"
#include "hsic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { note_size = 200 };

typedef struct evaluate_job {
    ald_model *model;
    ald_dataset *dataset;
    ald_score *scores; /* count 0: the model has no predictor */
    int count;
    int with_curve;
    cli_curve curve;
    cli_hsic hsic;
} evaluate_job;

static int compute_scores(cli_session *session, evaluate_job *job, int capacity)
{
    ald_score *grown = realloc(job->scores, (size_t)capacity * sizeof *grown);
    if (!grown) return cli_out_of_memory(session);
    job->scores = grown;
    CLI_TRY(cli_check_data(session, session->args.operands[1],
                           ald_evaluate(session->context, job->model, ald_dataset_x(job->dataset),
                                        ald_dataset_target(job->dataset), job->scores, capacity, &job->count,
                                        &session->error)));
    /* Rarely more than a few; when there are, once more with room for all. */
    return job->count > capacity ? compute_scores(session, job, job->count) : CLI_DONE;
}

/* Then its note says why. */
static int is_undefined(const ald_score *score)
{
    return !isfinite(score->value) && score->note[0];
}

static double baseline(const evaluate_job *job, int64_t *class_code)
{
    return cli_baseline_accuracy(ald_dataset_target(job->dataset), class_code);
}

static void explain_baseline(const evaluate_job *job, char *text, size_t size)
{
    const ald_target *target = ald_dataset_target(job->dataset);
    int64_t code;
    baseline(job, &code);
    if (target->kind == ALD_TARGET_LABELS)
        snprintf(text, size, "baseline: predicting for each label what most of these rows have");
    else if (code >= 0 && target->names && target->names[code])
        snprintf(text, size, "baseline: always predicting %.100s; no class is commoner in these rows",
                 target->names[code]);
    else
        snprintf(text, size, "baseline: always predicting the commonest class of these rows");
}

/* What the figures mean, in sentences 0 and 1; 0 where there is no such sentence. */
static int explain(const evaluate_job *job, int sentence, char *text, size_t size)
{
    const ald_target *target = ald_dataset_target(job->dataset);
    if (sentence == 1) {
        if (!isfinite(baseline(job, NULL))) return 0;
        explain_baseline(job, text, size);
        return 1;
    }
    if (target->kind == ALD_TARGET_LABELS)
        snprintf(text, size,
                 "accuracy: share of single labels predicted right; a label counts as predicted when its score is "
                 "above 0.5");
    else if (target->kind == ALD_TARGET_REAL && target->values.cols > 1)
        snprintf(text, size, "all: mean over the %lld responses", (long long)target->values.cols);
    else
        return 0;
    return 1;
}

static int set_score(json_t *root, json_t *responses, const ald_score *score)
{
    if (!score->of[0]) return json_object_set_new(root, score->name, cli_json_real(score->value));
    json_t *one = json_object_get(responses, score->of);
    if (!one) {
        if (json_object_set_new(responses, score->of, json_object()) != 0) return -1;
        one = json_object_get(responses, score->of);
    }
    return json_object_set_new(one, score->name, cli_json_real(score->value));
}

static int print_json(cli_session *session, const evaluate_job *job)
{
    static const char *const always[] = {"rmse", "r2", "accuracy"};
    json_t *root = json_object(), *responses = json_object(), *notes = json_array();
    char note[note_size];
    int bad = 0;
    for (int i = 0; i < 3; i++) bad |= json_object_set_new(root, always[i], json_null());
    for (int i = 0; i < job->count; i++) {
        bad |= set_score(root, responses, &job->scores[i]);
        if (is_undefined(&job->scores[i])) bad |= json_array_append_new(notes, cli_json_text(job->scores[i].note));
    }
    for (int i = 0; job->count && i < 2; i++)
        if (explain(job, i, note, sizeof note)) bad |= json_array_append_new(notes, cli_json_text(note));
    bad |=
        json_object_set_new(root, "baseline_accuracy", cli_json_real(job->count ? baseline(job, NULL) : (double)NAN));
    bad |= json_object_set_new(root, "responses", responses);
    bad |= json_object_set_new(root, "notes", notes);
    bad |= json_object_set_new(root, "n_rows", json_integer(ald_dataset_x(job->dataset)->rows));
    if (job->with_curve) bad |= json_object_set_new(root, "continuity", cli_curve_json(&job->curve));
    bad |= cli_hsic_set(root, &job->hsic);
    return cli_json_print(session, root, bad);
}

static const char *row_name(const ald_score *score)
{
    return score->of[0] ? score->of : "all";
}

/* 1 if an earlier score has the same name (or is for the same response). */
static int seen(const evaluate_job *job, int index, int by_name)
{
    for (int i = 0; i < index; i++) {
        const ald_score *a = &job->scores[i], *b = &job->scores[index];
        if (by_name ? strcmp(a->name, b->name) == 0 : strcmp(a->of, b->of) == 0) return 1;
    }
    return 0;
}

static void print_cell(const evaluate_job *job, const char *of, const char *name)
{
    for (int i = 0; i < job->count; i++) {
        const ald_score *score = &job->scores[i];
        if (strcmp(score->of, of) != 0 || strcmp(score->name, name) != 0 || !isfinite(score->value)) continue;
        printf("  %12.6g", score->value);
        return;
    }
    printf("  %12s", "-");
}

/* A row for all together and one a response, a column a figure. */
static void print_table(const evaluate_job *job, int width)
{
    printf("%-*s", width, "");
    for (int i = 0; i < job->count; i++)
        if (!seen(job, i, 1)) printf("  %12s", job->scores[i].name);
    putchar('\n');
    for (int row = 0; row < job->count; row++) {
        if (seen(job, row, 0)) continue;
        const int printed = cli_put_text(stdout, row_name(&job->scores[row]));
        printf("%*s", printed < width ? width - printed : 0, "");
        for (int i = 0; i < job->count; i++)
            if (!seen(job, i, 1)) print_cell(job, job->scores[row].of, job->scores[i].name);
        putchar('\n');
    }
    /* Where there is a baseline, accuracy is the only figure. */
    const double floor = baseline(job, NULL);
    if (isfinite(floor)) printf("%-*s  %12.6g\n", width, "baseline", floor);
}

static void print_scores(cli_session *session, const evaluate_job *job)
{
    char note[note_size];
    int width = isfinite(baseline(job, NULL)) ? 8 : 3;
    for (int i = 0; i < job->count; i++) {
        const int length = (int)strlen(row_name(&job->scores[i]));
        if (length > width) width = length;
    }
    print_table(job, width);
    for (int i = 0; i < job->count; i++) {
        const ald_score *score = &job->scores[i];
        if (is_undefined(score)) cli_say(session, "%s of %s: %s", score->name, row_name(score), score->note);
    }
    for (int i = 0; i < 2; i++)
        if (explain(job, i, note, sizeof note)) cli_say(session, "%s", note);
}

static int print_text(cli_session *session, const evaluate_job *job)
{
    if (job->count) print_scores(session, job);
    if (job->count && job->with_curve) putchar('\n');
    if (job->with_curve) cli_curve_print(session, &job->curve);
    if ((job->count || job->with_curve) && job->hsic.wanted) putchar('\n');
    cli_hsic_print(session, &job->hsic);
    return CLI_DONE;
}

/* Scores need a predictor; what measures the projection itself needs none. */
static int check_options(cli_session *session, evaluate_job *job)
{
    job->with_curve = cli_flag(&session->args, "continuity") > 0;
    if (!job->with_curve && cli_given_find(&session->args, "continuity-k"))
        return cli_usage(session, "--continuity-k is for --continuity; give that too");
    return cli_hsic_read(session, &job->hsic);
}

static int run_steps(cli_session *session, evaluate_job *job)
{
    const char *const *paths = session->args.operands;
    const char *const inputs[] = {paths[0], paths[1], cli_text(&session->args, "target-file", NULL)};
    CLI_TRY(check_options(session, job));
    CLI_TRY(cli_check_inputs(session, inputs, 3));
    CLI_TRY(cli_load_model(session, paths[0], &job->model));
    const int predicts = ald_model_prediction_shape(job->model).columns > 0;
    if (!predicts && !job->with_curve && !job->hsic.wanted)
        return cli_fail(session,
                        "%s has no predictor; fit it again with --predictor (see alidade methods %s), or measure the "
                        "projection itself with --continuity or --hsic",
                        paths[0], ald_model_method(job->model));
    CLI_TRY(cli_load_like(session, job->model, paths[1], &job->dataset));
    if (ald_dataset_target(job->dataset)->kind == ALD_TARGET_NONE)
        return cli_fail(session, "%s has no target columns; to evaluate, it needs those the model was fitted on",
                        cli_path_name(paths[1]));
    if (predicts) CLI_TRY(compute_scores(session, job, 64));
    if (job->with_curve) CLI_TRY(cli_curve_compute(session, job->model, job->dataset, paths[1], &job->curve));
    CLI_TRY(cli_hsic_compute(session, job->model, job->dataset, paths[1], &job->hsic));
    return session->json ? print_json(session, job) : print_text(session, job);
}

static int run(cli_session *session)
{
    evaluate_job job;
    memset(&job, 0, sizeof job);
    const int code = run_steps(session, &job);
    free(job.scores);
    ald_dataset_free(job.dataset);
    ald_model_free(job.model);
    return code;
}

static const cli_option options[] = {
    {"continuity", .type = CLI_FLAG,
     .help = "measure whether rows that are near in the projection are near in the target, for neighbourhoods of "
             "several sizes k; needs no predictor"},
    {"continuity-k", .type = CLI_TEXT, .value_name = "K,K,...",
     .help = "the sizes k; by default 4,8,16,... up to 128 and half the rows"},
    {"hsic", .type = CLI_FLAG,
     .help = "measure how much the target depends on the projection, in any form, by the Hilbert-Schmidt independence "
             "criterion; needs no predictor"},
    {"permutations", .type = CLI_INT, .value_name = "N",
     .help = "--hsic: random orders of the target that its p-value is from; 199 by default, 0 for none"},
    {0},
};

static const char *const examples[] = {
    "alidade evaluate fat.ald test.csv",
    "RMSE and R2, or accuracy, on rows that were kept back",
    "alidade evaluate fat.ald test.csv --json",
    "the same for a program",
    "alidade evaluate fat.ald test.csv --continuity --continuity-k 5,10,20",
    "how well neighbourhoods of 5, 10 and 20 rows are kept, for a model of any method",
    "alidade evaluate fat.ald test.csv --hsic --permutations 999",
    "whether the target depends on the projection at all, and how often chance does as well",
    NULL,
};

const cli_verb cli_evaluate_verb = {
    .name = "evaluate",
    .bit = CLI_EVALUATE,
    .summary = "predict labelled rows from their projection and score it",
    .usage = "MODEL DATA [--continuity] [--hsic] [--json[=FILE]]",
    .operands = {"MODEL", "DATA"},
    .min_operands = 2,
    .max_operands = 2,
    .description =
        "Projects the rows of DATA, predicts the target from the projection with the predictor kept in the model, "
        "and compares with the target in DATA: RMSE and R2 for numbers, accuracy for classes and labels, beside that "
        "of "
        "a baseline that always predicts the commonest. --continuity and --hsic measure the projection itself, "
        "without a predictor.",
    .options = options,
    .examples = examples,
    .run = run,
};
