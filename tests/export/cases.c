/* export-cases FOLDER [all [K N]]: models for the tests of exports. FOLDER holds, for each set NAME of the
 * table below, NAME.csv to fit and NAME-rows.csv, ten rows to predict. Every method that maps new rows is
 * fitted to one of the sets whose target it takes, with predictors, kernels and preparations in turn; with
 * `all` to all of them, with all that go together, or those of them whose number leaves K when divided by N.
 * The lists come from the library, so that a new method or predictor is in them.
 *
 * Case K becomes K.c, K.onnx, K.sql, K.json, and one line of JSON on standard output: the words of the fit,
 * the set, and for the rows the projection, the scores and the prediction, by the plain loops and by the
 * backend of the build, or why there is none. What a format refuses is in `refused`. */
#include <alidade/alidade.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct set {
    const char *name, *target;
    unsigned capability;
    const char *missing;
    int has_categories; /* then rows have no steps */
    const char *event;  /* of times: the predictor is cox, and only theirs */
} set;

static const set sets[] = {
    {"wine", "y", ALD_CAN_CLASSES, "error", 0, NULL},
    {"mixed", "kind of\nthing", ALD_CAN_CLASSES, "mean", 1, NULL},
    {"tecator", "fat", ALD_CAN_REAL, "error", 0, NULL},
    {"pair", "fat,protein", ALD_CAN_RESPONSES, "error", 0, NULL},
    {"labels", "l1,l2,l3", ALD_CAN_LABELS, "error", 0, NULL},
    {"times", "time", ALD_CAN_REAL, "error", 0, "status"},
};

static const char *const preparations[] = {
    "",
    "scale=standard",
    "rows=snv",
    "scale=minmax",
    "row_scale=standard",
    "rows=msc+savgol:7:2:1",
    "row_scale=unit scale=standard",
    "rows=detrend:2+snv scale=standard",
    "rows=savgol:5:2:0",
};
enum { n_preparations = sizeof preparations / sizeof *preparations };

static const char *const formats[] = {"c", "onnx", "sql", "json"};

typedef struct work {
    ald_context *native, *plain;
    const char *folder;
    int all, part, parts, number, turn;
    clock_t begun; /* of the fit */
} work;

/* A fit that takes longer is left: the test is about what comes after it. */
static int is_late(void *user, const char *stage, double done)
{
    const work *w = user;
    (void)stage, (void)done;
    return clock() - w->begun > 2 * CLOCKS_PER_SEC;
}

/* After ald_fail of the library a case has a reason and no more. */
static void die(const char *what, const ald_error *error)
{
    fprintf(stderr, "export-cases: %s: %s\n", what, error ? error->message : "");
    exit(1);
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned char)*text);
        else
            putchar(*text);
    putchar('"');
}

static void print_numbers(const char *name, int64_t rows, int64_t cols, const double *values)
{
    printf(", \"%s\": [", name);
    for (int64_t i = 0; i < rows; i++) {
        printf(i ? ", [" : "[");
        for (int64_t j = 0; j < cols; j++) printf(j ? ", %.17g" : "%.17g", values[i * cols + j]);
        printf("]");
    }
    printf("]");
}

/* Projection, scores and decision of the rows by one context. */
static void print_results(ald_context *context, const char *prefix, const ald_model *model,
                          const ald_matrix *x)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const int64_t n = x->rows, r = ald_model_component_count(model);
    char name[40];
    ald_error error;
    ald_model_prediction_shape(model, &shape);
    double *room = calloc((size_t)(n * (r + 2 * shape.scores + 1)), sizeof *room);
    double *scores = room + n * r, *decided = scores + n * shape.scores;
    if (!room || ald_transform(context, model, x, room, &error) < 0) die("transform", &error);
    snprintf(name, sizeof name, "%s_z", prefix);
    print_numbers(name, n, r, room);
    if (shape.scores > 0) {
        if (ald_predict_scores(context, model, x, scores, &error) < 0) die("scores", &error);
        if (ald_predict(context, model, x, decided, &error) < 0) die("predict", &error);
        if (shape.kind == ALD_TARGET_LABELS) ald_decide(shape.kind, n, shape.scores, scores, decided);
        snprintf(name, sizeof name, "%s_s", prefix);
        print_numbers(name, n, shape.scores, scores);
        snprintf(name, sizeof name, "%s_y", prefix);
        print_numbers(name, n, shape.columns, decided);
    }
    free(room);
}

