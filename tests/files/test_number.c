/* Numbers as text: hard cases worked out elsewhere, and thousands of doubles against the C library. */
#include "base/numbers/number.h"
#include "base/numbers/random.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double parsed(const char *text)
{
    double value = -12345.0;
    if (!ald_parse_real(text, strlen(text), &value)) fail_msg("'%s' was not taken as a number", text);
    return value;
}

static void expect_like_library(const char *text)
{
    const double expected = strtod(text, NULL), got = parsed(text);
    if (bits_of(expected) != bits_of(got)) fail_msg("'%s' read as %a, expected %a", text, got, expected);
}

static const char *const hard_cases[] = {
    "0",
    "-0",
    "+0.0",
    "1",
    "1.",
    ".5",
    "-.5e1",
    "1e0",
    "1E+2",
    "1e-2",
    "123456789012345678",
    /* halfway between two doubles, and a hair to each side */
    "9007199254740993",
    "9007199254740992.99999999999999999999",
    "9007199254740993.00000000000000000001",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203126",
    /* the ends of the range */
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e309",
    "-1e400",
    "1e999999999999999999999",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "2.225073858507201e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "1e-99999999999999999999",
    /* 17 and more digits */
    "0.1000000000000000055511151231257827",
    "3.1415926535897931",
    "123456789.12345678901234567890e-20",
    "0.00000000000000000000000000012345678901234567",
    "12345678901234567890123456789012345678901234567890",
    "9999999999999999999",
    "99999999999999999999",
    "18446744073709551615",
    "18446744073709551616",
    "8.5e27",
    "7e-27",
    "9.5367431640625e-7",
    "1e22",
    "1e23",
    "8.533e+68",
    "5e-20",
    "6.02214076e23",
    "1.602176634e-19",
};

static void test_hard_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hard_cases / sizeof *hard_cases; i++) expect_like_library(hard_cases[i]);
    assert_true(isinf(parsed("1e309")));
    assert_true(signbit(parsed("-0")));
    assert_true(bits_of(parsed("4.9406564584124654e-324")) == 1);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",    "+",  "-",  ".",   "e5",  "1e",    "1e+", "1.5.2", "0x10", "inf",
        "nan", " 1", "1 ", "1,5", "--1", "1_000", "+-1", "1e5.0", "1d5",  ".e1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7.0;
        assert_false(ald_parse_real(texts[i], strlen(texts[i]), &value));
        assert_true(value == 7.0);
    }
    double value;
    assert_false(ald_parse_real("12\0"
                                "3",
                                4, &value));
}

static void test_scan_stops_where_the_number_ends(void **state)
{
    (void)state;
    const char *text = "-1.25e2e,7";
    double value;
    assert_ptr_equal(ald_scan_real(text, text + strlen(text), &value), &text[7]);
    assert_true(value == -125.0);
    assert_ptr_equal(ald_scan_real(text, text + 3, &value), text + 3);
    assert_true(value == -1.0);
    const char *word = "abc";
    assert_null(ald_scan_real(word, word + 3, &value));
}

/* Longer than any buffer inside: 10^5 digits, where only the last one decides. */
static void test_very_long_texts(void **state)
{
    (void)state;
    enum { digits = 100000 };
    static char text[digits + 40];
    memcpy(text, "9007199254740993.", 17);
    memset(text + 17, '0', digits);
    text[17 + digits] = '\0';
    assert_true(parsed(text) == 9007199254740992.0);
    text[16 + digits] = '1';
    assert_true(parsed(text) == 9007199254740994.0);
    memcpy(text, "0.", 2);
    memset(text + 2, '0', digits);
    memcpy(text + 2 + digits, "15e100001", 10);
    assert_true(parsed(text) == 1.5);
    memset(text, '7', digits);
    memcpy(text + digits, "e-99999", 8);
    assert_true(parsed(text) == 7.7777777777777777777777);
}

/* Bit patterns at random over all exponents, printed with 1 to 25 digits and with numbers of a usual size. */
static void test_random_against_library(void **state)
{
    (void)state;
    ald_random random;
    ald_random_seed(&random, 20240501, 0);
    char text[400];
    for (int i = 0; i < 60000; i++) {
        double value = from_bits(ald_random_bits(&random));
        if (i % 2)
            value = ald_random_normal(&random) * pow(10.0, (double)ald_random_below(&random, 30) - 15.0);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*e", (int)ald_random_below(&random, 25), value);
        expect_like_library(text);
        if (fabs(value) > 1e30) continue;
        snprintf(text, sizeof text, "%.*f", (int)ald_random_below(&random, 30), value);
        expect_like_library(text);
    }
}

/* Digits and exponents at random in the range of the 128-bit arithmetic, where halfway cases are frequent for
 * short mantissas times powers of two. */
