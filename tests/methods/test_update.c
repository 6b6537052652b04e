/* Adding and taking away rows by the statistics of a model: the same as fitting the rows that are left, for
 * every method that says it can, every kind of target, scaling and predictor, dense and sparse. */
#include "support/storages.h"
#include "support/support.h"
#include "support/updating.h"

#include "data/encode/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_case(const char *method, const sample *s, ald_target_kind kind, const char *set,
                       int storage)
{
    support_matrix all = support_storage(storage, s->x, n, d),
                   some = support_storage(storage, s->x, first, d),
                   rest = support_storage(storage, s->x + first * d, n - first, d);
    const ald_target y_all = updating_target(s, kind, 0, n), y_some = updating_target(s, kind, 0, first),
                     y_rest = updating_target(s, kind, first, n - first);
    ald_model *whole = updating_fit(method, set, &all.view, &y_all),
              *part = updating_fit(method, set, &some.view, &y_some), *added, *back;
    ald_error error;
    assert_done(updating_update(part, &rest.view, &y_rest, 0, &added, &error), error);
    updating_assert_same(whole, added, updating_tolerance(method));
    assert_done(updating_update(added, &rest.view, &y_rest, 1, &back, &error), error);
    updating_assert_same(part, back, updating_tolerance(method));
    ald_model_free(whole);
    ald_model_free(part);
    ald_model_free(added);
    ald_model_free(back);
    support_storage_free(&all);
    support_storage_free(&some);
    support_storage_free(&rest);
}

static const struct {
    ald_target_kind kind;
    unsigned capability;
} kinds[] = {
    {ALD_TARGET_NONE, ALD_CAN_NO_TARGET},
    {ALD_TARGET_CLASSES, ALD_CAN_CLASSES},
    {ALD_TARGET_REAL, ALD_CAN_RESPONSES},
    {ALD_TARGET_LABELS, ALD_CAN_LABELS},
};

static void updates_equal_refits(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=2 keep_statistics=1",
        "n_components=2 keep_statistics=1 scale=standard",
        "n_components=1 keep_statistics=1 row_scale=unit",
    };
    static const char *const predictors[][3] = {
        [ALD_TARGET_NONE] = {"none", "none", "none"},
        [ALD_TARGET_CLASSES] = {"linear", "centroid", "gaussian"},
        [ALD_TARGET_REAL] = {"linear", "ridge", "linear"},
        [ALD_TARGET_LABELS] = {"ridge", "linear", "one-vs-rest"},
    };
    sample *s = malloc(sizeof *s);
    int cases = 0;
    updating_sample(s);
    for (int m = 0; m < ald_method_count(); m++) {
        const unsigned can = support_streamed_capabilities(ald_method_at(m));
        if (!(can & ALD_CAN_STREAM)) continue;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                for (int storage = 0; storage < 6; storage += 5) {
                    char text[200];
                    if (!(can & kinds[k].capability) || (storage && !(can & ALD_CAN_SPARSE))) continue;
                    const char *name = ald_method_name(ald_method_at(m));
                    snprintf(text, sizeof text, "%s predictor=%s%s", sets[i], predictors[kinds[k].kind][i],
                             updating_needs(name, kinds[k].kind));
                    check_case(name, s, kinds[k].kind, text, storage);
                    cases++;
                }
    }
    assert_true(cases > 50);
    free(s);
}

