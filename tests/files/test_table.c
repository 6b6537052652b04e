/* Cells that are not numbers, and the index of texts. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_kinds_of_cells(void **state)
{
    (void)state;
    static const double numbers[] = {0.0, -0.0, 1.5, -1e308, INFINITY, -INFINITY};
    int64_t level = -1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_false(ald_cell_is_missing(numbers[i]));
        assert_false(ald_cell_is_text(numbers[i], &level));
    }
    assert_true(ald_cell_is_missing(ald_cell_missing()));
    assert_false(ald_cell_is_text(ald_cell_missing(), &level));
    assert_true(ald_cell_is_missing(NAN));
    assert_true(ald_cell_is_missing(-NAN));
    static const int64_t levels[] = {0, 1, 77, INT32_MAX, (INT64_C(1) << 48) - 1};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const double cell = ald_cell_text(levels[i]);
        assert_true(isnan(cell));
        assert_false(ald_cell_is_missing(cell));
        assert_true(ald_cell_is_text(cell, &level));
        assert_true(level == levels[i]);
    }
}

static void test_texts_that_mean_missing(void **state)
{
    (void)state;
    static const char *const yes[] = {"", "NA", "na", "NaN", "nan", "NAN", "?", "N/A", "n/a", "null", "NULL"};
    static const char *const no[] = {"-", ".", "0", "N-A", "nul", "nulls", "Nana", "n", "NB", "??", " "};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(ald_text_is_missing(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(ald_text_is_missing(no[i], strlen(no[i])));
}

static ald_status find_many(reading *r, ald_column *columns)
{
    ald_levels *levels;
    r->table = (ald_table){.arena = &r->arena, .cols = 2, .columns = columns};
    ALD_TRY(ald_levels_new(&r->run, &r->table, &levels));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3000; i++) {
            char text[32];
            int64_t level;
            snprintf(text, sizeof text, "level %d", i * 7);
            ALD_TRY(ald_levels_find(&r->run, levels, 1, text, strlen(text), &level));
            assert_int_equal(level, i);
        }
    return ALD_OK;
}

static void test_levels_keep_their_numbers(void **state)
{
    (void)state;
    reading r;
    ald_column columns[2] = {{0}};
    reading_begin(&r);
    assert_int_equal(find_many(&r, columns), ALD_OK);
    assert_int_equal(columns[0].n_levels, 0);
    assert_int_equal(columns[1].n_levels, 3000);
    assert_string_equal(columns[1].levels[2999], "level 20993");
    reading_end(&r);
}

/* A text that begins like another, an empty one, and one longer than a chunk. */
static void test_levels_compare_whole_texts(void **state)
{
    (void)state;
    static char large[50000];
    memset(large, 'x', sizeof large);
    reading r;
    ald_column column = {0};
    ald_levels *levels;
    int64_t level;
    reading_begin(&r);
    r.table = (ald_table){.arena = &r.arena, .cols = 1, .columns = &column};
    assert_int_equal(ald_levels_new(&r.run, &r.table, &levels), ALD_OK);
    static const struct {
        size_t length;
        int64_t level;
    } cases[] = {{3, 0}, {2, 1}, {50000, 2}, {0, 3}, {3, 0}, {50000, 2}, {0, 3}, {2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ald_levels_find(&r.run, levels, 0, large, cases[i].length, &level), ALD_OK);
        assert_int_equal(level, cases[i].level);
    }
    assert_int_equal(strlen(column.levels[2]), 50000);
    reading_end(&r);
}

static void test_levels_without_memory(void **state)
{
    (void)state;
    for (int64_t fail_at = 1;; fail_at++) {
        reading r;
        ald_column columns[2] = {{0}};
        reading_begin(&r);
        r.fail_at = fail_at;
        const ald_status status = find_many(&r, columns);
        const int reached = r.allocations >= fail_at;
        reading_end(&r);
        assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        if (!reached) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_cells),
        cmocka_unit_test(test_texts_that_mean_missing),
        cmocka_unit_test(test_levels_keep_their_numbers),
        cmocka_unit_test(test_levels_compare_whole_texts),
        cmocka_unit_test(test_levels_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
