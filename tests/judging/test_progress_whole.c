/* What the progress function hears of every call: the part of the whole call that is done, which never falls
 * and is 1 at the end. */
#include "support/comparing.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that was heard since the last check. */
typedef struct heard {
    int count, falls, outside;
    int late; /* steps behind the first half */
    double last;
} heard;

static int listen(void *user, const char *stage, double done)
{
    heard *h = user;
    assert_non_null(stage);
    h->count++;
    h->outside += done > 1.0 || isnan(done);
    h->falls += done < h->last - 1e-12;
    h->late += done > h->last + 1e-3 && done > 0.5 && done < 1.0;
    h->last = fmax(h->last, done);
    return 0;
}

static void check(heard *h, const char *call)
{
    if (h->count == 0 || h->falls > 0 || h->outside > 0 || h->last != 1.0)
        fail_msg("%s: told %d times, fell %d times, outside 0 to 1 %d times, last %g", call, h->count,
                 h->falls, h->outside, h->last);
    *h = (heard){.last = -1.0};
}

typedef struct world {
    ald_context *context;
    heard heard;
    ald_dataset *data;
    char path[400];
    ald_load_options load;
    ald_error error;
} world;

static void begin(world *w, int threads)
{
    *w = (world){.heard = {.last = -1.0}, .load = {.size = sizeof w->load, .target = "y"}};
    const ald_options options = {
        .size = sizeof options,
        .threads = threads,
        .progress = listen,
        .progress_user = &w->heard,
    };
    assert_done(ald_context_new(&options, &w->context, &w->error), w->error);
    snprintf(w->path, sizeof w->path, "%s/wine.csv", support_data());
    assert_done(ald_dataset_load(w->context, w->path, &w->load, &w->data, &w->error), w->error);
    check(&w->heard, "load");
}

static void end(world *w)
{
    ald_dataset_free(w->data);
    ald_context_free(w->context);
}

/* Every method that takes classes, fitted, applied and judged. */
static void fits_go_from_0_to_1(void **state)
{
    world w;
    const ald_method *method;
    ald_model *model;
    (void)state;
    begin(&w, 1);
    const ald_matrix *x = ald_dataset_x(w.data);
    double *z = malloc((size_t)(x->rows * 10) * sizeof *z);
    for (int i = 0; (method = ald_method_at(i)) != NULL; i++) {
        if (!(ald_method_capabilities(method) & ALD_CAN_CLASSES)) continue;
        ald_settings *settings = support_settings(w.context, ald_method_name(method), "scale=standard");
        w.heard = (heard){.last = -1.0};
        const ald_status status = ald_fit_dataset(w.context, settings, w.data, &model, &w.error);
        if (status >= 0) {
            check(&w.heard, ald_method_name(method));
            if (ald_method_capabilities(method) & ALD_CAN_MAP_NEW_ROWS) {
                assert_true(ald_model_component_count(model) <= 10);
                assert_done(ald_transform(w.context, model, x, z, &w.error), w.error);
                check(&w.heard, "transform");
            }
            ald_model_free(model);
        }
        ald_settings_free(settings);
    }
    free(z);
    end(&w);
}

static void comparing_and_tuning_go_from_0_to_1(void **state)
{
    static const char *const settings[] = {"scale=standard", "n_starts=2", NULL};
    for (int threads = 1; threads <= 3; threads += 2) {
        ald_comparison *comparison;
        ald_tuning *tuning;
        ald_model *model;
        ald_search search = ALD_SEARCH_INIT;
        world w;
        (void)state;
        begin(&w, threads);
        search.methods = "lda,pls,sdpp n_neighbors=10 ridge_rel=0.1";
        search.components = "1:2";
        search.settings = settings;
        const ald_splits_options folds = {.size = sizeof folds, .folds = 4};
        const ald_compare_options compare = {.size = sizeof compare, .search = &search, .splits = &folds};
        assert_done(ald_compare_dataset(w.context, w.data, &compare, &comparison, &w.error), w.error);
        check(&w.heard, "compare");
        ald_comparison_free(comparison);
        const ald_tune_options tune = {
            .size = sizeof tune,
            .search = &search,
            .inner = &folds,
            .outer = &folds,
        };
        assert_done(ald_tune(w.context, w.data, &tune, &tuning, &model, &w.error), w.error);
        check(&w.heard, "tune");
        ald_tuning_free(tuning);
        ald_model_free(model);
        end(&w);
    }
}

/* With one setting on two folds, most of the time goes to the ten fits behind the choice, whose errors are
 * kept: the bar moves with them. */
static void the_last_fits_have_their_part(void **state)
{
    const ald_splits_options folds = {.size = sizeof folds, .folds = 2};
    const ald_tune_options tune = {.size = sizeof tune, .methods = "kpca", .inner = &folds, .no_nested = 1};
    ald_tuning *tuning;
    ald_model *model;
    world w;
    (void)state;
    begin(&w, 1);
    assert_done(ald_tune(w.context, w.data, &tune, &tuning, &model, &w.error), w.error);
    assert_true(ald_model_calibration_count(model) > 0);
    if (w.heard.late < 5) fail_msg("the second half has %d steps", w.heard.late);
    check(&w.heard, "tune");
    ald_tuning_free(tuning);
    ald_model_free(model);
    end(&w);
}

