/* Delimited text: quoting, line ends, what is found out, and where errors are said to be. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void begin(reading *r, const char *text)
{
    reading_begin(r);
    if (reading_text(r, &ald_csv_reader, text) < 0) fail_msg("'%s': %s", text, r->error.message);
}

static void begin_with(reading *r, const char *text, const ald_load_options *options)
{
    reading_begin(r);
    if (reading_bytes(r, &ald_csv_reader, text, strlen(text), options) < 0)
        fail_msg("'%s': %s", text, r->error.message);
}

/* Reads, and compares cells (NAN: missing) and whether there are names. */
static void expect(const char *text, int named, int64_t rows, int64_t cols, const double *cells)
{
    reading r;
    begin(&r, text);
    assert_cells(&r.table, rows, cols, cells);
    assert_int_equal(r.table.columns[0].name != NULL, named);
    assert_true(r.table.has_lines);
    reading_end(&r);
}

static const char *text_at(const ald_table *table, int64_t row, int64_t column)
{
    int64_t level;
    if (!ald_cell_is_text(table->cells[row * table->cols + column], &level)) fail_msg("no text");
    return table->columns[column].levels[level];
}

static void test_delimiters_are_found(void **state)
{
    (void)state;
    static const double cells[] = {1, 2, 3, 4, 5, 6};
    expect("1,2,3\n4,5,6\n", 0, 2, 3, cells);
    expect("1;2;3\n4;5;6\n", 0, 2, 3, cells);
    expect("1\t2\t3\n4\t5\t6\n", 0, 2, 3, cells);
    expect("1|2|3\n4|5|6\n", 0, 2, 3, cells);
    expect("1 2 3\n4 5 6\n", 0, 2, 3, cells);
    expect("  1   2\t3  \n 4  5    6\n", 0, 2, 3, cells);
    expect("1, 2, 3\n4, 5, 6\n", 0, 2, 3, cells);
    expect("\"a,b\";b;c\n1;2;3\n4;5;6\n", 1, 2, 3, cells);
    expect("\"a;b\",b,c\n1,2,3\n4,5,6\n", 1, 2, 3, cells);
    expect("a b c\n1 2 3\n4 5 6", 1, 2, 3, cells);
    expect("x\n1\n2\n3\n4\n5\n6\n", 1, 6, 1, cells);
}

static void test_line_ends_and_marks(void **state)
{
    (void)state;
    static const double cells[] = {1, 2, 3, 4};
    expect("1,2\r\n3,4\r\n", 0, 2, 2, cells);
    expect("1,2\r3,4\r", 0, 2, 2, cells);
    expect("1,2\n3,4", 0, 2, 2, cells);
    expect("1,2\r\n3,4\r", 0, 2, 2, cells);
    expect("\n\n1,2\n\n  \n3,4\n\n", 0, 2, 2, cells);
    expect("\r\n1,2\r\n\r\n3,4\r\n\r\n", 0, 2, 2, cells);
    expect("\xef\xbb\xbf"
           "a,b\n1,2\n3,4\n",
           1, 2, 2, cells);
    expect("\xef\xbb\xbf"
           "1,2\n3,4\n",
           0, 2, 2, cells);
    reading r;
    begin(&r, "\xef\xbb\xbf\"a\",b\n1,2\n");
    assert_string_equal(r.table.columns[0].name, "a");
    reading_end(&r);
}

static void test_header_is_found(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2, 3, 4};
    expect("a,b\n1,2\n3,4\n", 1, 2, 2, numbers);
    expect("a,2019\n1,2\n3,4\n", 1, 2, 2, numbers);
    expect("\"a\",\"b\"\n\"1\",\"2\"\n\" 3 \",4\n", 1, 2, 2, numbers);
    reading r;
    begin(&r, "city,land\nRome,Italy\nOslo,Norway\n");
    assert_int_equal(r.table.rows, 2);
    assert_string_equal(r.table.columns[1].name, "land");
    assert_string_equal(text_at(&r.table, 1, 0), "Oslo");
    reading_end(&r);
    begin(&r, "Rome,1\nOslo,2\n");
    assert_int_equal(r.table.rows, 2);
    assert_null(r.table.columns[0].name);
    reading_end(&r);
    begin(&r, "a,,c\n1,2,3\n");
    assert_string_equal(r.table.columns[0].name, "a");
    assert_null(r.table.columns[1].name);
    assert_string_equal(r.table.columns[2].name, "c");
    assert_int_equal(r.table.columns[2].position, 3);
    reading_end(&r);
}