static void weights_are_added_and_taken_away(void **state)
{
    (void)state;
    static const char *const sets[] = {
        [ALD_TARGET_NONE] = "n_components=2 keep_statistics=1",
        [ALD_TARGET_CLASSES] = "n_components=2 keep_statistics=1 scale=standard predictor=gaussian",
        [ALD_TARGET_REAL] = "n_components=2 keep_statistics=1 predictor=linear",
        [ALD_TARGET_LABELS] = "n_components=2 keep_statistics=1 predictor=linear",
    };
    sample *s = malloc(sizeof *s);
    int cases = 0;
    updating_sample(s);
    s->weighted = 1;
    for (int m = 0; m < ald_method_count(); m++) {
        const unsigned can = support_streamed_capabilities(ald_method_at(m));
        if (!(can & ALD_CAN_STREAM) || !(can & ALD_CAN_WEIGHTS)) continue;
        for (int k = 0; k < 4; k++)
            for (int storage = 0; storage < 6; storage += 5) {
                const char *name = ald_method_name(ald_method_at(m));
                char text[200];
                if (!(can & kinds[k].capability)) continue;
                snprintf(text, sizeof text, "%s%s", sets[kinds[k].kind], updating_needs(name, kinds[k].kind));
                check_case(name, s, kinds[k].kind, text, storage);
                cases++;
            }
    }
    assert_true(cases > 15);
    free(s);
}

/* The slices of the first rows stay: the same as classes by their edges, of all rows. */
static void slices_stay(void **state)
{
    (void)state;
    const char *set = "n_components=2 n_slices=4 keep_statistics=1 scale=standard";
    sample *s = malloc(sizeof *s);
    for (int i = 0; i < 3; i++) {
        const int weighted = i == 1;
        const char *method = i == 2 ? "save" : "sir";
        updating_sample(s);
        s->weighted = weighted;
        const ald_matrix all = ald_matrix_row_major(s->x, n, d, d),
                         some = ald_matrix_row_major(s->x, first, d, d),
                         rest = ald_matrix_row_major(s->x + first * d, n - first, d, d);
        ald_target y_some = ald_target_real(ald_matrix_row_major(s->responses, first, 1, q)),
                   y_rest = ald_target_real(ald_matrix_row_major(s->responses + first * q, n - first, 1, q));
        y_some.weights = weighted ? s->weights : NULL;
        y_rest.weights = weighted ? s->weights + first : NULL;
        ald_model *part = updating_fit(method, set, &some, &y_some), *added, *back;
        ald_array edges, one, two;
        ald_error error;
        assert_done(updating_update(part, &rest, &y_rest, 0, &added, &error), error);
        assert_done(updating_update(added, &rest, &y_rest, 1, &back, &error), error);
        updating_assert_same(part, back, 1e-9);
        assert_string_equal(ald_model_text(added, "alidade.target"), "real");
        assert_true(ald_model_array(added, "slice_edges", &edges));
        assert_int_equal(edges.shape[0], 4);
        for (int j = 0; j < n; j++) {
            s->classes[j] = 0;
            for (int k = 1; k < 4; k++)
                s->classes[j] += s->responses[j * q] >= ((const double *)edges.data)[k];
        }
        ald_target sliced = ald_target_classes(s->classes, n, 4);
        sliced.weights = weighted ? s->weights : NULL;
        ald_model *whole = updating_fit(method, set, &all, &sliced);
        assert_true(ald_model_array(whole, "components", &one) && ald_model_array(added, "components", &two));
        assert_below(support_largest_difference(2 * d, one.data, two.data), 1e-9);
        ald_model_free(whole);
        ald_model_free(part);
        ald_model_free(added);
        ald_model_free(back);
    }
    free(s);
}

/* Of the response; residuals change with every row. */
static void curvature_is_added_and_taken_away(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=2 keep_statistics=1 variant=response",
        "n_components=3 keep_statistics=1 variant=response scale=standard predictor=linear",
        "n_components=1 keep_statistics=1 variant=response row_scale=unit ridge_rel=0.1",
    };
    ald_context *context = support_context(1, NULL);
    ald_settings *residual = support_settings(context, "phd", "keep_statistics=1 n_components=1");
    sample *s = malloc(sizeof *s);
    ald_model *model;
    ald_error error;
    updating_sample(s);
    s->single = 1;
    for (int i = 0; i < n; i++) s->responses[i * q] += 0.1 * s->x[i * d] * s->x[i * d];
    for (int i = 0; i < 3; i++) check_case("phd", s, ALD_TARGET_REAL, sets[i], 0);
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d);
    const ald_target y = updating_target(s, ALD_TARGET_REAL, 0, n);
    assert_int_equal(ald_fit(context, residual, &x, &y, &model, &error), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "variant=response"));
    ald_settings_free(residual);
    ald_context_free(context);
    free(s);
}

