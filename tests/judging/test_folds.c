/* Cross-validation by sums of parts equals refitting: maps and projections of the rows left out, to 1e-8, for
 * every method that is fitted from moments, every kind of target it takes, dense and sparse, scaled and
 * weighted. */
#include "judge/cells/folds.h"
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 90, d = 6, parts = 5 };

typedef struct bed {
    ald_context *context;
    ald_error error;
    support_sample sample;
    double weights[n];
    int32_t part_of[n];
} bed;

/* Row i is in part i % parts but for the last part, which is smaller. A few rows have no weight. */
static void bed_begin(bed *b)
{
    b->context = support_context(1, NULL);
    b->sample = support_sample_make(n, d, 7);
    for (int i = 0; i < n; i++) {
        b->weights[i] = i % 13 == 0 ? 0.0 : 0.25 + fabs(sin(i));
        b->part_of[i] = i % parts == parts - 1 && i > n / 2 ? 0 : i % parts;
    }
}

static void bed_end(bed *b)
{
    support_sample_free(&b->sample);
    ald_context_free(b->context);
}

static int64_t rows_of(const bed *b, int part, int inside, int64_t *rows)
{
    int64_t count = 0;
    for (int i = 0; i < n; i++)
        if ((b->part_of[i] == part) == inside) rows[count++] = i;
    return count;
}

static void assert_same(const char *what, const char *name, int64_t count, const double *a, const double *b)
{
    const double size = support_norm(count, a), apart = support_largest_difference(count, a, b);
    if (!(apart <= 1e-8 * (size > 1e-300 ? size : 1.0)))
        fail_msg("%s: %s differs by %.3g of %.3g", what, name, apart, size);
}

static void compare_models(const bed *b, const char *what, const ald_subset *test, const ald_model *refitted,
                           const ald_model *summed)
{
    static const char *const names[] = {
        "components", "eigenvalues", "mean", "scale", "slice_edges", "loadings",
    };
    const int64_t r = ald_model_component_count(refitted);
    ald_array one, two;
    ald_error error;
    assert_int_equal(r, ald_model_component_count(summed));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int there = ald_model_array(refitted, names[i], &one);
        assert_int_equal(there, ald_model_array(summed, names[i], &two));
        if (!there) continue;
        assert_int_equal(one.shape[0], two.shape[0]);
        assert_same(what, names[i], one.shape[0] * (one.dims > 1 ? one.shape[1] : 1), one.data, two.data);
    }
    double *z1 = malloc((size_t)(n * r) * sizeof *z1), *z2 = malloc((size_t)(n * r) * sizeof *z2);
    assert_done(ald_transform(b->context, refitted, &test->x, z1, &error), error);
    assert_done(ald_transform(b->context, summed, &test->x, z2, &error), error);
    assert_same(what, "the projection", test->x.rows * r, z1, z2);
    free(z1);
    free(z2);
}

/* One part left out, one setting. */
static void check_fit(bed *b, ald_run *run, ald_fold *fold, const char *method, const char *set,
                      const ald_subset *train, const ald_subset *test)
{
    ald_model *refitted = NULL, *summed = NULL;
    ald_fold_form form;
    ald_error error;
    int trusted;
    char what[400];
    snprintf(what, sizeof what, "%s %s", method, set);
    ald_settings *settings = support_settings(b->context, method, set);
    run->settings = settings;
    if (!ald_fold_serves(run, fold)) fail_msg("%s is not served", what);
    assert_done(ald_fit(b->context, settings, &train->x, &train->y, &refitted, &error), error);
    assert_done(ald_model_new(run, &summed), b->error);
    assert_done(ald_fold_fit(run, fold, summed, &form, &trusted), b->error);
    /* Rows of mean 0 make columns of which one follows from the others: nothing to solve with, but for a
     * ridge. */
    if (!trusted &&
        !(strstr(set, "row_scale=standard") && ald_settings_text(settings, "ridge") && !strstr(set, "ridge")))
        fail_msg("%s is not trusted", what);
    if (trusted) compare_models(b, what, test, refitted, summed);
    ald_model_free(refitted);
    ald_model_free(summed);
    ald_settings_free(settings);
}

typedef struct sample_case {
    const char *method;
    ald_target_kind kind;
    int64_t responses; /* 0: all */
    const char *sets[4];
} sample_case;