static void test_random_digits_against_library(void **state)
{
    (void)state;
    ald_random random;
    ald_random_seed(&random, 7, 1);
    char text[100];
    for (int i = 0; i < 200000; i++) {
        const uint64_t digits = ald_random_bits(&random) >> ald_random_below(&random, 64);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits,
                 (int)ald_random_below(&random, 61) - 30);
        expect_like_library(text);
    }
    for (int i = 0; i < 20000; i++) {
        const uint64_t odd = (UINT64_C(1) << 53) + 2 * (ald_random_bits(&random) >> 12) + 1;
        snprintf(text, sizeof text, "%llu", (unsigned long long)(odd << ald_random_below(&random, 10)));
        expect_like_library(text);
        snprintf(text, sizeof text, "%.60f", (double)(odd >> 1) * 0x1p-40 + 0x1p-41);
        expect_like_library(text);
    }
}

static void expect_round_trip(double value)
{
    char text[ALD_REAL_TEXT_SIZE];
    const int length = ald_format_real(value, text);
    assert_int_equal(length, strlen(text));
    if (bits_of(parsed(text)) != bits_of(value)) fail_msg("%a was written as %s", value, text);
}

static void test_format_round_trip(void **state)
{
    (void)state;
    ald_random random;
    ald_random_seed(&random, 3, 0);
    for (int i = 0; i < 30000; i++) {
        const double value = from_bits(ald_random_bits(&random));
        if (isfinite(value)) expect_round_trip(value);
        expect_round_trip(ald_random_normal(&random));
        expect_round_trip((double)ald_random_below(&random, INT64_C(1) << 60));
        expect_round_trip((double)ald_random_below(&random, 100000) / 1000.0);
    }
    expect_round_trip(DBL_MAX);
    expect_round_trip(DBL_MIN);
    expect_round_trip(from_bits(1));
    expect_round_trip(-0.0);
}

static void test_format_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-3.0, "-3"},
        {0.1, "0.1"},
        {100000.0, "100000"},
        {1e14, "100000000000000"},
        {1e15, "1e15"},
        {1e20, "1e20"},
        {1e-7, "1e-7"},
        {-2.5e-300, "-2.5e-300"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {123456.789, "123456.789"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ALD_REAL_TEXT_SIZE];
        ald_format_real(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* A locale with a decimal comma, made here as few machines have one installed. */
static int set_comma_locale(const char *folder)
{
    char command[400];
    snprintf(command, sizeof command,
             "cd %s && printf 'escape_char /\\nLC_NUMERIC\\ndecimal_point \"<U002C>\"\\nthousands_sep \"\"\\n"
             "grouping -1\\nEND LC_NUMERIC\\n' > source && localedef -c -i source ./comma > log 2>&1",
             folder);
    /* localedef warns of the other categories by its status. */
    if (system(command) < 0 || setenv("LOCPATH", folder, 1) != 0) return 0;
    return setlocale(LC_NUMERIC, "comma") != NULL;
}

static void test_locale_does_not_matter(void **state)
{
    (void)state;
    char folder[] = "/tmp/ald-number-XXXXXX", command[64], comma[8], text[ALD_REAL_TEXT_SIZE];
    if (!mkdtemp(folder)) fail();
    const int there = set_comma_locale(folder);
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    ald_format_real(-0.5, text);
    const double near = parsed("1.5"), far = parsed("1.5e-200");
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) fail();
    assert_string_equal(text, "-0.5");
    assert_true(near == 1.5 && far == 1.5e-200);
    if (!there) skip();
    assert_string_equal(comma, "0,5");
}

static void test_whole_numbers(void **state)
{
    (void)state;
    int64_t value = 0;
    assert_true(ald_parse_int("-42", 3, &value));
    assert_int_equal(value, -42);
    assert_true(ald_parse_int("+7", 2, &value));
    assert_int_equal(value, 7);
    assert_true(ald_parse_int("9223372036854775807", 19, &value));
    assert_true(value == INT64_MAX);
    assert_true(ald_parse_int("-9223372036854775808", 20, &value));
    assert_true(value == INT64_MIN);
    assert_false(ald_parse_int("9223372036854775808", 19, &value));
    assert_false(ald_parse_int("-9223372036854775809", 20, &value));
    assert_false(ald_parse_int("", 0, &value));
    assert_false(ald_parse_int("-", 1, &value));
    assert_false(ald_parse_int("1.0", 3, &value));
    assert_false(ald_parse_int("12 ", 3, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_cases),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_scan_stops_where_the_number_ends),
        cmocka_unit_test(test_very_long_texts),
        cmocka_unit_test(test_random_against_library),
        cmocka_unit_test(test_random_digits_against_library),
        cmocka_unit_test(test_format_round_trip),
        cmocka_unit_test(test_format_short),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
