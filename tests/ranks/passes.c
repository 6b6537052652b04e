/* passes FOLDER [METHOD], under mpirun: the methods that share products with X, as they are fitted where
 * there are too many columns for a square of them: by passes over the file, each rank over its rows. Files
 * are small, and the number of columns from which on that is done is lowered. Whoever sums over the rows of
 * his own rank only gets another model than one process: subspaces agree to 1e-8, eigenvalues to 1e-11. There
 * are ranks without rows, ranks whose rows weigh nothing, and ranks that do not have all classes. */
#include "base/settings/method.h"
#include "together.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 60, few = 5, d = 32, wide = 80, most_bytes = 1 << 19, most_square = 8 };

/* Directions by what they span, eigenvalues by the first, the rest by its size. */
static void compare(grid *g, const char *title, const ald_array *ours, const ald_array *single, int64_t count)
{
    const double *a = single->data, *b = ours->data;
    const double size = support_norm(count, a), apart = support_largest_difference(count, a, b);
    if (strcmp(single->name, "components") == 0) {
        const double sine = support_sine(single->shape[0], single->shape[1], a, b);
        if (!(sine <= 1e-8)) grid_complain(g, "another subspace", title, sine);
    } else if (strcmp(single->name, "eigenvalues") == 0) {
        if (!(apart <= 1e-11 * fabs(a[0]))) grid_complain(g, "other eigenvalues", title, apart / a[0]);
    } else if (!(apart <= 1e-8 * (size > 1.0 ? size : 1.0))) {
        grid_complain(g, single->name, title, apart);
    }
}

/* Rows that follow their class, in the order of the classes; those of the first ranks weigh nothing. */
static void write_csv(const grid *g, char *text)
{
    ald_random random;
    size_t used = 0;
    ald_random_seed(&random, 11, 0);
    for (int j = 0; j < d; j++) used += (size_t)sprintf(text + used, "c%d,", j);
    used += (size_t)sprintf(text + used, "class,y1,y2,l1,l2,l3,w\n");
    for (int i = 0; i < n; i++) {
        double x[d];
        for (int j = 0; j < d; j++) {
            x[j] = ald_random_normal(&random) * (1.0 + 6.0 / (1.0 + j)) + 2.0 * (j % 3 == 3 * i / n) + j % 4;
            used += (size_t)sprintf(text + used, "%.9g,", x[j]);
        }
        used += (size_t)sprintf(text + used, "%c,%.9g,%.9g,%d,%d,%d,%g\n", "abc"[3 * i / n],
                                x[0] + ald_random_normal(&random), x[1] - x[2], x[0] > 1.0, x[1] > x[3],
                                i % 5 < 2, i < 10 ? 0.0 : 0.5 + i % 3);
    }
    grid_write(g, "t.csv", text, used);
}

/* More columns than rows, most cells empty. */
static void write_svm(const grid *g, char *text, const char *name, int rows, int labels)
{
    ald_random random;
    size_t used = 0;
    ald_random_seed(&random, 12, 0);
    for (int i = 0; i < rows; i++) {
        used += (size_t)(labels ? sprintf(text + used, "%d,%d", i % 3, 3 + i % 4 / 2)
                                : sprintf(text + used, "%d", i % 3));
        for (int j = 0; j < wide; j++)
            if ((i + 3 * j) % 7 == 0 || (j % 3 == i % 3 && j < 12))
                used +=
                    (size_t)sprintf(text + used, " %d:%.9g", j + 1,
                                    ald_random_normal(&random) * (1.0 + 3.0 / (1.0 + j)) + 1.0 + (j < 12));
        used += (size_t)sprintf(text + used, "\n");
    }
    grid_write(g, name, text, used);
}

static void write_files(const grid *g)
{
    char *text = malloc(most_bytes);
    if (!text) abort();
    write_csv(g, text);
    write_svm(g, text, "t.svm", n, 0);
    write_svm(g, text, "m.svm", n, 1);
    write_svm(g, text, "few.svm", few, 0);
    free(text);
}

static const struct {
    const char *file, *target, *ignore, *weights, *task;
    unsigned capability;
    const char *set;
} files[] = {
    {"t.csv", NULL, "class,y1,y2,l1,l2,l3,w", NULL, NULL, ALD_CAN_NO_TARGET, "scale=standard"},
    {"t.csv", NULL, "class,y1,y2,l1,l2,l3", "w", NULL, ALD_CAN_NO_TARGET | ALD_CAN_WEIGHTS, "rows=msc"},
    {"t.csv", "class", "y1,y2,l1,l2,l3", "w", NULL, ALD_CAN_CLASSES | ALD_CAN_WEIGHTS, "predictor=gaussian"},
    {"t.csv", "class", "y1,y2,l1,l2,l3,w", NULL, NULL, ALD_CAN_CLASSES, "scale=standard predictor=centroid"},
    {"t.csv", "y1,y2", "class,l1,l2,l3", "w", NULL, ALD_CAN_RESPONSES | ALD_CAN_WEIGHTS, "predictor=linear"},
    {"t.csv", "y1,y2", "class,l1,l2,l3,w", NULL, NULL, ALD_CAN_RESPONSES, "row_scale=standard"},
    {"t.csv", "y1", "class,y2,l1,l2,l3", "w", NULL, ALD_CAN_REAL | ALD_CAN_WEIGHTS, "scale=standard"},
    {"t.csv", "y1", "class,y2,l1,l2,l3,w", NULL, NULL, ALD_CAN_REAL, "row_scale=standard"},
    {"t.csv", "l1,l2,l3", "class,y1,y2", "w", "multilabel", ALD_CAN_LABELS | ALD_CAN_WEIGHTS,
     "scale=standard"},
    {"t.svm", NULL, NULL, NULL, NULL, ALD_CAN_CLASSES | ALD_CAN_SPARSE, "predictor=gaussian"},
    {"m.svm", NULL, NULL, NULL, NULL, ALD_CAN_LABELS | ALD_CAN_SPARSE, "scale=standard predictor=linear"},
    {"few.svm", NULL, NULL, NULL, "classification", ALD_CAN_CLASSES | ALD_CAN_SPARSE, ""},
};

