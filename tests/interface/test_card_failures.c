/* A card that fails at any call of a fit, of every method: where it was asked for by name the fit is an
 * error that names it, where it was not the processor finishes what the card has begun. Nothing stays on the
 * card. */
#include "support/card_bench.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 60, d = 7, r = 2 };

/* What is fitted. */
typedef struct subject {
    const ald_method *method;
    ald_matrix x;
    ald_target y;
} subject;

static ald_status fit(card_bench *b, const subject *s, ald_model **model, ald_error *error)
{
    ald_settings *settings = support_settings(b->context, ald_method_name(s->method), "n_components=2");
    assert_true(ald_predictor_auto(settings, s->y.kind, 0, NULL, error) >= 0);
    const ald_status status = ald_fit(b->context, settings, &s->x, &s->y, model, error);
    ald_settings_free(settings);
    assert_int_equal(b->card.standing, 0);
    return status;
}

/* The first 12 calls, and further ones ever farther apart. */
static int64_t next(int64_t at)
{
    return at < 12 ? at + 1 : at + at / 4;
}

static void fails_by_name(card_bench *b, const subject *s, int64_t at)
{
    ald_model *model;
    ald_error error;
    b->card.asked = 0;
    b->card.fail_at = at;
    b->card.softens = NULL;
    assert_true(fit(b, s, &model, &error) < 0);
    assert_non_null(strstr(error.message, "loops: it has disappeared"));
    assert_null(model);
}

/* How a card fails: once, for good, which is said once all the same, or after its results are written. */
enum { ONCE, FOR_GOOD, LATE, ways };

/* Solvers stop at tolerances, which are met after other steps where the processor takes over. */
static void is_finished_here(card_bench *b, const subject *s, int64_t at, int way, const double *expected)
{
    ald_model *model;
    ald_error error;
    double z[n * r];
    b->card.asked = 0;
    b->card.fail_at = at;
    b->card.softens = b->device;
    b->notes = 0;
    b->card.for_good = way == FOR_GOOD;
    b->card.late = way == LATE;
    assert_done(fit(b, s, &model, &error), error);
    b->device->always = 1;
    b->card.fail_at = b->card.for_good = b->card.late = 0;
    assert_int_equal(b->notes, 1);
    assert_done(ald_transform(b->context, model, &s->x, z, &error), error);
    assert_below(support_largest_difference(n * r, z, expected), 1e-6 * support_norm(n * r, expected));
    ald_model_free(model);
}

/* Returns whether the method has such components here. */
static int try_subject(card_bench *b, const subject *s)
{
    ald_model *model;
    ald_error error;
    double expected[n * r];
    b->card.asked = b->card.fail_at = 0;
    if (fit(b, s, &model, &error) < 0) return 0; /* too many components, or no such target */
    const int64_t calls = b->card.asked;
    assert_int_equal(ald_model_component_count(model), r);
    const ald_status status = ald_transform(b->context, model, &s->x, expected, &error);
    ald_model_free(model);
    for (int64_t at = 1; at <= calls; at = next(at)) {
        fails_by_name(b, s, at);
        for (int way = ONCE; status >= 0 && way < ways; way++) is_finished_here(b, s, at, way, expected);
    }
    return 1;
}

/* Every method, with the first target that it takes; most have two components there. */
static void try_methods(card_bench *b, const ald_matrix *x, unsigned wanted)
{
    static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
    static const unsigned takes[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS};
    int able = 0, tried = 0;
    for (int m = 0; m < ald_method_count(); m++) {
        subject s = {.method = ald_method_at(m), .x = *x};
        const unsigned can = ald_method_capabilities(s.method);
        int k = 0;
        while (k < 2 && !(can & takes[k])) k++;
        s.y = support_sample_target(&b->s, kinds[k]);
        if (kinds[k] == ALD_TARGET_REAL && !(can & ALD_CAN_RESPONSES)) s.y.values.cols = 1;
        if ((can & wanted) != wanted) continue;
        able++;
        tried += try_subject(b, &s);
    }
    assert_true(tried > able / 2);
}

static void dense_fits(void **state)
{
    (void)state;
    card_bench b;
    card_bench_begin(&b, n, d, 1);
    b.card.code = ALD_CARD_FAILED;
    try_methods(&b, &b.s.view, 0);
    card_bench_end(&b);
}

static void sparse_fits(void **state)
{
    (void)state;
    card_bench b;
    card_bench_begin(&b, n, d, 1);
    b.card.code = ALD_CARD_FAILED;
    for (int e = 0; e < n * d; e++) b.s.x[e] = e % 3 == 1 ? 0.0 : (double)(float)b.s.x[e];
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix x = support_storage(which, b.s.x, n, d);
        if (x.view.storage == ALD_CSR && x.view.type == ALD_F64 && x.view.index_bits == 64)
            try_methods(&b, &x.view, ALD_CAN_SPARSE);
        support_storage_free(&x);
    }
    card_bench_end(&b);
}

/* The file t.csv, its blocks through the card; pls of the last column. */
static ald_status stream(card_bench *b, ald_model **model, ald_error *error)
{
    const ald_load_options load = {.size = sizeof load, .target = "y", .block_bytes = 1500};
    ald_settings *settings = support_settings(b->context, "pls", "n_components=2");
    ald_dataset *survey;
    int64_t rows;
    assert_done(ald_dataset_survey(b->context, "t.csv", &load, &survey, &rows, error), *error);
    const ald_status status = ald_fit_stream(b->context, settings, "t.csv", &load, survey, model, error);
    ald_dataset_free(survey);
    ald_settings_free(settings);
    assert_int_equal(b->card.standing, 0);
    return status;
}

static void write_file(const card_bench *b)
{
    FILE *file = fopen("t.csv", "w");
    assert_non_null(file);
    for (int j = 0; j < d; j++) fprintf(file, "x%d,", j);
    fprintf(file, "y\n");
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) fprintf(file, "%.17g,", b->s.x[i * d + j]);
        fprintf(file, "%.17g\n", b->s.x[i * d] - b->s.x[i * d + 1]);
    }
    assert_int_equal(fclose(file), 0);
}

static void streamed_fits(void **state)
{
    (void)state;
    card_bench b;
    ald_model *model;
    ald_error error;
    double z[n * r], expected[n * r];
    card_bench_begin(&b, n, d, 1);
    b.card.code = ALD_CARD_FAILED;
    write_file(&b);
    assert_done(stream(&b, &model, &error), error);
    assert_done(ald_transform(b.context, model, &b.s.view, expected, &error), error);
    ald_model_free(model);
    const int64_t calls = b.card.asked;
    assert_true(b.card.held > 3); /* blocks */
    for (int64_t at = 1; at <= 2 * calls; at++) {
        b.card.asked = 0;
        b.card.fail_at = (at + 1) / 2;
        b.card.softens = at % 2 ? b.device : NULL;
        b.card.for_good = 1;
        b.notes = 0;
        if (b.card.softens) {
            assert_done(stream(&b, &model, &error), error);
            b.device->always = 1;
            assert_int_equal(b.notes, 1);
            assert_done(ald_transform(b.context, model, &b.s.view, z, &error), error);
            assert_below(support_largest_difference(n * r, z, expected), 1e-9 * support_norm(n * r, z));
            ald_model_free(model);
        } else {
            assert_int_equal(stream(&b, &model, &error), ALD_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.message, "loops: it has disappeared"));
            assert_null(model);
        }
    }
    card_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_fits),
        cmocka_unit_test(sparse_fits),
        cmocka_unit_test(streamed_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
