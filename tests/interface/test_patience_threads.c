/* With no patience at all every decomposition of every method is done aside: the numbers are the same to the
 * last bit, and whichever question the caller answers with a wish to stop, the fit stops. */
#include "support/fitting.h"

#include "base/core/context.h"
#include "base/threads/aside.h"

#include <string.h>

typedef struct listener {
    int asked, stop_at; /* the question that is answered with a wish to stop; 0: none */
} listener;

static int listen(void *user, const char *stage, double done)
{
    listener *l = user;
    (void)stage;
    (void)done;
    return ++l->asked == l->stop_at;
}

static ald_target target_for(const support_sample *s, const ald_method *method)
{
    const unsigned can = ald_method_capabilities(method);
    if (can & ALD_CAN_REAL) return ald_target_real(ald_matrix_row_major(s->responses, s->n, 1, 3));
    return support_sample_target(s, can & ALD_CAN_CLASSES ? ALD_TARGET_CLASSES : ALD_TARGET_LABELS);
}

static ald_status fit(const ald_method *method, double patience, listener *l, const support_sample *s,
                      ald_model **model)
{
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = listen,
        .progress_user = l,
    };
    const ald_target y = target_for(s, method);
    ald_context *context;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    context->patience = patience;
    ald_settings *settings = support_settings(context, ald_method_name(method), "components_rule=at-most");
    const ald_status status = ald_fit(context, settings, &s->view, &y, model, &error);
    if (status < 0 && status != ALD_ERROR_CANCELLED)
        print_error("%s: %s\n", ald_method_name(method), error.message);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

/* To the last bit, all that they hold. */
static void assert_same_bytes(const ald_model *a, const ald_model *b)
{
    ald_context *context = support_context(1, NULL);
    unsigned char *one, *two;
    size_t one_size, two_size;
    ald_error error;
    assert_done(ald_model_to_bytes(context, a, &one, &one_size, &error), error);
    assert_done(ald_model_to_bytes(context, b, &two, &two_size, &error), error);
    assert_int_equal(one_size, two_size);
    assert_memory_equal(one, two, one_size);
    ald_bytes_free(context, one);
    ald_bytes_free(context, two);
    ald_context_free(context);
}

static void aside_is_the_same(void **state)
{
    (void)state;
    support_sample s = support_sample_make(40, 5, 3);
    for (int i = 0; i < ald_method_count(); i++) {
        ald_model *here, *aside;
        listener one = {0}, two = {0};
        const ald_method *method = ald_method_at(i);
        assert_true(fit(method, 1e9, &one, &s, &here) >= 0);
        assert_true(fit(method, 1.0, &two, &s, &aside) >= 0);
        assert_same_bytes(here, aside);
        ald_model_free(here);
        ald_model_free(aside);
    }
    support_sample_free(&s);
}

/* The first, the second and the middle question. */
static void every_method_stops_when_asked(void **state)
{
    (void)state;
    support_sample s = support_sample_make(40, 5, 3);
    for (int i = 0; i < ald_method_count(); i++) {
        ald_model *model;
        listener all = {0};
        const ald_method *method = ald_method_at(i);
        assert_true(fit(method, 1.0, &all, &s, &model) >= 0);
        ald_model_free(model);
        assert_true(all.asked > 0);
        const int questions[] = {1, 2, all.asked / 2};
        for (int k = 0; k < 3; k++) {
            listener l = {.stop_at = questions[k]};
            if (l.stop_at < 1 || l.stop_at > all.asked) continue;
            const ald_status status = fit(method, 1.0, &l, &s, &model);
            ald_model_free(model);
            /* how often it is asked while a decomposition goes on differs from run to run */
            assert_true(status == ALD_ERROR_CANCELLED || l.asked < l.stop_at);
        }
    }
    ald_aside_wait();
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aside_is_the_same),
        cmocka_unit_test(every_method_stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
