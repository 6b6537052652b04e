/* Every allocation of a whole session is made to fail once: read, fit, save, load, transform, evaluate, plot, write;
 * and survey, fit in blocks, update.
 * Each time the call that met it says "out of memory", no block is left and no file is half there. (jansson's own
 * allocations are left alone: version 2.14 frees a wrong pointer when one of them fails.) */
#include "core/error.h"
#include "support/support.h"

#include <dirent.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Several threads may allocate. */
typedef struct ledger {
    atomic_long countdown; /* allocations until one fails; negative: none does */
    atomic_long live;
    atomic_int failed;
} ledger;

static ledger book;

static int fails_now(void)
{
    if (atomic_fetch_sub(&book.countdown, 1) != 0) return 0;
    book.failed = 1;
    return 1;
}

static void *counted_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        if (block) book.live--;
        free(block);
        return NULL;
    }
    const int shrinks = block && malloc_usable_size(block) >= size; /* nothing is lost when that fails */
    if (!shrinks && fails_now()) return NULL;
    void *made = realloc(block, size);
    if (made && !block) book.live++;
    return made;
}

static void begin_book(long countdown)
{
    book.countdown = countdown;
    book.live = 0;
    book.failed = 0;
}

static char folder[256];

static const char *in_folder(const char *name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

typedef struct session {
    ald_context *context;
    ald_settings *settings;
    ald_dataset *data, *again;
    ald_model *model, *loaded;
    ald_comparison *comparison;
    ald_tuning tuning;
    char *svg;
    ald_error error;
} session;

#define STEP(call)                                                                                                     \
    do {                                                                                                               \
        const ald_status step_status = (call);                                                                         \
        if (step_status < 0) return step_status;                                                                       \
    } while (0)

typedef struct plan {
    const char *file, *method, *set, *to;
    ald_load_options load;
    const char *more; /* streamed: rows that are added afterwards; NULL: none */
    ald_status (*use)(const struct plan *p, session *s);
} plan;

static ald_status make_settings(const plan *p, session *s)
{
    char copy[256], *rest = copy, *item;
    STEP(ald_settings_new(s->context, p->method, &s->settings, &s->error));
    snprintf(copy, sizeof copy, "%s", p->set);
    while ((item = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(item, '=');
        *value++ = '\0';
        STEP(ald_settings_set_text(s->settings, item, value, &s->error));
    }
    return ALD_OK;
}

static ald_status use(const plan *p, session *s)
{
    const ald_options options = {.threads = 2, .allocator = {counted_resize, NULL}};
    const ald_load_options alike = {0};
    ald_load_options like = alike;
    ald_score scores[8];
    int count;
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_model_save(s->context, s->model, in_folder("model.ald"), &s->error));
    STEP(ald_model_load(s->context, in_folder("model.ald"), &s->loaded, &s->error));
    like.like = s->loaded;
    STEP(ald_dataset_load(s->context, p->file, &like, &s->again, &s->error));
    const ald_matrix *x = ald_dataset_x(s->again);
    double *z = malloc((size_t)(x->rows * ald_model_components(s->loaded)) * sizeof *z);
    ald_status status = ald_transform(s->context, s->loaded, x, z, &s->error);
    if (status >= 0)
        status = ald_write_matrix(s->context, in_folder("z.csv"), z, x->rows, ald_model_components(s->loaded), NULL,
                                  &s->error);
    free(z);
    STEP(status);
    STEP(ald_evaluate(s->context, s->loaded, x, ald_dataset_target(s->again), scores, 8, &count, &s->error));
    STEP(ald_plot(s->context, s->loaded, s->data, s->again, NULL, &s->svg, &s->error));
    STEP(ald_convert(s->context, p->file, in_folder(p->to), NULL, &s->error));
    const ald_split_options split = {.train = 0.7, .seed = 3};
    return ald_split(s->context, p->file, &split, in_folder("train.csv"), in_folder("test.csv"), NULL, NULL, &s->error);
}

/* For models that know their own rows only. */
static ald_status fit_and_plot(const plan *p, session *s)
{
    const ald_options options = {.threads = 2, .allocator = {counted_resize, NULL}};
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_model_save(s->context, s->model, in_folder("model.ald"), &s->error));
    STEP(ald_model_load(s->context, in_folder("model.ald"), &s->loaded, &s->error));
    return ald_plot(s->context, s->loaded, s->data, NULL, NULL, &s->svg, &s->error);
}

