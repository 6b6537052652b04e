/* The time left of a command, by a clock that is made up: within a factor of two from a tenth of the work on,
 * for work that goes evenly, in steps, faster or slower than was thought, or in several calls. */
#include "support/support.h"

#include "../../cli/printing/time_left.c"

typedef struct profile {
    const char *name;
    double (*seconds)(double done); /* of a call that takes 100 s: when `done` of it is told */
    double step;                    /* seconds between two reports: the end is known no better */
} profile;

static double evenly(double done)
{
    return 100.0 * done;
}

/* The second half was thought to be as long as the first, and takes 1.7 times as long. */
static double slower(double done)
{
    return done < 0.5 ? 74.0 * done : 37.0 + 126.0 * (done - 0.5);
}

static double faster(double done)
{
    return done < 0.5 ? 126.0 * done : 63.0 + 74.0 * (done - 0.5);
}

/* Twenty jobs, told when each is done. */
static double in_steps(double done)
{
    return 5.0 * ceil(20.0 * done - 1e-9);
}

/* Speed goes up and down by a quarter. */
static double wavy(double done)
{
    return 100.0 * done + 25.0 / 6.2831853 * sin(4.0 * 6.2831853 * done) / 4.0;
}

static void check_profile(const profile *p, double reading)
{
    cli_time_left t = {0};
    double told = 0.0;
    cli_time_left_expect(&t, 0.02);
    for (int i = 0; i <= 20; i++) cli_time_left_at(&t, reading * i / 20.0, i / 20.0);
    for (int i = 0; i <= 1000; i++) {
        const double done = i / 1000.0, now = reading + p->seconds(done), left = reading + 100.0 - now;
        const double part = cli_time_left_at(&t, now, done), guess = cli_time_left_seconds(&t, now);
        assert_true(part >= told && part <= 1.0);
        told = part;
        if (now < 10.0 + reading || left < 1.0 || left <= p->step) continue;
        if (guess < 0.5 * left || guess > 2.0 * left)
            fail_msg("%s: at %g s of 100 %g s are left, and %g were told", p->name, now, left, guess);
    }
    assert_true(told > 0.98);
}

static void the_time_left_is_right_within_a_factor_of_two(void **state)
{
    static const profile profiles[] = {
        {"evenly", evenly, 0.0},     {"slower", slower, 0.0}, {"faster", faster, 0.0},
        {"in steps", in_steps, 5.0}, {"wavy", wavy, 0.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        check_profile(&profiles[i], 0.0);
        check_profile(&profiles[i], 3.0);
    }
}

static void calls_follow_each_other_without_a_step_back(void **state)
{
    cli_time_left t = {0};
    double told = 0.0;
    (void)state;
    assert_true(cli_time_left_seconds(&t, 0.0) < 0.0);
    cli_time_left_expect(&t, 0.5);
    for (int call = 0; call < 4; call++)
        for (int i = 0; i <= 10; i++) {
            const double part = cli_time_left_at(&t, 10.0 * call + i, i == 5 ? -1.0 : i / 10.0);
            assert_true(part >= told && part <= 1.0);
            told = part;
        }
    assert_true(told > 0.99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_left_is_right_within_a_factor_of_two),
        cmocka_unit_test(calls_follow_each_other_without_a_step_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
