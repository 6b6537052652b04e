#include "printing/printing.h"

#include "ranks/gather_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL (1U << ALD_TARGET_REAL)
#define CLASSES (1U << ALD_TARGET_CLASSES)
#define LABELS (1U << ALD_TARGET_LABELS)
#define TIMES (1U << 31) /* with events: no kind of its own */

typedef struct metric {
    const char *name;
    unsigned kinds; /* of targets */
    int shown;      /* without --metric */
} metric;

static const metric metrics[] = {
    {"rmse", REAL, 1},
    {"r2", REAL, 1},
    {"mae", REAL, 0},
    {"bias", REAL, 0},
    {"sep", REAL, 0},
    {"rpd", REAL, 0},
    {"q2", REAL, 0},
    {"concordance", TIMES, 1},
    {"accuracy", CLASSES | LABELS, 1},
    {"balanced_accuracy", CLASSES, 0},
    {"mean_ovr_accuracy", CLASSES, 0},
    {"auc", CLASSES | LABELS, 0},
    {"sensitivity", CLASSES, 0},
    {"specificity", CLASSES, 0},
    {"mcc", CLASSES, 0},
    {"log_loss", CLASSES, 0},
    {"brier", CLASSES, 0},
    {"confusion", CLASSES, 0},
    {"macro_auc", LABELS, 1},
    {"micro_auc", LABELS, 0},
    {"macro_f1", LABELS, 0},
    {"micro_f1", LABELS, 0},
    {"f1", LABELS, 0},
};
enum { metric_count = sizeof metrics / sizeof *metrics, accuracy_metric = 8, confusion_metric = 17 };
enum { widest_cell = 24, most_classes = 100, note_size = 400 };

static int same_name(const char *text, size_t length, const char *name)
{
    if (strlen(name) != length) return 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != name[i] && !(text[i] == '-' && name[i] == '_')) return 0;
    return 1;
}

static void list_metrics(unsigned kind, char *list, size_t size)
{
    list[0] = '\0';
    for (int i = 0; i < metric_count; i++) {
        const size_t used = strlen(list);
        if (metrics[i].kinds & kind)
            snprintf(list + used, size - used, "%s%s", used ? ", " : "", metrics[i].name);
    }
}

/* One name of the list; "all" is every one that suits. */
static int choose_one(cli_session *session, const char *text, size_t length, unsigned kind,
                      cli_scores *scores)
{
    char list[240];
    for (int i = 0; i < metric_count; i++) {
        const int fits = (metrics[i].kinds & kind) != 0;
        if (same_name(text, length, "all") && fits) scores->chosen |= 1U << i;
        if (!same_name(text, length, metrics[i].name)) continue;
        scores->chosen |= 1U << i;
        if (fits) return CLI_DONE;
    }
    if (same_name(text, length, "all")) return CLI_DONE;
    list_metrics(kind, list, sizeof list);
    return cli_usage(session, "--metric %.*s: this model's predictions have %s, or all", (int)length, text,
                     list);
}

int cli_scores_choose(cli_session *session, const ald_model *model, cli_scores *scores)
{
    const char *text = cli_text(&session->args, "metric", NULL);
    scores->kind = cli_prediction_shape(model).kind;
    const unsigned kind = cli_predicts_risk(model) ? TIMES : 1U << scores->kind;
    for (int i = 0; !text && i < metric_count; i++) {
        const unsigned fits = (metrics[i].kinds & kind) != 0;
        scores->listed |= fits << i;
        if (metrics[i].shown) scores->chosen |= fits << i;
    }
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        CLI_TRY(choose_one(session, text, length, kind, scores));
        text += length;
        text += *text == ',';
    }
    if (!cli_given_find(&session->args, "metric")) return CLI_DONE;
    scores->listed = scores->chosen;
    return scores->chosen ? CLI_DONE : choose_one(session, "", 0, kind, scores);
}

static int is_in(unsigned set, const char *name)
{
    for (int i = 0; i < metric_count; i++)
        if (strcmp(metrics[i].name, name) == 0) return (set >> i & 1U) != 0;
    return 0;
}