/* What a predictor does, from learning to a file of its predictions. */
static ald_status use_predictor(const plan *p, session *s)
{
    static const char *const texts[] = {"a", "b", "c", NULL}, *const header[] = {"y"};
    static const char *const *const levels[] = {texts};
    const ald_options options = {.threads = 1, .allocator = {counted_resize, NULL}};
    double classes[16], scores[48];
    int64_t counts[9];
    ald_score figures[8];
    ald_subspace_result result;
    ald_map_difference difference;
    int count;
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->data);
    assert_true(x->rows <= 16);
    STEP(ald_predict_scores(s->context, s->model, x, scores, &s->error));
    STEP(ald_predict(s->context, s->model, x, classes, &s->error));
    STEP(ald_score_predictions(s->context, y, classes, 1, figures, 8, &count, &s->error));
    STEP(ald_confusion(s->context, y, classes, 3, counts, &s->error));
    const ald_matrix known = ald_matrix_rows(scores, 1, x->cols, x->cols);
    STEP(ald_subspace_distance(s->context, s->model, &known, &result, &s->error));
    STEP(ald_model_difference(s->context, s->model, s->model, &difference, &s->error));
    return ald_write_table(s->context, in_folder(p->to), classes, x->rows, 1, header, levels, &s->error);
}

/* One thread: the ledger counts in order. */
static ald_status use_in_blocks(const plan *p, session *s)
{
    const ald_options options = {.threads = 1, .allocator = {counted_resize, NULL}};
    int64_t rows;
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_survey(s->context, p->file, &p->load, &s->data, &rows, &s->error));
    STEP(make_settings(p, s));
    STEP(ald_fit_stream(s->context, s->settings, p->file, &p->load, s->data, &s->model, &s->error));
    if (!p->more) return ALD_OK;
    const ald_load_options like = {.like = s->model, .with_weights = 1, .new_classes = 1};
    STEP(ald_dataset_load(s->context, p->more, &like, &s->again, &s->error));
    return ald_update(s->context, s->model, s->again, 0, &s->loaded, &s->error);
}