static void print_exports(const work *w, const ald_model *model)
{
    char path[1024];
    ald_error error;
    printf(", \"refused\": {");
    const char *before = "";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        ald_export_options options = ALD_EXPORT_OPTIONS_INIT;
        options.table = strcmp(formats[i], "sql") == 0 ? "the \"table\" of 'rows'" : NULL;
        snprintf(path, sizeof path, "%s/%d.%s", w->folder, w->number, formats[i]);
        const ald_status status = ald_model_export(w->native, model, path, &options, &error);
        if ((ald_model_can_export(w->native, model, formats[i], NULL) >= 0) != (status >= 0))
            die("export and can_export differ", &error);
        if (status >= 0) continue;
        printf("%s\"%s\": ", before, formats[i]);
        print_text(error.message);
        before = ", ";
    }
    printf("}");
}

static void try_case(work *w, const set *s, const ald_dataset *data, const char *words)
{
    ald_load_options options = ALD_LOAD_OPTIONS_INIT;
    ald_settings *settings;
    ald_model *model = NULL;
    ald_dataset *rows;
    ald_error error;
    char path[1024];
    if (w->number % w->parts != w->part) {
        w->number++;
        return;
    }
    if (ald_settings_from_words(w->native, words, &settings, &error) < 0) die(words, &error);
    w->begun = clock();
    const ald_status fitted = ald_fit_dataset(w->native, settings, data, &model, &error);
    ald_settings_free(settings);
    printf("{\"case\": %d, \"set\": \"%s\", \"words\": ", w->number, s->name);
    print_text(words);
    if (fitted < 0) {
        printf(", \"unfitted\": ");
        print_text(fitted == ALD_ERROR_CANCELLED ? "it takes more than two seconds" : error.message);
    } else {
        w->begun = clock();
        options.like = model;
        options.no_target = 1;
        snprintf(path, sizeof path, "%s/%s-rows.csv", w->folder, s->name);
        if (ald_dataset_load(w->native, path, &options, &rows, &error) < 0) die(path, &error);
        if (strcmp(ald_model_text(model, "alidade.map"), "none") != 0) {
            print_results(w->plain, "plain", model, ald_dataset_x(rows));
            print_results(w->native, "native", model, ald_dataset_x(rows));
        }
        print_exports(w, model);
        ald_dataset_free(rows);
        ald_model_free(model);
    }
    printf("}\n");
    w->number++;
}

/* The choices of a parameter, `choice` in turn; NULL past the end, and where there is no such parameter. */
static const char *choice_of(const ald_method *method, unsigned trait, int choice)
{
    const ald_param *param = ald_method_param_with(method, trait);
    for (int i = 0; param && param->choices && param->choices[i]; i++)
        if (i == choice) return param->choices[i];
    return NULL;
}

static int count_choices(const ald_method *method, unsigned trait)
{
    int count = 0;
    while (choice_of(method, trait, count)) count++;
    return count;
}

static int has_param(const ald_method *method, const char *name)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (strcmp(param->name, name) == 0) return 1;
    return 0;
}

/* What a case adds to the kernel: nothing, landmarks, random features. */
static const char *approximation(const ald_method *method, const char *kernel, int turn)
{
    const int waves = strcmp(kernel, "rbf") == 0 || strcmp(kernel, "laplacian") == 0;
    if (turn % 3 == 1 && has_param(method, "landmarks")) return " landmarks=13";
    return turn % 3 == 2 && waves && has_param(method, "features") ? " features=20" : "";
}

