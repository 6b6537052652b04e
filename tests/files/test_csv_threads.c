/* Delimited text that several threads read: the same table, levels, lines and errors as one thread gives,
 * whatever stands where the text is cut. */
#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Larger than the buffer of the reader, twice. */
enum { n_rows = 60000, room = 5 << 20 };

typedef struct {
    char *bytes;
    size_t size;
} writing;

static void put(writing *text, const char *piece)
{
    const size_t length = strlen(piece);
    assert_true(text->size + length < room);
    memcpy(text->bytes + text->size, piece, length + 1);
    text->size += length;
}

/* What stands in row i, its end included. */
typedef void (*row_writer)(int64_t i, char row[200]);

static writing written(row_writer writer)
{
    writing text = {malloc(room), 0};
    char row[200];
    for (int64_t i = 0; i < n_rows; i++) {
        writer(i, row);
        put(&text, row);
    }
    return text;
}

static void assert_same_columns(const ald_table *one, const ald_table *many)
{
    for (int64_t j = 0; j < one->cols; j++) {
        const ald_column *a = &one->columns[j], *b = &many->columns[j];
        assert_int_equal(a->n_levels, b->n_levels);
        for (int64_t k = 0; k < a->n_levels; k++) assert_string_equal(a->levels[k], b->levels[k]);
        assert_int_equal(a->n_numbers, b->n_numbers);
        assert_int_equal(a->n_texts, b->n_texts);
        assert_int_equal(a->n_missing, b->n_missing);
        assert_int_equal(a->n_infinite, b->n_infinite);
        assert_int_equal(a->first_number_line, b->first_number_line);
        assert_int_equal(a->first_text_line, b->first_text_line);
        assert_int_equal(a->first_missing_line, b->first_missing_line);
        assert_int_equal(a->first_infinite_line, b->first_infinite_line);
    }
}

static void assert_same_tables(const ald_table *one, const ald_table *many)
{
    assert_int_equal(one->rows, many->rows);
    assert_int_equal(one->cols, many->cols);
    assert_memory_equal(one->cells, many->cells, (size_t)(one->rows * one->cols) * sizeof *one->cells);
    for (int64_t i = 0; i < one->rows; i++) assert_int_equal(ald_table_line(one, i), ald_table_line(many, i));
    assert_same_columns(one, many);
}

static ald_status read_by(reading *r, int threads, const writing *text, const ald_load_options *options)
{
    reading_begin(r);
    r->run.call.threads = threads;
    return reading_bytes(r, &ald_csv_reader, text->bytes, text->size, options);
}

/* Rows as `writer` has them are read by one thread and by several, with the same outcome. */
static void expect_same(row_writer writer, const ald_load_options *options, ald_status expected)
{
    static const int threads[] = {2, 5};
    reading one, many;
    writing text = written(writer);
    assert_int_equal(read_by(&one, 1, &text, options), expected);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(read_by(&many, threads[k], &text, options), expected);
        if (expected == ALD_OK) assert_same_tables(&one.table, &many.table);
        assert_string_equal(one.error.message, many.error.message);
        assert_int_equal(one.error.line, many.error.line);
        assert_int_equal(one.error.column, many.error.column);
        reading_end(&many);
    }
    reading_end(&one);
    free(text.bytes);
}

static void numbers(int64_t i, char row[200])
{
    snprintf(row, 200, "%.17g,%lld,%.6g\n", (double)i / 7.0, (long long)i, 1e-3 * (double)(i % 1001));
}

static void carriage_returns(int64_t i, char row[200])
{
    snprintf(row, 200, "%.17g,%lld,%.6g\r\n", (double)i / 3.0, (long long)i, 1e-3 * (double)(i % 1001));
}

static void old_line_ends(int64_t i, char row[200])
{
    snprintf(row, 200, "%.17g,%lld\r%s", (double)i / 3.0, (long long)i, i % 100 == 0 ? "1,2\n" : "");
}

