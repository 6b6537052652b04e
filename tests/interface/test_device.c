/* Devices: names, what stands on a card and what does not, failures of a card, and the bytes that are
 * copied. The card is one of plain loops (support/loops_card.h); every method on it is in
 * methods/test_grid. */
#include "support/fitting.h"
#include "support/loops_card.h"
#include "support/support.h"

#include "math/device/held.h"
#include "math/operator/operator.h"

#include <alidade/device.h>
#include <stdio.h>
#include <string.h>

enum { n = 60, d = 7 };

static void names_are_checked(void **state)
{
    (void)state;
    static const char *const wrong[] = {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA", ""};
    ald_device *device;
    ald_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ald_device_open(wrong[i], &device, &error), ALD_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "unknown device"));
        assert_null(device);
    }
    assert_int_equal(ald_device_open("cpu", &device, &error), ALD_OK);
    assert_null(device);
    ald_device_facts facts = ALD_DEVICE_FACTS_INIT;
    assert_int_equal(ald_device_describe(NULL, &facts, &error), ALD_OK);
    assert_string_equal(facts.name, "cpu");
    /* A machine with a card and its module opens it; one without says why, or has none. */
    const ald_status status = ald_device_open("cuda:999", &device, &error);
    assert_int_equal(status, ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "the device 'cuda:999' cannot be used: "));
    assert_int_equal(ald_device_open("auto", &device, &error), ALD_OK);
    ald_device_close(device);
}

typedef struct bench {
    support_sample s;
    ald_target y;
    loops_card card;
    ald_device *device;
    ald_context *context;
    char log[500];
} bench;

static void keep_line(void *user, ald_log_level level, const char *line)
{
    bench *b = user;
    if (level == ALD_LOG_INFO) snprintf(b->log, sizeof b->log, "%s", line);
}

static void bench_begin(bench *b, int always)
{
    ald_error error;
    memset(b, 0, sizeof *b);
    b->s = support_sample_make(n, d, 5);
    b->y = support_sample_target(&b->s, ALD_TARGET_CLASSES);
    b->device = loops_device(&b->card, always);
    const ald_options options = {.size = sizeof options, .threads = 1, .log = keep_line, .log_user = b};
    assert_done(ald_context_new(&options, &b->context, &error), error);
    assert_done(ald_context_set_device(b->context, b->device, &error), error);
}

static void bench_end(bench *b)
{
    assert_int_equal(b->card.standing, 0);
    ald_context_free(b->context);
    ald_device_close(b->device);
    support_sample_free(&b->s);
}

static ald_status fit(bench *b, const char *method, const char *set, ald_model **model, ald_error *error)
{
    ald_settings *settings = support_settings(b->context, method, set);
    const ald_status status = ald_fit(b->context, settings, &b->s.view, &b->y, model, error);
    ald_settings_free(settings);
    return status;
}

static void x_is_copied_once_and_given_up(void **state)
{
    (void)state;
    bench b;
    ald_model *model;
    ald_error error;
    ald_device_facts facts = ALD_DEVICE_FACTS_INIT;
    bench_begin(&b, 1);
    assert_done(fit(&b, "lda", "n_components=2", &model, &error), error);
    ald_model_free(model);
    ald_device_describe(b.device, &facts, &error);
    assert_string_equal(facts.name, "loops");
    assert_int_equal(facts.held, 1);
    assert_true(facts.calls >= 2); /* statistics and the scatter, at least */
    assert_true(facts.bytes_in >= 8.0 * n * d);
    assert_true(facts.bytes_in < 2 * 8.0 * n * d + 8.0 * n * 8); /* and nothing that grows with n d besides */
    /* Rows with steps are others than those that came, and stand there instead. */
    assert_done(fit(&b, "pca", "n_components=2 rows=snv", &model, &error), error);
    ald_model_free(model);
    assert_int_equal(b.card.held, 3);
    bench_end(&b);
}

static void small_fits_stay_with_the_processor(void **state)
{
    (void)state;
    bench b;
    ald_model *model;
    ald_error error;
    bench_begin(&b, 0); /* device=auto */
    assert_done(fit(&b, "lda", "n_components=2", &model, &error), error);
    ald_model_free(model);
    assert_int_equal(b.card.held, 0);
    bench_end(&b);
}

/* Every call that a fit makes fails once: a card that was asked for by name is an error that names it, and
 * nothing stays behind. */
