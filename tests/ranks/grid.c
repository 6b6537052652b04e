/* grid FOLDER, under mpirun: every method that says that it distributes, on every kind of target and file,
 * fitted by all ranks together and by rank 0 alone. The two are the same to 1e-11, twice by all is the same
 * in every byte, and all ranks have the same model. */
#include "together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 157, d = 5, most_bytes = 1 << 17 };

/* Coefficients of landmarks come by the inverse root of their kernel, whose eigenvalues go down to 1e-10 of
 * the first. */
static double tolerance_of(const char *title, const char *array)
{
    if (strstr(title, " ksdpp ") || strstr(title, " lad ")) return 1e-6; /* gradients are followed to 1e-8 */
    return strcmp(array, "coefficients") == 0 ? 1e-8 : 1e-11;
}

static void compare(grid *g, const char *title, const ald_array *ours, const ald_array *single, int64_t count)
{
    const double size = support_norm(count, single->data),
                 apart = support_largest_difference(count, single->data, ours->data);
    if (!(apart <= tolerance_of(title, single->name) * (size > 1.0 ? size : 1.0)))
        grid_complain(g, single->name, title, apart);
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
    grid_write(g, "t.csv", text, used);
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
    grid_write(g, name, text, used);
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
    grid_write(g, "t.npy", text, 128 + 8 * (size_t)(n * d));
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

/* Settings without which the method has no statistics of such a target. */
static const char *needs(const char *method, unsigned capability)
{
    if (strcmp(method, "phd") == 0) return " variant=response";
    if (strcmp(method, "ksdpp") == 0) return " ridge_rel=0.05"; /* no valleys */
    if (strcmp(method, "lad") == 0) return " n_slices=2";       /* of enough rows for a likelihood */
    return strcmp(method, "spca") == 0 && capability & (ALD_CAN_REAL | ALD_CAN_RESPONSES)
               ? " response_kernel=linear"
               : "";
}

static int is_kernel(const ald_method *method)
{
    return ald_method_name(method)[0] == 'k';
}

/* Settings that go over the kinds of what is learned of rows: three per method. */
static const char *settings_of(const ald_method *method, int number)
{
    static const char *const streamed[] = {
        "scale=standard keep_statistics=1",
        "row_scale=standard",
        "rows=msc",
    };
    static const char *const divided[] = {"scale=standard", "row_scale=standard", "rows=msc"};
    static const char *const kernel[] = {
        "scale=standard landmarks=30",
        "row_scale=standard kernel=polynomial landmarks=12 landmark_choice=kmeans",
        "rows=msc features=40",
    };
    if (ald_method_capabilities(method) & ALD_CAN_STREAM) return streamed[number];
    if (!is_kernel(method)) return divided[number];
    const int without_features = strcmp(ald_method_name(method), "kfda") == 0;
    return without_features && number == 2 ? "rows=msc landmarks=200" : kernel[number];
}

/* Kernel methods are alike: of each the first settings on one of the files only, unless there is time.
 * Classes of t.svm have columns of 0, so that lad has no likelihood there. */
static int is_left_out(const ald_method *method, int methods, size_t file, int number)
{
    if (strcmp(ald_method_name(method), "lad") == 0 && strcmp(files[file].file, "t.svm") == 0) return 1;
    return number == 0 && is_kernel(method) && file != (size_t)methods % 9 && !getenv("ALD_LONG");
}

static void check_method(grid *g, const ald_method *method, int methods)
{
    const unsigned can = support_streamed_capabilities(method);
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
                .keep_rows = s > 0 || f % 3 ? "auto" : "none",
            };
            char set[200];
            if ((can & files[f].capability) != files[f].capability) continue;
            if (s > 0 && strcmp(files[f].file, "t.npy") != 0)
                continue; /* for columns in an order, without texts */
            if (is_left_out(method, methods, f, s)) continue;
            snprintf(set, sizeof set, "n_components=%d predictor=%s %s%s",
                     files[f].capability == ALD_CAN_REAL ? 1 : 2, files[f].predictor, settings_of(method, s),
                     needs(ald_method_name(method), files[f].capability));
            grid_check(g, ald_method_name(method), set, files[f].file, &load);
        }
}