static void labels(int64_t i, char row[200])
{
    static const char *const names[] = {"setosa", "\"versi,color\"", "virginica", "\"two words\"", "NA", ""};
    snprintf(row, 200, "%.17g,%s,%s,%s%lld\n", (double)i / 7.0, names[i % 6], i % 17 ? "1" : "?",
             i == 1000 || i == 50000 ? "0" : "", (long long)(i / 100));
}

static void empty_lines(int64_t i, char row[200])
{
    snprintf(row, 200, "%s%.17g, %lld\n%s", i % 5000 == 4999 ? "# a remark, and \"more\n" : "",
             (double)i / 7.0, (long long)i, i % 7000 == 6999 ? "\n  \n" : "");
}

static void lines_in_quotes(int64_t i, char row[200])
{
    const char *text = i % 9000 == 8000 ? "\"on\n2 lines,\n\"\"3\"\"\"" : "plain";
    snprintf(row, 200, "%.17g,%s,%lld\n", (double)i / 7.0, text, (long long)i);
}

static void all_texts(int64_t i, char row[200])
{
    snprintf(row, 200, "a%lld,b,c,%lld,e\n", (long long)(i % 77), (long long)i);
}

static void short_row(int64_t i, char row[200])
{
    snprintf(row, 200, i == 51234 ? "1,2\n" : "1.2345678901234567,2,x%lld\n", (long long)(i % 10));
}

static void long_row(int64_t i, char row[200])
{
    snprintf(row, 200, i == 51234 ? "1,2,3,4\n" : "1.2345678901234567,2,x%lld\n", (long long)(i % 10));
}

static void open_quote(int64_t i, char row[200])
{
    snprintf(row, 200, i == 51234 ? "1,2,\"3\n" : "1.2345678901234567,2,x%lld\n", (long long)(i % 10));
}

static void infinite(int64_t i, char row[200])
{
    snprintf(row, 200, "%s,%.17g,%lld\n", i == 40000 ? "1e999" : "2.5", (double)i / 7.0, (long long)i);
}

static void test_plain(void **state)
{
    (void)state;
    expect_same(numbers, NULL, ALD_OK);
    expect_same(carriage_returns, NULL, ALD_OK);
    expect_same(old_line_ends, NULL, ALD_OK);
    expect_same(infinite, NULL, ALD_OK);
}

static void test_texts(void **state)
{
    (void)state;
    const ald_load_options categorical = {.size = sizeof categorical, .categorical = "4"};
    expect_same(labels, NULL, ALD_OK);
    expect_same(labels, &categorical, ALD_OK);
    expect_same(all_texts, NULL, ALD_OK);
    expect_same(lines_in_quotes, NULL, ALD_OK);
}

static void test_lines_that_are_no_rows(void **state)
{
    (void)state;
    const ald_load_options remarks = {.size = sizeof remarks, .comment = "#"};
    expect_same(empty_lines, &remarks, ALD_OK);
}

static void test_errors(void **state)
{
    (void)state;
    expect_same(short_row, NULL, ALD_ERROR_FORMAT);
    expect_same(long_row, NULL, ALD_ERROR_FORMAT);
    expect_same(open_quote, NULL, ALD_ERROR_FORMAT);
}

/* Allocations fail while several threads read. */
static void test_no_memory(void **state)
{
    (void)state;
    writing text = written(labels);
    int64_t last = 1;
    for (int64_t at = 1; at <= last; at += 1 + at / 8) {
        reading r;
        reading_begin(&r);
        r.run.call.threads = 3;
        r.fail_at = at;
        const ald_status status = reading_bytes(&r, &ald_csv_reader, text.bytes, text.size, NULL);
        assert_true(status == ALD_ERROR_MEMORY || r.allocations < at);
        if (r.allocations >= at) last = at + 1 + at / 8;
        reading_end(&r);
    }
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_lines_that_are_no_rows),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
