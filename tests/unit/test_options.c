/* Structs that grow: shorter ones of older programs, longer ones of newer programs, and ones never
 * initialised. */
#include "support/support.h"

#include "base/settings/options.h"

#include <string.h>

typedef struct ald_old_options {
    size_t size;
    int first;
} ald_old_options;

typedef struct ald_test_options {
    size_t size;
    int first;
    int64_t second;
} ald_test_options;

typedef struct ald_new_options {
    size_t size;
    int first;
    int64_t second;
    double third;
} ald_new_options;

static void nothing_given_is_zero(void **state)
{
    ald_test_options whole;
    (void)state;
    memset(&whole, 1, sizeof whole);
    assert_int_equal(ALD_OPTIONS_READ(NULL, ald_test_options, NULL, &whole), ALD_OK);
    assert_int_equal(whole.size, sizeof whole);
    assert_int_equal(whole.first, 0);
    assert_int_equal(whole.second, 0);
}

static void older_programs_are_served(void **state)
{
    const ald_old_options given = {.size = sizeof given, .first = 7};
    ald_test_options whole;
    (void)state;
    memset(&whole, 1, sizeof whole);
    assert_int_equal(ALD_OPTIONS_READ(NULL, ald_test_options, &given, &whole), ALD_OK);
    assert_int_equal(whole.size, sizeof whole);
    assert_int_equal(whole.first, 7);
    assert_int_equal(whole.second, 0);
}

static void newer_programs_are_told(void **state)
{
    ald_new_options given = {.size = sizeof given, .first = 7, .second = 8};
    ald_test_options whole;
    ald_error error;
    (void)state;
    assert_int_equal(ALD_OPTIONS_READ(&error, ald_test_options, &given, &whole), ALD_OK);
    assert_int_equal(whole.second, 8);
    given.third = 1.0;
    assert_int_equal(ALD_OPTIONS_READ(&error, ald_test_options, &given, &whole), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "does not have"));
}

static void sizes_that_cannot_be_are_errors(void **state)
{
    static const size_t sizes[] = {0, 1, sizeof(size_t), 5000, (size_t)-1};
    ald_test_options whole;
    ald_error error;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const ald_test_options given = {.size = sizes[i]};
        assert_int_equal(ALD_OPTIONS_READ(&error, ald_test_options, &given, &whole), ALD_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "ald_test_options x = ALD_TEST_OPTIONS_INIT;"));
        assert_int_equal(ALD_OPTIONS_CHECK(&error, ald_test_options, &given), ALD_ERROR_ARGUMENT);
    }
}

static void results_fit_into_what_there_is(void **state)
{
    const ald_test_options whole = {.size = sizeof whole, .first = 3, .second = 4};
    ald_old_options old = {.size = sizeof old};
    ald_new_options young = {.size = sizeof young, .third = 5.0};
    (void)state;
    ALD_OPTIONS_WRITE(ald_test_options, &whole, NULL);
    ALD_OPTIONS_WRITE(ald_test_options, &whole, &old);
    assert_int_equal(old.size, sizeof old);
    assert_int_equal(old.first, 3);
    ALD_OPTIONS_WRITE(ald_test_options, &whole, &young);
    assert_int_equal(young.size, sizeof young);
    assert_int_equal(young.second, 4);
    assert_true(young.third == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_is_zero),          cmocka_unit_test(older_programs_are_served),
        cmocka_unit_test(newer_programs_are_told),        cmocka_unit_test(sizes_that_cannot_be_are_errors),
        cmocka_unit_test(results_fit_into_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