ald_prediction_shape cli_prediction_shape(const ald_model *model)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(model, &shape);
    return shape;
}

/* What scores are made of. */
typedef struct predicted {
    double *prediction, *scores;
    ald_prediction_shape shape;
    double *own;           /* both, of this rank; or NULL */
    unsigned char *all[2]; /* each of them, of all ranks; or NULL */
} predicted;

static int compute(cli_session *session, const ald_target *target, const predicted *p, int capacity,
                   cli_scores *s)
{
    ald_score_options options = ALD_SCORE_OPTIONS_INIT;
    ald_score *grown = realloc(s->scores, (size_t)capacity * sizeof *grown);
    if (!grown) return cli_out_of_memory(session);
    s->scores = grown;
    s->scores[0] = (ald_score)ALD_SCORE_INIT;
    options.scores = p->scores;
    options.n_scores = p->shape.scores;
    options.probabilities = p->shape.probabilities;
    CLI_TRY(cli_check_data(session, session->args.operands[1],
                           ald_score_predictions_with(session->context, target, p->prediction,
                                                      p->shape.columns, &options, s->scores, capacity,
                                                      &s->count, &session->error)));
    /* Rarely more than a few; when there are, once more with room for all. */
    return s->count > capacity ? compute(session, target, p, s->count, s) : CLI_DONE;
}

/* Left out of JSON where it would be large and was not asked for. */
static int compute_confusion(cli_session *session, const ald_model *model, const ald_target *target,
                             const double *prediction, cli_scores *s)
{
    const unsigned wanted = session->json ? s->listed : s->chosen;
    const int64_t own = cli_prediction_shape(model).scores;
    const char *names = ald_model_text(model, "alidade.class_names");
    s->classes = own > target->n_classes ? own : target->n_classes;
    if (!(wanted >> confusion_metric & 1U) ||
        (s->classes > most_classes && !(s->chosen >> confusion_metric & 1U)))
        return CLI_DONE;
    s->confusion = calloc((size_t)s->classes * (size_t)s->classes, sizeof *s->confusion);
    if (!s->confusion) return cli_out_of_memory(session);
    s->names = names ? json_loads(names, 0, NULL) : NULL;
    return cli_check(session, ald_confusion(session->context, target, prediction, s->classes, s->confusion,
                                            &session->error));
}

/* Those of all ranks instead, on rank 0. */
static int gather(cli_session *session, ald_status status, size_t rows, predicted *p)
{
    const size_t size[] = {
        rows * (size_t)p->shape.columns * sizeof(double),
        rows * (size_t)p->shape.scores * sizeof(double),
    };
    CLI_TRY(cli_gather(session, status, p->prediction, size[0], &p->all[0], NULL));
    CLI_TRY(cli_gather(session, ALD_OK, p->scores, size[1], &p->all[1], NULL));
    free(p->own);
    p->own = NULL;
    p->prediction = (double *)(void *)p->all[0];
    p->scores = (double *)(void *)p->all[1];
    return CLI_DONE;
}

static int predict(cli_session *session, const ald_model *model, const ald_matrix *x, predicted *p)
{
    const char *path = session->args.operands[1];
    const size_t rows = (size_t)x->rows;
    p->shape = cli_prediction_shape(model);
    p->own = calloc(rows * (size_t)(p->shape.columns + p->shape.scores) + 1, sizeof *p->own);
    if (!p->own) return cli_out_of_memory(session);
    p->prediction = p->own;
    p->scores = p->own + rows * (size_t)p->shape.columns;
    const int none = rows == 0 && cli_rows_are_shared(session); /* all are left out */
    ald_status status =
        none ? ALD_OK : ald_predict(session->context, model, x, p->prediction, &session->error);
    if (status >= 0 && !none)
        status = ald_predict_scores(session->context, model, x, p->scores, &session->error);
    return cli_rows_are_shared(session) ? gather(session, status, rows, p)
                                        : cli_check_data(session, path, status);
}

