/* Datasets over arrays with names: the same fits as from a file, models and files together, names in
 * messages. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 30, d = 4 };

static const char *const features[] = {"height", "width", "depth", "weight"},
                         *const classes[] = {"small", "large", "odd"},
                         *const responses[] = {"fat", "water", "protein"};

typedef struct fixture {
    ald_context *context;
    support_sample s;
    ald_target y;
    char row_text[n][16];
    const char *rows[n];
    ald_inputs inputs;
} fixture;

static void begin(fixture *f, ald_target_kind kind)
{
    f->context = support_context(1, NULL);
    f->s = support_sample_make(n, d, 4);
    f->y = support_sample_target(&f->s, kind);
    f->y.names = kind == ALD_TARGET_CLASSES ? classes : responses;
    for (int i = 0; i < n; i++) {
        snprintf(f->row_text[i], sizeof f->row_text[i], "s-%02d", i);
        f->rows[i] = f->row_text[i];
    }
    f->inputs = (ald_inputs){
        .size = sizeof(ald_inputs),
        .x = &f->s.view,
        .y = &f->y,
        .feature_names = features,
        .row_names = f->rows,
        .target_name = "size",
    };
}

static void end(fixture *f)
{
    support_sample_free(&f->s);
    ald_context_free(f->context);
}

/* A csv of the same rows, the columns in another order, the target in between. */
static void write_csv(const fixture *f, const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "depth,size,name,weight,width,height\n");
    for (int i = 0; i < n; i++)
        fprintf(file, "%.17g,%s,%03d,%.17g,%.17g,%.17g\n", f->s.x[i * d + 2], classes[f->s.classes[i]], i,
                f->s.x[i * d + 3], f->s.x[i * d + 1], f->s.x[i * d]);
    fclose(file);
}

static ald_model *fit_dataset(const fixture *f, const char *method, const char *set, const ald_dataset *data)
{
    ald_settings *settings = support_settings(f->context, method, set);
    ald_model *model;
    ald_error error;
    assert_done(ald_fit_dataset(f->context, settings, data, &model, &error), error);
    ald_settings_free(settings);
    return model;
}

static void names_are_kept(void **state)
{
    (void)state;
    fixture f;
    ald_dataset *data;
    ald_error error;
    begin(&f, ALD_TARGET_CLASSES);
    assert_done(ald_dataset_from_arrays(f.context, &f.inputs, 0, &data, &error), error);
    assert_ptr_equal(ald_dataset_x(data)->values, f.s.x);
    assert_string_equal(ald_dataset_feature_name(data, 2), "depth");
    assert_null(ald_dataset_feature_name(data, d));
    assert_string_equal(ald_dataset_row_name(data, 7), "s-07");
    assert_null(ald_dataset_row_name(data, n));
    assert_string_equal(ald_dataset_response_name(data, 0), "size");
    ald_model *model = fit_dataset(&f, "lda", "n_components=1", data);
    assert_string_equal(ald_model_text(model, "alidade.feature_names"),
                        "[\"height\", \"width\", \"depth\", \"weight\"]");
    assert_string_equal(ald_model_text(model, "alidade.class_names"), "[\"small\", \"large\", \"odd\"]");
    assert_string_equal(ald_model_text(model, "alidade.response_names"), "[\"size\"]");
    assert_null(ald_model_text(model, "alidade.row_names"));
    ald_model_free(model);
    ald_dataset_free(data);
    end(&f);
}

/* A copy lives when the arrays are gone; every storage gives the same fit. */
static void copies_stand_alone(void **state)
{
    (void)state;
    fixture f;
    ald_error error;
    begin(&f, ALD_TARGET_REAL);
    for (int which = 0; which < support_storage_count; which++) {
        ald_dataset *data;
        support_matrix x = support_storage(which, f.s.x, n, d);
        ald_model *plain = support_fit("opls", "n_components=2", &x.view, &f.y);
        f.inputs.x = &x.view;
        assert_done(ald_dataset_from_arrays(f.context, &f.inputs, 1, &data, &error), error);
        support_storage_free(&x);
        memset(f.row_text[0], 'x', 4);
        assert_string_equal(ald_dataset_row_name(data, 0), "s-00");
        snprintf(f.row_text[0], sizeof f.row_text[0], "s-00");
        ald_model *model = fit_dataset(&f, "opls", "n_components=2", data);
        support_assert_same_model(plain, model, 1e-11);
        ald_model_free(plain);
        ald_model_free(model);
        ald_dataset_free(data);
    }
    end(&f);
}

static void compare_predictions(const fixture *f, const ald_model *model, const ald_dataset *a,
                                const ald_dataset *b)
{
    double one[n], two[n];
    ald_error error;
    assert_done(ald_predict(f->context, model, ald_dataset_x(a), one, &error), error);
    assert_done(ald_predict(f->context, model, ald_dataset_x(b), two, &error), error);
    assert_memory_equal(one, two, sizeof one);
}

/* A model of arrays reads a file by the names of its columns, and one of a file takes arrays in its own
 * order. */
