/* Small data and models to draw pictures of. */
#ifndef TESTS_JUDGING_PLOTTING_FIXTURE_H
#define TESTS_JUDGING_PLOTTING_FIXTURE_H

#include "data/encode/dataset.h"

#include <alidade/plot.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { n_rows = 12, n_features = 3 };

typedef struct fixture {
    ald_context *context;
    ald_error error;
    double x[n_rows * n_features], real[n_rows * 2], labels[n_rows * 3];
    int32_t classes[n_rows];
    unsigned char labelled[n_rows];
    ald_dataset data;
    char *svg; /* the last picture */
} fixture;

static const char *const class_names[] = {"A & B", "<tag>", "\"q\" \xe9\x01"};
static char *target_name[] = {"spe<cies", "second"};

static inline int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    for (int i = 0; i < n_rows; i++) {
        for (int j = 0; j < n_features; j++) f.x[i * n_features + j] = sin(7.0 * i + j) * (j + 1);
        f.real[2 * i] = i - 3.5;
        f.real[2 * i + 1] = 100.0 * i;
        for (int k = 0; k < 3; k++) f.labels[3 * i + k] = (i >> k) & 1;
        f.classes[i] = i % 3;
        f.labelled[i] = i != 5;
    }
    f.data.x = ald_matrix_row_major(f.x, n_rows, n_features, n_features);
    *state = &f;
    return ald_context_new(NULL, &f.context, &f.error) < 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    ald_context_free(f->context);
    return 0;
}

static inline void use_classes(fixture *f)
{
    f->data.target = ald_target_classes(f->classes, n_rows, 3);
    f->data.target.names = class_names;
    f->data.response_names = target_name;
}

static inline void use_reals(fixture *f)
{
    f->data.target = ald_target_real(ald_matrix_row_major(f->real, n_rows, 2, 2));
    f->data.response_names = target_name;
}

/* Component k is feature k. */
static inline ald_model *make_model(ald_context *context, int r)
{
    ald_run run;
    ald_model *model = NULL;
    const double mean[n_features] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, values[] = {4, 2, 1};
    const double shares[] = {0.5, 0.25, 0.125};
    ald_run_begin(&run, context, NULL);
    assert_int_equal(ald_model_new(&run, &model), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "mean", n_features, mean), ALD_OK);
    assert_int_equal(ald_model_add_matrix(&run, model, "components", r, n_features, identity), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "eigenvalues", r, values), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "explained_variance_ratio", r, shares), ALD_OK);
    assert_int_equal(ald_model_add_vector(&run, model, "spectrum", 3, values), ALD_OK);
    assert_int_equal(ald_model_set_text(&run, model, "alidade.method", "pca"), ALD_OK);
    assert_int_equal(ald_model_set_text(&run, model, "alidade.map", "linear"), ALD_OK);
    assert_int_equal(ald_model_set_printed(&run, model, "alidade.n_features", "%d", n_features), ALD_OK);
    assert_int_equal(ald_model_set_printed(&run, model, "alidade.n_components", "%d", r), ALD_OK);
    assert_int_equal(ald_run_end(&run, ALD_OK), ALD_OK);
    return model;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
