/* Tables and matrices written, seen as bytes and read back. */
#include "io/writing/writer.h"
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/ald-writer-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void name_file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
}

/* What is in the file, which is then removed. */
static size_t take_file(char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    const size_t size = fread(bytes, 1, room - 1, file);
    bytes[size] = '\0';
    fclose(file);
    unlink(path);
    return size;
}

static void commit(reading *r, ald_status status, ald_output **output)
{
    if (status == ALD_OK) status = ald_output_commit(&r->run, *output);
    if (status < 0) fail_msg("%s", r->error.message);
    ald_output_abandon(*output);
}

static void expect_table(const char *from, const ald_reader *reader, const char *name, int64_t target,
                         const char *expected)
{
    reading r;
    ald_output *output;
    char found[1000];
    name_file(name);
    reading_begin(&r);
    if (reading_text(&r, reader, from) < 0) fail_msg("%s", r.error.message);
    commit(&r, ald_table_write(&r.run, &r.table, NULL, 0, target, path, &output), &output);
    take_file(found, sizeof found);
    assert_string_equal(found, expected);
    reading_end(&r);
}

static void test_csv_and_tsv(void **state)
{
    (void)state;
    static const char text[] =
        "name,x,\"a,b\"\n\"Smith, \"\"J\"\"\",1.50,NA\n\" pad\",-2e3,7\nplain,0.1,\"3\"\n";
    expect_table(text, &ald_csv_reader, "t.csv", -1,
                 "name,x,\"a,b\"\n\"Smith, \"\"J\"\"\",1.5,\n\" pad\",-2000,7\nplain,0.1,3\n");
    expect_table(text, &ald_csv_reader, "t.tsv", -1,
                 "name\tx\ta,b\n\"Smith, \"\"J\"\"\"\t1.5\t\n\" pad\"\t-2000\t7\nplain\t0.1\t3\n");
    expect_table("1,2\n3,4\n", &ald_csv_reader, "t.csv", -1, "1,2\n3,4\n");
    expect_table("x\n1\nNA\n", &ald_csv_reader, "t.csv", -1, "x\n1\n\"\"\n");
    /* without names, a first row with text would become the names */
    expect_table("a,1\nb,2\n", &ald_csv_reader, "t.csv", -1, "x1,x2\na,1\nb,2\n");
}

static void test_rows_in_an_order(void **state)
{
    (void)state;
    static const int64_t order[] = {2, 0};
    reading r;
    ald_output *output;
    char found[100];
    name_file("t.csv");
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_csv_reader, "a,b\n1,x\n2,y\n3,z\n"), ALD_OK);
    commit(&r, ald_table_write(&r.run, &r.table, order, 2, -1, path, &output), &output);
    take_file(found, sizeof found);
    assert_string_equal(found, "a,b\n3,z\n1,x\n");
    reading_end(&r);
}

static void test_svmlight(void **state)
{
    (void)state;
    expect_table("a,y,b\n1.5,1,0\n0,-1,2\n0,NA,0\n", &ald_csv_reader, "t.svm", 1, "1 1:1.5\n-1 2:2\n?\n");
    expect_table("a,y\n1.5,cat\n2,dog\n3,cat\n", &ald_csv_reader, "t.svm", 1, "0 1:1.5\n1 1:2\n0 1:3\n");
    expect_table("1,2\n", &ald_csv_reader, "t.svm", -1, "0 1:1 2:2\n");
    expect_table("1 1:0.5 3:2\n-1 2:1\n", &ald_svmlight_reader, "t.svm", -1, "1 1:0.5 3:2\n-1 2:1\n");
    expect_table("1,3 1:0.5\n2 2:1\n", &ald_svmlight_reader, "t.svm", -1, "1,3 1:0.5\n2 2:1\n");
}

static void test_labels_become_columns(void **state)
{
    (void)state;
    expect_table("1 1:0.5 3:2\n-1 2:1\n? 1:1\n", &ald_svmlight_reader, "t.csv", -1,
                 "label,x1,x2,x3\n1,0.5,0,2\n-1,0,1,0\n,1,0,0\n");
    expect_table("1,3 1:0.5\n2 2:1\n", &ald_svmlight_reader, "t.csv", -1,
                 "label_1,label_2,label_3,x1,x2\n1,0,1,0.5,0\n0,1,0,0,1\n");
}

static void test_npy(void **state)
{
    (void)state;
    reading r;
    ald_output *output;
    char found[1000];
    name_file("t.npy");
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_csv_reader, "a,b\n1,2.5\nNA,-4\n5,6\n"), ALD_OK);
    commit(&r, ald_table_write(&r.run, &r.table, NULL, 0, -1, path, &output), &output);
    const size_t size = take_file(found, sizeof found);
    assert_int_equal(size, 128 + 48);
    assert_memory_equal(
        found, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }", 69);
    assert_int_equal(found[127], '\n');
    double cells[6];
    memcpy(cells, found + 128, sizeof cells);
    assert_true(cells[0] == 1.0 && cells[1] == 2.5 && isnan(cells[2]) && cells[3] == -4.0 && cells[5] == 6.0);
    reading_end(&r);
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_npy_reader, found, size, NULL), ALD_OK);
    assert_cells(&r.table, 3, 2, (const double[]){1, 2.5, NAN, -4, 5, 6});
    reading_end(&r);
}