/* What has no memory for its fit is told in its row. */
static ald_status first_failure(session *s)
{
    for (int i = 0; i < ald_comparison_count(s->comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(s->comparison, i);
        if (row->status < 0) return ald_fail(&s->error, row->status, "%s", row->reason);
    }
    return ALD_OK;
}

/* Several splits with groups, baselines, a file to resume from. */
static ald_status use_compare(const plan *p, session *s)
{
    static const int64_t dims[] = {1, 2};
    const ald_options options = {.threads = 1, .allocator = {counted_resize, NULL}};
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    const ald_settings *const settings[] = {s->settings};
    const ald_candidate candidates[] = {
        {.kind = ALD_CANDIDATE_CONSTANT, .settings = settings, .n_settings = 1},
        {.kind = ALD_CANDIDATE_FEATURES, .settings = settings, .n_settings = 1},
        {.kind = ALD_CANDIDATE_METHOD, .settings = settings, .n_settings = 1, .dims = dims, .n_dims = 2}};
    ald_compare_options compare = {.candidates = candidates,
                                   .count = 3,
                                   .splits = {.splits = 2, .train = 0.7, .keep_duplicates = 1},
                                   .fill_missing = 1,
                                   .resume = in_folder(p->to)};
    compare.splits.groups = ald_dataset_groups(s->data);
    compare.splits.parts = ald_dataset_parts(s->data, &compare.splits.n_parts, &compare.splits.test_part);
    STEP(ald_compare(s->context, ald_dataset_x(s->data), ald_dataset_target(s->data), &compare, &s->comparison,
                     &s->error));
    STEP(first_failure(s));
    return ald_plot_comparison(s->context, s->comparison, NULL, NULL, &s->svg, &s->error);
}

/* Two settings by cross-validation, which the sums of parts serve, the choosing judged, the model saved. */
static ald_status use_tune(const plan *p, session *s)
{
    static const int64_t dims[] = {1};
    const ald_options options = {.threads = 1, .allocator = {counted_resize, NULL}};
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    const ald_settings *const settings[] = {s->settings, s->settings};
    const ald_candidate candidate = {.settings = settings,
                                     .n_settings = 2,
                                     .dims = dims,
                                     .n_dims = 1,
                                     .rule = ALD_RULE_ONE_SE,
                                     .inner = {.folds = 2}};
    const ald_tune_options tune = {.candidate = &candidate, .nested = 1, .outer = {.folds = 2}, .fill_missing = 1};
    STEP(ald_tune(s->context, s->data, &tune, &s->tuning, &s->model, &s->error));
    return ald_model_save(s->context, s->model, in_folder(p->to), &s->error);
}

static void clear(session *s)
{
    ald_tuning_free(&s->tuning);
    ald_comparison_free(s->comparison);
    if (s->svg) ald_text_free(s->context, s->svg);
    ald_model_free(s->loaded);
    ald_model_free(s->model);
    ald_dataset_free(s->again);
    ald_dataset_free(s->data);
    ald_settings_free(s->settings);
    ald_context_free(s->context);
}

/* Temporary names begin with a dot or are not among the outputs. */
static void check_folder(const char *to)
{
    const char *const known[] = {"model.ald", "z.csv", "train.csv", "test.csv", to};
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        int expected = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        for (int i = 0; i < 5; i++) expected = expected || strcmp(entry->d_name, known[i]) == 0;
        if (!expected) fail_msg("left over: %s", entry->d_name);
    }
    closedir(entries);
    for (int i = 0; i < 5; i++) unlink(in_folder(known[i]));
}

static void fail_each(const plan *p)
{
    long failures = 0;
    for (long k = 0;; k++) {
        session s = {0};
        begin_book(k);
        const ald_status status = p->use(p, &s);
        clear(&s);
        check_folder(p->to);
        if (book.live != 0)
            fail_msg("%ld blocks left after failing allocation %ld (%s)", book.live, k, s.error.message);
        if (!book.failed) {
            assert_done(status, s.error);
            break;
        }
        if (status != ALD_ERROR_MEMORY)
            fail_msg("allocation %ld failed and gave '%s': %s", k, ald_status_name(status), s.error.message);
        failures++;
    }
    print_message("%s: %ld allocations failed in turn\n", p->method, failures);
    assert_true(failures > 100);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char inputs[256];

static const char *input(const char *name, const char *text)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", inputs, name);
    write_file(path[next], text);
    return path[next];
}

static void every_predictor(void)
{
    static const char *const sets[] = {"predictor=linear",
                                       "predictor=ridge",
                                       "predictor=one-vs-rest",
                                       "predictor=centroid",
                                       "predictor=gaussian",
                                       "predictor=logistic",
                                       "predictor=knn predictor_neighbors=3"};
    const char *file = input("a.csv", "u,v,w,y\n1,2,1,a\n2,1,2,b\n3,0,1,a\n4,4,1,b\n5,1,3,c\n6,2,1,c\n7,7,2,c\n");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const plan p = {file, "pls", sets[i], "out.csv", {.target = "y", .weights = "w"}, NULL, use_predictor};
        fail_each(&p);
    }
}

static void csv_with_classes(void **state)
{
    (void)state;
    const plan p = {
        input("a.csv", "u,v,colour,y\n1,2,red,a\n2,1,blue,b\n3,,red,a\n4,4,green,b\n5,1,blue,b\n6,2,red,a\n"),
        "pls",
        "n_components=2 predictor=centroid scale=standard",
        "out.tsv",
        {.target = "y", .missing = "mean"},
        NULL,
        use};
    fail_each(&p);
    every_predictor();
}

