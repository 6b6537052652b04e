/* Keys of numbers: their order is that of the numbers, and sorting them agrees with qsort. */
#include "base/numbers/ordering.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void keys_keep_the_order(void **state)
{
    (void)state;
    const double rising[] = {
        -INFINITY, -DBL_MAX,          -1.5,    -1.0,     -DBL_MIN, -DBL_TRUE_MIN, 0.0, DBL_TRUE_MIN, DBL_MIN,
        1.0,       1.0 + DBL_EPSILON, DBL_MAX, INFINITY,
    };
    for (size_t i = 1; i < sizeof rising / sizeof *rising; i++)
        assert_true(ald_real_key(rising[i - 1]) < ald_real_key(rising[i]));
    assert_true(ald_real_key(-0.0) == ald_real_key(0.0));
}

/* Counts around the edges; values that differ in all bytes, in few, and not at all. */
static void sorting_agrees_with_qsort(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static double values[MOST];
    static uint64_t keys[MOST], spare[MOST];
    const int64_t counts[] = {0, 1, 2, 3, 255, 257, MOST};
    const double steps[] = {0.0, 1.0, 1e-9, 1e300};
    srand(7);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            for (int64_t i = 0; i < counts[c]; i++) {
                values[i] = steps[s] * (rand() % 1000 - 500) / 499.0;
                keys[i] = ald_real_key(values[i]);
            }
            ald_sort_reals(counts[c], values);
            ald_sort_keys(counts[c], keys, spare);
            for (int64_t i = 0; i < counts[c]; i++) assert_true(keys[i] == ald_real_key(values[i]));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_keep_the_order),
        cmocka_unit_test(sorting_agrees_with_qsort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