static ald_load_options load_of(size_t f)
{
    return (ald_load_options){
        .size = sizeof(ald_load_options),
        .target = files[f].target,
        .ignore = files[f].ignore,
        .weights = files[f].weights,
        .task = files[f].task,
        .block_bytes = f % 2 ? 1000 : 0,
    };
}

/* Of one method only, beside its defaults. */
static const struct {
    const char *method, *set;
} more[] = {
    {"pls", "algorithm=nipals"},
    {"hsl", "expansion=star"},
    {"sir", "n_slices=4"},
    {"lda", "components_rule=at-most n_components=7"},
};

/* Sparse files have fewer rows than columns: least squares needs a ridge to have one solution. */
static void check_file(grid *g, const ald_method *method, size_t f, const char *own)
{
    const int ridge = !files[f].ignore && ald_method_param_with(method, ALD_PARAM_IS_RIDGE_REL) != NULL;
    const int numbers = files[f].capability & (ALD_CAN_REAL | ALD_CAN_RESPONSES) &&
                        ald_method_find("spca") == method; /* whose usual kernel on numbers is not shared */
    const int one = files[f].capability & ALD_CAN_REAL || strcmp(files[f].file, "few.svm") == 0;
    const ald_load_options load = load_of(f);
    char set[300];
    snprintf(set, sizeof set, "tol=1e-13 n_components=%d %s %s %s%s", one ? 1 : 2,
             ridge ? "ridge_rel=0.01" : "", files[f].set, own, numbers ? " response_kernel=linear" : "");
    grid_check(g, ald_method_name(method), set, files[f].file, &load);
}

static void check_method(grid *g, const ald_method *method)
{
    const unsigned can = support_streamed_capabilities(method);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if ((can & files[f].capability) != files[f].capability) continue;
        check_file(g, method, f, "");
        for (size_t m = 0; m < sizeof more / sizeof *more; m++)
            if (f % 2 == 0 && strcmp(more[m].method, ald_method_name(method)) == 0)
                check_file(g, method, f, more[m].set);
    }
}

/* Fails on all ranks alike, with one message, and nobody waits. */
static void check_refused(grid *g, const char *method, const char *set, size_t f, const char *part)
{
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t rows;
    const ald_load_options load = load_of(f);
    const char *path = grid_path(g, files[f].file);
    ald_settings *settings = support_settings(g->together, method, set);
    ald_status status = ald_dataset_survey(g->together, path, &load, &survey, &rows, &g->error);
    if (status >= 0) status = ald_fit_stream(g->together, settings, path, &load, survey, &model, &g->error);
    if (status >= 0 || !strstr(g->error.message, part)) grid_complain(g, "not refused", method, status);
    ald_model_free(model);
    ald_dataset_free(survey);
    ald_settings_free(settings);
}

static void check_refusals(grid *g)
{
    check_refused(g, "pca", "n_components=33", 0, "the smaller of rows - 1 and columns");
    check_refused(g, "lda", "n_components=3", 2, "lda has 2 components here");
    check_refused(g, "pls", "n_components=33", 4, "the smaller of rows - 1 and columns");
    check_refused(g, "opls", "n_components=1 solver=direct", 4, "use an iterative solver");
    check_refused(g, "pca", "n_components=1 solver=dual", 0, "use an iterative solver");
}

/* A method that shares its rows by statistics only has none here. */
static void check_others(grid *g)
{
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_method *method = ald_method_at(m);
        const unsigned both = ALD_CAN_DISTRIBUTE | ALD_CAN_STREAM;
        const int by_statistics = (ald_method_capabilities(method) & both) == both &&
                                  !method->shares_products && !method->class_scatters && !method->curvature;
        if (by_statistics && ald_method_capabilities(method) & ALD_CAN_CLASSES &&
            ald_ranks_size(g->ranks) > 1)
            check_refused(g, ald_method_name(method), "n_components=1", 3,
                          "divides its rows among ranks up to");
    }
}

int main(int argc, char **argv)
{
    grid g;
    grid_begin(&g, argc > 1 ? argv[1] : ".", compare);
    g.together->most_square = g.alone->most_square = most_square;
    if (g.rank == 0) write_files(&g);
    grid_meet(&g);
    for (int m = 0; m < ald_method_count(); m++)
        if (ald_method_at(m)->shares_products &&
            (argc < 3 || strcmp(argv[2], ald_method_name(ald_method_at(m))) == 0))
            check_method(&g, ald_method_at(m));
    check_refusals(&g);
    check_others(&g);
    return grid_end(&g, argc < 3 ? 40 : 1);
}
