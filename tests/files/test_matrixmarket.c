/* The MatrixMarket reader: coordinate and array, every symmetry, and what does not fit its sizes. */
#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *text, int sparse, int64_t rows, int64_t cols, const double *cells)
{
    reading r;
    reading_begin(&r);
    if (reading_text(&r, &ald_matrixmarket_reader, text) < 0) fail_msg("%s", r.error.message);
    assert_int_equal(r.table.sparse, sparse);
    assert_cells(&r.table, rows, cols, cells);
    reading_end(&r);
}

static void reads_coordinates(void **state)
{
    (void)state;
    check("%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 4 5\n3 1 1.5\n1 4 -2\n% inside\n1 "
          "2 3\n2 2 "
          "0\n3 4 "
          "1e3\n",
          1, 3, 4, (double[]){0, 3, 0, -2, 0, 0, 0, 0, 1.5, 0, 0, 1000});
    check("%%matrixmarket MATRIX Coordinate Integer General\n2 2 2\n1 1 7\n2 2 -8\n", 1, 2, 2,
          (double[]){7, 0, 0, -8});
    check("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n", 1, 2, 3,
          (double[]){0, 0, 1, 1, 0, 0});
    check("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 2 -1\n", 1, 3, 3,
          (double[]){1, 0, 2, 0, 0, -1, 2, -1, 0});
    check("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n", 1, 2, 2,
          (double[]){0, -4, 4, 0});
    check("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", 1, 2, 2,
          (double[]){0, 1, 1, 0});
    check("%%MatrixMarket matrix coordinate real general\n2 2 0\n", 1, 2, 2, (double[]){0, 0, 0, 0});
}

static void sums_duplicates(void **state)
{
    (void)state;
    check(
        "%%MatrixMarket matrix coordinate real general\n2 3 6\n1 3 1\n1 1 5\n1 3 2\n2 2 1\n2 2 -1\n1 3 0.5\n",
        1, 2, 3, (double[]){5, 0, 3.5, 0, 0, 0});
}

/* Entries in any order give the same table as in order. */
static void sorts_entries(void **state)
{
    (void)state;
    enum { n = 40, entries = n * n / 2 };
    char *text = malloc(64 + entries * 32), *at = text;
    double cells[n * n] = {0};
    assert_non_null(text);
    at += sprintf(at, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, entries);
    for (int k = 0, place = 17; k < entries; k++, place = (place + 2 * 389) % (n * n)) {
        cells[place] = k + 1;
        at += sprintf(at, "%d %d %d\n", place / n + 1, place % n + 1, k + 1);
    }
    check(text, 1, n, n, cells);
    free(text);
}

static void reads_arrays(void **state)
{
    (void)state;
    check("%%MatrixMarket matrix array real general\n%\n2 3\n1\n2\n3\n4\n5\n6\n", 0, 2, 3,
          (double[]){1, 3, 5, 2, 4, 6});
    check("%%MatrixMarket matrix array integer general\n2 1\n1\n-2\n", 0, 2, 1, (double[]){1, -2});
    check("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 0, 3, 3,
          (double[]){1, 2, 3, 2, 4, 5, 3, 5, 6});
    check("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 0, 3, 3,
          (double[]){0, -1, -2, 1, 0, -3, 2, 3, 0});
}

static void tells_where(void **state)
{
    (void)state;
#define REAL "%%MatrixMarket matrix coordinate real general\n"
    static const struct {
        const char *text;
        int64_t line, column;
        const char *part;
    } cases[] = {
        {"", 1, 0, "not a MatrixMarket file"},
        {"1 2 3\n", 1, 0, "not a MatrixMarket file"},
        {"%%MatrixMarket vector coordinate real general\n", 1, 16, "'vector'"},
        {"%%MatrixMarket matrix coordinate complex general\n", 1, 34, "'complex'"},
        {"%%MatrixMarket matrix coordinate real hermitian\n", 1, 39, "'hermitian'"},
        {"%%MatrixMarket matrix array pattern general\n1 1\n1\n", 1, 29, "pattern"},
        {REAL, 1, 0, "line of sizes"},
        {REAL "2 2\n", 2, 0, "line of sizes"},
        {REAL "2 x 1\n", 2, 3, "'x'"},
        {REAL "2 -2 1\n", 2, 3, "'-2'"},
        {REAL "0 2 0\n", 0, 0, "no rows"},
        {REAL "2 2 2\n1 1 1\n", 3, 0, "claim 2 lines of data, but there are only 1"},
        {REAL "2 2 1\n1 1 1\n% c\n2 2 2\n", 5, 0, "more lines of data than the 1"},
        {REAL "2 2 1\n3 1 1\n", 3, 1, "row from 1 to 2"},
        {REAL "2 2 1\n1 0 1\n", 3, 3, "column from 1 to 2"},
        {REAL "2 2 1\n1 1 x\n", 3, 5, "'x' is not a finite number"},
        {REAL "2 2 1\n1 1 nan\n", 3, 5, "finite"},
        {REAL "2 2 1\n1 1\n", 3, 0, "row, column and value"},
        {REAL "2 2 1\n1 1 1 1\n", 3, 0, "row, column and value"},
        {REAL "2 2 1000000000000000\n1 1 1\n", 3, 0, "only 1"},
        {REAL "1000000000000000 2 1\n1 1 1\n", 0, 0, "claim 1000000000000000 rows for only 1"},
        {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", 3, 5, "whole number"},
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n", 3, 0, "row and column"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", 2, 0,
         "the same number of rows and columns"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", 3, 1, "lower triangle"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", 3, 1, "below the diagonal"},
        {"%%MatrixMarket matrix array real general\n1000000 1000000\n1\n", 3, 0, "only 1"},
        {"%%MatrixMarket matrix array real general\n10000000000 10000000000\n1\n", 2, 0, "memory"},
        {"%%MatrixMarket matrix array real general\n1 2\n1 2\n", 3, 0, "one value per line"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(&ald_matrixmarket_reader, cases[k].text, cases[k].line, cases[k].column,
                       cases[k].part);
}

static void survives(void **state)
{
    (void)state;
    static const char sparse[] = REAL "2 3 3\n2 3 1\n2 1 5\n1 3 2\n",
                      dense[] = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n";
    assert_survives_no_memory(&ald_matrixmarket_reader, sparse, sizeof sparse - 1);
    assert_survives_no_memory(&ald_matrixmarket_reader, dense, sizeof dense - 1);
    assert_survives_damage(&ald_matrixmarket_reader, sparse, sizeof sparse - 1);
    assert_survives_damage(&ald_matrixmarket_reader, dense, sizeof dense - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_coordinates), cmocka_unit_test(sums_duplicates),
        cmocka_unit_test(sorts_entries),     cmocka_unit_test(reads_arrays),
        cmocka_unit_test(tells_where),       cmocka_unit_test(survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
