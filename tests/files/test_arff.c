/* The ARFF reader: types, quoting, dense and sparse rows, missing values, and where it says an error is. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void begin(reading *r, const char *text)
{
    reading_begin(r);
    if (reading_text(r, &ald_arff_reader, text) < 0)
        fail_msg("line %lld: %s", (long long)r->error.line, r->error.message);
}

static void assert_text(const ald_table *table, int64_t row, int64_t column, const char *text)
{
    int64_t level = -1;
    assert_true(ald_cell_is_text(table->cells[row * table->cols + column], &level));
    assert_true(level >= 0 && level < table->columns[column].n_levels);
    assert_string_equal(table->columns[column].levels[level], text);
}

static void reads_dense_rows(void **state)
{
    (void)state;
    reading r;
    begin(&r, "% made by hand\n"
              "@RELATION 'two words'\n"
              "\n"
              "@attribute size NUMERIC % comment\n"
              "@Attribute 'the \\'colour\\''  {red, 'dark blue', \"it\\\"s\"}\n"
              "@attribute\tnote string\n"
              "@attribute w{a,b}\n"
              "@attribute n integer\n"
              "@DATA\n"
              "% a comment\n"
              "1.5, 'dark blue', 'a, b', b, 7\n"
              "?,red,?,a,-1\n"
              "\n"
              " 1e2 , \"it\\\"s\" , plain text , a , 0 % end\n"
              "2,?,'?',?,3\n");
    const ald_table *t = &r.table;
    assert_int_equal(t->sparse, 0);
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->cols, 5);
    assert_string_equal(t->columns[1].name, "the 'colour'");
    assert_string_equal(t->columns[3].name, "w");
    assert_int_equal(t->columns[1].nominal, 1);
    assert_int_equal(t->columns[1].n_levels, 3);
    assert_string_equal(t->columns[1].levels[1], "dark blue");
    assert_int_equal(t->columns[2].nominal, 0);
    assert_true(t->cells[0] == 1.5 && t->cells[10] == 100.0 && t->cells[4] == 7.0);
    assert_text(t, 0, 1, "dark blue");
    assert_text(t, 0, 2, "a, b");
    assert_text(t, 0, 3, "b");
    assert_text(t, 2, 1, "it\"s");
    assert_text(t, 2, 2, "plain text");
    assert_text(t, 3, 2, "?");
    assert_true(ald_cell_is_missing(t->cells[5]) && ald_cell_is_missing(t->cells[7]));
    assert_int_equal(t->columns[0].n_missing, 1);
    assert_int_equal(t->columns[0].first_missing_line, 12);
    assert_int_equal(t->columns[0].n_numbers, 3);
    assert_int_equal(t->columns[1].n_texts, 3);
    assert_int_equal(t->columns[1].first_missing_line, 15);
    assert_int_equal(t->has_lines, 1);
    reading_end(&r);
}

#define NUMBERS "@relation r\n@attribute a numeric\n@attribute b real\n@attribute c integer\n@data\n"

static void sparse_numbers_stay_sparse(void **state)
{
    (void)state;
    reading r;
    begin(&r, NUMBERS "{0 1.5, 2 -2}\n{}\n{1 ?}\n{ 0 0 , 2 4 } % c\n");
    const double cells[] = {1.5, 0, -2, 0, 0, 0, 0, NAN, 0, 0, 0, 4};
    assert_true(r.table.sparse);
    assert_cells(&r.table, 4, 3, cells);
    assert_int_equal(r.table.columns[1].n_missing, 1);
    assert_int_equal(r.table.columns[1].first_missing_line, 8);
    assert_int_equal(r.table.columns[1].n_numbers, 3);
    reading_end(&r);
}

static void a_dense_row_makes_it_dense(void **state)
{
    (void)state;
    reading r;
    begin(&r, NUMBERS "{0 1.5, 2 ?}\n{}\n1,2,3\n{1 7}\n");
    assert_int_equal(r.table.sparse, 0);
    assert_cells(&r.table, 4, 3, (double[]){1.5, 0, NAN, 0, 0, 0, 1, 2, 3, 0, 7, 0});
    reading_end(&r);
}

static void sparse_rows_have_defaults(void **state)
{
    (void)state;
    reading r;
    begin(&r, "@relation r\n@attribute a numeric\n@attribute k {no,yes}\n@attribute s string\n@data\n{1 "
              "yes}\n{0 2, 2 "
              "'x y'}\n");
    assert_int_equal(r.table.sparse, 0);
    assert_true(r.table.cells[0] == 0.0 && r.table.cells[3] == 2.0);
    assert_text(&r.table, 0, 1, "yes");
    assert_text(&r.table, 1, 1, "no");
    assert_true(ald_cell_is_missing(r.table.cells[2]));
    assert_text(&r.table, 1, 2, "x y");
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
        {"", 0, 0, "without an @data"},
        {"@relation r\n@attribute a numeric\n", 2, 0, "without an @data"},
        {"@relation r\n@data\n1\n", 2, 0, "no @attribute"},
        {"a,b\n1,2\n", 1, 1, "expected @relation"},
        {"@relation r\n@attribute a date\n@data\n", 2, 14, "date"},
        {"@relation r\n@attribute a relational\n@data\n", 2, 14, "relational"},
        {"@relation r\n@attribute a number\n@data\n", 2, 14, "numeric, real"},
        {"@relation r\n@attribute a numeric x\n@data\n", 2, 22, "nothing may follow"},
        {"@relation r\n@attribute 'a numeric\n@data\n", 2, 12, "does not end"},
        {"@attribute a {x,y\n@data\nx\n", 1, 0, "must read {level"},
        {"@attribute a {x,,y}\n@data\nx\n", 1, 0, "empty level"},
        {"@attribute a {}\n@data\nx\n", 1, 0, "empty level"},
        {"@attribute a {x,y,x}\n@data\nx\n", 1, 0, "'x' occurs twice"},
        {"@attribute b numeric\n@attribute a {x,y}\n@data\n1,x\n1,z\n", 5, 2, "'z' is not one of the levels"},
        {NUMBERS "1,2\n", 6, 0, "ends after 2 values"},
        {NUMBERS "1,2,3\n1,2,3,4\n", 7, 0, "continues after 3 values"},
        {NUMBERS "1,2,3,\n", 6, 0, "continues after 3 values"},
        {NUMBERS "1,x,3\n", 6, 2, "'x' is not a number"},
        {NUMBERS "1,,3\n", 6, 2, "is empty"},
        {NUMBERS "{3 1}\n", 6, 2, "from 0 to 2"},
        {NUMBERS "{1 1, 1 2}\n", 6, 6, "increase"},
        {NUMBERS "{1 1, 2 2\n", 6, 10, "must read"},
        {NUMBERS "{1 1} 2\n", 6, 7, "nothing may follow"},
        {NUMBERS "{1}\n", 6, 2, "is empty"},
        {NUMBERS, 0, 0, "no rows"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(&ald_arff_reader, cases[k].text, cases[k].line, cases[k].column, cases[k].part);
}

static void survives(void **state)
{
    (void)state;
    static const char
        dense[] = "@relation r\n@attribute a numeric\n@attribute 'k' {no,'y\\'s'}\n@attribute s string\n"
                  "@data\n1,no,x\n?,'y\\'s',?\n{0 3}\n",
        sparse[] = NUMBERS "{0 1,2 3}\n{1 ?}\n",
        nominal[] = "@attribute a numeric\n@attribute b numeric\n@attribute k {no,yes}\n@attribute s string\n"
                    "@data\n{0 1,2 yes}\n\n{1 ?}\n{3 x}\n1,2,no,?\n",
        mixed[] = NUMBERS "{0 1}\n1,2,3\n";
    assert_survives_no_memory(&ald_arff_reader, dense, sizeof dense - 1);
    assert_survives_no_memory(&ald_arff_reader, sparse, sizeof sparse - 1);
    assert_survives_no_memory(&ald_arff_reader, nominal, sizeof nominal - 1);
    assert_survives_no_memory(&ald_arff_reader, mixed, sizeof mixed - 1);
    assert_survives_damage(&ald_arff_reader, dense, sizeof dense - 1);
    assert_survives_damage(&ald_arff_reader, nominal, sizeof nominal - 1);
    assert_survives_damage(&ald_arff_reader, mixed, sizeof mixed - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_dense_rows),
        cmocka_unit_test(sparse_numbers_stay_sparse),
        cmocka_unit_test(a_dense_row_makes_it_dense),
        cmocka_unit_test(sparse_rows_have_defaults),
        cmocka_unit_test(tells_where),
        cmocka_unit_test(survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
