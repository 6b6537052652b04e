/* Lists of columns: names, numbers, ranges, and what is said when one is not there. */
#include "data/encode/dataset.h"
#include "io/table/columns.h"
#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "id,width,height,3,a..b,c.d,\"x, y\",species\n"
#define ROW "1,2,3,4,5,6,7,8\n"
enum { cols = 8 };

/* Reads the header and chooses; `ranks` are the expected ones, with 0 for columns that are not chosen. */
static void expect(const char *list, const int64_t ranks[cols])
{
    reading r;
    int64_t chosen[cols], count, expected = 0;
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_csv_reader, HEADER ROW), ALD_OK);
    if (ald_columns_choose(&r.run, &r.table, list, "`target`", chosen, &count) < 0)
        fail_msg("%s", r.error.message);
    for (int j = 0; j < cols; j++) {
        if (chosen[j] != ranks[j]) fail_msg("'%s': column %d has rank %d", list, j + 1, (int)chosen[j]);
        expected += ranks[j] != 0;
    }
    assert_int_equal(count, expected);
    reading_end(&r);
}

static void expect_error(const char *text, const char *list, const char *part)
{
    reading r;
    int64_t chosen[cols], count;
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_csv_reader, text), ALD_OK);
    assert_int_equal(ald_columns_choose(&r.run, &r.table, list, "`target`", chosen, &count),
                     ALD_ERROR_ARGUMENT);
    if (!strstr(r.error.message, part)) fail_msg("'%s': expected '%s' in: %s", list, part, r.error.message);
    assert_non_null(strstr(r.error.message, "`target`"));
    reading_end(&r);
}

static void test_names_come_first(void **state)
{
    (void)state;
    expect("species", (int64_t[cols]){0, 0, 0, 0, 0, 0, 0, 1});
    expect("height,id", (int64_t[cols]){2, 0, 1, 0, 0, 0, 0, 0});
    expect(" height , id ", (int64_t[cols]){2, 0, 1, 0, 0, 0, 0, 0});
    expect("3", (int64_t[cols]){0, 0, 0, 1, 0, 0, 0, 0});
    expect("#3", (int64_t[cols]){0, 0, 1, 0, 0, 0, 0, 0});
    expect("4", (int64_t[cols]){0, 0, 0, 1, 0, 0, 0, 0});
    expect("x, y", (int64_t[cols]){0, 0, 0, 0, 0, 0, 1, 0});
}

static void test_ranges(void **state)
{
    (void)state;
    expect("id..height", (int64_t[cols]){1, 2, 3, 0, 0, 0, 0, 0});
    expect("#2..#4", (int64_t[cols]){0, 1, 2, 3, 0, 0, 0, 0});
    expect("2..4", (int64_t[cols]){0, 1, 2, 3, 0, 0, 0, 0});
    expect("species,id..2", (int64_t[cols]){2, 3, 0, 0, 0, 0, 0, 1});
    expect("7..species", (int64_t[cols]){0, 0, 0, 0, 0, 0, 1, 2});
    expect("width..width", (int64_t[cols]){0, 1, 0, 0, 0, 0, 0, 0});
    expect("a..b", (int64_t[cols]){0, 0, 0, 0, 1, 0, 0, 0});
    expect("a..b..c.d", (int64_t[cols]){0, 0, 0, 0, 1, 2, 0, 0});
    expect("height..a..b", (int64_t[cols]){0, 0, 1, 2, 3, 0, 0, 0});
}

static void test_errors_help(void **state)
{
    (void)state;
    expect_error(HEADER ROW, "specis", "did you mean 'species'?");
    expect_error("a,b,c,d,e,f,g,h\n" ROW, "z", "there is no column 'z'; the columns are");
    expect_error(HEADER ROW, "zzzzzz", "no column 'zzzzzz'; the columns are id, width");
    expect_error(HEADER ROW, "#9", "column #9 does not exist: there are 8 columns");
    expect_error(HEADER ROW, "0", "column 0 does not exist: there are 8 columns");
    expect_error(HEADER ROW, "id,1", "column 1 ('id') is listed twice");
    expect_error(HEADER ROW, "1..3,width", "listed twice");
    expect_error(HEADER ROW, "height..id", "runs backwards, from column 3 to 1");
    expect_error(HEADER ROW, "id..hight", "no column 'hight'; did you mean 'height'?");
    expect_error(HEADER ROW, "1..12", "column 12 does not exist");
    expect_error(HEADER ROW, "id,,width", "an empty item");
    expect_error(HEADER ROW, "", "an empty item");
    expect_error(ROW ROW, "fat", "no names, give numbers from 1 to 8");
}

/* A million named columns and a list of ten thousand of them: no time to notice. */
static void test_many_columns(void **state)
{
    (void)state;
    enum { many = 1000000, listed = 10000 };
    reading r;
    reading_begin(&r);
    ald_table table = {.arena = &r.arena, .source = "wide", .rows = 1, .cols = many};
    table.columns = ald_arena_get(&r.arena, many, 1, sizeof *table.columns);
    char *names = ald_arena_get(&r.arena, many, 16, 1), *list = ald_arena_get(&r.arena, listed, 12, 1);
    int64_t *chosen = ald_arena_get(&r.arena, many, 1, sizeof *chosen);
    int64_t count;
    assert_true(table.columns && names && list && chosen);
    for (int j = 0; j < many; j++) {
        snprintf(names + 16 * j, 16, "w%d", j);
        table.columns[j] = (ald_column){.name = names + 16 * j};
    }
    size_t used = 0;
    for (int k = 0; k < listed; k++)
        used += (size_t)sprintf(list + used, "%sw%d", k ? "," : "", many - 1 - 7 * k);
    assert_int_equal(ald_columns_choose(&r.run, &table, list, "`target`", chosen, &count), ALD_OK);
    assert_int_equal(count, listed);
    assert_int_equal(chosen[many - 1], 1);
    assert_int_equal(chosen[many - 1 - 7 * (listed - 1)], listed);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_come_first),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_errors_help),
        cmocka_unit_test(test_many_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