int cli_scores_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                       const ald_target *target, cli_scores *s)
{
    predicted p = {0};
    int code = predict(session, model, x, &p);
    const int here = !cli_waits(session);
    if (code == CLI_DONE && here) code = compute(session, target, &p, 64, s);
    if (code == CLI_DONE && here && target->kind == ALD_TARGET_CLASSES)
        code = compute_confusion(session, model, target, p.prediction, s);
    if (code == CLI_DONE && here)
        code = cli_check(session, ald_baseline_accuracy(session->context, target, &s->baseline, &s->commonest,
                                                        &session->error));
    free(p.own);
    for (int i = 0; i < 2; i++) ald_bytes_free(session->context, p.all[i]);
    return code;
}

void cli_scores_free(cli_scores *s)
{
    free(s->scores);
    free(s->confusion);
    json_decref(s->names);
}

static const char *row_name(const ald_score *score)
{
    return score->of[0] ? score->of : "all";
}

/* 1 and the text, where there is something to say of a score that is in the set. */
static int note_of(const ald_score *score, unsigned set, char *text, size_t size)
{
    if (!score->note[0] || !is_in(set, score->name)) return 0;
    snprintf(text, size, "%s of %s: %s", score->name, row_name(score), score->note);
    return 1;
}

/* Figures of all together stand in one table with those of each response; figures of single labels only in
 * another. */
static int in_table(const cli_scores *s, int index, int single)
{
    const char *name = s->scores[index].name;
    if (!is_in(s->chosen, name)) return 0;
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->scores[i].name, name) == 0 && !s->scores[i].of[0]) return !single;
    return single;
}

/* 1 if an earlier score of the table has the same name (or is for the same response). */
static int seen(const cli_scores *s, int index, int single, int by_name)
{
    for (int i = 0; i < index; i++) {
        const ald_score *a = &s->scores[i], *b = &s->scores[index];
        if (!in_table(s, i, single)) continue;
        if (by_name ? strcmp(a->name, b->name) == 0 : strcmp(a->of, b->of) == 0) return 1;
    }
    return 0;
}

static int cell_width(const char *name)
{
    const int length = (int)strlen(name);
    return length > 12 ? length : 12;
}

static void print_cell(const cli_scores *s, const char *of, const char *name)
{
    for (int i = 0; i < s->count; i++) {
        const ald_score *score = &s->scores[i];
        if (strcmp(score->of, of) != 0 || strcmp(score->name, name) != 0 || !isfinite(score->value)) continue;
        printf("  %*.6g", cell_width(name), score->value);
        return;
    }
    printf("  %*s", cell_width(name), "-");
}

static void print_padded(const char *text, int width)
{
    const int printed = cli_put_text(stdout, text);
    printf("%*s", printed < width ? width - printed : 0, "");
}

/* The baseline has an accuracy only. */
static void print_baseline(const cli_scores *s, int width)
{
    print_padded("baseline", width);
    for (int i = 0; i < s->count; i++) {
        if (!in_table(s, i, 0) || seen(s, i, 0, 1)) continue;
        if (strcmp(s->scores[i].name, "accuracy") == 0)
            printf("  %*.6g", cell_width("accuracy"), s->baseline);
        else
            printf("  %*s", cell_width(s->scores[i].name), "-");
    }
    putchar('\n');
}

int cli_scores_have_baseline(const cli_scores *s)
{
    return isfinite(s->baseline) && (s->chosen >> accuracy_metric & 1U);
}

static int has_rows(const cli_scores *s, int single)
{
    for (int i = 0; i < s->count; i++)
        if (in_table(s, i, single)) return 1;
    return 0;
}

/* A row for all together and one per response, a column per figure. */
static void print_table(const cli_scores *s, int single, int width)
{
    printf("%-*s", width, "");
    for (int i = 0; i < s->count; i++)
        if (in_table(s, i, single) && !seen(s, i, single, 1))
            printf("  %*s", cell_width(s->scores[i].name), s->scores[i].name);
    putchar('\n');
    for (int row = 0; row < s->count; row++) {
        if (!in_table(s, row, single) || seen(s, row, single, 0)) continue;
        print_padded(row_name(&s->scores[row]), width);
        for (int i = 0; i < s->count; i++)
            if (in_table(s, i, single) && !seen(s, i, single, 1))
                print_cell(s, s->scores[row].of, s->scores[i].name);
        putchar('\n');
    }
    if (!single && cli_scores_have_baseline(s)) print_baseline(s, width);
}