static void failures_are_errors(void **state)
{
    (void)state;
    for (int code = ALD_CARD_FULL; code <= ALD_CARD_FAILED; code++) {
        int64_t fail_at = 1;
        for (int done = 0; !done; fail_at++) {
            bench b;
            ald_model *model;
            ald_error error;
            bench_begin(&b, 1);
            b.card.fail_at = fail_at;
            b.card.code = code;
            done = fit(&b, "pls", "n_components=2", &model, &error) >= 0;
            if (!done) {
                assert_int_equal(error.status,
                                 code == ALD_CARD_FULL ? ALD_ERROR_MEMORY : ALD_ERROR_UNSUPPORTED);
                assert_non_null(strstr(error.message, code == ALD_CARD_FULL ? "loops: its memory is full"
                                                                            : "loops: it has disappeared"));
                assert_null(model);
            }
            ald_model_free(model);
            bench_end(&b);
        }
        assert_true(fail_at > 4);
    }
}

/* With `auto` the processor does what the card could not. */
static void failures_fall_back(void **state)
{
    (void)state;
    bench b;
    ald_run run;
    ald_error error;
    double v[d], u[n], want[n];
    bench_begin(&b, 1);
    b.card.code = ALD_CARD_FAILED;
    const ald_operator z = {.x = b.s.view};
    for (int j = 0; j < d; j++) v[j] = 1.0 + j;
    support_multiply(0, 0, n, 1, d, b.s.x, v, want);
    support_run(&run, b.context, &error);
    assert_done(ald_card_hold(&run, &b.s.view, 1.0), error);
    b.device->always = 0;
    b.card.fail_at = b.card.asked + 1;
    assert_done(ald_operator_apply(&run, &z, ald_of(v, d, 1), ald_at(u, n, 1)), error);
    assert_below(support_largest_difference(n, want, u), 1e-12 * support_norm(n, want));
    assert_non_null(strstr(b.log, "the processor computes instead"));
    ald_card_release(&run, NULL);
    ald_run_end(&run, ALD_OK);
    bench_end(&b);
}

/* Some of the rows of X stand on the card too; a copy of them, other strides and other types do not. */
static void rows_are_known_by_their_place(void **state)
{
    (void)state;
    bench b;
    ald_run run;
    ald_error error;
    int64_t first = -1;
    double v[d], u[20], want[20], copy[n * d];
    bench_begin(&b, 1);
    support_run(&run, b.context, &error);
    ald_matrix part = b.s.view, other = b.s.view;
    assert_null(ald_card_find(&run, &part, &first));
    assert_done(ald_card_hold(&run, &b.s.view, 1.0), error);
    part.values = b.s.x + 11 * d;
    part.rows = 20;
    assert_non_null(ald_card_find(&run, &part, &first));
    assert_int_equal(first, 11);
    for (int j = 0; j < d; j++) v[j] = 1.0 + j;
    support_multiply(0, 0, 20, 1, d, b.s.x + 11 * d, v, want);
    const ald_operator z = {.x = part};
    const int64_t before = b.card.calls;
    assert_done(ald_operator_apply(&run, &z, ald_of(v, d, 1), ald_at(u, 20, 1)), error);
    assert_int_equal(b.card.calls, before + 1);
    assert_below(support_largest_difference(20, want, u), 1e-12 * support_norm(20, want));
    part.rows = n - 10;
    assert_null(ald_card_find(&run, &part, &first)); /* beyond its end */
    other.values = b.s.x + 1;
    other.rows = 5;
    assert_null(ald_card_find(&run, &other, &first)); /* begins within a row */
    other = b.s.view;
    other.type = ALD_F32;
    assert_null(ald_card_find(&run, &other, &first));
    memcpy(copy, b.s.x, sizeof copy);
    other = ald_matrix_row_major(copy, n, d, d);
    assert_null(ald_card_find(&run, &other, &first));
    ald_card_release(&run, NULL);
    assert_null(ald_card_find(&run, &b.s.view, &first));
    ald_run_end(&run, ALD_OK);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(x_is_copied_once_and_given_up),
        cmocka_unit_test(small_fits_stay_with_the_processor),
        cmocka_unit_test(failures_are_errors),
        cmocka_unit_test(failures_fall_back),
        cmocka_unit_test(rows_are_known_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
