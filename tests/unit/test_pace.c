/* How far a list of jobs is: by guesses at first, by the clock once a job of a kind is done. */
#include "support/support.h"

#include "base/threads/pacing.h"

#include <math.h>

static void begin(ald_context **context, ald_run *run, ald_error *error, ald_pace *pace)
{
    assert_done(ald_context_new(NULL, context, error), *error);
    support_run(run, *context, error);
    assert_done(ald_pace_new(run, 3, pace), *error);
}

static void assert_about(double got, double wanted)
{
    assert_true(fabs(got - wanted) < 1e-12);
}

/* Kinds that take 1, 2 and 5 s and were all guessed alike, four times each: from the second time on the part
 * is that of the time, and it never exceeds a fourth before. */
static void what_was_done_tells_the_rest(void **state)
{
    static const int64_t kinds[] = {0, 1, 2};
    static const double takes[] = {1.0, 2.0, 5.0};
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_pace pace;
    double spent = 0.0;
    (void)state;
    begin(&context, &run, &error, &pace);
    ald_pace_plan(&pace, kinds, 3, 12);
    assert_true(ald_pace_part(&pace, 0.0) == 0.0);
    for (int i = 0; i < 12; i++) {
        ald_pace_note(&pace, kinds[i % 3], takes[i % 3]);
        spent += takes[i % 3];
        if (i < 2) assert_true(ald_pace_part(&pace, 0.0) <= 0.25);
        if (i >= 2) assert_about(ald_pace_part(&pace, 0.0), spent / 32.0);
        if (i >= 2 && i < 11) assert_about(ald_pace_part(&pace, 0.5), (spent + 0.5) / 32.0);
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* A kind that was not seen is priced by those that were; another list keeps what is known. */
static void guesses_are_brought_to_seconds(void **state)
{
    static const int64_t kinds[] = {0, 2};
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_pace pace;
    (void)state;
    begin(&context, &run, &error, &pace);
    pace.guesses[0] = 100.0;
    pace.guesses[2] = 300.0;
    ald_pace_plan(&pace, kinds, 2, 2);
    ald_pace_note(&pace, 0, 2.0);
    assert_true(ald_pace_is_known(&pace, 0) && !ald_pace_is_known(&pace, 2));
    assert_about(ald_pace_expect(&pace, 2), 6.0);
    assert_about(ald_pace_part(&pace, 0.0), 0.25);
    ald_pace_plan(&pace, kinds, 2, 6);
    assert_about(ald_pace_left(&pace), 3.0 * 2.0 + 3.0 * 6.0);
    assert_true(ald_pace_part(&pace, 0.0) == 0.0);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_tells_the_rest),
        cmocka_unit_test(guesses_are_brought_to_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
