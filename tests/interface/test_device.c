/* Devices: names, what stands on a card and what does not, failures of a card, and the bytes that are
 * copied. The card is one of plain loops (support/loops_card.h); every method on it is in
 * methods/test_grid. */
#include "support/card_bench.h"
#include "support/fitting.h"

#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* Ranks take the cards in turn, unless the name says which. */
static void ranks_take_a_card_each(void **state)
{
    (void)state;
    loops_card card = {.cards = 4};
    ald_device *device = loops_device(&card, 1);
    static const struct {
        const char *name;
        int rank, number;
    } cases[] = {
        {"cuda", 0, 0}, {"cuda", 3, 3},   {"cuda", 4, 0},   {"cuda", 5, 1}, {"auto", 0, 0},
        {"auto", 6, 2}, {"cuda:1", 3, 1}, {"cuda:0", 3, 0}, {"gpu", 3, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ald_card_number(device->table, cases[i].name, cases[i].rank), cases[i].number);
    card.cards = 0; /* no driver: that of number 0 cannot be opened, and it says why */
    assert_int_equal(ald_card_number(device->table, "cuda", 3), 0);
    ald_device_close(device);
}

static ald_status fit(card_bench *b, const char *method, const char *set, ald_model **model, ald_error *error)
{
    ald_settings *settings = support_settings(b->context, method, set);
    const ald_status status = ald_fit(b->context, settings, &b->s.view, &b->y, model, error);
    ald_settings_free(settings);
    return status;
}

static void x_is_copied_once_and_given_up(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    ald_device_facts facts = ALD_DEVICE_FACTS_INIT;
    card_bench_begin(&b, n, d, 1);
    assert_done(fit(&b, "lda", "n_components=2", &model, &error), error);
    assert_string_equal(ald_model_text(model, "alidade.resolved.device"), "loops");
    ald_model_free(model);
    ald_device_describe(b.device, &facts, &error);
    assert_string_equal(facts.name, "loops");
    assert_int_equal(facts.held, 1);
    assert_true(facts.calls >= 2); /* statistics and the scatter, at least */
    assert_true(facts.bytes_in >= 8.0 * n * d);
    assert_true(facts.bytes_in < 8.0 * n * d + 12.0 * n + 8.0 * 8 * d); /* and codes and weights of classes */
    /* Rows with steps are others than those that came, and stand there instead. */
    assert_done(fit(&b, "pca", "n_components=2 rows=snv", &model, &error), error);
    ald_model_free(model);
    assert_int_equal(b.card.held, 3);
    card_bench_end(&b);
}

static void small_fits_stay_with_the_processor(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    card_bench_begin(&b, n, d, 0); /* device=auto */
    assert_done(fit(&b, "lda", "n_components=2", &model, &error), error);
    assert_null(ald_model_text(model, "alidade.resolved.device"));
    ald_model_free(model);
    assert_int_equal(b.card.held, 0);
    card_bench_end(&b);
}

/* Every call that a fit makes fails once: a card that was asked for by name is an error that names it, and
 * nothing stays behind. */
static void failures_are_errors(void **state)
{
    (void)state;
    for (int code = ALD_CARD_FULL; code <= ALD_CARD_FAILED; code++) {
        int64_t fail_at = 1;
        for (int done = 0; !done; fail_at++) {
            card_bench b;
            ald_model *model;
            ald_error error;
            card_bench_begin(&b, n, d, 1);
            b.card.fail_at = fail_at;
            b.card.code = (ald_card_code)code;
            done = fit(&b, "pls", "n_components=2", &model, &error) >= 0;
            if (!done) {
                assert_int_equal(error.status,
                                 code == ALD_CARD_FULL ? ALD_ERROR_MEMORY : ALD_ERROR_UNSUPPORTED);
                assert_non_null(strstr(error.message, code == ALD_CARD_FULL ? "loops: its memory is full"
                                                                            : "loops: it has disappeared"));
                assert_null(model);
            }
            ald_model_free(model);
            card_bench_end(&b);
        }
        assert_true(fail_at > 4);
    }
}

/* With `auto` the processor does what the card could not. */
static void failures_fall_back(void **state)
{
    (void)state;
    card_bench b;
    ald_run run;
    ald_error error;
    double v[d], u[n], want[n];
    card_bench_begin(&b, n, d, 1);
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
    card_bench_end(&b);
}

/* (Z v o Z v) f on the card, by the processor after it failed there, and without it. */
static void squares_agree(void **state)
{
    (void)state;
    enum { k = 3, p = 2 };
    card_bench b;
    ald_run run;
    ald_error error;
    double *v = support_normals(21, d * k), *f = support_normals(22, k * p), *mean = support_normals(23, d);
    double u[n * p], want[n * p];
    card_bench_begin(&b, n, d, 1);
    const ald_operator z = {.x = b.s.view, .mean = mean};
    for (int64_t i = 0; i < n * p; i++) {
        want[i] = 0.0;
        for (int64_t c = 0; c < k; c++) {
            double sum = 0.0;
            for (int64_t j = 0; j < d; j++) sum += (b.s.x[i / p * d + j] - mean[j]) * v[j * k + c];
            want[i] += sum * sum * f[c * p + i % p];
        }
    }
    support_run(&run, b.context, &error);
    for (int way = 0; way < 3; way++) { /* the processor, the card, a card that fails */
        const int64_t before = b.card.calls;
        if (way == 1) assert_done(ald_card_hold(&run, &b.s.view, 1.0), error);
        b.device->always = way < 2;
        b.card.fail_at = way == 2 ? b.card.asked + 1 : 0;
        assert_done(ald_operator_apply_squared(&run, &z, ald_of(v, d, k), ald_of(f, k, p), ald_at(u, n, p)),
                    error);
        assert_int_equal(b.card.calls - before, way == 1);
        assert_below(support_largest_difference(n * p, want, u), 1e-12 * support_norm(n * p, want));
    }
    ald_card_release(&run, NULL);
    ald_run_end(&run, ALD_OK);
    card_bench_end(&b);
    free(v);
    free(f);
    free(mean);
}

/* Some of the rows of X stand on the card too; a copy of them, other strides and other types do not. */
static void rows_are_known_by_their_place(void **state)
{
    (void)state;
    card_bench b;
    ald_run run;
    ald_error error;
    int64_t first = -1;
    double v[d], u[20], want[20], copy[n * d];
    card_bench_begin(&b, n, d, 1);
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
    card_bench_end(&b);
}

/* X of the sample where the host cannot read it: a method that does dies here. */
static ald_matrix on_device(card_bench *b)
{
    ald_matrix x = b->s.view;
    void *there = mmap(NULL, sizeof(double) * n * d, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(there != MAP_FAILED);
    b->card.away = (char *)there - (char *)b->s.x;
    x.storage = ALD_ON_DEVICE;
    x.values = there;
    return x;
}

static void same_on_device(card_bench *b, const ald_method *method, const ald_matrix *x)
{
    static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
    static const unsigned takes[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS};
    const char *name = ald_method_name(method);
    ald_error error;
    for (int k = 0; k < 3; k++) {
        ald_model *model, *want;
        double z[2 * n], expected[2 * n];
        ald_target y = support_sample_target(&b->s, kinds[k]);
        if (kinds[k] == ALD_TARGET_REAL && !(ald_method_capabilities(method) & ALD_CAN_RESPONSES))
            y.values.cols = 1;
        if (!(ald_method_capabilities(method) & takes[k])) continue;
        ald_settings *s = support_settings(b->context, name, "n_components=2");
        assert_true(ald_predictor_auto(s, kinds[k], 0, NULL, &error) >= 0);
        const double begun = b->card.bytes_in;
        const ald_status status = ald_fit(b->context, s, &b->s.view, &y, &want, &error);
        const double before = b->card.bytes_in;
        assert_int_equal(ald_fit(b->context, s, x, &y, &model, &error), status);
        ald_settings_free(s);
        assert_int_equal(b->card.standing, 0);
        if (status < 0) continue;
        if (ald_method_capabilities(method) & ALD_CAN_STREAM) /* all is copied but X */
            assert_true(b->card.bytes_in - before <= before - begun - 8.0 * n * d);
        assert_done(ald_transform(b->context, want, &b->s.view, expected, &error), error);
        assert_done(ald_transform(b->context, model, x, z, &error), error);
        assert_below(support_largest_difference(2 * n, z, expected), 1e-9 * support_norm(2 * n, z));
        ald_model_free(want);
        ald_model_free(model);
    }
}

static void rows_may_live_on_the_device(void **state)
{
    (void)state;
    card_bench b;
    card_bench_begin(&b, n, d, 1);
    const ald_matrix x = on_device(&b);
    for (int m = 0; m < ald_method_count(); m++) same_on_device(&b, ald_method_at(m), &x);
    card_bench_end(&b);
}

/* Projections and predictions of rows that the host cannot read, left on the device or not. */
static void results_may_stay_on_the_device(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    double z[2 * n], room[2 * n], classes[n], expected[n];
    card_bench_begin(&b, n, d, 1);
    const ald_matrix x = on_device(&b);
    assert_done(fit(&b, "lda", "n_components=2 predictor=gaussian", &model, &error), error);
    assert_done(ald_transform(b.context, model, &b.s.view, z, &error), error);
    ald_output_view out = {ALD_F64, n, 2, (char *)room + b.card.away, 2, 1};
    assert_int_equal(ald_transform_on_device(b.context, model, &b.s.view, &out, &error), ALD_OK);
    assert_below(support_largest_difference(2 * n, z, room), 1e-12 * support_norm(2 * n, z));
    float narrow[2 * n];
    out.type = ALD_F32;
    out.values = (char *)narrow + b.card.away;
    assert_done(ald_transform_on_device(b.context, model, &x, &out, &error), error);
    for (int e = 0; e < 2 * n; e++)
        assert_below(fabs(z[e] - (double)narrow[e]), 1e-5 * support_norm(2 * n, z));
    out.col_stride = 2;
    assert_int_equal(ald_transform_on_device(b.context, model, &x, &out, &error), ALD_ERROR_ARGUMENT);
    assert_done(ald_predict(b.context, model, &b.s.view, expected, &error), error);
    assert_done(ald_predict(b.context, model, &x, classes, &error), error);
    assert_memory_equal(expected, classes, sizeof classes);
    ald_model_free(model);
    card_bench_end(&b);
}

/* Nothing else takes such rows, a bad entry is named, and a device that fails is an error even for `auto`. */
static void bad_rows_on_the_device(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    card_bench_begin(&b, n, d, 0);
    ald_matrix x = on_device(&b);
    ald_settings *s = support_settings(b.context, "pca", "n_components=2");
    for (int64_t at = 1, done = 0; !done; at++) {
        b.card.asked = 0;
        b.card.fail_at = at;
        b.card.code = ALD_CARD_FAILED;
        done = ald_fit(b.context, s, &x, NULL, &model, &error) >= 0;
        if (!done) assert_non_null(strstr(error.message, "loops: it has disappeared"));
        ald_model_free(model);
        assert_int_equal(b.card.standing, 0);
    }
    b.card.fail_at = 0;
    b.s.x[3 * d + 2] = NAN;
    assert_int_equal(ald_fit(b.context, s, &x, NULL, &model, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "row 4, column 3 is not a finite number"));
    x.col_stride = -1;
    assert_int_equal(ald_fit(b.context, s, &x, NULL, &model, &error), ALD_ERROR_ARGUMENT);
    ald_context_set_device(b.context, NULL, &error);
    assert_int_equal(ald_fit(b.context, s, &x, NULL, &model, &error), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the context has none"));
    ald_settings_free(s);
    card_bench_end(&b);
}

/* A method that finds too few components is called again: what it left on the card is given up before. */
static void a_second_call_finds_the_card_as_it_was(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    card_bench_begin(&b, n, d, 1);
    assert_done(fit(&b, "kpca", "kernel=linear n_components=9 components_rule=at-most", &model, &error),
                error);
    assert_true(ald_model_component_count(model) <= d);
    ald_model_free(model);
    card_bench_end(&b);
}

static int carry_on(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage, (void)fraction;
    return 0;
}

/* Large eigenproblems are the card's, also where the caller wants to hear of progress, for which the
 * processor would compute them aside; and the processor's where the card fails. */
static void large_eigenproblems_go_to_the_card(void **state)
{
    (void)state;
    enum { order = 1000, wanted = 3 };
    card_bench b;
    ald_run run;
    ald_error error;
    static double vectors[wanted * order];
    double values[wanted];
    double *a = calloc((size_t)order * order, sizeof *a);
    card_bench_begin(&b, 0, 0, 1);
    b.context->progress = carry_on;
    b.card.code = ALD_CARD_FAILED;
    for (int always = 1; always >= 0; always--) {
        for (int64_t k = 0; k < order; k++) a[k * order + k] = (double)(order - k);
        support_run(&run, b.context, &error);
        b.device->always = always;
        b.card.fail_at = always ? 0 : b.card.asked + 1;
        assert_done(ald_eigen(&run, ald_at(a, order, order), values, ald_at(vectors, wanted, order)), error);
        ald_run_end(&run, ALD_OK);
        for (int k = 0; k < wanted; k++) {
            assert_below(fabs(values[k] - (order - k)), 1e-9);
            assert_below(1.0 - fabs(vectors[k * order + k]), 1e-9);
        }
    }
    assert_int_equal(b.card.calls, 1);
    assert_int_equal(b.notes, 1);
    free(a);
    card_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(ranks_take_a_card_each),
        cmocka_unit_test(x_is_copied_once_and_given_up),
        cmocka_unit_test(small_fits_stay_with_the_processor),
        cmocka_unit_test(failures_are_errors),
        cmocka_unit_test(failures_fall_back),
        cmocka_unit_test(squares_agree),
        cmocka_unit_test(rows_are_known_by_their_place),
        cmocka_unit_test(rows_may_live_on_the_device),
        cmocka_unit_test(results_may_stay_on_the_device),
        cmocka_unit_test(bad_rows_on_the_device),
        cmocka_unit_test(large_eigenproblems_go_to_the_card),
        cmocka_unit_test(a_second_call_finds_the_card_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