/* A row of a response so large that what it takes with it is most digits of the rest. */
static void lost_curvature_is_told(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    ald_model *added, *back;
    ald_error error;
    updating_sample(s);
    s->single = 1;
    s->responses[first * q] = 1e12;
    const ald_matrix some = ald_matrix_row_major(s->x, first, d, d),
                     rest = ald_matrix_row_major(s->x + first * d, n - first, d, d);
    const ald_target y_some = updating_target(s, ALD_TARGET_REAL, 0, first),
                     y_rest = updating_target(s, ALD_TARGET_REAL, first, n - first);
    ald_model *part =
        updating_fit("phd", "n_components=1 keep_statistics=1 variant=response", &some, &y_some);
    assert_int_equal(updating_update(part, &rest, &y_rest, 0, &added, &error), ALD_OK);
    assert_int_equal(updating_update(added, &rest, &y_rest, 1, &back, &error), ALD_DIGITS_LOST);
    assert_non_null(strstr(error.message, "curvature"));
    ald_model_free(part);
    ald_model_free(added);
    ald_model_free(back);
    free(s);
}

/* Rows of a class that the model has not seen, and then without it again. */
static void new_classes_are_added(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "lda", "cca", "opls", "sir", "cfml", "pls", "plssb", "spca", "save", "lad",
    };
    const char *set = "n_components=1 keep_statistics=1";
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    for (int i = 0; i < n; i++) s->classes[i] = i < first ? i % 2 : i % 3;
    const ald_matrix all = ald_matrix_row_major(s->x, n, d, d),
                     some = ald_matrix_row_major(s->x, first, d, d),
                     rest = ald_matrix_row_major(s->x + first * d, n - first, d, d);
    const ald_target y_all = ald_target_classes(s->classes, n, 3),
                     y_some = ald_target_classes(s->classes, first, 2),
                     y_rest = ald_target_classes(s->classes + first, n - first, 3);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        ald_model *part = updating_fit(methods[m], set, &some, &y_some),
                  *whole = updating_fit(methods[m], set, &all, &y_all), *added, *back;
        ald_array one, two;
        ald_error error;
        assert_done(updating_update(part, &rest, &y_rest, 0, &added, &error), error);
        updating_assert_same(whole, added, updating_tolerance(methods[m]));
        assert_done(updating_update(added, &rest, &y_rest, 1, &back, &error), error);
        assert_true(ald_model_array(part, "components", &one) && ald_model_array(back, "components", &two));
        assert_below(support_largest_difference(d, one.data, two.data) / support_norm(d, one.data),
                     updating_tolerance(methods[m]));
        ald_model_free(part);
        ald_model_free(whole);
        ald_model_free(added);
        ald_model_free(back);
    }
    free(s);
}

static void write_rows(const char *path, int from, int to, const char *const *kinds_of)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "a,b,w,kind\n");
    for (int i = from; i < to; i++)
        fprintf(file, "%d,%d,%d,%s\n", i * 7 % 11, i * i % 13 + 3 * (i % 3), 1 + i % 4, kinds_of[i % 3]);
    fclose(file);
}