/* The name of a class, or its code from 0. */
static void class_name(const cli_scores *s, int64_t c, char *text, size_t size)
{
    const char *name = json_string_value(json_array_get(s->names, (size_t)c));
    if (name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%lld", (long long)c);
    /* No part of a character at the end. */
    size_t length = strlen(text);
    if (name && length < strlen(name))
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) text[--length] = '\0';
}

static void print_confusion(const cli_scores *s)
{
    char name[widest_cell + 1];
    int width = (int)strlen("true");
    for (int64_t c = 0; c < s->classes; c++) {
        class_name(s, c, name, sizeof name);
        if ((int)strlen(name) > width) width = (int)strlen(name);
    }
    printf("%-*s", width, "true");
    for (int64_t c = 0; c < s->classes; c++) {
        class_name(s, c, name, sizeof name);
        const int length = (int)strlen(name);
        printf("  %*s", length < 6 ? 6 - length : 0, "");
        cli_put_text(stdout, name);
    }
    putchar('\n');
    for (int64_t t = 0; t < s->classes; t++) {
        class_name(s, t, name, sizeof name);
        print_padded(name, width);
        for (int64_t c = 0; c < s->classes; c++) {
            class_name(s, c, name, sizeof name);
            const int length = (int)strlen(name);
            printf("  %*lld", length < 6 ? 6 : length, (long long)s->confusion[t * s->classes + c]);
        }
        putchar('\n');
    }
}

void cli_scores_print(cli_session *session, const cli_scores *s)
{
    char note[note_size];
    int width = cli_scores_have_baseline(s) ? 8 : 3, any = 0;
    for (int i = 0; i < s->count; i++) {
        const int length = (int)strlen(row_name(&s->scores[i]));
        if (length > width && is_in(s->chosen, s->scores[i].name)) width = length;
    }
    for (int single = 0; single < 2; single++) {
        if (!has_rows(s, single)) continue;
        if (any) putchar('\n');
        print_table(s, single, width);
        any = 1;
    }
    if (s->confusion && any) putchar('\n');
    if (s->confusion) print_confusion(s);
    if (s->confusion) cli_say(session, "confusion: one row per true class, one column per predicted class");
    for (int i = 0; i < s->count; i++)
        if (note_of(&s->scores[i], s->chosen, note, sizeof note)) cli_say(session, "%s", note);
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

static json_t *confusion_json(const cli_scores *s)
{
    json_t *result = json_object(), *names = json_array(), *counts = json_array();
    char name[256];
    int bad = 0;
    for (int64_t t = 0; t < s->classes; t++) {
        json_t *row = json_array();
        class_name(s, t, name, sizeof name);
        bad |= json_array_append_new(names, cli_json_text(name));
        for (int64_t c = 0; c < s->classes; c++)
            bad |= json_array_append_new(row, json_integer(s->confusion[t * s->classes + c]));
        bad |= json_array_append_new(counts, row);
    }
    bad |= json_object_set_new(result, "classes", names);
    bad |= json_object_set_new(result, "counts", counts);
    if (!bad) return result;
    json_decref(result);
    return NULL;
}

int cli_scores_json(const cli_scores *s, json_t *root, json_t *notes)
{
    static const char *const always[] = {"rmse", "r2", "accuracy"};
    json_t *responses = json_object();
    char note[note_size];
    int bad = 0;
    for (int i = 0; i < 3; i++) bad |= json_object_set_new(root, always[i], json_null());
    for (int i = 0; i < s->count; i++) {
        if (is_in(s->listed, s->scores[i].name)) bad |= set_score(root, responses, &s->scores[i]);
        if (note_of(&s->scores[i], s->listed, note, sizeof note))
            bad |= json_array_append_new(notes, cli_json_text(note));
    }
    bad |=
        json_object_set_new(root, "baseline_accuracy", cli_json_real(s->count ? s->baseline : (double)NAN));
    bad |= json_object_set_new(root, "responses", responses);
    if (s->confusion) bad |= json_object_set_new(root, "confusion", confusion_json(s));
    return bad;
}
