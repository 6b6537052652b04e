/* The page of a report: what it is written with (base64, SHA-256, escapes, digits), that its figures are
 * those of plain formulas, and that it is the same for any number of threads. What its data are against
 * transform, predict and evaluate is in tests/reference/check_report.py. */
#include "base/numbers/sha256.h"
#include "show/report/figures.h"
#include "show/report/page_data.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_run run;
} fixture;

static void begin(fixture *f)
{
    f->context = support_context(1, NULL);
    support_run(&f->run, f->context, &f->error);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

/* RFC 4648, section 10. */
static void base64_of_known_texts(void **state)
{
    static const char *const pairs[][2] = {
        {"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
    };
    fixture f;
    (void)state;
    begin(&f);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ald_text text;
        ald_text_init(&text, &f.run.scratch);
        assert_done(ald_base64_add(&f.run, &text, pairs[i][0], strlen(pairs[i][0])), f.error);
        assert_string_equal(text.data, pairs[i][1]);
    }
    end(&f);
}

static void hex_of(size_t parts, const char *part, char hex[65])
{
    unsigned char digest[ALD_SHA256_SIZE];
    ald_sha256 hash;
    ald_sha256_begin(&hash);
    for (size_t i = 0; i < parts; i++) ald_sha256_add(&hash, part, strlen(part));
    ald_sha256_end(&hash, digest);
    for (int i = 0; i < ALD_SHA256_SIZE; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

/* The examples of the standard: one block, two blocks, a million letters. */
static void sha256_of_known_texts(void **state)
{
    char hex[65];
    (void)state;
    hex_of(1, "", hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hex_of(1, "abc", hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hex_of(1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hex_of(100000, "aaaaaaaaaa", hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* No byte of a text may end its element, its string or its line. */
static void texts_are_escaped(void **state)
{
    static const char text[] =
        "</script><img onerror=\"x\">&\\\n\x7f\xe2\x80\xa8\xe2\x80\xa9\xe9\xf0\x9f\x98\x80";
    fixture f;
    ald_page page;
    (void)state;
    begin(&f);
    ald_page_begin(&page, &f.run);
    ald_page_open(&page, '{');
    ald_page_text_of(&page, "a", text);
    ald_page_text_of(&page, "b", NULL);
    ald_page_real_of(&page, "c", (double)NAN);
    ald_page_real_of(&page, "d", -0.1);
    ald_page_close(&page, '}');
    assert_done(ald_page_status(&page), f.error);
    assert_string_equal(
        page.text.data,
        "{\"a\":\"\\u003c/script\\u003e\\u003cimg onerror=\\u0022x\\u0022\\u003e\\u0026\\u005c"
        "\\u000a\\u007f\\u2028\\u2029\xc3\xa9\xf0\x9f\x98\x80\",\"b\":null,\"c\":null,\"d\":-0.1}");
    end(&f);
}

/* Little endian, whatever the machine: 1 is 3f800000 as a float; NaN, and what is too large for a float. */
static void columns_are_little_endian(void **state)
{
    const double values[] = {1.0, NAN, 1e300, 2.0};
    const int64_t rows[] = {0, 3}, wholes[] = {1, 258};
    fixture f;
    ald_page page;
    (void)state;
    begin(&f);
    ald_page_begin(&page, &f.run);
    ald_page_open(&page, '[');
    ald_page_f32(&page, (ald_page_column){.values = values, .count = 3, .step = 1});
    ald_page_u16(&page, (ald_page_column){.values = values, .count = 2, .step = 1, .rows = rows});
    ald_page_u16(&page, (ald_page_column){.values = values, .count = 2, .step = 1});
    ald_page_u32_list(&page, wholes, 2);
    ald_page_close(&page, ']');
    assert_done(ald_page_status(&page), f.error);
    assert_string_equal(page.text.data, "[{\"f32\":\"AACAPwAAwH8AAMB/\"},{\"u16\":\"AQACAA==\"},"
                                        "{\"u16\":\"AQD//w==\"},{\"u32\":\"AQAAAAIBAAA=\"}]");
    end(&f);
}

static void digits_follow_the_error(void **state)
{
    static const struct {
        double value, error;
        const char *text;
    } cases[] = {
        {2.28271, 0.117, "2.28"},     {2561.4, 160.0, "2560"}, {0.98, 0.0114, "0.980"},
        {2561.4, 31.0, "2561"},       {-2561.4, 2e4, "-3000"}, {0.98314606, 0.0097, "0.9831"},
        {-0.00561, 0.002, "-0.0056"}, {12.0, NAN, "12.00"},    {0.0, NAN, "0.0"},
        {-0.0001, 0.1, "0.00"},       {1e300, NAN, "1e300"},
    };
    char text[ALD_SHORT_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ald_short_number(cases[i].value, cases[i].error, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Ten rows of two classes. */
static ald_report_job job_of_ten(const fixture *f, double *measured)
{
    ald_report_job job = {
        .context = f->context,
        .kind = ALD_TARGET_CLASSES,
        .outputs = 1,
        .n_classes = 2,
        .total = 10,
        .measured = measured,
    };
    job.judged.metric = ald_report_metric(&job);
    return job;
}

/* 9 of 10 right: Wilson's interval is 0.5958 to 0.9821 (Newcombe 1998 has the formula). */
static void accuracy_has_wilsons_interval(void **state)
{
    double measured[10] = {0}, predicted[10] = {1};
    fixture f;
    (void)state;
    begin(&f);
    const ald_report_job job = job_of_ten(&f, measured);
    const ald_predictions p = {.count = 10, .predicted = predicted};
    ald_figure figure;
    assert_done(ald_report_figure(&f.run, &job, &p, 1, &figure), f.error);
    assert_close(figure.value, 0.9, 1e-15);
    assert_close(figure.low, 0.59585, 1e-4);
    assert_close(figure.high, 0.98213, 1e-4);
    end(&f);
}

/* The same rows: the jackknife of a share over single rows is its usual error, sqrt(0.9 * 0.1 / 9). */
static void further_figures_have_standard_errors(void **state)
{
    double measured[10] = {0}, predicted[10] = {1};
    double *errors;
    fixture f;
    ald_score *scores;
    int count, seen = 0;
    (void)state;
    begin(&f);
    const ald_report_job job = job_of_ten(&f, measured);
    const ald_predictions p = {.count = 10, .predicted = predicted};
    assert_done(ald_report_figures(&f.run, &job, &p, &scores, &errors, &count), f.error);
    for (int i = 0; i < count; i++) {
        if (strcmp(scores[i].name, "accuracy") != 0 || *scores[i].of) continue;
        assert_close(errors[i], 0.1, 1e-12);
        seen = 1;
    }
    assert_true(seen);
    end(&f);
}

/* With as many groups as rows the jackknife of the rmse is that of the formula, row by row. A row without a
 * prediction is none. */
static void rmse_has_the_jackknifes_interval(void **state)
{
    enum { n = 9 };
    double measured[n + 1] = {0}, predicted[n + 1], left[n], mean = 0.0, spread = 0.0, all = 0.0;
    fixture f;
    ald_figure figure;
    (void)state;
    begin(&f);
    for (int i = 0; i < n; i++) {
        predicted[i] = 1.0 + 0.25 * i;
        all += predicted[i] * predicted[i];
    }
    predicted[n] = NAN;
    ald_report_job job = {
        .context = f.context,
        .kind = ALD_TARGET_REAL,
        .outputs = 1,
        .total = n + 1,
        .measured = measured,
    };
    const ald_predictions p = {.count = n + 1, .predicted = predicted};
    job.judged.metric = ald_report_metric(&job);
    assert_done(ald_report_figure(&f.run, &job, &p, 1, &figure), f.error);
    for (int i = 0; i < n; i++) {
        left[i] = sqrt((all - predicted[i] * predicted[i]) / (n - 1));
        mean += left[i] / n;
    }
    for (int i = 0; i < n; i++) spread += (left[i] - mean) * (left[i] - mean);
    const double half = 2.306004135 * sqrt((n - 1.0) / n * spread); /* t with 8 degrees of freedom */
    assert_int_equal(figure.n, n);
    assert_close(figure.value, sqrt(all / n), 1e-12);
    assert_close(figure.low, figure.value - half, 1e-8);
    assert_close(figure.high, figure.value + half, 1e-8);
    end(&f);
}

static char *report_of(const support_sample *s, ald_target_kind kind, int threads,
                       const ald_report_options *options)
{
    ald_context *context = support_context(threads, NULL);
    ald_error error;
    ald_dataset *data;
    ald_model *model;
    char *html, *copy;
    const ald_target y = support_sample_target(s, kind);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s->view, .y = &y};
    assert_done(ald_dataset_from_arrays(context, &inputs, 0, &data, &error), error);
    assert_done(ald_fit_words(context, "pls n_components=2 predictor=linear", &inputs, &model, &error),
                error);
    assert_done(ald_report(context, model, data, NULL, options, &html, &error), error);
    copy = malloc(strlen(html) + 1);
    assert_non_null(copy);
    strcpy(copy, html);
    ald_text_free(context, html);
    ald_model_free(model);
    ald_dataset_free(data);
    ald_context_free(context);
    return copy;
}

static void same_bytes_for_any_threads(void **state)
{
    const ald_report_options options = {.size = sizeof options, .resamples = 5, .folds = 3, .title = "<b>"};
    support_sample s = support_sample_make(60, 6, 4);
    (void)state;
    char *one = report_of(&s, ALD_TARGET_REAL, 1, &options),
         *two = report_of(&s, ALD_TARGET_REAL, 2, &options);
    assert_string_equal(one, two);
    assert_non_null(strstr(one, "<title>&lt;b&gt;</title>"));
    assert_null(strstr(one, "<b>"));
    assert_null(strstr(one, "@DATA@"));
    free(one);
    free(two);
    support_sample_free(&s);
}

static void bad_calls_are_refused(void **state)
{
    ald_context *context = support_context(1, NULL);
    support_sample s = support_sample_make(30, 5, 1), other = support_sample_make(30, 4, 1);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s.view, .y = &y};
    const ald_inputs fewer = {.size = sizeof fewer, .x = &other.view};
    ald_report_options options = {.size = sizeof options, .folds = 1};
    ald_dataset *data, *four;
    ald_model *model;
    ald_error error;
    char *html;
    (void)state;
    assert_done(ald_dataset_from_arrays(context, &inputs, 0, &data, &error), error);
    assert_done(ald_dataset_from_arrays(context, &fewer, 0, &four, &error), error);
    assert_done(ald_fit_words(context, "pls n_components=2", &inputs, &model, &error), error);
    assert_int_equal(ald_report(context, model, data, NULL, &options, &html, &error), ALD_ERROR_ARGUMENT);
    assert_null(html);
    assert_int_equal(ald_report(context, model, four, NULL, NULL, &html, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "4 columns"));
    assert_int_equal(ald_report(context, model, data, four, NULL, &html, &error), ALD_ERROR_DATA);
    options = (ald_report_options){0};
    assert_int_equal(ald_report(context, model, data, NULL, &options, &html, &error), ALD_ERROR_ARGUMENT);
    ald_model_free(model);
    ald_dataset_free(four);
    ald_dataset_free(data);
    ald_context_free(context);
    support_sample_free(&s);
    support_sample_free(&other);
}

static int stop_at_once(void *user, const char *stage, double done)
{
    (void)stage;
    (void)done;
    return ++*(int *)user > 1;
}

typedef struct once {
    int asked, at;
} once;

static int stop_once(void *user, const char *stage, double done)
{
    once *o = user;
    (void)stage;
    (void)done;
    return ++o->asked == o->at;
}

static void a_wish_to_stop_is_heard(void **state)
{
    ald_context *context = support_context(1, NULL), *asking;
    support_sample s = support_sample_make(60, 6, 4);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s.view, .y = &y};
    ald_dataset *data;
    ald_model *model;
    ald_error error;
    char *html;
    int asked = 0;
    (void)state;
    assert_done(ald_dataset_from_arrays(context, &inputs, 0, &data, &error), error);
    assert_done(ald_fit_words(context, "pls n_components=2", &inputs, &model, &error), error);
    assert_done(ald_context_with_progress(context, stop_at_once, &asked, &asking, &error), error);
    assert_int_equal(ald_report(asking, model, data, NULL, NULL, &html, &error), ALD_ERROR_CANCELLED);
    assert_null(html);
    ald_context_free(asking);
    once o = {0};
    assert_done(ald_context_with_progress(context, stop_once, &o, &asking, &error), error);
    assert_done(ald_report(asking, model, data, NULL, NULL, &html, &error), error);
    ald_text_free(context, html);
    const int all = o.asked;
    assert_true(all > 100);
    for (int k = 1; k < all; k += 7) { /* the last answer comes when all is done */
        o = (once){.at = k};
        assert_int_equal(ald_report(asking, model, data, NULL, NULL, &html, &error), ALD_ERROR_CANCELLED);
        assert_null(html);
    }
    ald_context_free(asking);
    ald_model_free(model);
    ald_dataset_free(data);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_of_known_texts),
        cmocka_unit_test(sha256_of_known_texts),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(columns_are_little_endian),
        cmocka_unit_test(digits_follow_the_error),
        cmocka_unit_test(accuracy_has_wilsons_interval),
        cmocka_unit_test(further_figures_have_standard_errors),
        cmocka_unit_test(rmse_has_the_jackknifes_interval),
        cmocka_unit_test(same_bytes_for_any_threads),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_wish_to_stop_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
