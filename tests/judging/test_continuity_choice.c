/* The number of neighbours chosen by continuity: each trial is a fit by itself, and the best of them is kept.
 */
#include "continuity_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* y is a function of the first two of five columns. */
typedef struct choice {
    ald_dataset data;
    double *x, *y;
    ald_settings *settings;
    ald_trial trials[8];
    ald_model *model;
} choice;

static choice choice_make(fixture *f, int64_t n, const char *set)
{
    choice c = {.x = support_normals(11, n * 5), .y = malloc((size_t)n * sizeof(double))};
    for (int64_t i = 0; i < n; i++) c.y[i] = sin(c.x[5 * i]) * cos(c.x[5 * i + 1]);
    c.data.x = ald_matrix_row_major(c.x, n, 5, 5);
    c.data.target = ald_target_real(ald_matrix_row_major(c.y, n, 1, 1));
    c.trials[0].size = sizeof c.trials[0];
    c.settings = support_settings(f->context, "sdpp", set);
    return c;
}

static void choice_free(choice *c)
{
    ald_model_free(c->model);
    ald_settings_free(c->settings);
    free(c->x);
    free(c->y);
}

static double standing_clock(void)
{
    return 1.0;
}

static const int64_t tried[] = {3, 6, 12, 24, 500};

static void choose(ald_context *context, choice *c, const ald_choice_options *options)
{
    ald_error error;
    assert_done(ald_choose_neighbors(context, c->settings, &c->data, options, c->trials, &c->model, &error),
                error);
}

static double continuity_of(fixture *f, const choice *c, const ald_model *model)
{
    double *z = malloc((size_t)(c->data.x.rows * ald_model_component_count(model)) * sizeof *z);
    assert_done(ald_transform(f->context, model, &c->data.x, z, &f->error), f->error);
    measure(f, z, ald_model_component_count(model), &c->data.target, NULL);
    free(z);
    return f->summary.mean;
}

/* Each trial is what a fit by itself gives, the best of them is kept, and 500 neighbours of 160 rows are
 * told. */
static void the_largest_mean_is_chosen(void **state)
{
    fixture *f = *state;
    choice c = choice_make(f, 160, "n_components=2");
    const ald_choice_options options = {
        .size = sizeof options,
        .n_neighbors = tried,
        .count = 5,
        .clock = standing_clock,
    };
    ald_context *single = support_context(1, NULL);
    int best = 0, chosen = -1;
    choose(f->context, &c, &options);
    for (int i = 0; i < 4; i++) {
        ald_model *alone = NULL;
        assert_done(ald_settings_set_int(c.settings, "n_neighbors", tried[i], &f->error), f->error);
        assert_done(ald_fit_dataset(single, c.settings, &c.data, &alone, &f->error), f->error);
        assert_close(c.trials[i].continuity, continuity_of(f, &c, alone), 1e-12);
        assert_close(c.trials[i].objective, strtod(ald_model_text(alone, "alidade.resolved.objective"), NULL),
                     0.0);
        assert_close(c.trials[i].seconds, 0.0, 0.0);
        if (c.trials[i].continuity > c.trials[best].continuity) best = i;
        if (c.trials[i].chosen) chosen = i;
        ald_model_free(alone);
    }
    assert_int_equal(chosen, best);
    assert_close(c.trials[best].behind, 0.0, 0.0);
    assert_true(c.trials[best].as_good);
    for (int i = 0; i < 4; i++) {
        assert_close(c.trials[i].behind, c.trials[best].continuity - c.trials[i].continuity, 1e-12);
        assert_int_equal(c.trials[i].as_good, c.trials[i].behind <= 2.0 * c.trials[i].behind_error);
    }
    assert_true(c.trials[4].status < 0 && isnan(c.trials[4].continuity) && !c.trials[4].as_good);
    assert_non_null(strstr(c.trials[4].note, "500"));
    assert_close(continuity_of(f, &c, c.model), c.trials[best].continuity, 1e-12);
    char expected[64];
    snprintf(expected, sizeof expected, "%lld has the largest mean continuity", (long long)tried[best]);
    assert_non_null(strstr(ald_model_text(c.model, "alidade.resolved.n_neighbors_choice"), expected));
    assert_int_equal(strtol(ald_model_text(c.model, "alidade.param.n_neighbors"), NULL, 10), tried[best]);
    ald_array kept;
    assert_true(ald_model_array(c.model, "choice/n_neighbors", &kept));
    assert_memory_equal(kept.data, tried, sizeof tried);
    choice_free(&c);
    ald_context_free(single);
}