static void test_options_win(void **state)
{
    (void)state;
    reading r;
    begin_with(&r, "1,2\n3,4\n", &(ald_load_options){.header = "yes"});
    assert_int_equal(r.table.rows, 1);
    assert_string_equal(r.table.columns[1].name, "2");
    reading_end(&r);
    begin_with(&r, "a,b\n3,4\n", &(ald_load_options){.header = "no"});
    assert_int_equal(r.table.rows, 2);
    assert_int_equal(r.table.columns[0].n_texts, 1);
    assert_int_equal(r.table.columns[0].first_text_line, 1);
    assert_int_equal(r.table.columns[0].n_numbers, 1);
    assert_int_equal(r.table.columns[0].first_number_line, 2);
    reading_end(&r);
    begin_with(&r, "1;2,5\n3;4,5\n", &(ald_load_options){.delimiter = ","});
    assert_string_equal(text_at(&r.table, 0, 0), "1;2");
    reading_end(&r);
    begin_with(&r, "1\t2\n", &(ald_load_options){.delimiter = "tab"});
    assert_int_equal(r.table.cols, 2);
    reading_end(&r);
    begin_with(&r, "# by hand, 2020\na,b\n#1,2\n3,4\n  # more\n", &(ald_load_options){.comment = "#"});
    assert_cells(&r.table, 1, 2, (const double[]){3, 4});
    assert_int_equal(r.table.columns[0].first_number_line, 4);
    reading_end(&r);
}

static void expect_wrong_options(const ald_load_options *options, const char *part)
{
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, "1,2\n", 4, options), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(r.error.message, part));
    reading_end(&r);
}

static void test_wrong_options(void **state)
{
    (void)state;
    expect_wrong_options(&(ald_load_options){.header = "maybe"}, "`header`: 'maybe' is not one of no, yes");
    expect_wrong_options(&(ald_load_options){.delimiter = "::"}, "'::'");
    expect_wrong_options(&(ald_load_options){.delimiter = ""}, "delimiter");
    expect_wrong_options(&(ald_load_options){.delimiter = "e"}, "delimiter 'e'");
    expect_wrong_options(&(ald_load_options){.delimiter = "."}, "delimiter '.'");
    expect_wrong_options(&(ald_load_options){.comment = "//"}, "'//'");
    expect_wrong_options(&(ald_load_options){.comment = "1"}, "comment mark '1'");
    expect_wrong_options(&(ald_load_options){.comment = "-"}, "comment mark '-'");
}

static void test_quotes(void **state)
{
    (void)state;
    reading r;
    begin(&r, "name,x\n\"Smith, \"\"J.\"\"\",1\n\"two\nlines\",2\n  \"padded \"  ,3\n5\" pipe,4\n\"\",5\n");
    assert_int_equal(r.table.rows, 5);
    assert_string_equal(text_at(&r.table, 0, 0), "Smith, \"J.\"");
    assert_string_equal(text_at(&r.table, 1, 0), "two\nlines");
    assert_string_equal(text_at(&r.table, 2, 0), "padded ");
    assert_string_equal(text_at(&r.table, 3, 0), "5\" pipe");
    assert_true(ald_cell_is_missing(r.table.cells[8]));
    assert_int_equal(r.table.columns[0].first_missing_line, 7);
    reading_end(&r);
    begin(&r, "\"a \"\"b\"\"\",\"c\nd\"\n1,2\n");
    assert_string_equal(r.table.columns[0].name, "a \"b\"");
    assert_string_equal(r.table.columns[1].name, "c\nd");
    assert_int_equal(r.table.columns[0].first_number_line, 3);
    reading_end(&r);
}

