/* Details of pictures: names that are cut stay different, classes look different, columns that are places on
 * a scale, texts at the marks up to 5000 rows, and the picture of how often features lead. */
#include "base/numbers/random.h"
#include "judge/measuring/column_order.h"
#include "judging/plotting_fixture.h"
#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"
#include "support/support.h"

#include <alidade/coefficients.h>
#include <stdio.h>
#include <stdlib.h>

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void assert_told_apart(const char *const *names, int n, double width)
{
    const char *made[64];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    assert_done(ald_shorten_names(&run, names, n, 12, width, made), error);
    for (int i = 0; i < n; i++) {
        assert_below(ald_svg_text_width(made[i], 12), width);
        for (int k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) != 0 && strcmp(made[i], made[k]) == 0)
                fail_msg("%s and %s both became %s", names[i], names[k], made[i]);
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

static void names_that_are_cut_stay_different(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "measurement number one of the set",
        "measurement number two of the set",
        "measurement number six of the set",
    };
    static const char *const tails[] = {
        "a very long name of a class, part 1",
        "a very long name of a class, part 2",
        "short",
    };
    static const char *const letters[] = {
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 eins",
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 zwei",
    };
    char texts[40][80];
    const char *numbered[40];
    for (int i = 0; i < 40; i++) {
        snprintf(texts[i], sizeof texts[i], "the same beginning %02d and the very same end of it", i);
        numbered[i] = texts[i];
    }
    for (double width = 60; width < 300; width += 20) {
        assert_told_apart(ends, 3, width);
        assert_told_apart(tails, 3, width);
        assert_told_apart(letters, 2, width);
        assert_told_apart(numbered, 40, width);
    }
}