static void comparisons(void **state)
{
    (void)state;
    const plan dense = {input("k.csv", "u,v,w,g,y\n1,2,3,1,1\n2,1,4,1,3\n3,,1,2,2\n4,4,2,3,5\n5,1,8,4,4\n6,2,7,5,7\n"
                                       "7,5,5,5,6\n6,1,2,6,9\n5,4,3,7,8\n"),
                        "pls",
                        "scale=standard",
                        "out.jsonl",
                        {.target = "y", .groups = "g", .missing = "mean", .keep_missing = 1, .task = "regression"},
                        NULL,
                        use_compare};
    const plan given = {dense.file,
                        "kpca",
                        "predictor=knn",
                        "out.jsonl",
                        {.target = "y",
                         .ignore = "g",
                         .split_file = input("l.csv", "1\n1\n1\n2\n2\n2\n3\n3\n3\n"),
                         .missing = "mean",
                         .keep_missing = 1,
                         .task = "regression"},
                        NULL,
                        use_compare};
    const plan sparse = {
        input("m.svm", "1 1:1 3:2\n2 2:1\n1 1:4 2:2\n2 3:1\n1 1:1 2:1 3:1\n2 1:2 4:1\n1 3:3\n2 2:2 3:1\n"),
        "pca",
        "row_scale=unit",
        "out.jsonl",
        {0},
        NULL,
        use_compare};
    fail_each(&dense);
    fail_each(&given);
    fail_each(&sparse);
}