static void test_kinds_are_counted(void **state)
{
    (void)state;
    reading r;
    begin(&r, "a,b,c\n1,NA,x\n,nan,x\n2,?,7\n 3 ,4,y\nu,5,\n");
    const ald_column *c = r.table.columns;
    assert_int_equal(r.table.rows, 5);
    assert_int_equal(c[0].n_numbers, 3);
    assert_int_equal(c[0].n_missing, 1);
    assert_int_equal(c[0].n_texts, 1);
    assert_int_equal(c[0].first_number_line, 2);
    assert_int_equal(c[0].first_missing_line, 3);
    assert_int_equal(c[0].first_text_line, 6);
    assert_int_equal(c[1].n_missing, 3);
    assert_int_equal(c[1].n_numbers, 2);
    assert_int_equal(c[1].first_number_line, 5);
    assert_int_equal(c[2].n_texts, 3);
    assert_int_equal(c[2].n_levels, 2);
    assert_string_equal(c[2].levels[1], "y");
    assert_int_equal(c[2].first_number_line, 4);
    assert_true(r.table.cells[9] == 3.0);
    reading_end(&r);
}

static void test_categorical_numbers_are_texts(void **state)
{
    (void)state;
    reading r;
    begin_with(&r, "zip,x\n00501,1\n501,2\n00501,3\n,4\n", &(ald_load_options){.categorical = "zip"});
    assert_int_equal(r.table.columns[0].n_levels, 2);
    assert_string_equal(text_at(&r.table, 2, 0), "00501");
    assert_true(ald_cell_is_missing(r.table.cells[6]));
    assert_int_equal(r.table.columns[0].n_numbers, 0);
    assert_true(r.table.cells[7] == 4.0);
    reading_end(&r);
    reading_begin(&r);
    assert_true(reading_bytes(&r, &ald_csv_reader, "zip,x\n1,2\n", 10,
                              &(ald_load_options){.categorical = "zop"}) < 0);
    assert_non_null(strstr(r.error.message, "zop"));
    reading_end(&r);
}

static void test_errors_say_where(void **state)
{
    (void)state;
    const ald_reader *csv = &ald_csv_reader;
    assert_refused(csv, "", 0, 0, "no rows");
    assert_refused(csv, "\n \n", 0, 0, "no rows");
    assert_refused(csv, "a,b\n", 0, 0, "no rows");
    assert_refused(csv, "1,2\n3,4\n5\n", 3, 0, "1 cell found, but 2 expected");
    assert_refused(csv, "a,b\n1,2\n3,4,5,6\n", 3, 0, "4 cells found, but 2 expected");
    assert_refused(csv, "a,b\n1,2,3\n", 2, 0, "3 cells found, but 2 expected");
    assert_refused(csv, "1 2 3\n4 5 6\n7 8 \n", 3, 0, "2 cells found, but 3 expected");
    assert_refused(csv, "a,b\n1,x\n2,\"open\n3,4\n", 3, 2, "never closed");
    assert_refused(csv, "a,b\n1,2\n\"x\"y,4\n", 3, 1, "closing quote");
    assert_refused(&ald_tsv_reader, "1\t2\n3\t4\t5\n", 2, 0, "3 cells found, but 2 expected");
}

static void test_zero_bytes_are_refused(void **state)
{
    (void)state;
    static const char wide[] = "\xff\xfe"
                               "a\0,\0b\0\n\0"
                               "1\0,\0"
                               "2\0\n\0";
    static const char inside[] = "1,2\n3,4\0\n", only[100] = "";
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, only, sizeof only, NULL), ALD_ERROR_FORMAT);
    assert_non_null(strstr(r.error.message, "zero byte"));
    reading_end(&r);
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, wide, sizeof wide - 1, NULL), ALD_ERROR_FORMAT);
    assert_non_null(strstr(r.error.message, "UTF-16"));
    reading_end(&r);
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, inside, sizeof inside - 1, NULL), ALD_ERROR_FORMAT);
    assert_int_equal(r.error.line, 2);
    assert_int_equal(r.error.column, 2);
    reading_end(&r);
}