static void expect_refused(const char *text, const char *name, ald_status expected, const char *part)
{
    reading r;
    ald_output *output;
    name_file(name);
    reading_begin(&r);
    assert_int_equal(reading_text(&r, &ald_csv_reader, text), ALD_OK);
    assert_int_equal(ald_table_write(&r.run, &r.table, NULL, 0, -1, path, &output), expected);
    assert_null(output);
    if (!strstr(r.error.message, part)) fail_msg("expected '%s': %s", part, r.error.message);
    reading_end(&r);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* The folder must be empty at the end: nothing is left behind. */
static void test_what_cannot_be_written(void **state)
{
    (void)state;
    expect_refused(
        "a,b\n1,2\n3,x\n", "t.npy", ALD_ERROR_DATA,
        "memory: line 3, column 2 ('b') is the text 'x'; npy files hold numbers only: write to a .csv");
    expect_refused("a,b\n1,2\n3,x\n", "t.svm", ALD_ERROR_DATA,
                   "line 3, column 2 ('b') is the text 'x'; svmlight");
    expect_refused("1,2\n3,\n", "t.svm", ALD_ERROR_DATA, "line 2, column 2 is a missing cell");
    expect_refused("1,2\n3,inf\n", "t.svm", ALD_ERROR_DATA, "line 2, column 2 is an infinite number");
    expect_refused("1,2\n", "t.arff", ALD_ERROR_UNSUPPORTED, "arff files can be read but not written");
    expect_refused("1,2\n", "nowhere/t.csv", ALD_ERROR_IO, "nowhere/t.csv");
}

static void test_plain_matrix(void **state)
{
    (void)state;
    static const double values[] = {1, 0.5, -3, 1e-7};
    static const char *const header[] = {"z1", "z,2"};
    reading r;
    ald_output *output;
    char found[100];
    reading_begin(&r);
    name_file("z.csv");
    commit(&r, ald_matrix_write(&r.run, &(ald_sheet){values, 2, 2, header, NULL}, path, &output), &output);
    take_file(found, sizeof found);
    assert_string_equal(found, "z1,\"z,2\"\n1,0.5\n-3,1e-7\n");
    commit(&r, ald_matrix_write(&r.run, &(ald_sheet){values, 2, 2, NULL, NULL}, path, &output), &output);
    take_file(found, sizeof found);
    assert_string_equal(found, "1,0.5\n-3,1e-7\n");
    reading_end(&r);
}

/* Numbers of texts are written as the texts; one that is not there is refused. */
static void test_matrix_with_texts(void **state)
{
    (void)state;
    static const double values[] = {1, 0.5, 0, 1e-7};
    static const char *const header[] = {"y", "p"}, *const texts[] = {"a,b", "c", NULL};
    static const char *const *const levels[] = {texts, NULL};
    reading r;
    ald_output *output;
    char found[100];
    reading_begin(&r);
    name_file("z.csv");
    commit(&r, ald_matrix_write(&r.run, &(ald_sheet){values, 2, 2, header, levels}, path, &output), &output);
    take_file(found, sizeof found);
    assert_string_equal(found, "y,p\nc,0.5\n\"a,b\",1e-7\n");
    static const double high[] = {2, 0.5};
    assert_int_equal(ald_matrix_write(&r.run, &(ald_sheet){high, 1, 2, header, levels}, path, &output),
                     ALD_ERROR_ARGUMENT);
    reading_end(&r);
}

/* Numbers, texts and gaps come back from a compressed file as they were. */
static void test_round_trip(void **state)
{
    (void)state;
    reading r, back;
    ald_output *output;
    name_file("t.csv.gz");
    reading_begin(&r);
    assert_int_equal(
        reading_text(&r, &ald_csv_reader,
                     "x,t\n0.1,\"a\nb\"\n1e-300,\"say \"\"hi\"\"\"\n,\n123456789.123456789,\"x \"\n"),
        ALD_OK);
    commit(&r, ald_table_write(&r.run, &r.table, NULL, 0, -1, path, &output), &output);
    reading_begin(&back);
    assert_int_equal(ald_table_read(&back.run, path, NULL, &back.arena, &back.table), ALD_OK);
    assert_int_equal(back.table.rows, 4);
    assert_memory_equal(back.table.cells, r.table.cells, 8 * sizeof(double));
    for (int k = 0; k < 3; k++)
        assert_string_equal(back.table.columns[1].levels[k], r.table.columns[1].levels[k]);
    reading_end(&back);
    reading_end(&r);
    unlink(path);
}

static void expect_no_leak(const char *text, const ald_reader *reader, const char *name)
{
    name_file(name);
    for (int64_t fail_at = 1;; fail_at++) {
        reading r;
        ald_output *output = NULL;
        reading_begin(&r);
        assert_int_equal(reading_text(&r, reader, text), ALD_OK);
        const int64_t before = r.allocations;
        r.fail_at = before + fail_at;
        const ald_status status = ald_table_write(&r.run, &r.table, NULL, 0, -1, path, &output);
        const int reached = r.allocations >= r.fail_at;
        ald_output_abandon(output);
        reading_end(&r);
        assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        if (!reached) break;
    }
}

static void test_without_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"t.csv", "t.tsv.gz", "t.npy", "t.svm"};
    for (int k = 0; k < 4; k++) {
        expect_no_leak("a,b\n1,2\n", &ald_csv_reader, names[k]);
        expect_no_leak("1,3 1:0.5\n2 2:1\n", &ald_svmlight_reader, names[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_csv_and_tsv, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_rows_in_an_order, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_svmlight, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_labels_become_columns, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_npy, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_plain_matrix, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_matrix_with_texts, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_round_trip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_without_memory, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