/* Rows enough for sums to pay. */
static void tunings(void **state)
{
    static char text[8000];
    int used = snprintf(text, sizeof text, "u,v,y\n");
    (void)state;
    for (int i = 0; i < 200; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d,%d,%d\n", i * 37 % 101, i * 53 % 89, i * i % 97);
    const plan real = {input("o.csv", text),
                       "sir",
                       "scale=standard",
                       "tuned.ald",
                       {.target = "y", .task = "regression"},
                       NULL,
                       use_tune};
    const plan classes = {
        input("p.csv", "u,v,w,y\n1,2,3,1\n2,1,4,2\n3,,1,1\n4,4,2,2\n5,1,8,1\n6,2,7,2\n7,5,5,1\n6,1,2,2\n"),
        "kpca",
        "predictor=knn",
        "tuned.ald",
        {.target = "y", .missing = "mean", .keep_missing = 1, .task = "classification"},
        NULL,
        use_tune};
    fail_each(&real);
    fail_each(&classes);
}

static void sparse_with_numbers(void **state)
{
    (void)state;
    const plan p = {input("b.svm", "1.5 1:1 3:2\n2.5 2:1\n3 1:4 2:2\n4.25 3:1\n0 1:1 2:1 3:1\n"),
                    "pls",
                    "n_components=2 predictor=linear row_scale=unit algorithm=nipals",
                    "out.svm",
                    {0},
                    NULL,
                    use};
    fail_each(&p);
}

static void arff_by_lanczos(void **state)
{
    (void)state;
    const plan p = {input("c.arff", "@relation r\n@attribute a numeric\n@attribute b {x,z}\n@attribute c "
                                    "numeric\n@data\n1,x,2\n2,z,1\n3,x,5\n4,z,3\n?,x,9\n"),
                    "pca",
                    "n_components=2 solver=lanczos predictor=linear",
                    "out.csv.gz",
                    {.target = "c", .missing = "drop", .encode = "ordinal"},
                    NULL,
                    use};
    fail_each(&p);
}

static void csv_in_blocks(void **state)
{
    (void)state;
    const plan p = {
        input("d.csv", "u,v,colour,w,y\n1,2,red,1,a\n2,1,blue,2,b\n3,,red,1,a\n4,4,green,3,b\n5,1,,1,b\n6,2,red,1,a\n"),
        "lda",
        "n_components=1 predictor=centroid scale=standard ridge=1 keep_statistics=1",
        "out.tsv",
        {.target = "y", .missing = "mean", .weights = "w", .block_bytes = 30},
        input("e.csv", "u,v,colour,w,y\n1,3,red,1,c\n2,5,blue,2,b\n7,1,red,1,c\n"),
        use_in_blocks};
    fail_each(&p);
}

static void class_scatters_and_slices_in_blocks(void **state)
{
    (void)state;
    const char *file = input("f.csv", "u,v,k,y\n1,2,a,.5\n2,1,b,1\n3,3,a,2\n4,4,b,1.5\n5,1,b,3\n6,2,a,4\n7,5,b,5\n");
    const plan cfml = {file,
                       "cfml",
                       "n_components=1 keep_statistics=1",
                       "out.tsv",
                       {.target = "k", .ignore = "y", .block_bytes = 30},
                       file,
                       use_in_blocks};
    const plan sir = {file,
                      "sir",
                      "n_components=1 n_slices=3 keep_statistics=1 ridge=1",
                      "out.tsv",
                      {.target = "y", .ignore = "k", .task = "regression", .block_bytes = 30},
                      file,
                      use_in_blocks};
    fail_each(&cfml);
    fail_each(&sir);
}

static void wide_rows_in_passes(void **state)
{
    (void)state;
    const plan p = {input("g.svm", "1 1:1 5003:2\n2 2:1 7:1\n1 1:4 2:2\n2 3:1 5002:1\n1 1:1 2:1 3:1\n"),
                    "lda",
                    "n_components=1 ridge=1 max_iter=3 tol=1e-2 predictor=centroid scale=standard",
                    "out.svm",
                    {.block_bytes = 30},
                    NULL,
                    use_in_blocks};
    fail_each(&p);
}

/* What a method may be given here, by the word in the table below. */
static plan plan_of(const char *rows)
{
    static const struct {
        const char *rows, *name, *text, *target, *task;
    } files[] = {
        {"classes", "a.csv", "u,v,y\n1,2,a\n2,1,b\n3,7,a\n4,4,b\n5,1,b\n6,2,a\n", "y", NULL},
        {"numbers", "h.csv", "u,v,w,y\n1,2,1,1\n2,1,3,2\n3,5,1,4\n4,4,2,3\n5,1,6,7\n6,2,1,5\n7,3,2,6\n", "y",
         "regression"},
        {"ring", "i.csv",
         "u,v,w,y\n0,1,.1,a\n.5,.9,.2,a\n.9,.5,0,b\n1,0,.3,b\n.9,-.4,.1,b\n.5,-.9,.2,a\n0,-1,.4,b\n-.5,-.8,.1,a\n"
         "-.9,-.4,.2,a\n-1,.1,0,b\n-.8,.5,.3,b\n-.4,.9,.2,a\n",
         "y", NULL},
        {"sparse", "b.svm", "1.5 1:1 3:2\n2.5 2:1\n3 1:4 2:2\n4.25 3:1\n0 1:1 2:1 3:1\n", NULL, NULL}};
    size_t k = 0;
    while (strcmp(files[k].rows, rows) != 0) k++;
    return (plan){.file = input(files[k].name, files[k].text),
                  .to = "out.tsv",
                  .load = {.target = files[k].target, .task = files[k].task},
                  .use = use};
}

/* Every way a method can go: a line each. */
static void methods_in_turn(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *method, *set;
    } ways[] = {
        {"classes", "kspca", "n_components=2 predictor=linear scale=minmax"},
        {"classes", "kspca", "n_components=1 solver=direct response_kernel=delta predictor=linear"},
        {"classes", "kpca", "n_components=2 kernel=laplacian landmarks=4 landmark_choice=kmeans predictor=linear"},
        {"classes", "kfda", "n_components=1 landmarks=4 landmark_choice=leverage predictor=linear"},
        {"classes", "kcca", "n_components=1 features=5 kernel_width=9 ridge_rel=0.1 predictor=linear"},
        {"sparse", "kpls", "n_components=2 kernel=polynomial degree=2 predictor=linear"},
        {"sparse", "kplssb", "n_components=1 kernel=cosine landmarks=3 predictor=linear"},
        {"classes", "ksdpp", "n_components=1 n_neighbors=3 n_starts=2 max_iter=20 predictor=linear"},
        {"classes", "ksdpp", "n_components=1 n_neighbors=3 n_starts=1 landmarks=4 solver=cg predictor=linear"},
        {"sparse", "ksdpp", "n_components=1 n_neighbors=3 n_starts=1 features=5 solver=cg predictor=linear"},
        {"sparse", "ksdpp", "n_components=1 n_neighbors=3 n_starts=1 solver=cg response_kernel=rbf predictor=linear"},
        {"numbers", "kdr", "n_components=1 n_starts=3 n_stages=2 predictor=linear"},
        {"numbers", "kdr", "n_components=1 n_starts=2 n_stages=2 rank=4 predictor=linear"},
        {"numbers", "gkdr", "n_components=2 predictor=linear"},
        {"numbers", "sdpp", "n_components=1 n_neighbors=2 n_starts=2 max_iter=3 predictor=linear"},
        {"numbers", "sdpp",
         "n_components=1 n_neighbors=2 solver=first-order max_iter=10 manifold=0.1 predictor=linear"},
        {"numbers", "sdpp",
         "n_components=1 n_neighbors=2 divergence=kl n_starts=1 penalty=l21 max_iter=3 predictor=linear"},
        {"ring", "rsir", "n_components=1 n_neighbors=3 n_starts=2 predictor=centroid"},
        {"ring", "rsir", "n_components=1 graph=full predictor=centroid"},
        {"ring", "lsir", "n_components=1 n_neighbors=3 predictor=centroid"},
        {"ring", "mkdr", "n_components=1 n_basis=4 n_neighbors=3 predictor=centroid"},
        {"ring", "cmvu", "n_components=1 n_basis=4 n_neighbors=2 predictor=centroid"},
        {"sparse", "sdpp",
         "n_components=1 n_neighbors=2 solver=cg n_starts=1 max_iter=3 ridge_rel=0.1 predictor=linear"},
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        plan p = plan_of(ways[k].rows);
        if (strstr(ways[k].method, "sir")) p.load.unlabelled_file = input("j.csv", "v,u,w\n.2,.3,.1\n-.7,.6,0\n");
        p.method = ways[k].method;
        p.set = ways[k].set;
        fail_each(&p);
    }
}