static void testing_and_resampling_go_from_0_to_1(void **state)
{
    for (int every = 0; every < 2; every++) {
        const ald_dimension_options options = {
            .size = sizeof options,
            .permutations = 19,
            .max_dims = 3,
            .every = every,
        };
        const ald_stability_options resampling = {.size = sizeof resampling, .resamples = 5, .permuted = 5};
        ald_dimension_row rows[3] = {{.size = sizeof *rows}, {.size = sizeof *rows}, {.size = sizeof *rows}};
        ald_dimension_choice choice = {.size = sizeof choice};
        ald_stability_row angles[3] = {{.size = sizeof *angles}, {.size = sizeof *angles}};
        ald_stability_summary summary = {.size = sizeof summary};
        ald_model *model;
        world w;
        int count;
        (void)state;
        begin(&w, 2);
        const ald_matrix *x = ald_dataset_x(w.data);
        const ald_target *y = ald_dataset_target(w.data);
        ald_settings *settings = support_settings(w.context, "lda", "n_components=2");
        assert_done(ald_dimension(w.context, settings, x, y, &options, rows, 3, &count, &choice, &w.error),
                    w.error);
        check(&w.heard, "dimension");
        assert_done(ald_fit_dataset(w.context, settings, w.data, &model, &w.error), w.error);
        check(&w.heard, "fit");
        assert_done(ald_stability(w.context, model, x, y, &resampling, angles, &summary, &w.error), w.error);
        check(&w.heard, "stability");
        ald_model_free(model);
        ald_settings_free(settings);
        end(&w);
    }
}

static void streams_and_files_go_from_0_to_1(void **state)
{
    char path[] = "/tmp/ald-progress-XXXXXX.csv";
    ald_dataset *survey;
    ald_model *model;
    int64_t rows;
    world w;
    (void)state;
    begin(&w, 2);
    close(mkstemps(path, 4));
    assert_done(ald_dataset_survey(w.context, w.path, &w.load, &survey, &rows, &w.error), w.error);
    check(&w.heard, "survey");
    ald_settings *settings = support_settings(w.context, "pls", "n_components=2");
    assert_done(ald_fit_stream(w.context, settings, w.path, &w.load, survey, &model, &w.error), w.error);
    check(&w.heard, "fit of a stream");
    assert_done(ald_model_save(w.context, model, path, &w.error), w.error);
    check(&w.heard, "save");
    ald_model_free(model);
    assert_done(ald_model_load(w.context, path, &model, &w.error), w.error);
    check(&w.heard, "load of a model");
    assert_done(ald_convert(w.context, w.path, path, NULL, &w.error), w.error);
    check(&w.heard, "convert");
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(survey);
    unlink(path);
    end(&w);
}

/* How far a call was when it began a stage. */
typedef struct watched {
    const char *stage;
    double at;
} watched;

static int watch(void *user, const char *stage, double done)
{
    watched *w = user;
    if (w->at < 0.0 && strcmp(stage, w->stage) == 0) w->at = done;
    return 0;
}

static ald_context *watching(watched *w)
{
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = watch,
        .progress_user = w,
    };
    ald_context *context;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    return context;
}

/* Six classes, each away from the others along a column of its own: five components, all significant. */
enum { rows = 240, columns = 6 };
static void six_classes(double *x, int32_t *classes)
{
    uint32_t noise = 1;
    for (int i = 0; i < rows; i++) {
        classes[i] = i % columns;
        for (int j = 0; j < columns; j++) {
            noise = noise * 1664525u + 1013904223u;
            x[i * columns + j] = (double)(noise >> 8) / (1 << 24) + (j == i % columns);
        }
    }
}

/* Of five tests of components the fourth is not nearly the end. */
static void steps_that_will_come_are_foreseen(void **state)
{
    double x[rows * columns];
    int32_t classes[rows];
    watched seen = {"testing component 4", -1.0};
    const ald_dimension_options options = {.size = sizeof options, .permutations = 199};
    ald_dimension_row found[columns];
    ald_dimension_choice choice = {.size = sizeof choice};
    ald_error error;
    int count;
    (void)state;
    six_classes(x, classes);
    for (int k = 0; k < columns; k++) found[k] = (ald_dimension_row){.size = sizeof *found};
    ald_context *context = watching(&seen);
    ald_settings *settings = support_settings(context, "lda", "");
    const ald_matrix data = ald_matrix_row_major(x, rows, columns, columns);
    const ald_target y = ald_target_classes(classes, rows, columns);
    assert_done(
        ald_dimension(context, settings, &data, &y, &options, found, columns, &count, &choice, &error),
        error);
    assert_int_equal(choice.by_permutation, 5);
    if (!(seen.at > 0.2 && seen.at < 0.8)) fail_msg("the fourth of five tests began at %g", seen.at);
    ald_settings_free(settings);
    ald_context_free(context);
}

/* What kdr does before its search is short. */
static void kdr_begins_at_its_beginning(void **state)
{
    double x[rows * columns];
    int32_t classes[rows];
    watched seen = {"reducing the dependence", -1.0};
    ald_error error;
    ald_model *model;
    (void)state;
    six_classes(x, classes);
    ald_context *context = watching(&seen);
    ald_settings *settings = support_settings(context, "kdr", "rank=20 n_stages=5");
    const ald_matrix data = ald_matrix_row_major(x, rows, columns, columns);
    const ald_target y = ald_target_classes(classes, rows, columns);
    assert_done(ald_fit(context, settings, &data, &y, &model, &error), error);
    if (!(seen.at >= 0.0 && seen.at < 0.2)) fail_msg("the search began at %g", seen.at);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_go_from_0_to_1),
        cmocka_unit_test(comparing_and_tuning_go_from_0_to_1),
        cmocka_unit_test(the_last_fits_have_their_part),
        cmocka_unit_test(testing_and_resampling_go_from_0_to_1),
        cmocka_unit_test(streams_and_files_go_from_0_to_1),
        cmocka_unit_test(steps_that_will_come_are_foreseen),
        cmocka_unit_test(kdr_begins_at_its_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