/* By files: the new class gets its name, and the weights come from the column they were in. */
static void files_may_bring_a_new_class(void **state)
{
    (void)state;
    static const char *const known[] = {"ape", "bee", "bee"}, *const more[] = {"ape", "bee", "ant"};
    char old_path[] = "/tmp/ald-old-XXXXXX", new_path[] = "/tmp/ald-new-XXXXXX";
    close(mkstemp(old_path));
    close(mkstemp(new_path));
    write_rows(old_path, 0, 40, known);
    write_rows(new_path, 40, 70, more);
    ald_context *context = support_context(2, NULL);
    ald_load_options load = {.size = sizeof load, .format = "csv", .target = "kind", .weights = "w"};
    ald_settings *settings =
        support_settings(context, "lda", "n_components=1 keep_statistics=1 predictor=centroid");
    ald_dataset *data;
    ald_model *model, *updated;
    ald_error error;
    assert_done(ald_dataset_load(context, old_path, &load, &data, &error), error);
    assert_done(ald_fit_dataset(context, settings, data, &model, &error), error);
    ald_dataset_free(data);
    load = (ald_load_options){
        .size = sizeof(ald_load_options),
        .format = "csv",
        .like = model,
        .with_weights = 1,
    };
    assert_int_equal(ald_dataset_load(context, new_path, &load, &data, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "'ant', which is no class of the model"));
    load.new_classes = 1;
    assert_done(ald_dataset_load(context, new_path, &load, &data, &error), error);
    assert_non_null(ald_dataset_target(data)->weights);
    assert_done(ald_update(context, model, data, 0, &updated, &error), error);
    assert_string_equal(ald_model_text(updated, "alidade.class_names"), "[\"ape\", \"bee\", \"ant\"]");
    ald_dataset_free(data);
    load = (ald_load_options){.size = sizeof(ald_load_options), .format = "csv", .like = updated};
    assert_done(ald_dataset_load(context, new_path, &load, &data, &error),
                error); /* its schema knows the class too */
    assert_null(ald_dataset_target(data)->weights);
    ald_model_free(model);
    assert_int_equal(ald_update(context, updated, data, 0, &model, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "fitted with weights"));
    ald_dataset_free(data);
    ald_model_free(updated);
    ald_settings_free(settings);
    ald_context_free(context);
    unlink(old_path);
    unlink(new_path);
}

static void ridges_stay_what_they_are(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    check_case("lda", s, ALD_TARGET_CLASSES, "n_components=2 keep_statistics=1 ridge=7", 0);
    check_case("cca", s, ALD_TARGET_LABELS, "n_components=2 keep_statistics=1 ridge_rel=0.01", 0);
    check_case("sir", s, ALD_TARGET_CLASSES, "n_components=2 keep_statistics=1 ridge=0.5", 0);
    check_case("hsl", s, ALD_TARGET_LABELS, "n_components=2 keep_statistics=1 expansion=star ridge=1", 0);
    free(s);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    ald_context *context = support_context(1, NULL);
    ald_model *model, *updated;
    ald_error error;
    updating_sample(s);
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d), half = ald_matrix_row_major(s->x, first, d, d),
                     rest = ald_matrix_row_major(s->x + first * d, n - first, d, d);
    const ald_target y = updating_target(s, ALD_TARGET_CLASSES, 0, n),
                     y_half = updating_target(s, ALD_TARGET_CLASSES, 0, first),
                     y_rest = updating_target(s, ALD_TARGET_CLASSES, first, n - first);
    model = updating_fit("lda", "n_components=2", &half, &y_half);
    assert_int_equal(updating_update(model, &rest, &y_rest, 0, &updated, &error), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "keep_statistics"));
    ald_model_free(model);
    model = updating_fit("lda", "n_components=2 keep_statistics=1", &half, &y_half);
    assert_int_equal(updating_update(model, &x, &y, 1, &updated, &error),
                     ALD_ERROR_DATA); /* more rows than there are */
    assert_null(updated);
    const ald_target none = {.rows = n - first};
    assert_int_equal(updating_update(model, &rest, &none, 0, &updated, &error), ALD_ERROR_DATA);
    const ald_matrix narrow = ald_matrix_row_major(s->x, first, d - 1, d);
    assert_int_equal(updating_update(model, &narrow, &y_half, 0, &updated, &error), ALD_ERROR_DATA);
    ald_model_free(model);
    static const char *const refused[][2] = {
        {"pca", "keep_statistics=1 scale=minmax"},
        {"pca", "keep_statistics=1 center=0"},
        {"bair", "keep_statistics=1"},
    };
    for (int i = 0; i < 3; i++) {
        ald_settings *settings = support_settings(context, refused[i][0], refused[i][1]);
        assert_int_equal(ald_fit(context, settings, &x, &y, &model, &error), ALD_ERROR_UNSUPPORTED);
        ald_settings_free(settings);
    }
    ald_context_free(context);
    free(s);
}

