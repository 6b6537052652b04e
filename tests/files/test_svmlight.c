/* The svmlight reader: labels of every kind, indices, comments, and where it says an error is. */
#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_labels(const ald_table *table, int64_t row, int labelled, int64_t count,
                          const double *labels)
{
    assert_int_equal(table->labelled[row], labelled);
    assert_int_equal(table->label_pointers[row + 1] - table->label_pointers[row], count);
    for (int64_t k = 0; k < count; k++)
        assert_true(table->label_values[table->label_pointers[row] + k] == labels[k]);
}

static void reads_rows_and_labels(void **state)
{
    (void)state;
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_svmlight_reader,
                                  "# made by hand\n"
                                  "+1 1:0.5 3:-2 # a comment 9:9\n"
                                  "\n"
                                  "-1.5 qid:7 2:1e2\t4:0\r\n"
                                  "?  3:1#comment\n"
                                  "2"),
                     ALD_OK);
    const double cells[] = {0.5, 0, -2, 0, 0, 100, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    assert_true(r.table.sparse);
    assert_cells(&r.table, 4, 4, cells);
    assert_int_equal(r.table.pointers[4], 4);
    assert_labels(&r.table, 0, 1, 1, (double[]){1});
    assert_labels(&r.table, 1, 1, 1, (double[]){-1.5});
    assert_labels(&r.table, 2, 0, 0, NULL);
    assert_labels(&r.table, 3, 1, 1, (double[]){2});
    assert_int_equal(r.table.many_labels, 0);
    reading_end(&r);
}

static void reads_many_labels(void **state)
{
    (void)state;
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_svmlight_reader, "3,1,20 1:1\n 2:1\n? 1:1\n5 1:2\n"), ALD_OK);
    assert_labels(&r.table, 0, 1, 3, (double[]){3, 1, 20});
    assert_labels(&r.table, 1, 1, 0, NULL);
    assert_labels(&r.table, 2, 0, 0, NULL);
    assert_labels(&r.table, 3, 1, 1, (double[]){5});
    assert_int_equal(r.table.many_labels, 1);
    reading_end(&r);
}

static void tells_where(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t line, column;
        const char *part;
    } cases[] = {
        {"1 0:1\n", 1, 3, "index of 1 or more"},
        {"1 1:1\n1 2:1 2:2\n", 2, 7, "index 2 comes after index 2"},
        {"1 1:1\n\n# x\n1 3:1 2:2\n", 4, 7, "index 2 comes after index 3"},
        {"1 1:1\n1  1:x\n", 2, 6, "'x' is not a finite number"},
        {"1 1:inf\n", 1, 5, "finite"},
        {"1 1:nan\n", 1, 5, "finite"},
        {"1 1:1e999\n", 1, 5, "finite"},
        {"1 1:\n", 1, 5, "finite"},
        {"1 1\n", 1, 3, "index:value"},
        {"1 -1:2\n", 1, 3, "index:value"},
        {"1 :2\n", 1, 3, "index:value"},
        {"1 99999999999999999999:2\n", 1, 3, "index:value"},
        {"1 qid:x 1:1\n", 1, 3, "qid:"},
        {"1:2 2:3\n", 1, 1, "label"},
        {"a 1:2\n", 1, 1, "'a' is not a label"},
        {"1,,2 1:2\n", 1, 3, "label"},
        {"1, 1:2\n", 1, 3, "label"},
        {"inf 1:2\n", 1, 1, "label"},
        {"", 0, 0, "no rows"},
        {"# only a comment\n\n", 0, 0, "no rows"},
        {"1\n2\n", 0, 0, "no columns"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(&ald_svmlight_reader, cases[k].text, cases[k].line, cases[k].column, cases[k].part);
}

static void many_rows(void **state)
{
    (void)state;
    enum { rows = 20000, longest = 64 };
    char *text = malloc((size_t)rows * longest), *at = text;
    assert_non_null(text);
    for (int i = 0; i < rows; i++) at += snprintf(at, longest, "%d %d:%d.25 %d:1\n", i % 3, i + 1, i, i + 2);
    reading r;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_svmlight_reader, text, (size_t)(at - text), NULL), ALD_OK);
    assert_int_equal(r.table.rows, rows);
    assert_int_equal(r.table.cols, rows + 1);
    for (int i = 0; i < rows; i++) {
        assert_int_equal(r.table.pointers[i + 1], 2 * i + 2);
        assert_int_equal(r.table.indices[2 * i], i);
        assert_true(r.table.values[2 * i] == i + 0.25);
        assert_true(r.table.label_values[i] == i % 3);
    }
    reading_end(&r);
    free(text);
}

/* Columns that nothing is in cost memory: so many are refused, unless the caller means it. */
static void refuses_far_columns(void **state)
{
    (void)state;
    static const char *const far[] = {"2147483648", "1099511627776", "1000000000000000000"};
    char text[100];
    reading r;
    ald_load_options options = {.size = sizeof options};
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "1 1:2\n2 1:3 %s:1\n", far[k]);
        assert_refused(&ald_svmlight_reader, text, 2, 0, "columns, but only 3 entries, and at most 1048576");
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n2 %s 1\n1 1 2\n",
                 far[k]);
        assert_refused(&ald_matrixmarket_reader, text, 0, 0, "columns, but only 1 entries");
    }
    options.max_columns = INT64_C(1) << 31;
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_svmlight_reader, "1 2147483648:1\n", 15, &options), ALD_OK);
    assert_int_equal(r.table.cols, INT64_C(1) << 31);
    options.max_columns = 5;
    assert_int_equal(reading_bytes(&r, &ald_svmlight_reader, "1 6:1\n", 6, &options), ALD_ERROR_DATA);
    reading_end(&r);
}

static void survives(void **state)
{
    (void)state;
    static const char text[] = "1,2 1:0.5 3:-2 # c\n 2:1e2 qid:1\n? 1:3\n";
    assert_survives_no_memory(&ald_svmlight_reader, text, sizeof text - 1);
    assert_survives_damage(&ald_svmlight_reader, text, sizeof text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rows_and_labels), cmocka_unit_test(reads_many_labels),
        cmocka_unit_test(tells_where),           cmocka_unit_test(many_rows),
        cmocka_unit_test(refuses_far_columns),   cmocka_unit_test(survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
