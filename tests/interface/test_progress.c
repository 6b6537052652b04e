/* Progress for one call: contexts derived from one that is shared. */
#include "support/fitting.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { n = 60, d = 6 };

static int count_calls(void *user, const char *stage, double done)
{
    (void)stage;
    (void)done;
    ++*(int *)user;
    return 0;
}

static int stop(void *user, const char *stage, double done)
{
    (void)stage;
    (void)done;
    ++*(int *)user;
    return 1;
}

static ald_status fit(ald_context *context, const ald_matrix *x, const ald_target *y, ald_error *error)
{
    ald_settings *settings = support_settings(context, "kdr", "n_components=1");
    ald_model *model;
    const ald_status status = ald_fit(context, settings, x, y, &model, error);
    ald_model_free(model);
    ald_settings_free(settings);
    return status;
}

static void each_call_has_its_own(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    int outer = 0, inner = 0, stopped = 0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = count_calls,
        .progress_user = &outer,
    };
    ald_context *context, *derived, *stopping, *silent;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    assert_done(ald_context_with_progress(context, count_calls, &inner, &derived, &error), error);
    assert_done(ald_context_with_progress(context, stop, &stopped, &stopping, &error), error);
    assert_done(ald_context_with_progress(context, NULL, NULL, &silent, &error), error);
    assert_int_equal(ald_context_threads(derived), 1);
    assert_done(fit(context, &s.view, &y, &error), error);
    const int heard = outer;
    assert_true(heard > 0);
    assert_done(fit(derived, &s.view, &y, &error), error);
    assert_int_equal(outer, heard);
    assert_int_equal(inner, heard);
    assert_done(fit(silent, &s.view, &y, &error), error);
    assert_int_equal(outer, heard);
    ald_context_free(context); /* what was derived from it stays */
    assert_int_equal(fit(stopping, &s.view, &y, &error), ALD_ERROR_CANCELLED);
    assert_int_equal(stopped, 1);
    ald_context_free(derived);
    ald_context_free(stopping);
    ald_context_free(silent);
    support_sample_free(&s);
}

typedef struct worker {
    const ald_context *shared;
    const ald_matrix *x;
    const ald_target *y;
    int heard;
    ald_status status;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    ald_context *own;
    ald_error error;
    w->status = ald_context_with_progress(w->shared, count_calls, &w->heard, &own, &error);
    if (w->status >= 0) w->status = fit(own, w->x, w->y, &error);
    ald_context_free(own);
    return NULL;
}

static void threads_share_one_context(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_context *context = support_context(1, NULL);
    worker workers[3];
    pthread_t threads[3];
    for (int t = 0; t < 3; t++) {
        workers[t] = (worker){.shared = context, .x = &s.view, .y = &y};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < 3; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(workers[t].status, ALD_OK);
        assert_int_equal(workers[t].heard, workers[0].heard);
    }
    ald_context_free(context);
    support_sample_free(&s);
}

static void count_lines(void *user, ald_log_level level, const char *line)
{
    assert_non_null(line);
    *(int *)user += level == ALD_LOG_WARNING;
}

/* One iteration of nipals does not converge, and says so to the log of its own call. */
static void a_call_has_its_own_log(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_context *context = support_context(1, NULL), *derived, *silent;
    ald_settings *settings = support_settings(context, "pls", "algorithm=nipals max_iter=1 n_components=1");
    ald_model *model;
    ald_error error;
    int lines = 0;
    assert_done(ald_context_with_log(context, count_lines, &lines, &derived, &error), error);
    assert_done(ald_context_with_log(derived, NULL, NULL, &silent, &error), error);
    assert_int_equal(ald_fit(silent, settings, &s.view, &y, &model, &error), ALD_NOT_CONVERGED);
    ald_model_free(model);
    assert_int_equal(lines, 0);
    assert_int_equal(ald_fit(derived, settings, &s.view, &y, &model, &error), ALD_NOT_CONVERGED);
    assert_int_equal(lines, 1);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(silent);
    ald_context_free(derived);
    ald_context_free(context);
    support_sample_free(&s);
}

typedef struct listener {
    pthread_t caller;
    atomic_int here, elsewhere;
} listener;

static int note_thread(void *user, const char *stage, double done)
{
    listener *l = user;
    (void)stage;
    (void)done;
    atomic_fetch_add(pthread_equal(pthread_self(), l->caller) ? &l->here : &l->elsewhere, 1);
    return 0;
}

/* R and others can hear progress on the thread that called only. */
static void progress_is_heard_on_the_callers_thread(void **state)
{
    (void)state;
    enum { rows = 20000, columns = 50 };
    support_sample s = support_sample_make(rows, columns, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    listener l = {.caller = pthread_self()};
    const ald_options options = {
        .size = sizeof options,
        .threads = 4,
        .progress = note_thread,
        .progress_user = &l,
    };
    ald_context *context;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_settings *settings = support_settings(context, "pls", "n_components=2 predictor=linear");
    ald_model *model;
    double *predicted = malloc(3 * rows * sizeof *predicted); /* three responses */
    assert_done(ald_fit(context, settings, &s.view, &y, &model, &error), error);
    for (int i = 0; i < 50; i++) /* some of which wake the others in time */
        assert_done(ald_predict(context, model, &s.view, predicted, &error), error);
    assert_true(atomic_load(&l.here) > 0);
    assert_int_equal(atomic_load(&l.elsewhere), 0);
    free(predicted);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_has_its_own),
        cmocka_unit_test(threads_share_one_context),
        cmocka_unit_test(a_call_has_its_own_log),
        cmocka_unit_test(progress_is_heard_on_the_callers_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