static const sample_case cases[] = {
    {"pca", ALD_TARGET_REAL, 1, {"n_components=3", "n_components=1 solver=direct", NULL}},
    {"pca", ALD_TARGET_CLASSES, 0, {"n_components=4", NULL}},
    {"pca", ALD_TARGET_NONE, 0, {"n_components=4", NULL}},
    {"pls", ALD_TARGET_REAL, 1, {"n_components=4", "n_components=2 algorithm=nipals", NULL}},
    {"pls", ALD_TARGET_REAL, 3, {"n_components=4", NULL}},
    {"pls", ALD_TARGET_CLASSES, 0, {"n_components=3", NULL}},
    {"pls", ALD_TARGET_LABELS, 0, {"n_components=3", NULL}},
    {"lda",
     ALD_TARGET_CLASSES,
     0,
     {"n_components=2", "n_components=2 ridge=0.5", "n_components=1 ridge=20", NULL}},
    {"cca", ALD_TARGET_CLASSES, 0, {"n_components=2", "n_components=2 ridge=0.5", NULL}},
    {"cca", ALD_TARGET_REAL, 3, {"n_components=3", "n_components=2 ridge_rel=0.1", NULL}},
    {"cca", ALD_TARGET_LABELS, 0, {"n_components=2", "n_components=2 ridge=3", NULL}},
    {"opls", ALD_TARGET_REAL, 1, {"n_components=1", "n_components=1 ridge=5", NULL}},
    {"opls", ALD_TARGET_REAL, 3, {"n_components=3", NULL}},
    {"opls", ALD_TARGET_CLASSES, 0, {"n_components=2", NULL}},
    {"opls", ALD_TARGET_LABELS, 0, {"n_components=3", NULL}},
    {"hsl", ALD_TARGET_LABELS, 0, {"n_components=2", "n_components=2 ridge=1", NULL}},
    {"sir", ALD_TARGET_CLASSES, 0, {"n_components=2", "n_components=2 ridge=0.1", NULL}},
    {"sir",
     ALD_TARGET_REAL,
     1,
     {"n_components=3", "n_components=3 ridge=0.1", "n_components=2 n_slices=5", NULL}},
};

static void sum_all(bed *b, ald_run *run, const ald_subset *data, ald_folds *folds)
{
    assert_done(ald_folds_begin(run, n, b->part_of, parts, folds), b->error);
    for (int part = 0; part < parts; part++) assert_done(ald_folds_sum(run, data, part, folds), b->error);
}

static void check_case(bed *b, const sample_case *c, const ald_subset *data, const char *common)
{
    int64_t rows[n], left_out[n];
    ald_folds folds;
    ald_run run;
    char set[256];
    snprintf(set, sizeof set, "%s %s", c->sets[0], common);
    ald_settings *settings = support_settings(b->context, c->method, set);
    support_run(&run, b->context, &b->error);
    run.settings = settings;
    sum_all(b, &run, data, &folds);
    for (int part = 0; part < parts; part += 2) {
        ald_subset train, test;
        ald_fold fold;
        const int64_t n_rows = rows_of(b, part, 0, rows), n_left_out = rows_of(b, part, 1, left_out);
        assert_done(ald_subset_take(&run, data, rows, n_rows, &train), b->error);
        assert_done(ald_subset_take(&run, data, left_out, n_left_out, &test), b->error);
        run.settings = settings;
        assert_done(ald_fold_begin(&run, &folds, part, data, rows, n_rows, &fold), b->error);
        for (int i = 0; c->sets[i]; i++) {
            snprintf(set, sizeof set, "%s %s", c->sets[i], common);
            check_fit(b, &run, &fold, c->method, set, &train, &test);
        }
        ald_fold_end(&fold);
    }
    ald_folds_free(&folds);
    ald_settings_free(settings);
    ald_run_end(&run, ALD_OK);
}

static ald_target target_of(const bed *b, const sample_case *c)
{
    ald_target y = {.kind = ALD_TARGET_NONE, .rows = n};
    if (c->kind != ALD_TARGET_NONE) y = support_sample_target(&b->sample, c->kind);
    if (c->responses) y.values.cols = c->responses;
    return y;
}

static void sums_equal_refitting(void **state)
{
    static const char *const common[] = {
        "",
        "scale=standard",
        "row_scale=standard",
        "scale=standard row_scale=unit",
    };
    bed b;
    int asked = 0;
    (void)state;
    bed_begin(&b);
    for (int storage = 0; storage < support_storage_count; storage++) {
        support_matrix x = support_storage(storage, b.sample.x, n, d);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            for (size_t i = 0; i < sizeof common / sizeof *common; i++)
                for (int weighted = 0; weighted < 2; weighted++) {
                    if (asked++ % support_stride()) continue;
                    ald_subset data = {x.view, target_of(&b, &cases[c])};
                    data.y.weights = weighted ? b.weights : NULL;
                    check_case(&b, &cases[c], &data, common[i]);
                }
        support_storage_free(&x);
    }
    bed_end(&b);
}