/* What differs is shown, at both places, rather than a number. */
static void names_that_differ_twice_show_where(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Department of Mathematics, section A",
        "Department of Mathematics, section B",
        "Department of Mechanical Engineering, section A",
        "Department of Mechanical Engineering, section B",
        "other",
    };
    const char *made[5];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    assert_told_apart(names, 5, 90);
    support_run(&run, context, &error);
    assert_done(ald_shorten_names(&run, names, 5, 12, 90, made), error);
    assert_non_null(strstr(made[0], "ath"));
    assert_non_null(strstr(made[2], "ech"));
    assert_true(made[1][strlen(made[1]) - 1] == 'B' && made[2][strlen(made[2]) - 1] == 'A');
    assert_string_equal(made[4], "other");
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* The beginning and the end stay, and nothing that fits is cut. */
static void names_are_cut_in_the_middle(void **state)
{
    (void)state;
    static const char *const names[] = {"concentration of fat", "ash"};
    const char *made[2];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    assert_done(ald_shorten_names(&run, names, 2, 12, 90, made), error);
    assert_int_equal(strncmp(made[0], "conc", 4), 0);
    assert_string_equal(made[0] + strlen(made[0]) - 3, "fat");
    assert_non_null(strstr(made[0], "\xe2\x80\xa6"));
    assert_string_equal(made[1], "ash");
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* Sums of noise along the columns have an order, noise has none; names with a unit are believed. */
static void counted_columns_have_the_order_of_their_values(void **state)
{
    (void)state;
    enum { n = 40, d = 60 };
    double noise[n * d], walk[n * d], positions[d];
    ald_random random;
    ald_random_seed(&random, 5, 0);
    for (int i = 0; i < n * d; i++) {
        noise[i] = ald_random_normal(&random);
        walk[i] = i % d ? walk[i - 1] + noise[i] : noise[i];
    }
    for (int j = 0; j < d; j++) positions[j] = j + 1;
    const ald_matrix rough = ald_matrix_row_major(noise, n, d, d),
                     smooth = ald_matrix_row_major(walk, n, d, d);
    assert_int_equal(ald_columns_in_order(positions, d, "", &smooth), 1);
    assert_int_equal(ald_columns_in_order(positions, d, "", &rough), 0);
    assert_int_equal(ald_columns_in_order(positions, d, "nm", &rough), 1);
    assert_int_equal(ald_columns_in_order(positions, d, "", NULL), 1);
    for (int i = 0; i < n * d; i++) walk[i] += 1e9; /* far from 0 they are as they were */
    assert_int_equal(ald_columns_in_order(positions, d, "", &smooth), 1);
    for (int j = 0; j < d; j++) positions[j] = 850 + 2 * j;
    assert_int_equal(ald_columns_in_order(positions, d, "", &rough), 1);
}

static void classes_look_different(void **state)
{
    (void)state;
    for (int i = 0; i < 120; i++)
        for (int k = 0; k < i; k++) {
            const ald_mark_look a = ald_class_look(i, 120), b = ald_class_look(k, 120);
            assert_false(a.colour == b.colour && (a.shape == b.shape || i < 20));
        }
    for (int i = 0; i < 8; i++) assert_int_equal(ald_class_look(i, 8).shape, ALD_CIRCLE);
}

static int places_of(const char *a, const char *b, const char *c, double *places, char *title, char *unit)
{
    const char *const names[] = {a, b, c};
    return ald_column_positions(names, 3, places, title, unit, 32);
}

static void names_of_columns_are_places(void **state)
{
    (void)state;
    double p[3];
    char title[32], unit[32];
    assert_true(places_of("850nm", "852nm", "854nm", p, title, unit));
    assert_string_equal(unit, "nm");
    assert_string_equal(title, "");
    assert_true(p[0] == 850.0 && p[2] == 854.0);
    assert_true(places_of("t=-1.5", "t=0", "t=2e1", p, title, unit));
    assert_string_equal(title, "t");
    assert_true(p[0] == -1.5 && p[2] == 20.0);
    assert_true(places_of("wave_30 (cm-1)", "wave_20 (cm-1)", "wave_10 (cm-1)", p, title, unit));
    assert_string_equal(title, "wave");
    assert_string_equal(unit, "cm-1");
    assert_true(places_of("1100,0 nm", "1104,5 nm", "1109,0 nm", p, title, unit)); /* a decimal comma */
    assert_true(p[0] == 1100.0 && p[1] == 1104.5);
    assert_string_equal(unit, "nm");
    assert_false(places_of("a", "b", "c", p, title, unit));
    assert_false(places_of("x1", "y2", "x3", p, title, unit));
    assert_false(places_of("1nm", "3nm", "2nm", p, title, unit));
    assert_false(places_of("1nm", "1nm", "1nm", p, title, unit));
    assert_false(places_of("1nm", "2um", "3nm", p, title, unit));
}

static int titles_of(fixture *f, int64_t n)
{
    double *x = calloc((size_t)n * n_features, sizeof *x);
    ald_model *model = make_model(f->context, 2);
    char *svg;
    for (int64_t i = 0; i < n; i++) x[i * n_features] = (double)i;
    f->data.x = ald_matrix_row_major(x, n, n_features, n_features);
    f->data.target = (ald_target){.rows = n};
    assert_done(ald_plot(f->context, model, &f->data, NULL, NULL, &svg, &f->error), f->error);
    const int count = count_of(svg, "<title>");
    ald_text_free(f->context, svg);
    ald_model_free(model);
    free(x);
    return count;
}

/* One title is that of the picture. */
static void up_to_5000_marks_have_a_text(void **state)
{
    fixture *f = *state;
    assert_int_equal(titles_of(f, 7), 8);
    assert_int_equal(titles_of(f, 5000), 5001);
    assert_int_equal(titles_of(f, 5001), 1);
}

static void frequencies_are_bars(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {"rare", "often <", "never"};
    const double share[] = {0.25, 1.0, 0.0}, wrong[] = {0.25, 1.5, 0.0};
    char *svg;
    assert_done(ald_plot_selection(f->context, names, share, 3, 0.33, NULL, &svg, &f->error), f->error);
    const char *first = strstr(svg, ">often &lt;<"), *second = strstr(svg, ">rare<");
    assert_true(first && second && first < second);
    assert_non_null(strstr(svg, "class=\"chance\""));
    ald_text_free(f->context, svg);
    assert_int_equal(ald_plot_selection(f->context, names, wrong, 3, NAN, NULL, &svg, &f->error),
                     ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(f->error.message, "feature 2"));
    assert_int_equal(ald_plot_selection(f->context, names, share, 0, NAN, NULL, &svg, &f->error),
                     ALD_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_cut_stay_different),
        cmocka_unit_test(names_that_differ_twice_show_where),
        cmocka_unit_test(names_are_cut_in_the_middle),
        cmocka_unit_test(counted_columns_have_the_order_of_their_values),
        cmocka_unit_test(classes_look_different),
        cmocka_unit_test(names_of_columns_are_places),
        cmocka_unit_test_setup_teardown(up_to_5000_marks_have_a_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frequencies_are_bars, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