static void graph_kernels(void **state)
{
    (void)state;
    static const char *const sets[] = {"kernel=isomap n_neighbors=1 n_components=1", "kernel=lle n_neighbors=2",
                                       "kernel=laplacian-eigenmaps n_neighbors=2 response_kernel=delta n_components=1"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const plan p = {input("a.csv", "u,v,y\n1,2,a\n2,1,b\n3,7,a\n4,4,b\n5,1,b\n6,2,a\n"),
                        "kspca",
                        sets[k],
                        "out.tsv",
                        {.target = "y"},
                        NULL,
                        fit_and_plot};
        fail_each(&p);
    }
}

/* How many directions, what they explain, which features, how stable: fits on two threads. */
static ald_status judge_directions(const plan *p, session *s)
{
    const ald_options options = {.threads = 2, .allocator = {counted_resize, NULL}};
    const ald_dimension_options look = {.max_dims = 2, .permutations = 2, .level = 0.5, .every = 1};
    const ald_stability_options draw = {.resamples = 2, .half = 1};
    ald_dimension_row rows[2];
    ald_dimension_choice choice;
    ald_stability_row angles[2];
    ald_stability_summary summary;
    double x_share[2], y_share[2], values[8];
    int count;
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(make_settings(p, s));
    const ald_matrix *x = ald_dataset_x(s->data);
    const ald_target *y = ald_dataset_target(s->data);
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    STEP(ald_explained(s->context, s->model, x, y, x_share, y_share, &s->error));
    STEP(ald_stability(s->context, s->model, x, y, &draw, angles, &summary, &s->error));
    for (int kind = 0; kind < ALD_IMPORTANCE_KINDS && strcmp(p->method, "kpls") != 0; kind++)
        STEP(ald_importance(s->context, s->model, (ald_importance_kind)kind, x, y, values, &s->error));
    return ald_dimension(s->context, s->settings, x, y, &look, rows, 2, &count, &choice, &s->error);
}

