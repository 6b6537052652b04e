/* Streaming: a file read in small blocks gives the model of a file read whole, whatever the order of its
 * rows; errors name the line of the file. */
#include "streaming_fixture.h"

#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows sorted by class, a text column whose last level comes late, quoted line ends. */
static void write_csv(const char *name)
{
    char *text = malloc(1 << 16);
    size_t used = (size_t)sprintf(text, "a,b,\"the\ncolour\",c,d,kind,y\n");
    double *x = support_normals(1, n * d);
    for (int i = 0; i < n; i++) {
        const int k = i * 3 / n;
        const char *colour = i % 2 ? "red" : "blue";
        used += (size_t)sprintf(text + used, "%.17g,%.17g,%s,%.17g,%.17g,k%d,%.17g\n", x[i * d] + k,
                                x[i * d + 1] - k, i > n - 4 ? "\"late\nlevel\"" : colour, x[i * d + 2] + 1e3,
                                10.0 * x[i * d + 3], k, x[i * d] + x[i * d + 4]);
    }
    write_bytes(name, text, used);
    free(text);
    free(x);
}

static void write_svmlight(const char *name, int many)
{
    char *text = malloc(1 << 16);
    size_t used = 0;
    double *x = support_normals(2, n * d);
    for (int i = 0; i < n; i++) {
        used += (size_t)(many ? sprintf(text + used, "%d,%d", i * 3 / n, 3 + i % 4)
                              : sprintf(text + used, "%d", i * 3 / n));
        for (int j = 0; j < d; j++)
            if (j < 3 || i > n - 30)
                used += (size_t)sprintf(text + used, " %d:%.17g", j + 1, x[i * d + j] + (j == i * 3 / n));
        used += (size_t)sprintf(text + used, "\n");
    }
    write_bytes(name, text, used);
    free(text);
    free(x);
}

/* n x d values of a type of numpy; the file ends `missing` bytes too early. */
static void write_npy_of(const char *name, const char *type, const char *order, const void *x, size_t size,
                         size_t missing)
{
    char header[128];
    unsigned char *bytes = malloc(10 + sizeof header + n * d * size);
    const int used =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n", type,
                 order, n, d);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)used;
    bytes[9] = 0;
    memcpy(bytes + 10, header, (size_t)used);
    memcpy(bytes + 10 + used, x, n * d * size);
    write_bytes(name, bytes, 10 + (size_t)used + n * d * size - missing);
    free(bytes);
}

static void write_npy(const char *name, int fortran)
{
    double *x = support_normals(3, n * d);
    write_npy_of(name, "<f8", fortran ? "True" : "False", x, sizeof *x, 0);
    free(x);
}

static void compare(const char *name, const char *method, const char *set, ald_load_options load)
{
    static const int64_t blocks[] = {300, 1500, 0};
    compare_in(blocks, name, method, set, load);
}

static void blocks_equal_the_whole(void **state)
{
    (void)state;
    write_csv("t.csv");
    write_svmlight("t.svm", 0);
    write_svmlight("many.svm", 1);
    write_npy("t.npy", 0);
    compare("t.csv", "lda", "n_components=2 predictor=centroid",
            (ald_load_options){.target = "kind", .ignore = "y"});
    compare("t.csv", "pls", "n_components=2 predictor=gaussian scale=standard",
            (ald_load_options){.target = "kind", .ignore = "y"});
    compare("t.csv", "pls", "n_components=2 predictor=linear scale=standard",
            (ald_load_options){.target = "y"});
    compare("t.csv", "pls", "n_components=2 predictor=ridge predictor_ridge=0.3",
            (ald_load_options){.target = "y"});
    compare("t.csv", "cca", "n_components=2 predictor=linear keep_statistics=1 ridge=1",
            (ald_load_options){.target = "kind", .encode = "ordinal"});
    compare("t.svm", "lda", "n_components=2 ridge=1 solver=direct", (ald_load_options){0});
    compare("t.svm", "sir", "n_components=1 row_scale=unit ridge=0.1 solver=direct", (ald_load_options){0});
    compare("many.svm", "hsl", "n_components=2 ridge=1 solver=direct predictor=linear",
            (ald_load_options){0});
    compare("many.svm", "opls", "n_components=2 ridge=1 solver=direct predictor=one-vs-rest",
            (ald_load_options){0});
    compare("t.npy", "pca", "n_components=2 solver=direct", (ald_load_options){0});
    compare("t.npy", "opls", "n_components=2 solver=direct", (ald_load_options){.target = "#4..#5"});
}