/* Responses a billion times the size of X, and columns of very different size: no digit is lost to the larger
 * ones. */
static void sizes_do_not_matter(void **state)
{
    (void)state;
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < q; k++) s->responses[i * q + k] *= 1e9;
        s->x[i * d + 1] *= 1e-6;
    }
    const ald_matrix some = ald_matrix_row_major(s->x, first, d, d),
                     rest = ald_matrix_row_major(s->x + first * d, n - first, d, d),
                     all = ald_matrix_row_major(s->x, n, d, d);
    static const struct {
        const char *method;
        ald_target_kind kind;
    } cases[] = {
        {"cca", ALD_TARGET_REAL},
        {"opls", ALD_TARGET_REAL},
        {"pls", ALD_TARGET_REAL},
        {"lda", ALD_TARGET_CLASSES},
    };
    for (int c = 0; c < 4; c++) {
        const ald_target y_some = updating_target(s, cases[c].kind, 0, first),
                         y_rest = updating_target(s, cases[c].kind, first, n - first),
                         y_all = updating_target(s, cases[c].kind, 0, n);
        const char *set = "n_components=2 keep_statistics=1 scale=standard";
        ald_model *part = updating_fit(cases[c].method, set, &some, &y_some),
                  *whole = updating_fit(cases[c].method, set, &all, &y_all), *added;
        ald_array one, two;
        ald_error error;
        assert_done(updating_update(part, &rest, &y_rest, 0, &added, &error), error);
        assert_true(ald_model_array(whole, "components", &one) && ald_model_array(added, "components", &two));
        assert_below(support_sine(2, d, one.data, two.data), 1e-9);
        ald_model_free(part);
        ald_model_free(whole);
        ald_model_free(added);
    }
    free(s);
}

/* Statistics that cannot be are refused, whatever is wrong with them. */
static void damaged_statistics_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        int64_t at;
        double value;
    } damages[] = {
        {"statistics/n", 0, -30.0},      {"statistics/n", 0, 1e300},     {"statistics/count", 0, -1.0},
        {"statistics/count", 1, 0.5},    {"statistics/pattern", 0, 2.0}, {"statistics/pattern", 1, 1.0},
        {"statistics/scatter", 0, -1.0}, {"statistics/mean", 0, NAN},
    };
    sample *s = malloc(sizeof *s);
    updating_sample(s);
    const ald_matrix some = ald_matrix_row_major(s->x, first, d, d),
                     rest = ald_matrix_row_major(s->x + first * d, n - first, d, d);
    const ald_target y_some = updating_target(s, ALD_TARGET_CLASSES, 0, first),
                     y_rest = updating_target(s, ALD_TARGET_CLASSES, first, n - first);
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        ald_model *model = updating_fit("lda", "n_components=2 keep_statistics=1", &some, &y_some), *updated;
        ald_array array;
        ald_error error;
        double *data;
        assert_true(ald_model_array(model, damages[k].array, &array));
        memcpy(&data, &array.data, sizeof data);
        data[damages[k].at] = damages[k].value;
        assert_int_equal(updating_update(model, &rest, &y_rest, 0, &updated, &error), ALD_ERROR_FORMAT);
        assert_null(updated);
        ald_model_free(model);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_equal_refits),
        cmocka_unit_test(weights_are_added_and_taken_away),
        cmocka_unit_test(slices_stay),
        cmocka_unit_test(curvature_is_added_and_taken_away),
        cmocka_unit_test(lost_curvature_is_told),
        cmocka_unit_test(new_classes_are_added),
        cmocka_unit_test(files_may_bring_a_new_class),
        cmocka_unit_test(ridges_stay_what_they_are),
        cmocka_unit_test(sizes_do_not_matter),
        cmocka_unit_test(damaged_statistics_are_refused),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