/* A fit of settings from the sums of all parts but `part`; the status. */
static ald_status fit_left_out(bed *b, const ald_subset *data, int part, const char *method, const char *set,
                               int *trusted, double *components)
{
    int64_t rows[n];
    ald_folds folds;
    ald_fold fold = {0};
    ald_fold_form form;
    ald_model *model;
    ald_run run;
    ald_settings *settings = support_settings(b->context, method, set);
    support_run(&run, b->context, &b->error);
    run.settings = settings;
    const int64_t n_rows = rows_of(b, part, 0, rows);
    sum_all(b, &run, data, &folds);
    assert_done(ald_fold_begin(&run, &folds, part, data, rows, n_rows, &fold), b->error);
    assert_done(ald_model_new(&run, &model), b->error);
    const ald_status status = ald_fold_fit(&run, &fold, model, &form, trusted);
    if (status >= 0 && *trusted && components)
        memcpy(components, support_reals(model, "components", NULL),
               (size_t)(ald_model_component_count(model) * d) * sizeof *components);
    ald_model_free(model);
    ald_fold_end(&fold);
    ald_folds_free(&folds);
    ald_settings_free(settings);
    ald_run_end(&run, ALD_OK);
    return status;
}

/* How far the scatter of all rows less part 0 is from the sum of the other parts, as a part of it. */
static double lost_by_difference(bed *b, const ald_subset *data)
{
    ald_moments total = {0}, others = {0};
    ald_folds folds;
    ald_run run;
    ald_settings *settings = support_settings(b->context, "opls", "");
    support_run(&run, b->context, &b->error);
    run.settings = settings;
    sum_all(b, &run, data, &folds);
    for (int part = 0; part < parts; part++) {
        assert_done(ald_moments_add(&run, &run.scratch, &folds.parts[part].moments, &total), b->error);
        if (part > 0)
            assert_done(ald_moments_add(&run, &run.scratch, &folds.parts[part].moments, &others), b->error);
    }
    assert_done(ald_moments_merge(&run, &run.scratch, &total, &folds.parts[0].moments, -1), b->error);
    const double lost = support_largest_difference(d * d, total.scatter, others.scatter) /
                        support_norm(d * d, others.scatter);
    ald_folds_free(&folds);
    ald_settings_free(settings);
    ald_run_end(&run, ALD_OK);
    return lost;
}

/* An outlier of 1e7 in part 0 leaves no trace where that part is left out: the direction is the one without
 * it to 1e-12. The scatter of all rows less that of the part would have lost about 1e14 eps. */
static void an_outlier_left_out_leaves_no_trace(void **state)
{
    double clean[d], with[d];
    int trusted;
    bed b;
    (void)state;
    bed_begin(&b);
    ald_subset data = {b.sample.view, support_sample_target(&b.sample, ALD_TARGET_REAL)};
    data.y.values.cols = 1;
    assert_done(fit_left_out(&b, &data, 0, "opls", "n_components=1", &trusted, clean), b.error);
    for (int j = 0; j < d; j++) b.sample.x[j] = 1e7 * (1.0 + j);
    assert_done(fit_left_out(&b, &data, 0, "opls", "n_components=1", &trusted, with), b.error);
    assert_true(trusted);
    assert_below(support_largest_difference(d, clean, with), 1e-12 * support_norm(d, clean));
    assert_true(lost_by_difference(&b, &data) > 1e-6);
    bed_end(&b);
}

/* A column that follows from the others but for 1e-5: squared that is too little to solve with, and enough
 * for a ridge, or for directions of large variance. */
static void a_nearly_singular_scatter_is_not_trusted(void **state)
{
    int trusted;
    bed b;
    (void)state;
    bed_begin(&b);
    for (int i = 0; i < n; i++)
        b.sample.x[i * d + 5] = b.sample.x[i * d] + b.sample.x[i * d + 1] + 1e-5 * b.sample.x[i * d + 5];
    const ald_subset data = {b.sample.view, support_sample_target(&b.sample, ALD_TARGET_CLASSES)};
    assert_done(fit_left_out(&b, &data, 1, "lda", "n_components=2", &trusted, NULL), b.error);
    assert_false(trusted);
    assert_done(fit_left_out(&b, &data, 1, "lda", "n_components=2 ridge=1", &trusted, NULL), b.error);
    assert_true(trusted);
    assert_done(fit_left_out(&b, &data, 1, "pca", "n_components=2", &trusted, NULL), b.error);
    assert_true(trusted);
    assert_done(fit_left_out(&b, &data, 1, "pca", "n_components=6", &trusted, NULL), b.error);
    assert_false(trusted);
    bed_end(&b);
}

