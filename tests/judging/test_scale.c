/* Scales, ticks, fixed numbers and the colour ramp: known answers, and promises for any range. */
#include "show/canvas/marks.h"
#include "show/canvas/scale.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The labels of all ticks, with blanks between. */
static void tick_labels(double low, double high, int ticks, char *all)
{
    const ald_scale scale = ald_scale_cover((ald_range){low, high}, 0.0, ticks);
    *all = '\0';
    for (int64_t k = scale.first; k <= scale.last; k++) {
        char text[ALD_TICK_SIZE];
        ald_scale_label(&scale, k, text);
        sprintf(all + strlen(all), "%s%s", *all ? " " : "", text);
    }
}

#define MINUS "\xe2\x88\x92"

static void test_ticks_are_round(void **state)
{
    (void)state;
    const struct {
        double low, high;
        const char *labels;
    } cases[] = {
        {0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {-1, 1, MINUS "1.0 " MINUS "0.5 0.0 0.5 1.0"},
        {0.1, 0.34, "0.10 0.15 0.20 0.25 0.30"},
        {0, 100, "0 20 40 60 80 100"},
        {0, 5e6, "0 1e6 2e6 3e6 4e6 5e6"},
        {1234567, 1234571, "1234567 1234568 1234569 1234570 1234571"},
        {0, 4e-7, "0 1e" MINUS "7 2e" MINUS "7 3e" MINUS "7 4e" MINUS "7"},
        {-3e-7, -1e-7,
         MINUS "3e" MINUS "7 " MINUS "2.5e" MINUS "7 " MINUS "2e" MINUS "7 " MINUS "1.5e" MINUS "7 " MINUS
               "1e" MINUS "7"},
        {1990, 2020, "1990 2000 2010 2020"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char all[512];
        tick_labels(cases[i].low, cases[i].high, 5, all);
        assert_string_equal(all, cases[i].labels);
    }
}

static void test_scales_of_any_range_have_ticks_inside(void **state)
{
    (void)state;
    const double ends[] = {
        -DBL_MAX, -1e300, -1.0, -1e-300, -DBL_MIN, 0.0, 5e-324, 1e-12, 1.0, 1.0 + 1e-15, 1e15, DBL_MAX,
    };
    const int n = sizeof ends / sizeof *ends;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            const ald_scale scale = ald_scale_cover((ald_range){ends[a], ends[b]}, 0.04, 6);
            assert_true(scale.low < scale.high && isfinite(scale.low) && isfinite(scale.high));
            assert_true(scale.last >= scale.first && scale.last - scale.first <= 6);
            for (int64_t k = scale.first; k <= scale.last; k++) {
                const double place = ald_scale_place(&scale, ald_scale_tick(&scale, k));
                assert_true(place >= -1e-6 && place <= 1 + 1e-6);
            }
        }
}

static void test_fixed_numbers(void **state)
{
    (void)state;
    char text[ALD_TICK_SIZE];
    ald_fixed_text(-0.04, 1, text);
    assert_string_equal(text, "0.0");
    ald_fixed_text(-12.345, 2, text);
    assert_string_equal(text, "-12.35");
    ald_fixed_text(99.96, 1, text);
    assert_string_equal(text, "100.0");
    ald_fixed_text(7.4, 0, text);
    assert_string_equal(text, "7");
}

static void test_the_ramp_goes_from_end_to_end(void **state)
{
    (void)state;
    assert_int_equal(ald_ramp_colour(-1.0), ald_ramp_stop(0));
    assert_int_equal(ald_ramp_colour(NAN), ald_ramp_stop(0));
    assert_int_equal(ald_ramp_colour(2.0), ald_ramp_stop(ALD_RAMP_STOPS - 1));
    assert_int_equal(ald_ramp_colour(0.5), ald_ramp_stop(8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_are_round),
        cmocka_unit_test(test_scales_of_any_range_have_ticks_inside),
        cmocka_unit_test(test_fixed_numbers),
        cmocka_unit_test(test_the_ramp_goes_from_end_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