/* Holes in numbers and categories, in the first rows and through whole blocks; weights that are 0 for whole
 * blocks; categories that are numbers. */
static void write_holes(const char *name)
{
    char *text = malloc(1 << 16);
    size_t used = (size_t)sprintf(text, "a,b,colour,code,w,kind,y\n");
    double *x = support_normals(4, n * d);
    for (int i = 0; i < n; i++) {
        const int k = i * 3 / n, hole = i < 3 || (i > 40 && i < 60) || i % 11 == 0;
        if (hole && i % 2)
            used += (size_t)sprintf(text + used, ",%.17g,", x[i * d + 1] - k);
        else
            used += (size_t)sprintf(text + used, "%.17g,%.17g,", x[i * d] + k, x[i * d + 1]);
        const char *colour = i % 3 ? "red" : "blue";
        used += (size_t)sprintf(text + used, "%s,%d,%.17g,k%d,%.17g\n", hole && !(i % 2) ? "" : colour,
                                i < 90 ? i % 2 : 2 + i % 3, i > 70 && i < 95 ? 0.0 : fabs(x[i * d + 3]), k,
                                x[i * d + 1] + 0.3 * x[i * d + 4]);
    }
    write_bytes(name, text, used);
    free(text);
    free(x);
}

static void holes_and_weights(void **state)
{
    (void)state;
    write_holes("h.csv");
    write_csv("t.csv");
    ald_load_options load = {.target = "kind", .ignore = "y,w", .missing = "mean"};
    compare("h.csv", "lda", "n_components=2", load);
    load.categorical = "code";
    compare("h.csv", "lda", "n_components=2 ridge=1 scale=standard", load);
    load.encode = "ordinal";
    load.missing = "drop";
    compare("h.csv", "opls", "n_components=2 ridge=1 keep_statistics=1", load);
    load = (ald_load_options){.target = "kind", .ignore = "y", .missing = "mean", .weights = "w"};
    compare("h.csv", "lda", "n_components=2 predictor=centroid keep_statistics=1", load);
    compare("h.csv", "cca", "n_components=2 scale=standard predictor=linear", load);
    compare("h.csv", "pls", "n_components=2 scale=standard predictor=gaussian", load);
    compare("h.csv", "pls", "n_components=2 scale=standard predictor=ridge", load);
    compare("h.csv", "pca", "n_components=2 solver=direct", load);
    compare("h.csv", "sir", "n_components=1 row_scale=unit", load);
    load = (ald_load_options){.target = "y", .ignore = "kind", .missing = "mean", .weights = "w"};
    compare("h.csv", "pls", "n_components=2 predictor=linear scale=standard keep_statistics=1", load);
    compare("h.csv", "sir", "n_components=2 n_slices=5 keep_statistics=1", load);
}

static void slices_and_class_scatters(void **state)
{
    (void)state;
    write_csv("t.csv");
    write_svmlight("t.svm", 0);
    compare("t.csv", "sir", "n_components=2 n_slices=6 scale=standard", (ald_load_options){.target = "y"});
    compare("t.csv", "sir", "n_components=3 ridge=1 keep_statistics=1",
            (ald_load_options){.target = "y", .ignore = "kind"});
    compare("t.csv", "cfml", "n_components=2 scale=standard keep_statistics=1 predictor=centroid",
            (ald_load_options){.target = "kind", .ignore = "y"});
    compare("t.csv", "cfml", "n_components=2 version=1", (ald_load_options){.target = "kind", .ignore = "y"});
    compare("t.svm", "cfml", "n_components=2 solver=direct", (ald_load_options){0});
    compare("t.csv", "save", "n_components=2 scale=standard keep_statistics=1 predictor=gaussian",
            (ald_load_options){.target = "kind", .ignore = "y"});
    compare("t.csv", "save", "n_components=3 n_slices=4 ridge_rel=0.1",
            (ald_load_options){.target = "y", .ignore = "kind"});
    compare("t.csv", "lad", "n_components=2 scale=standard keep_statistics=1 predictor=gaussian",
            (ald_load_options){.target = "kind", .ignore = "y,the\ncolour"});
    compare("t.csv", "lad", "n_components=1 n_slices=2",
            (ald_load_options){.target = "y", .ignore = "kind,the\ncolour"});
}