static void directions_judged(void **state)
{
    (void)state;
    static const char *const ways[][2] = {{"sir", "n_components=1 n_slices=3 row_scale=unit"},
                                          {"pls", "n_components=1 scale=standard"},
                                          {"kpls", "n_components=1"}};
    const char *file =
        input("d.csv", "u,v,w,y\n1,2,.5,.1\n2,1,.3,.3\n3,5,1,.2\n4,4,.2,.9\n5,1,.9,.7\n6,2,.1,.8\n7,3,2,.6\n"
                       "8,1,.7,.5\n3,1,1,1\n2,2,2,1.2\n");
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const plan p = {file, ways[k][0], ways[k][1], "out.tsv", {.target = "y"}, NULL, judge_directions};
        fail_each(&p);
    }
}

/* Two fits on two threads, judged, one kept. */
static ald_status choose(session *s, const char *file)
{
    const ald_options options = {.threads = 2, .allocator = {counted_resize, NULL}};
    const ald_load_options load = {.target = "y"};
    const int64_t sizes[] = {2, 4};
    const ald_choice_options choice = {.n_neighbors = sizes, .count = 2};
    ald_trial trials[2];
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, file, &load, &s->data, &s->error));
    STEP(ald_settings_new(s->context, "sdpp", &s->settings, &s->error));
    STEP(ald_settings_set_text(s->settings, "n_components", "1", &s->error));
    STEP(ald_settings_set_text(s->settings, "solver", "cg", &s->error));
    STEP(ald_settings_set_text(s->settings, "n_starts", "1", &s->error));
    return ald_choose_neighbors(s->context, s->settings, s->data, &choice, trials, &s->model, &s->error);
}

static void neighbours_chosen(void **state)
{
    (void)state;
    const char *file = input("d.csv", "u,v,y\n1,2,.1\n2,1,.3\n3,5,.2\n4,4,.9\n5,1,.7\n6,2,.8\n7,3,.6\n8,1,.5\n");
    long failures = 0;
    for (int done = 0; !done; failures++) {
        session s = {0};
        begin_book(failures);
        const ald_status status = choose(&s, file);
        done = !book.failed;
        assert_int_equal(status < 0, !done);
        if (!done && status != ALD_ERROR_MEMORY) fail_msg("'%s': %s", ald_status_name(status), s.error.message);
        clear(&s);
        assert_int_equal(book.live, 0);
    }
    print_message("sdpp, chosen: %ld allocations failed in turn\n", failures - 1);
    assert_true(failures > 100);
}

static void empty_inputs(void)
{
    DIR *entries = opendir(inputs);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", inputs, entry->d_name);
        unlink(path);
    }
    if (entries) closedir(entries);
}

int main(void)
{
    char where[] = "/tmp/ald-fault-XXXXXX", from[] = "/tmp/ald-fault-XXXXXX";
    if (!mkdtemp(where) || !mkdtemp(from)) return 1;
    snprintf(folder, sizeof folder, "%s", where);
    snprintf(inputs, sizeof inputs, "%s", from);
    const struct CMUnitTest tests[] = {cmocka_unit_test(csv_with_classes),
                                       cmocka_unit_test(comparisons),
                                       cmocka_unit_test(tunings),
                                       cmocka_unit_test(sparse_with_numbers),
                                       cmocka_unit_test(arff_by_lanczos),
                                       cmocka_unit_test(csv_in_blocks),
                                       cmocka_unit_test(class_scatters_and_slices_in_blocks),
                                       cmocka_unit_test(wide_rows_in_passes),
                                       cmocka_unit_test(methods_in_turn),
                                       cmocka_unit_test(graph_kernels),
                                       cmocka_unit_test(neighbours_chosen),
                                       cmocka_unit_test(directions_judged)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_inputs();
    rmdir(folder);
    rmdir(inputs);
    return failed;
}
