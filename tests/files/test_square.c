/* n x n matrices beside the rows: dense, sparse and as a list of pairs; zeros that are given stay; bad files.
 */
#include "support/reading.h"
#include "support/support.h"

#include "io/formats/square.h"
#include "math/operator/entry.h"

#include <stdio.h>
#include <string.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Reads the text as n x n and compares with `values`; -1 stands for an entry that is not stored. */
static void expect(const char *path, const char *text, int64_t n, const double *values)
{
    reading r;
    ald_matrix m;
    write_file(path, text);
    reading_begin(&r);
    assert_done(ald_read_square(&r.run, path, &r.arena, n, &m), r.error);
    assert_int_equal(m.rows, n);
    assert_int_equal(m.cols, n);
    for (int64_t i = 0; i < n * n; i++) {
        assert_int_equal(ald_matrix_has(&m, i / n, i % n), values[i] >= 0.0);
        if (values[i] >= 0.0) assert_true(ald_matrix_at(&m, i / n, i % n) == values[i]);
    }
    reading_end(&r);
}

static void refused(const char *path, const char *text, int64_t n, const char *part)
{
    reading r;
    ald_matrix m;
    write_file(path, text);
    reading_begin(&r);
    assert_true(ald_read_square(&r.run, path, &r.arena, n, &m) < 0);
    if (!strstr(r.error.message, part)) fail_msg("'%s' does not say '%s'", r.error.message, part);
    assert_non_null(strstr(r.error.message, path));
    reading_end(&r);
}

#define MTX "%%MatrixMarket matrix coordinate real general\n"

static void every_form(void **state)
{
    (void)state;
    expect("a.csv", "0,1\n2,0\n", 2, (double[]){0, 1, 2, 0});
    expect("a.csv", "0,1,2\n1,0,4\n2,4,0\n", 3, (double[]){0, 1, 2, 1, 0, 4, 2, 4, 0});
    expect("a.csv", "1,2,0.5\n4,1,0\n2,3,7\n", 4,
           (double[]){-1, 0.5, -1, -1, -1, -1, 7, -1, -1, -1, -1, -1, 0, -1, -1, -1});
    expect("a.csv", "from,to,distance\n2,1,3\n", 2, (double[]){-1, -1, 3, -1});
    expect("a.mtx", MTX "2 2 2\n1 2 5\n2 1 0\n", 2, (double[]){-1, 5, 0, -1});
}

static void bad_files(void **state)
{
    (void)state;
    refused("b.csv", "0,1\n1,0\n", 3, "b.csv is 2 x 2, but there are 3 rows of data: it must be 3 x 3");
    refused("b.csv", "0,1,2,3\n1,0,1,2\n", 4, "is 2 x 4, but there are 4 rows");
    refused("b.mtx", MTX "3 2 1\n1 2 5\n", 3, "is 3 x 2, but there are 3 rows");
    refused("b.csv", "1,2,0.5\n1,5,2\n", 4,
            "row 2 of the list of pairs names rows 1 and 5; rows go from 1 to 4");
    refused("b.csv", "0,2,0.5\n1,2,2\n", 4,
            "row 1 of the list of pairs names rows 0 and 2; rows go from 1 to 4");
    refused("b.csv", "1.5,2,0.5\n1,2,2\n", 4, "names rows 1.5 and 2");
    refused("b.csv", "0,1\nx,0\n", 2, "column 1 has a cell that is not a finite number");
    refused("b.csv", "0,1\n1,\n", 2, "column 2 has a cell that is not a finite number");
    refused("b.csv", "0,inf\n1,0\n", 2, "column 2 has a cell that is not a finite number");
}

static void missing_file(void **state)
{
    (void)state;
    reading r;
    ald_matrix m;
    reading_begin(&r);
    assert_true(ald_read_square(&r.run, "not-there.mtx", &r.arena, 2, &m) < 0);
    assert_non_null(strstr(r.error.message, "not-there.mtx"));
    reading_end(&r);
}

/* Every allocation fails once: an error each time, and nothing is left. */
static void no_memory(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"c.csv", "1,2,0.5\n4,1,0\n2,3,7\n"},
        {"c.mtx", MTX "4 4 2\n1 2 5\n2 1 0\n"},
    };
    for (int k = 0; k < 2; k++) {
        ald_status status = ALD_ERROR_MEMORY;
        write_file(files[k][0], files[k][1]);
        for (int64_t at = 1; status < 0; at++) {
            reading r;
            ald_matrix m;
            reading_begin(&r);
            r.fail_at = at;
            status = ald_read_square(&r.run, files[k][0], &r.arena, 4, &m);
            assert_true(status == ALD_OK || status == ALD_ERROR_MEMORY);
            reading_end(&r);
            assert_true(at < 200);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(missing_file),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