/* The singular vectors of X'Y, and kernels on the targets that are sums over the rows. */
static void products_with_the_target(void **state)
{
    (void)state;
    const ald_load_options classes = {.target = "kind", .ignore = "y", .weights = "w", .missing = "mean"},
                           numbers = {.target = "y", .ignore = "kind", .weights = "w", .missing = "mean"};
    write_holes("h.csv");
    write_svmlight("many.svm", 1);
    compare("h.csv", "plssb", "n_components=2 scale=standard predictor=gaussian keep_statistics=1", classes);
    compare("h.csv", "plssb", "predictor=linear", numbers);
    compare("many.svm", "plssb", "n_components=2 predictor=one-vs-rest", (ald_load_options){0});
    compare("h.csv", "spca", "n_components=3 scale=standard predictor=linear", classes);
    compare("h.csv", "spca", "n_components=2 response_kernel=delta keep_statistics=1", classes);
    compare("h.csv", "spca", "n_components=1 response_kernel=linear predictor=linear", numbers);
    compare("h.csv", "spca", "n_components=2 response_kernel=identity solver=direct", numbers);
    compare("many.svm", "spca", "n_components=2 row_scale=unit predictor=linear", (ald_load_options){0});
}

/* Residuals take a second pass over the file. */
static void curvature(void **state)
{
    (void)state;
    const ald_load_options load = {.target = "y", .ignore = "kind"};
    write_csv("t.csv");
    compare("t.csv", "phd", "n_components=2 scale=standard predictor=linear", load);
    compare("t.csv", "phd", "n_components=3 ridge_rel=0.1", load);
    compare("t.csv", "phd", "n_components=2 variant=response keep_statistics=1", load);
    compare("t.csv", "phd", "n_components=1 variant=response scale=standard ridge=1", load);
}

/* The rows of several files, by a pattern, are those of one. */
static void files_by_a_pattern(void **state)
{
    (void)state;
    const ald_load_options load = {.size = sizeof load, .block_bytes = 400};
    ald_context *context = support_context(2, NULL);
    char *text = malloc(1 << 16);
    double *x = support_normals(9, n * d);
    ald_model *one, *many;
    ald_error error;
    int64_t r;
    for (int file = 0; file < 4; file++) { /* all rows, then three parts of them */
        size_t used = 0;
        char name[16];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < d && (file == 0 || i % 3 == file - 1); j++)
                used += (size_t)sprintf(text + used, "%.17g%c", x[i * d + j], j == d - 1 ? '\n' : ',');
        snprintf(name, sizeof name, file ? "part-%d.csv" : "all.csv", file);
        write_bytes(name, text, used);
    }
    assert_done(stream(context, "all.csv", "pca", "n_components=2", &load, &one, &error), error);
    assert_done(stream(context, "part-*.csv", "pca", "n_components=2", &load, &many, &error), error);
    const double *a = support_reals(one, "components", &r), *b = support_reals(many, "components", NULL);
    assert_below(support_largest_difference(r * d, a, b), 1e-9);
    ald_model_free(one);
    ald_model_free(many);
    ald_context_free(context);
    free(text);
    free(x);
}

/* The same file, blocks and threads give the same bytes, whichever worker was faster. */
static void check_race(const char *name, ald_load_options load, const char *method)
{
    ald_context *context = support_context(3, NULL);
    ald_model *first, *again;
    ald_error error;
    ald_array one, two;
    load.size = sizeof load;
    load.block_bytes = 400;
    assert_done(stream(context, name, method, "n_components=2", &load, &first, &error), error);
    for (int time = 0; time < 10; time++) {
        assert_done(stream(context, name, method, "n_components=2", &load, &again, &error), error);
        for (int i = 0; ald_model_array_at(first, i, &one); i++) {
            int64_t count = 1;
            for (int k = 0; k < one.dims; k++) count *= one.shape[k];
            assert_true(ald_model_array(again, one.name, &two));
            assert_memory_equal(one.data, two.data, (size_t)count * sizeof(double));
        }
        ald_model_free(again);
    }
    ald_model_free(first);
    ald_context_free(context);
}

