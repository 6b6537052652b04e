/* grid FOLDER, under mpirun: every method that says that it distributes, on every kind of target and file,
 * fitted by all ranks together and by rank 0 alone. The two are the same to 1e-11, twice by all is the same
 * in every byte, and all ranks have the same model. A check that fails is printed; the program goes on, so
 * that no rank waits in vain. */
#include "ranks/communicator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 157, d = 5, most_bytes = 1 << 17 };

typedef struct grid {
    const char *folder;
    ald_ranks *ranks;
    ald_context *together, *alone;
    ald_run run; /* on the ranks, to compare what they have */
    ald_error error;
    int rank, methods, cases, failures;
} grid;

static void complain(grid *g, const char *what, const char *name, double number)
{
    g->failures++;
    printf("rank %d: %s: %s (%.3g): %s\n", g->rank, name, what, number, g->error.message);
    fflush(stdout);
}

static const char *path_of(const grid *g, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    return path;
}

static void write_file(const grid *g, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(g, name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static double cell(ald_random *random, int i, int j)
{
    return ald_random_normal(random) * (1.0 + j) + 3.0 * (j == i % 3) + 10.0 * j;
}

/* Texts with quotes, line ends and delimiters in them; levels and classes that come late; weights of 0; cells
 * without a value in column hole. */
static void write_csv(const grid *g, char *text)
{
    static const char *const colours[] = {"red", "\"a, \"\"b\"\"\nc\"", "green", "\"\n\n\""};
    static const char *const classes[] = {"one", "two", "\"three, or\nmore\""};
    ald_random random;
    size_t used = (size_t)sprintf(text, "a,b,\"c\n(unit)\",d,e,colour,hole,class,y1,y2,l1,l2,w\n");
    ald_random_seed(&random, 5, 0);
    for (int i = 0; i < n; i++) {
        double x[d];
        for (int j = 0; j < d; j++)
            used += (size_t)sprintf(text + used, "%.17g,", x[j] = cell(&random, i, j));
        used += (size_t)sprintf(text + used, "%s,", i > 130 && i % 5 == 0 ? colours[3] : colours[i % 7 % 3]);
        used += i % 11 == 3 ? (size_t)sprintf(text + used, ",") : (size_t)sprintf(text + used, "%d,", i % 13);
        used += (size_t)sprintf(text + used, "%s,%.17g,%.17g,%d,%d,%d\n", classes[i < 60 ? i % 2 : i % 3],
                                x[0] + 0.3 * ald_random_normal(&random), x[1] - x[2], x[3] > 30.0, x[0] > 1.0,
                                i % 4);
    }
    write_file(g, "t.csv", text, used);
}

static void write_svm(const grid *g, char *text, const char *name, int many)
{
    ald_random random;
    size_t used = 0;
    ald_random_seed(&random, 6, 0);
    for (int i = 0; i < n; i++) {
        used += (size_t)(many ? sprintf(text + used, "%d,%d", i % 3, 3 + i % 2)
                              : sprintf(text + used, "%d", i % 3));
        for (int j = 0; j < 2 * d; j++)
            if ((i + j) % 3 || i == n - 1)
                used += (size_t)sprintf(text + used, " %d:%.17g", j + 1,
                                        ald_random_normal(&random) + (j == i % 3));
        used += (size_t)sprintf(text + used, "\n");
    }
    write_file(g, name, text, used);
}

static void write_npy(const grid *g, char *text)
{
    ald_random random;
    char header[128];
    ald_random_seed(&random, 7, 0);
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length =
        snprintf(header + 10, 100, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", n, d);
    header[10 + length] = ' ';
    header[127] = '\n';
    memcpy(text, header, 128);
    for (int i = 0; i < n * d; i++) {
        const double value = i % d == d - 1 ? (double)(i / d % 3) : cell(&random, i / d, i % d);
        memcpy(text + 128 + 8 * (size_t)i, &value, 8);
    }
    write_file(g, "t.npy", text, 128 + 8 * (size_t)(n * d));
}

static ald_status fit(grid *g, ald_context *context, const char *method, const char *set, const char *name,
                      const ald_load_options *load, ald_model **model)
{
    ald_dataset *survey = NULL;
    int64_t rows;
    *model = NULL;
    ald_status status = ald_dataset_survey(context, path_of(g, name), load, &survey, &rows, &g->error);
    if (status >= 0) {
        ald_settings *settings = support_settings(context, method, set);
        status = ald_fit_stream(context, settings, path_of(g, name), load, survey, model, &g->error);
        ald_settings_free(settings);
    }
    ald_dataset_free(survey);
    return status;
}

/* By one process, of a method that is not streamed: of all rows in memory. */
static ald_status fit_in_memory(grid *g, const char *method, const char *set, const char *name,
                                const ald_load_options *load, ald_model **model)
{
    ald_load_options whole = *load;
    ald_dataset *rows = NULL;
    whole.block_bytes = 0;
    whole.with_weights = load->weights != NULL;
    ald_status status = ald_dataset_load(g->alone, path_of(g, name), &whole, &rows, &g->error);
    if (status >= 0) {
        ald_settings *settings = support_settings(g->alone, method, set);
        status = ald_fit_dataset(g->alone, settings, rows, model, &g->error);
        ald_settings_free(settings);
    }
    ald_dataset_free(rows);
    return status;
}

static int is_streamed(const char *method)
{
    return (ald_method_capabilities(ald_method_find(method)) & ALD_CAN_STREAM) != 0;
}

static ald_status fit_alone(grid *g, const char *method, const char *set, const char *name,
                            const ald_load_options *load, ald_model **model)
{
    return is_streamed(method) ? fit(g, g->alone, method, set, name, load, model)
                               : fit_in_memory(g, method, set, name, load, model);
}

/* The bytes of this rank's model against those of rank 0. */
static void compare_ranks(grid *g, const char *title, const unsigned char *bytes, size_t size)
{
    int64_t length = (int64_t)size;
    ald_all_hear(&g->run, 0, &length, (int64_t)sizeof length);
    unsigned char *theirs = calloc((size_t)length + 1, 1);
    if (!theirs) abort();
    if (g->rank == 0 && size) memcpy(theirs, bytes, size);
    ald_all_hear(&g->run, 0, theirs, length);
    if (length != (int64_t)size || (size && memcmp(theirs, bytes, size) != 0))
        complain(g, "another model than rank 0", title, 0.0);
    free(theirs);
}

/* Coefficients of landmarks come by the inverse root of their kernel, whose eigenvalues go down to 1e-10 of
 * the first. */
static double tolerance_of(const char *array)
{
    return strcmp(array, "coefficients") == 0 ? 1e-8 : 1e-11;
}

static void compare_arrays(grid *g, const char *title, const ald_model *ours, const ald_model *single)
{
    ald_array one, two;
    for (int i = 0; ald_model_array_at(single, i, &one); i++) {
        int64_t count = 1;
        if (strcmp(one.name, "statistics/lost") == 0) continue; /* a bound, which depends on the blocks */
        for (int k = 0; k < one.dims; k++) count *= one.shape[k];
        if (!ald_model_array(ours, one.name, &two) || one.dims != two.dims ||
            memcmp(one.shape, two.shape, (size_t)one.dims * sizeof *one.shape) != 0) {
            complain(g, one.name, title, NAN);
            continue;
        }
        const double size = support_norm(count, one.data),
                     apart = support_largest_difference(count, one.data, two.data);
        if (!(apart <= tolerance_of(one.name) * (size > 1.0 ? size : 1.0)))
            complain(g, one.name, title, apart);
    }
}

static void compare_texts(grid *g, const char *title, const ald_model *ours, const ald_model *single)
{
    static const char *const texts[] = {
        "alidade.n_samples",      "alidade.n_features",    "alidade.class_names",
        "alidade.response_names", "alidade.feature_names", "alidade.target",
    };
    for (int i = 0; i < 6; i++) {
        const char *a = ald_model_text(ours, texts[i]), *b = ald_model_text(single, texts[i]);
        if ((a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0)) complain(g, texts[i], title, 0.0);
    }
}

static void check_case(grid *g, const char *method, const char *set, const char *name,
                       const ald_load_options *load)
{
    ald_model *single = NULL, *models[2] = {NULL, NULL};
    unsigned char *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    char title[300];
    snprintf(title, sizeof title, "%s %s %s %s", name, method, set, load->target ? load->target : "");
    g->cases++;
    const int times = g->cases % 3 ? 1 : 2;
    for (int i = 0; i < times; i++) {
        if (fit(g, g->together, method, set, name, load, &models[i]) < 0) complain(g, "failed", title, 0.0);
        if (models[i]) ald_model_to_bytes(g->alone, models[i], &bytes[i], &sizes[i], &g->error);
        compare_ranks(g, title, bytes[i], sizes[i]);
    }
    if (times == 2 && (sizes[0] != sizes[1] || (sizes[0] && memcmp(bytes[0], bytes[1], sizes[0]) != 0)))
        complain(g, "twice is not the same", title, 0.0);
    if (g->rank == 0) {
        if (fit_alone(g, method, set, name, load, &single) < 0) complain(g, "failed alone", title, 0.0);
        if (single && models[0]) compare_arrays(g, title, models[0], single);
        if (single && models[0]) compare_texts(g, title, models[0], single);
    }
    for (int i = 0; i < 2; i++) {
        ald_bytes_free(g->alone, bytes[i]);
        ald_model_free(models[i]);
    }
    ald_model_free(single);
}

static const char ignored[] = "class,y1,y2,l1,l2,w";

static const struct {
    const char *file, *target, *ignore, *weights, *task;
    unsigned capability;
    const char *predictor;
} files[] = {
    {"t.csv", NULL, ignored, NULL, NULL, ALD_CAN_NO_TARGET, "none"},
    {"t.csv", "class", "y1,y2,l1,l2", "w", NULL, ALD_CAN_CLASSES | ALD_CAN_WEIGHTS, "gaussian"},
    {"t.csv", "class", "y1,y2,l1,l2,w", NULL, NULL, ALD_CAN_CLASSES, "gaussian"},
    {"t.csv", "y1,y2", "class,l1,l2", "w", NULL, ALD_CAN_RESPONSES | ALD_CAN_WEIGHTS, "linear"},
    {"t.csv", "y1", "class,l1,l2,y2,w", NULL, NULL, ALD_CAN_REAL, "none"},
    {"t.csv", "l1,l2", "class,y1,y2", "w", "multilabel", ALD_CAN_LABELS | ALD_CAN_WEIGHTS, "linear"},
    {"t.svm", NULL, NULL, NULL, NULL, ALD_CAN_CLASSES | ALD_CAN_SPARSE, "gaussian"},
    {"m.svm", NULL, NULL, NULL, NULL, ALD_CAN_LABELS | ALD_CAN_SPARSE, "linear"},
    {"t.npy", "5", NULL, NULL, "classification", ALD_CAN_CLASSES, "none"},
};

static int is_kernel(const ald_method *method)
{
    return ald_method_name(method)[0] == 'k';
}

/* Settings that go over the kinds of what is learned of rows: three per method. */
static const char *settings_of(const ald_method *method, int number)
{
    static const char *const streamed[] = {"scale=standard keep_statistics=1", "row_scale=standard",
                                           "rows=msc"},
                             *const divided[] = {"scale=standard", "row_scale=standard", "rows=msc"},
                             *const kernel[] = {
                                 "scale=standard landmarks=30",
                                 "row_scale=standard kernel=polynomial landmarks=12 landmark_choice=kmeans",
                                 "rows=msc features=40",
                             };
    const char *const name = ald_method_name(method);
    if (ald_method_capabilities(method) & ALD_CAN_STREAM) return streamed[number];
    if (!is_kernel(method)) return divided[number];
    return strcmp(name, "kfda") == 0 && number == 2 ? "rows=msc landmarks=200" : kernel[number];
}

static void check_method(grid *g, const ald_method *method)
{
    const unsigned can = ald_method_capabilities(method);
    g->methods++;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int s = 0; s < 3; s++) {
            const int csv = files[f].ignore != NULL;
            const ald_load_options load = {
                .size = sizeof load,
                .target = files[f].target,
                .ignore = files[f].ignore,
                .weights = files[f].weights,
                .task = files[f].task,
                .missing = csv ? "mean" : NULL,
                .block_bytes = f % 2 ? 400 : 0,
            };
            char set[200];
            if ((can & files[f].capability) != files[f].capability) continue;
            if (s > 0 && strcmp(files[f].file, "t.npy") != 0)
                continue; /* for columns in an order, without texts */
            if (s == 0 && is_kernel(method) && f % 9 != (size_t)g->methods % 9 && !getenv("ALD_LONG"))
                continue;
            snprintf(set, sizeof set, "n_components=%d predictor=%s %s",
                     files[f].capability == ALD_CAN_REAL ? 1 : 2, files[f].predictor, settings_of(method, s));
            check_case(g, ald_method_name(method), set, files[f].file, &load);
        }
}

/* A survey by all ranks has only a portion of the rows, and one made alone has all of them. */
static void check_other_context(grid *g)
{
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t rows;
    const ald_load_options load = {.size = sizeof load};
    ald_settings *settings = support_settings(g->alone, "pca", "n_components=1");
    ald_status status =
        ald_dataset_survey(g->together, path_of(g, "t.npy"), &load, &survey, &rows, &g->error);
    if (status >= 0)
        status = ald_fit_stream(g->alone, settings, path_of(g, "t.npy"), &load, survey, &model, &g->error);
    if (rows != n || (status == ALD_ERROR_ARGUMENT) != (ald_ranks_size(g->ranks) > 1))
        complain(g, "survey and fit by two contexts", "pca", (double)rows);
    ald_model_free(model);
    ald_dataset_free(survey);
    ald_settings_free(settings);
}

static void write_files(const grid *g)
{
    char *text = malloc(most_bytes);
    if (!text) abort();
    write_csv(g, text);
    write_svm(g, text, "t.svm", 0);
    write_svm(g, text, "m.svm", 1);
    write_npy(g, text);
    free(text);
}

int main(int argc, char **argv)
{
    grid g = {.folder = argc > 1 ? argv[1] : "."};
    int speaker;
    if (ald_ranks_join(&g.ranks, &g.error) < 0) {
        printf("%s\n", g.error.message);
        return 1;
    }
    g.rank = ald_ranks_rank(g.ranks);
    g.together = support_context(1 + g.rank % 2, NULL);
    g.alone = support_context(1, NULL);
    ald_context_set_ranks(g.together, g.ranks, &g.error);
    if (g.rank == 0) write_files(&g);
    ald_ranks_settle(g.ranks, 0, &speaker);
    ald_run_begin(&g.run, g.together, &g.error);
    for (int m = 0; m < ald_method_count(); m++)
        if (ald_method_capabilities(ald_method_at(m)) & ALD_CAN_DISTRIBUTE)
            check_method(&g, ald_method_at(m));
    check_other_context(&g);
    ald_run_end(&g.run, ALD_OK);
    ald_context_free(g.together);
    ald_context_free(g.alone);
    if (g.rank == 0)
        printf("%d ranks: %d cases, %d failures\n", ald_ranks_size(g.ranks), g.cases, g.failures);
    const int failed = ald_ranks_settle(g.ranks, g.failures > 0 || g.cases < 40, &speaker);
    ald_ranks_leave(g.ranks);
    return failed;
}