static void models_and_files_go_together(void **state)
{
    (void)state;
    fixture f;
    ald_dataset *arrays, *file;
    ald_model *model, *fitted;
    ald_error error;
    ald_settings *settings;
    begin(&f, ALD_TARGET_CLASSES);
    write_csv(&f, "arrays.csv");
    settings = support_settings(f.context, "lda", "n_components=1 predictor=centroid");
    assert_done(ald_fit_inputs(f.context, settings, &f.inputs, &model, &error), error);
    const ald_load_options like = {.size = sizeof like, .like = model, .id = "name"};
    assert_done(ald_dataset_load(f.context, "arrays.csv", &like, &file, &error), error);
    assert_done(ald_dataset_from_arrays(f.context, &f.inputs, 0, &arrays, &error), error);
    assert_int_equal(ald_dataset_target(file)->kind, ALD_TARGET_CLASSES);
    for (int i = 0; i < n; i++) assert_int_equal(ald_dataset_target(file)->classes[i], f.s.classes[i]);
    assert_string_equal(ald_dataset_row_name(file, 7), "007");
    compare_predictions(&f, model, arrays, file);
    ald_model_free(model);
    ald_dataset_free(file);
    const ald_load_options load = {.size = sizeof load, .target = "size", .id = "name"};
    assert_done(ald_dataset_load(f.context, "arrays.csv", &load, &file, &error), error);
    assert_int_equal(ald_dataset_x(file)->cols, d);
    assert_string_equal(ald_dataset_feature_name(file, 0), "depth");
    assert_done(ald_fit_dataset(f.context, settings, file, &fitted, &error), error);
    ald_model_free(fitted);
    ald_settings_free(settings);
    ald_dataset_free(file);
    ald_dataset_free(arrays);
    end(&f);
}

/* All that takes a dataset takes this one. */
static void every_verb_takes_it(void **state)
{
    (void)state;
    fixture f;
    ald_dataset *data;
    ald_model *updated;
    ald_error error;
    char *svg;
    char reason[200];
    begin(&f, ALD_TARGET_REAL);
    assert_done(ald_dataset_from_arrays(f.context, &f.inputs, 0, &data, &error), error);
    assert_string_equal(ald_method_auto(data, reason, sizeof reason), "pls");
    ald_model *model = fit_dataset(&f, "pls", "n_components=2 keep_statistics=1 predictor=linear", data);
    assert_done(ald_update(f.context, model, data, 0, &updated, &error), error);
    assert_string_equal(ald_model_text(updated, "alidade.feature_names"),
                        "[\"height\", \"width\", \"depth\", \"weight\"]");
    assert_done(ald_plot(f.context, updated, data, NULL, NULL, &svg, &error), error);
    assert_non_null(strstr(svg, "fat"));
    ald_text_free(f.context, svg);
    ald_model_free(model);
    ald_model_free(updated);
    ald_dataset_free(data);
    end(&f);
}

static void messages_use_the_names(void **state)
{
    (void)state;
    fixture f;
    ald_model *model;
    ald_error error;
    begin(&f, ALD_TARGET_REAL);
    ald_settings *settings = support_settings(f.context, "pca", "n_components=1");
    f.s.x[7 * d + 1] = NAN;
    assert_int_equal(ald_fit_inputs(f.context, settings, &f.inputs, &model, &error), ALD_ERROR_DATA);
    assert_string_equal(error.message, "X: row 8 ('s-07'), column 2 ('width') is not a finite number");
    ald_settings_free(settings);
    end(&f);
}

static void refused(fixture *f, const ald_inputs *inputs, ald_status status, const char *part)
{
    ald_dataset *data;
    ald_error error;
    assert_int_equal(ald_dataset_from_arrays(f->context, inputs, 0, &data, &error), status);
    assert_null(data);
    if (!strstr(error.message, part)) fail_msg("no '%s' in '%s'", part, error.message);
}

static void wrong_arrays_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"a", "b", "a", "d"}, *const missing[] = {"a", NULL, "c", "d"};
    fixture f;
    begin(&f, ALD_TARGET_CLASSES);
    ald_inputs inputs = f.inputs;
    inputs.feature_names = twice;
    refused(&f, &inputs, ALD_ERROR_ARGUMENT, "numbers 1 and 3 are both 'a'");
    inputs.feature_names = missing;
    refused(&f, &inputs, ALD_ERROR_ARGUMENT, "number 2 of 4 is NULL");
    inputs = f.inputs;
    inputs.x = NULL;
    refused(&f, &inputs, ALD_ERROR_ARGUMENT, "X");
    inputs = f.inputs;
    ald_target shorter = f.y;
    shorter.rows = n - 1;
    inputs.y = &shorter;
    refused(&f, &inputs, ALD_ERROR_ARGUMENT, "29 rows");
    inputs = f.inputs;
    inputs.graph = &f.s.view;
    refused(&f, &inputs, ALD_ERROR_DATA, "graph");
    inputs = (ald_inputs){.x = &f.s.view};
    refused(&f, &inputs, ALD_ERROR_ARGUMENT, "ALD_INPUTS_INIT");
    end(&f);
}

/* Lengths of the arrays of a sparse matrix are believed, and looked at first. */
static void lengths_of_sparse_arrays(void **state)
{
    (void)state;
    static const int64_t pointers[] = {0, 1, 2, 4}, indices[] = {0, 1, 0, 1};
    static const double values[] = {1, 2, 3, 4};
    ald_matrix x = ald_matrix_csr(3, 2, pointers, indices, values);
    x.n_pointers = 4;
    x.n_values = 4;
    ald_model_free(support_fit("pca", "n_components=1", &x, NULL));
    x.n_values = 3;
    support_refused("pca", "n_components=1", &x, NULL, "the last pointer is 4, but there are 3 values");
    x.n_values = 9;
    x.n_pointers = 3;
    support_refused("pca", "n_components=1", &x, NULL, "there are 3 pointers, but 3 rows require 4");
    x.n_pointers = -1;
    support_refused("pca", "n_components=1", &x, NULL, "negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_kept),
        cmocka_unit_test(copies_stand_alone),
        cmocka_unit_test(models_and_files_go_together),
        cmocka_unit_test(every_verb_takes_it),
        cmocka_unit_test(messages_use_the_names),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(lengths_of_sparse_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