/* A method that says that it distributes is in the grid, whatever it takes. */
static void check_distributed(grid *g, const ald_method *method, int number)
{
    const int before = g->asked;
    check_method(g, method, number);
    if (g->asked == before) grid_complain(g, "is in no case of the grid", ald_method_name(method), 0.0);
}

/* One that does not say so refuses several ranks, and says that it does. */
static void check_refused(grid *g, const ald_method *method)
{
    const char *name = ald_method_name(method);
    const ald_load_options load = {.size = sizeof load, .target = "class", .ignore = "y"};
    ald_model *model = NULL;
    if (ald_ranks_size(g->ranks) == 1) return;
    const ald_status status = grid_fit(g, g->together, name, "", "few.csv", &load, &model);
    if (status != ALD_ERROR_UNSUPPORTED || model || !strstr(g->error.message, name) ||
        !strstr(g->error.message, "among ranks"))
        grid_complain(g, "is not refused", name, (double)status);
    ald_model_free(model);
}

/* With seven ranks there is one without rows. */
static void write_few(const grid *g)
{
    static const char text[] = "a,b,class,y\n0.5,2.25,u,1\n1.75,0.5,v,3\n0.25,1.5,u,0.5\n2.5,1,v,4.5\n"
                               "1,2.75,u,2.5\n3.25,0.25,v,4\n";
    grid_write(g, "few.csv", text, sizeof text - 1);
}

static void check_few(grid *g)
{
    static const char *const methods[] = {"plssb", "spca", "save", "cfml", "lda"};
    ald_load_options load = {.size = sizeof load, .target = "class", .ignore = "y", .block_bytes = 30};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        grid_check(g, methods[m], "n_components=1 keep_statistics=1 scale=standard", "few.csv", &load);
    load.target = "y";
    load.ignore = "class";
    grid_check(g, "phd", "n_components=1", "few.csv", &load);
    grid_check(g, "phd", "n_components=1 variant=response keep_statistics=1", "few.csv", &load);
}

/* Residuals, which take a second pass. */
static void check_passes(grid *g)
{
    static const char *const sets[] = {"predictor=linear", "scale=standard ridge_rel=0.1", "n_components=3"};
    const ald_load_options load = {
        .size = sizeof load,
        .target = "y1",
        .ignore = "class,l1,l2,y2,w",
        .missing = "mean",
        .block_bytes = 400,
    };
    for (int s = 0; s < 3; s++) grid_check(g, "phd", sets[s], "t.csv", &load);
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
        ald_dataset_survey(g->together, grid_path(g, "t.npy"), &load, &survey, &rows, &g->error);
    if (status >= 0)
        status = ald_fit_stream(g->alone, settings, grid_path(g, "t.npy"), &load, survey, &model, &g->error);
    if (rows != n || (status == ALD_ERROR_ARGUMENT) != (ald_ranks_size(g->ranks) > 1))
        grid_complain(g, "survey and fit by two contexts", "pca", (double)rows);
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
    write_few(g);
}

int main(int argc, char **argv)
{
    grid g;
    grid_begin(&g, argc > 1 ? argv[1] : ".", compare);
    if (g.rank == 0) write_files(&g);
    grid_meet(&g);
    for (int m = 0; m < ald_method_count(); m++)
        if (ald_method_capabilities(ald_method_at(m)) & ALD_CAN_DISTRIBUTE)
            check_distributed(&g, ald_method_at(m), m);
        else
            check_refused(&g, ald_method_at(m));
    check_passes(&g);
    check_few(&g);
    check_other_context(&g);
    return grid_end(&g, 40);
}