static void the_choice_does_not_depend_on_threads(void **state)
{
    fixture *f = *state;
    choice first = choice_make(f, 120, "n_components=2");
    const ald_choice_options options = {.size = sizeof options, .n_neighbors = tried, .count = 5};
    choose(f->context, &first, &options);
    for (int threads = 1; threads <= 6; threads += 5) {
        ald_context *context = support_context(threads, NULL);
        choice c = choice_make(f, 120, "n_components=2");
        choose(context, &c, &options);
        for (int i = 0; i < 4; i++) {
            assert_close(c.trials[i].continuity, first.trials[i].continuity, 0.0);
            assert_close(c.trials[i].behind_error, first.trials[i].behind_error, 0.0);
            assert_int_equal(c.trials[i].chosen, first.trials[i].chosen);
            assert_true(isnan(c.trials[i].seconds));
        }
        support_assert_same_model(c.model, first.model, 0.0);
        choice_free(&c);
        ald_context_free(context);
    }
    choice_free(&first);
}

static void choose_refused(ald_context *context, choice *c, const ald_choice_options *options,
                           ald_status status, const char *part)
{
    ald_error error;
    assert_int_equal(
        ald_choose_neighbors(context, c->settings, &c->data, options, c->trials, &c->model, &error), status);
    assert_null(c->model);
    if (!strstr(error.message, part)) fail_msg("'%s' does not hold '%s'", error.message, part);
}

static int stop_at_once(void *user, const char *stage, double done)
{
    (void)done;
    *(int *)user += strcmp(stage, "choosing n_neighbors") == 0;
    return 1;
}

static void a_choice_that_cannot_be_made_is_refused(void **state)
{
    fixture *f = *state;
    choice c = choice_make(f, 40, "n_components=2"), no_target = choice_make(f, 40, "n_components=2");
    choice pls = choice_make(f, 40, "n_components=2");
    const int64_t zero[] = {0};
    int asked = 0;
    ald_context *stopping = NULL;
    const ald_options options = {
        .size = sizeof options,
        .threads = 2,
        .progress = stop_at_once,
        .progress_user = &asked,
    };
    assert_done(ald_context_new(&options, &stopping, &f->error), f->error);
    ald_settings_free(pls.settings);
    pls.settings = support_settings(f->context, "pls", "n_components=2");
    no_target.data.target = (ald_target){.rows = 40};
    choose_refused(f->context, &c, &(ald_choice_options){.size = sizeof(ald_choice_options), .count = 0},
                   ALD_ERROR_ARGUMENT, "no numbers of neighbours");
    choose_refused(f->context, &c,
                   &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = zero, .count = 1},
                   ALD_ERROR_ARGUMENT, "is 0; it must be 1 or more");
    choose_refused(
        f->context, &c,
        &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried + 4, .count = 1},
        ALD_ERROR_ARGUMENT, "500");
    choose_refused(
        f->context, &pls,
        &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
        ALD_ERROR_ARGUMENT, "pls has no parameter `n_neighbors`");
    choose_refused(
        f->context, &no_target,
        &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
        ALD_ERROR_DATA, "needs a target");
    choose_refused(
        stopping, &c,
        &(ald_choice_options){.size = sizeof(ald_choice_options), .n_neighbors = tried, .count = 5},
        ALD_ERROR_CANCELLED, "cancelled while choosing");
    assert_true(asked > 0);
    choice_free(&c);
    choice_free(&no_target);
    choice_free(&pls);
    ald_context_free(stopping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_mean_is_chosen),
        cmocka_unit_test(the_choice_does_not_depend_on_threads),
        cmocka_unit_test(a_choice_that_cannot_be_made_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