static void threads_do_not_race(void **state)
{
    (void)state;
    write_csv("t.csv");
    write_npy("t.npy", 0);
    check_race("t.csv", (ald_load_options){.target = "kind", .ignore = "y"}, "lda");
    check_race("t.npy", (ald_load_options){.target = "#4..#5"}, "opls");
}

static int cancel(void *user, const char *stage, double done)
{
    int *left = user;
    (void)stage;
    (void)done;
    return --*left < 0;
}

/* Cancelled at every moment at which the caller is asked: all workers stop, nothing is left. */
static void cancelling_stops_all_workers(void **state)
{
    (void)state;
    write_csv("t.csv");
    const ald_load_options load = {.size = sizeof load, .target = "kind", .ignore = "y", .block_bytes = 400};
    int calls = 0, done = 0;
    for (; !done && calls < 1000; calls++) {
        int left = calls;
        const ald_options options = {
            .size = sizeof options,
            .threads = 3,
            .progress = cancel,
            .progress_user = &left,
        };
        ald_context *context;
        ald_model *model;
        ald_error error;
        assert_done(ald_context_new(&options, &context, &error), error);
        const ald_status status = stream(context, "t.csv", "lda", "n_components=2", &load, &model, &error);
        done = status >= 0;
        if (!done) assert_int_equal(status, ALD_ERROR_CANCELLED);
        ald_model_free(model);
        ald_context_free(context);
    }
    assert_true(done && calls > 5);
}

static void expect_error(const char *name, const char *method, ald_load_options load, int64_t line,
                         const char *text)
{
    ald_context *context = support_context(3, NULL);
    ald_model *model;
    ald_error error;
    load.size = sizeof load;
    load.block_bytes = 300;
    assert_true(stream(context, name, method, "n_components=1", &load, &model, &error) < 0);
    assert_null(model);
    if (!strstr(error.message, text)) fail_msg("expected '%s', got '%s'", text, error.message);
    if (line) assert_int_equal(error.line, line);
    ald_context_free(context);
}

static void errors_name_the_line_of_the_file(void **state)
{
    (void)state;
    char text[4096] = "a,b,y\n";
    size_t used = strlen(text);
    for (int i = 0; i < 100; i++) used += (size_t)sprintf(text + used, "%d,%d,%d\n", i, i * i % 7, i % 3);
    memcpy(text + used, "1,2\n", 5);
    write_bytes("ragged.csv", text, used + 4);
    expect_error("ragged.csv", "lda", (ald_load_options){.target = "y", .task = "classification"}, 102,
                 "ragged.csv: line 102: ");
    write_npy("f.npy", 1);
    expect_error("f.npy", "pca", (ald_load_options){0}, 0, "Fortran order");
    write_csv("t.csv");
    expect_error("t.csv", "bair", (ald_load_options){.target = "y"}, 0,
                 "bair cannot be fitted from statistics");
    expect_error("t.csv", "spca", (ald_load_options){.target = "y"}, 0, "use `response_kernel=linear`");
    write_svmlight("t.svm", 0);
    expect_error("t.svm", "phd", (ald_load_options){0}, 0, "phd cannot take sparse X: make it dense");
    write_bytes("x.arff", "@relation r\n@attribute a numeric\n@data\n1\n", 40);
    expect_error("x.arff", "pca", (ald_load_options){0}, 0, "arff files cannot be streamed");
    expect_error("absent.csv", "pca", (ald_load_options){0}, 0, "absent.csv");
    write_wide_svmlight("wide.svm", 0);
    expect_error("wide.svm", "cfml", (ald_load_options){0}, 0, "the limit is 5000");
    expect_error("t.csv", "cfml", (ald_load_options){.target = "kind", .weights = "y"}, 0,
                 "cfml does not support weights");
    expect_error("t.csv", "lda", (ald_load_options){.target = "kind", .weights = "y"}, 0, "('y') is -");
    write_bytes("cut.npy", "\x93NUMPY\x01\x00\x10", 9);
    expect_error("cut.npy", "pca", (ald_load_options){0}, 0, "NPY");
}

