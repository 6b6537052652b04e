/* Comparisons on a card: X is copied once, and splits take their rows there (support/loops_card.h). */
#include "support/card_bench.h"
#include "support/fitting.h"

#include "math/device/held.h"

#include <stdio.h>
#include <string.h>

enum { n = 60, d = 7, methods_count = 3, baselines = 2, figures = 2 * methods_count + baselines, splits = 5 };

static double no_seconds(void)
{
    return 0.0;
}

static int timed; /* each fit by its rows; else by sums that all fits share */

/* Means of the most frequent class, of all features, and of pca, pls and lda with one and two components. */
static ald_status compare(card_bench *b, const char *words, double *means, ald_error *error)
{
    static const char *const methods[methods_count] = {"pca", "pls", "lda"};
    static const int64_t dims[] = {1, 2};
    ald_settings *settings[methods_count];
    ald_candidate candidates[baselines + methods_count] = {
        {.size = sizeof *candidates, .kind = ALD_CANDIDATE_CONSTANT},
        {.size = sizeof *candidates, .kind = ALD_CANDIDATE_FEATURES},
    };
    ald_comparison *comparison;
    for (int m = 0; m < methods_count; m++) {
        settings[m] = support_settings(b->context, methods[m], words);
        candidates[baselines + m] = (ald_candidate){
            .size = sizeof *candidates,
            .settings = (const ald_settings *const *)&settings[m],
            .n_settings = 1,
            .dims = dims,
            .n_dims = 2,
        };
    }
    const ald_splits_options divided = {.size = sizeof divided, .splits = splits, .train = 0.7};
    const ald_compare_options options = {
        .size = sizeof options,
        .candidates = candidates,
        .count = baselines + methods_count,
        .splits = &divided,
        .clock = timed ? no_seconds : NULL,
    };
    const ald_status status = ald_compare(b->context, &b->s.view, &b->y, &options, &comparison, error);
    for (int i = 0; status >= 0 && i < figures; i++) means[i] = ald_comparison_at(comparison, i)->mean;
    ald_comparison_free(comparison);
    for (int m = 0; m < methods_count; m++) ald_settings_free(settings[m]);
    return status;
}

/* The rows are copied once, then their numbers and classes only; the figures are those of the processor. */
static void splits_share_the_card(void **state)
{
    (void)state;
    card_bench b;
    ald_error error;
    double there[figures], here[figures];
    card_bench_begin(&b, n, d, 1);
    assert_done(compare(&b, "", there, &error), error);
    assert_int_equal(b.card.held, 1);
    assert_non_null(strstr(b.log, "X is on loops once for all 5 splits; fits at once: 1"));
    if (!timed)
        assert_true(b.card.bytes_in <
                    8.0 * n * d + splits * (2 * 8.0 + 12.0) * n + splits * 6 * 8.0 * 16 * d);
    ald_context_set_device(b.context, NULL, &error);
    assert_done(compare(&b, "", here, &error), error);
    assert_below(support_largest_difference(figures, there, here), 1e-12);
    card_bench_end(&b);
}

/* Rows with steps, and predictors that look at the rows of the training part, have them from the host. */
static void others_are_as_ever(void **state)
{
    (void)state;
    static const char *const words[] = {"rows=snv", "predictor=knn", "row_scale=unit"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        card_bench b;
        ald_error error;
        double there[figures], here[figures];
        card_bench_begin(&b, n, d, 1);
        assert_done(compare(&b, words[w], there, &error), error);
        ald_context_set_device(b.context, NULL, &error);
        assert_done(compare(&b, words[w], here, &error), error);
        assert_below(support_largest_difference(figures, there, here), 1e-12);
        card_bench_end(&b);
    }
}

/* Rows that are only on the card have addresses of their own: no matrix of the host, wherever it is, is taken
 * for some of them. */
static void selected_rows_are_no_others(void **state)
{
    (void)state;
    enum { others = 200 };
    card_bench b;
    ald_run run;
    ald_error error;
    ald_matrix there;
    int64_t rows[n], first;
    card_bench_begin(&b, n, d, 1);
    const ald_matrix x =
        ald_matrix_row_major(b.s.x, n * d / 2, 2, 2); /* a multiple of 16 bytes fits any row */
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    support_run(&run, b.context, &error);
    assert_done(ald_card_hold(&run, &x, 1.0), error);
    assert_done(ald_card_select(&run, &x, rows, n, &there), error);
    assert_non_null(ald_card_find(&run, &there, &first));
    for (int o = 0; o < others; o++) {
        double *values;
        assert_done(ald_scratch_reals(&run, 1, 2, &values), error);
        const ald_matrix here = ald_matrix_row_major(values, 1, 2, 2);
        assert_null(ald_card_find(&run, &here, &first));
    }
    ald_card_release(&run, NULL);
    ald_run_end(&run, ALD_OK);
    card_bench_end(&b);
}

/* Every call fails once: whatever comes of it, nothing stays on the card. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    int64_t fail_at = 1;
    for (int done = 0; !done; fail_at++) {
        card_bench b;
        ald_error error;
        double means[figures];
        card_bench_begin(&b, n, d, 1);
        b.card.fail_at = fail_at;
        b.card.code = ALD_CARD_FULL;
        (void)compare(&b, "", means, &error);
        done = b.card.asked < fail_at;
        card_bench_end(&b);
    }
    assert_true(fail_at > 20);
}

/* Where the card was not asked for by name the processor goes on with the rows that splits have on it,
 * whenever it goes and whatever it says. */
static void the_processor_goes_on(void **state)
{
    (void)state;
    static const ald_card_code codes[] = {ALD_CARD_FULL, ALD_CARD_FAILED};
    for (int c = 0; c < 2; c++) {
        int64_t calls = 1;
        for (int64_t fail_at = 0; fail_at <= calls; fail_at++) {
            card_bench b;
            ald_error error;
            double means[figures], here[figures];
            card_bench_begin(&b, n, d, 1);
            b.card.fail_at = fail_at;
            b.card.for_good = 1;
            b.card.code = codes[c];
            b.card.softens = b.device;
            assert_done(compare(&b, "", means, &error), error);
            if (codes[c] == ALD_CARD_FAILED)
                assert_int_equal(b.notes, fail_at > 0); /* rows without room stay here */
            if (fail_at == 0) calls = b.card.asked;
            ald_context_set_device(b.context, NULL, &error);
            assert_done(compare(&b, "", here, &error), error);
            assert_below(support_largest_difference(figures, means, here), 1e-12);
            card_bench_end(&b);
        }
        assert_true(calls > 20);
    }
}

static int begin_timed(void **state)
{
    (void)state;
    timed = 1;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_share_the_card),       cmocka_unit_test(others_are_as_ever),
        cmocka_unit_test(selected_rows_are_no_others), cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(the_processor_goes_on),
    };
    const int by_sums = cmocka_run_group_tests_name("fits by sums", tests, NULL, NULL);
    return by_sums + cmocka_run_group_tests_name("fits that are timed", tests, begin_timed, NULL);
}
