/* Every allocation of a whole session is made to fail once: read, fit, save, load, transform, evaluate, plot, write.
 * Each time the call that met it says "out of memory", no block is left and no file is half there. (jansson's own
 * allocations are left alone: version 2.14 frees a wrong pointer when one of them fails.) */
#include "support/support.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct ledger {
    long countdown; /* allocations until one fails; negative: none does */
    long live;
    int failed;
} ledger;

static ledger book;

static int fails_now(void)
{
    if (book.countdown < 0 || book.countdown-- > 0) return 0;
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
} plan;

static ald_status use(const plan *p, session *s)
{
    const ald_options options = {.threads = 2, .allocator = {counted_resize, NULL}};
    const ald_load_options alike = {0};
    ald_load_options like = alike;
    ald_score scores[8];
    int count;
    char copy[256], *rest = copy, *item;
    STEP(ald_context_new(&options, &s->context, &s->error));
    STEP(ald_dataset_load(s->context, p->file, &p->load, &s->data, &s->error));
    STEP(ald_settings_new(s->context, p->method, &s->settings, &s->error));
    snprintf(copy, sizeof copy, "%s", p->set);
    while ((item = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(item, '=');
        *value++ = '\0';
        STEP(ald_settings_set_text(s->settings, item, value, &s->error));
    }
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

static void clear(session *s)
{
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
        book = (ledger){.countdown = k};
        const ald_status status = use(p, &s);
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

static void csv_with_classes(void **state)
{
    (void)state;
    const plan p = {
        input("a.csv", "u,v,colour,y\n1,2,red,a\n2,1,blue,b\n3,,red,a\n4,4,green,b\n5,1,blue,b\n6,2,red,a\n"),
        "pls",
        "n_components=2 predictor=centroid scale=standard",
        "out.tsv",
        {.target = "y", .missing = "mean"}};
    fail_each(&p);
}

static void sparse_with_numbers(void **state)
{
    (void)state;
    const plan p = {input("b.svm", "1.5 1:1 3:2\n2.5 2:1\n3 1:4 2:2\n4.25 3:1\n0 1:1 2:1 3:1\n"),
                    "pls",
                    "n_components=2 predictor=linear row_scale=unit algorithm=nipals",
                    "out.svm",
                    {0}};
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
                    {.target = "c", .missing = "drop", .encode = "ordinal"}};
    fail_each(&p);
}

/* Rows that the methods on neighbourhoods can make something of. */
static const char *const ring =
    "u,v,w,y\n0,1,.1,a\n.5,.9,.2,a\n.9,.5,0,b\n1,0,.3,b\n.9,-.4,.1,b\n.5,-.9,.2,a\n0,-1,.4,b\n-.5,-.8,."
    "1,a\n-.9,-.4,.2,a\n-1,.1,0,b\n-.8,.5,.3,b\n-.4,.9,.2,a\n";

static void neighbourhoods(void **state)
{
    (void)state;
    const char *const methods[][2] = {{"rsir", "n_components=1 n_neighbors=3 n_starts=2 predictor=centroid"},
                                      {"rsir", "n_components=1 graph=full predictor=centroid"},
                                      {"lsir", "n_components=1 n_neighbors=3 predictor=centroid"}};
    for (int i = 0; i < 3; i++) {
        const plan p = {input("d.csv", ring),
                        methods[i][0],
                        methods[i][1],
                        "out.tsv",
                        {.target = "y", .unlabelled_file = input("e.csv", "v,u,w\n.2,.3,.1\n-.7,.6,0\n")}};
        fail_each(&p);
    }
}

static void places_of_rows(void **state)
{
    (void)state;
    const char *const methods[][2] = {{"mkdr", "n_components=1 n_basis=4 n_neighbors=3 predictor=centroid"},
                                      {"cmvu", "n_components=1 n_basis=4 n_neighbors=2 predictor=centroid"}};
    for (int i = 0; i < 2; i++) {
        const plan p = {input("d.csv", ring), methods[i][0], methods[i][1], "out.tsv", {.target = "y"}};
        fail_each(&p);
    }
}

int main(void)
{
    char where[] = "/tmp/ald-fault-XXXXXX", from[] = "/tmp/ald-fault-XXXXXX";
    if (!mkdtemp(where) || !mkdtemp(from)) return 1;
    snprintf(folder, sizeof folder, "%s", where);
    snprintf(inputs, sizeof inputs, "%s", from);
    const struct CMUnitTest tests[] = {cmocka_unit_test(csv_with_classes), cmocka_unit_test(sparse_with_numbers),
                                       cmocka_unit_test(arff_by_lanczos), cmocka_unit_test(neighbourhoods),
                                       cmocka_unit_test(places_of_rows)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    const char *const made[] = {"a.csv", "b.svm", "c.arff", "d.csv", "e.csv"};
    for (int i = 0; i < 5; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", inputs, made[i]);
        unlink(path);
    }
    rmdir(folder);
    rmdir(inputs);
    return failed;
}