/* The words of a fit: preparation and kernel are those of the turn. */
static void make_words(const ald_method *method, const set *s, const char *predictor, int turn,
                       char words[400])
{
    int preparation = (turn + turn / n_preparations) % n_preparations;
    while (s->has_categories && strncmp(preparations[preparation], "rows=", 5) == 0)
        preparation = (preparation + 1) % n_preparations;
    const int n_kernels = count_choices(method, ALD_PARAM_IS_KERNEL);
    const char *kernel = n_kernels ? choice_of(method, ALD_PARAM_IS_KERNEL, turn % n_kernels) : NULL;
    int used = snprintf(words, 400, "%s components_rule=at-most n_components=%d predictor=%s %s",
                        ald_method_name(method), 1 + turn % 4, predictor, preparations[preparation]);
    if (strcmp(predictor, "knn") == 0)
        used += snprintf(words + used, 400 - (size_t)used, " predictor_neighbors=3");
    if (kernel && strcmp(kernel, "precomputed") == 0) kernel = "rbf";
    if (kernel)
        snprintf(words + used, 400 - (size_t)used, " kernel=%s%s", kernel,
                 approximation(method, kernel, turn / n_kernels));
}

/* One method on one set: the predictor of the turn; with `all` every predictor with every preparation. */
static void try_method(work *w, const ald_method *method, const set *s, const ald_dataset *data)
{
    const ald_target_kind kind = ald_dataset_target(data)->kind;
    const char *predictors[16];
    char words[400];
    int count = 0;
    for (int p = 1; p < count_choices(method, ALD_PARAM_IS_PREDICTOR) && count < 16; p++) {
        predictors[count] = choice_of(method, ALD_PARAM_IS_PREDICTOR, p);
        count += ald_predictor_gives(predictors[count], kind) != ALD_GIVES_NOTHING &&
                 (strcmp(predictors[count], "cox") == 0) == (s->event != NULL);
    }
    for (int i = 0; i < (w->all ? count * n_preparations : 1); i++, w->turn++) {
        make_words(method, s, predictors[w->all ? i / n_preparations : w->turn % count], w->turn, words);
        try_case(w, s, data, words);
    }
}

/* Sets before `end` that a method takes. */
static int count_sets(unsigned can, const set *end)
{
    int count = 0;
    for (const set *s = sets; s < end; s++) count += (can & s->capability) != 0;
    return count;
}

static void try_set(work *w, const set *s)
{
    ald_load_options options = ALD_LOAD_OPTIONS_INIT;
    ald_dataset *data;
    ald_error error;
    char path[1024];
    options.target = s->target;
    options.missing = s->missing;
    options.event = s->event;
    snprintf(path, sizeof path, "%s/%s.csv", w->folder, s->name);
    if (s->capability == ALD_CAN_LABELS) options.task = "multilabel";
    w->begun = clock();
    if (ald_dataset_load(w->native, path, &options, &data, &error) < 0) die(path, &error);
    for (int m = 0; m < ald_method_count(); m++) {
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        if (!(can & ALD_CAN_MAP_NEW_ROWS) || !(can & s->capability)) continue;
        const int count = count_sets(can, sets + sizeof sets / sizeof *sets);
        if (w->all || count_sets(can, s) == m % count) try_method(w, ald_method_at(m), s, data);
    }
    ald_dataset_free(data);
}

int main(int count, char **words)
{
    ald_options options = ALD_OPTIONS_INIT;
    work w = {.folder = count > 1 ? words[1] : ".", .all = count > 2, .parts = 1};
    ald_error error;
    if (count > 4) {
        w.part = atoi(words[3]);
        w.parts = atoi(words[4]);
    }
    options.threads = 1;
    options.progress = is_late;
    options.progress_user = &w;
    if (ald_context_new(&options, &w.native, &error) < 0) die("context", &error);
    options.backend = "plain";
    if (ald_context_new(&options, &w.plain, &error) < 0) die("context", &error);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) try_set(&w, &sets[i]);
    ald_context_free(w.plain);
    ald_context_free(w.native);
    return 0;
}