/* What a training part cannot be fitted with is refused in the words of a fit. */
static void a_training_part_may_have_nothing_to_learn(void **state)
{
    int trusted;
    bed b;
    (void)state;
    bed_begin(&b);
    for (int i = 0; i < n; i++) b.sample.classes[i] = b.part_of[i] == 2 ? i % 3 : 1;
    ald_subset data = {b.sample.view, support_sample_target(&b.sample, ALD_TARGET_CLASSES)};
    assert_true(fit_left_out(&b, &data, 2, "lda", "n_components=1", &trusted, NULL) < 0);
    assert_non_null(strstr(b.error.message, "all rows are of one class"));
    assert_done(fit_left_out(&b, &data, 1, "lda", "n_components=1", &trusted, NULL), b.error);
    for (int i = 0; i < n; i++) b.sample.responses[i * 3] = b.part_of[i] == 2 ? i : 4.0;
    data.y = support_sample_target(&b.sample, ALD_TARGET_REAL);
    data.y.values.cols = 1;
    assert_true(fit_left_out(&b, &data, 2, "pls", "n_components=1", &trusted, NULL) < 0);
    assert_non_null(strstr(b.error.message, "the same value in every row"));
    assert_true(fit_left_out(&b, &data, 2, "sir", "n_components=1", &trusted, NULL) < 0);
    bed_end(&b);
}

static void assert_served(const char *method, const char *set, const ald_target *y, int served)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    ald_settings *settings = support_settings(context, method, set),
                 *plain = support_settings(context, method, "");
    support_run(&run, context, &error);
    run.settings = settings;
    if (ald_folds_serve(&run, strstr(set, "msc") ? settings : plain, y) != served)
        fail_msg("%s %s: served is not %d", method, set, served);
    ald_settings_free(plain);
    ald_settings_free(settings);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

static void what_sums_cannot_serve_is_refitted(void **state)
{
    const unsigned char labelled[] = {1, 1, 0};
    const ald_target all = {.kind = ALD_TARGET_CLASSES, .rows = 3},
                     some = {.kind = ALD_TARGET_CLASSES, .rows = 3, .labelled = labelled};
    (void)state;
    assert_served("lda", "", &all, 1);
    assert_served("lda", "solver=direct scale=standard", &all, 1);
    assert_served("pca", "", &all, 1);
    assert_served("lda", "", &some, 0);
    assert_served("lda", "scale=minmax", &all, 0);
    assert_served("lda", "row_scale=unit", &all, 0);
    assert_served("lda", "rows=snv", &all, 0);
    assert_served("lda", "rows=msc", &all, 0);
    assert_served("lda", "solver=two-stage", &all, 0);
    assert_served("pca", "center=0", &all, 0);
    assert_served("cfml", "", &all, 0);
    assert_served("kfda", "", &all, 0);
    assert_served("sdpp", "", &all, 0);
}

/* The rule against its own statement, and its two ends. */
static void the_cost_rule(void **state)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *lda = support_settings(context, "lda", ""), *pls = support_settings(context, "pls", "");
    ald_fold_work long_x = {
        .n = 20000,
        .d = 100,
        .entries = 2e6,
        .dense = 1,
        .q = 3,
        .train = 0.9,
        .divisions = 1,
        .parts = 10,
        .splits = 10,
    };
    ald_fold_work wide = long_x;
    (void)state;
    assert_close(ald_refit_operations(&long_x, lda, 2), 0.9 * 2e6 * 100 + 1e6 / 3.0, 1.0);
    assert_close(ald_refit_operations(&long_x, pls, 2), 0.9 * 2e6 * 60, 1.0);
    assert_close(ald_fold_operations(&long_x, 5), 2e8 + 10 * 35.0 * 103.0 * 103.0 * 103.0, 1.0);
    assert_true(ald_fold_operations(&long_x, 1) < 10 * ald_refit_operations(&long_x, lda, 2));
    assert_true(ald_fold_operations(&long_x, 9) < 90 * ald_refit_operations(&long_x, lda, 2));
    wide.n = 200;
    wide.d = 1000;
    wide.entries = 2e5;
    assert_true(ald_fold_operations(&wide, 9) > 90 * ald_refit_operations(&wide, lda, 2));
    assert_true(ald_folds_fit_memory(&long_x));
    wide.d = 2000;
    assert_true(ald_folds_fit_memory(&wide));
    wide.divisions = 2;
    assert_false(ald_folds_fit_memory(&wide));
    wide.d = 5001;
    wide.divisions = wide.parts = 1;
    assert_false(ald_folds_fit_memory(&wide));
    ald_settings_free(lda);
    ald_settings_free(pls);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_equal_refitting),
        cmocka_unit_test(an_outlier_left_out_leaves_no_trace),
        cmocka_unit_test(a_nearly_singular_scatter_is_not_trusted),
        cmocka_unit_test(a_training_part_may_have_nothing_to_learn),
        cmocka_unit_test(what_sums_cannot_serve_is_refitted),
        cmocka_unit_test(the_cost_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