/* Numbers of fewer bytes than a double, in both orders of bytes. */
static void other_types_of_npy_files(void **state)
{
    (void)state;
    double *x = support_normals(3, n * d);
    float single[n * d], turned[n * d];
    int16_t whole[n * d];
    for (int i = 0; i < n * d; i++) {
        single[i] = (float)x[i];
        whole[i] = (int16_t)(100.0 * x[i]);
        for (int k = 0; k < 4; k++) ((char *)&turned[i])[k] = ((const char *)&single[i])[3 - k];
    }
    write_npy_of("t.npy", "<f4", "False", single, sizeof *single, 0);
    compare("t.npy", "pca", "n_components=2 solver=direct", (ald_load_options){0});
    write_npy_of("t.npy", ">f4", "False", turned, sizeof *turned, 0);
    compare("t.npy", "opls", "n_components=2 solver=direct", (ald_load_options){.target = "#4..#5"});
    write_npy_of("t.npy", "<i2", "False", whole, sizeof *whole, 0);
    compare("t.npy", "pca", "n_components=2 solver=direct", (ald_load_options){0});
    free(x);
}

/* Rows of an npy file that no worker could read before: the first one that is wrong is told, and how much is
 * missing at the end. */
static void errors_of_npy_files(void **state)
{
    (void)state;
    double *x = support_normals(3, n * d);
    write_npy_of("cut.npy", "<f8", "False", x, sizeof *x, 1000);
    for (int time = 0; time < 5; time++)
        expect_error("cut.npy", "pca", (ald_load_options){0}, 0, "bytes too early");
    for (int i = 20; i < n; i += 9) x[i * d + i % d] = INFINITY;
    write_npy_of("cut.npy", "<f8", "False", x, sizeof *x, 0);
    for (int time = 0; time < 5; time++)
        expect_error("cut.npy", "pca", (ald_load_options){0}, 0, "row 21, column 1");
    free(x);
}

/* Another file of the same size takes the place between the two readings. */
static void a_file_that_was_replaced_is_noticed(void **state)
{
    (void)state;
    const ald_load_options load = {.size = sizeof load, .target = "y", .keep_rows = "none"};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "pls", "");
    ald_dataset *survey;
    ald_model *model;
    ald_error error;
    int64_t rows;
    char other[128];
    write_csv("t.csv");
    assert_done(ald_dataset_survey(context, path_of("t.csv"), &load, &survey, &rows, &error), error);
    assert_done(ald_fit_stream(context, settings, path_of("t.csv"), &load, survey, &model, &error), error);
    ald_model_free(model);
    write_csv("h.csv");
    snprintf(other, sizeof other, "%s", path_of("h.csv"));
    assert_int_equal(rename(other, path_of("t.csv")), 0);
    assert_int_equal(ald_fit_stream(context, settings, path_of("t.csv"), &load, survey, &model, &error),
                     ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "has changed since it was first read"));
    ald_settings_free(settings);
    ald_dataset_free(survey);
    ald_context_free(context);
}

int main(void)
{
    static const char *const names[] = {
        "t.csv",  "t.svm",   "many.svm", "t.npy",    "ragged.csv",    "f.npy",
        "x.arff", "cut.npy", "h.csv",    "wide.svm", "wide-many.svm", "wide.npy",
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_equal_the_whole),
        cmocka_unit_test(holes_and_weights),
        cmocka_unit_test(slices_and_class_scatters),
        cmocka_unit_test(products_with_the_target),
        cmocka_unit_test(curvature),
        cmocka_unit_test(files_by_a_pattern),
        cmocka_unit_test(threads_do_not_race),
        cmocka_unit_test(cancelling_stops_all_workers),
        cmocka_unit_test(a_file_that_was_replaced_is_noticed),
        cmocka_unit_test(errors_name_the_line_of_the_file),
        cmocka_unit_test(errors_of_npy_files),
        cmocka_unit_test(other_types_of_npy_files),
    };
    strcpy(folder, "/tmp/ald-stream-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
    rmdir(folder);
    return failed;
}