static void test_tsv(void **state)
{
    (void)state;
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_tsv_reader, "a b\tc,d\n1\t\n\t2\n\t\n"), ALD_OK);
    assert_cells(&r.table, 3, 2, (const double[]){1, NAN, NAN, 2, NAN, NAN});
    assert_string_equal(r.table.columns[0].name, "a b");
    reading_end(&r);
}

/* Several buffers long, with rows and quoted cells across their borders, and one cell larger than a buffer.
 */
static void test_across_buffers(void **state)
{
    (void)state;
    enum { rows = 90000, large = 3000000 };
    char *text = malloc(rows * 48 + large + 100);
    if (!text) fail();
    size_t length = 0;
    for (int i = 0; i < rows; i++) {
        const char *end = i % 3 ? "\n" : "\r\n";
        length += (size_t)sprintf(text + length, "%d.25,\"q \"\"%d\"\"\n\",%s%d , %d%s", i, i % 10,
                                  i % 7 ? "" : "-", i, i * 3, end);
    }
    length += (size_t)sprintf(text + length, "1,\"");
    memset(text + length, 'z', large);
    length += large;
    length += (size_t)sprintf(text + length, "\",2,3");
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, text, length, NULL), ALD_OK);
    assert_int_equal(r.table.rows, rows + 1);
    for (int i = 0; i < rows; i++) {
        const double *row = r.table.cells + i * 4;
        char expected[16];
        snprintf(expected, sizeof expected, "q \"%d\"\n", i % 10);
        assert_true(row[0] == i + 0.25 && row[2] == (i % 7 ? i : -i) && row[3] == i * 3.0);
        assert_string_equal(text_at(&r.table, i, 1), expected);
    }
    assert_int_equal(strlen(text_at(&r.table, rows, 1)), large);
    assert_int_equal(r.table.columns[1].n_levels, 11);
    reading_end(&r);
    free(text);
}

/* A million columns with names: anything quadratic would not end. */
static void test_many_columns(void **state)
{
    (void)state;
    enum { cols = 1000000 };
    char *text = malloc(cols * 12);
    if (!text) fail();
    size_t length = 0;
    for (int j = 0; j < cols; j++)
        length += (size_t)sprintf(text + length, "x%d%c", j, j < cols - 1 ? ',' : '\n');
    for (int j = 0; j < cols; j++)
        length += (size_t)sprintf(text + length, "%d%c", j % 10, j < cols - 1 ? ',' : '\n');
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_csv_reader, text, length, NULL), ALD_OK);
    assert_int_equal(r.table.cols, cols);
    assert_int_equal(r.table.rows, 1);
    assert_string_equal(r.table.columns[cols - 1].name, "x999999");
    assert_true(r.table.cells[123456] == 6.0);
    reading_end(&r);
    free(text);
}

static const char sample[] = "name,x,\"y\"\"2\"\n\"a,b\",1.5,NA\nc d,-2e3,\"7\"\r\n,.5,x\n";

static void test_without_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(&ald_csv_reader, sample, sizeof sample - 1);
}

static void test_damaged(void **state)
{
    (void)state;
    assert_survives_damage(&ald_csv_reader, sample, sizeof sample - 1);
    static const char tabs[] = "a\tb\n1\t2\n\"3\"\t\"x\ty\"\n";
    assert_survives_damage(&ald_tsv_reader, tabs, sizeof tabs - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delimiters_are_found),
        cmocka_unit_test(test_line_ends_and_marks),
        cmocka_unit_test(test_header_is_found),
        cmocka_unit_test(test_options_win),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_kinds_are_counted),
        cmocka_unit_test(test_categorical_numbers_are_texts),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_zero_bytes_are_refused),
        cmocka_unit_test(test_tsv),
        cmocka_unit_test(test_across_buffers),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
