/* The MATLAB reader, on files that matio itself writes. Without matio: that it says what to install. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "test_mat_file.mat";

static const char *hdf5 = "child";

static ald_status read_file(reading *r, const char *x, const char *y)
{
    const ald_load_options options = {.size = sizeof options, .x_variable = x, .y_variable = y, .hdf5 = hdf5};
    reading_begin(r);
    return ald_table_read(&r->run, path, &options, &r->arena, &r->table);
}

#ifdef ALD_HAVE_MATIO
#include <matio.h>

static void add(mat_t *file, const char *name, enum matio_classes class_type, enum matio_types type,
                size_t rows, size_t cols, void *data, int flags)
{
    size_t dims[2] = {rows, cols};
    matvar_t *variable = Mat_VarCreate(name, class_type, type, 2, dims, data, flags);
    assert_non_null(variable);
    assert_int_equal(Mat_VarWrite(file, variable, MAT_COMPRESSION_ZLIB), 0);
    Mat_VarFree(variable);
}

static void add_doubles(mat_t *file, const char *name, size_t rows, size_t cols, const double *values)
{
    double copy[64];
    assert_true(rows * cols <= 64);
    memcpy(copy, values, rows * cols * sizeof *copy);
    add(file, name, MAT_C_DOUBLE, MAT_T_DOUBLE, rows, cols, copy, 0);
}

static mat_t *new_file(void)
{
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
    assert_non_null(file);
    return file;
}

/* Version 7.3 is HDF5, which matio may have been built without. */
static void takes_newer_files(void **state)
{
    (void)state;
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    if (!file) skip();
    add_doubles(file, "data", 2, 3, (double[]){1, 2, 3, 4, 5, 6});
    Mat_Close(file);
    reading r;
    if (read_file(&r, NULL, NULL) < 0) fail_msg("%s", r.error.message);
    assert_cells(&r.table, 2, 3, (double[]){1, 3, 5, 2, 4, 6});
    reading_end(&r);
    hdf5 = "trust";
    assert_int_equal(read_file(&r, NULL, NULL), ALD_OK);
    assert_cells(&r.table, 2, 3, (double[]){1, 3, 5, 2, 4, 6});
    reading_end(&r);
    hdf5 = NULL;
    assert_int_equal(read_file(&r, NULL, NULL), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(r.error.message, "version 7.3"));
    reading_end(&r);
    hdf5 = "child";
}

static void newer_files_bring_target_and_sparse(void **state)
{
    (void)state;
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    if (!file) skip();
    add_doubles(file, "X", 2, 3, (double[]){1, 2, 3, 4, 5, 6});
    add_doubles(file, "y", 2, 1, (double[]){7, 8});
    Mat_Close(file);
    reading r;
    if (read_file(&r, "X", "y") < 0) fail_msg("%s", r.error.message);
    assert_cells(&r.table, 2, 4, (double[]){1, 3, 5, 7, 2, 4, 6, 8});
    assert_int_equal(r.table.n_target_columns, 1);
    assert_string_equal(r.table.columns[3].name, "y");
    reading_end(&r);
}

static unsigned char bytes[1 << 16], damaged[1 << 16];

/* A file of version 7.3 with X and a target of those bytes, cut off at `size`. */
static void read_damaged(size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(damaged, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    reading r;
    const ald_status status = read_file(&r, "X", "y");
    if (status >= 0) assert_true(r.table.rows > 0 && r.table.cols > 0);
    if (status < 0) assert_non_null(strstr(r.error.message, path));
    reading_end(&r);
}

/* Whatever bytes there are: a table or an error, and no crash of this process. Many at once, one after the
 * other (all of them with ALD_LONG), and a file that ends early. */
static void damaged_newer_files_do_no_harm(void **state)
{
    (void)state;
    const size_t step = getenv("ALD_LONG") ? 1 : 97;
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    if (!file) skip();
    add_doubles(file, "X", 2, 3, (double[]){1, 2, 3, 4, 5, 6});
    add_doubles(file, "y", 2, 1, (double[]){7, 8});
    Mat_Close(file);
    FILE *whole = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    unsigned seed = 1;
    for (int round = 0; round < 60; round++) {
        memcpy(damaged, bytes, size);
        for (int i = 0; i < 20; i++) {
            seed = seed * 1103515245U + 12345U;
            damaged[512 + (seed >> 8) % (size - 512)] = (unsigned char)(seed >> 4);
        }
        read_damaged(size);
    }
    memcpy(damaged, bytes, size);
    for (size_t at = 0; at < size; at += step) {
        for (int way = 0; way < 3; way++) {
            damaged[at] = (unsigned char)(way == 0 ? ~bytes[at] : bytes[at] + way);
            read_damaged(size);
        }
        damaged[at] = bytes[at];
        if (at % 16 == 0) read_damaged(at);
    }
}

static void refuses(const char *x, const char *y, const char *part)
{
    reading r;
    assert_true(read_file(&r, x, y) < 0);
    if (!strstr(r.error.message, part) || !strstr(r.error.message, path))
        fail_msg("no '%s' in: %s", part, r.error.message);
    reading_end(&r);
}

/* By columns, as MATLAB has it. */
static const double x_values[6] = {1, 2, 3, 4, NAN, 6}, y_values[3] = {7, 8, 9};

static void takes_the_only_matrix(void **state)
{
    (void)state;
    mat_t *file = new_file();
    char text[] = "hello";
    add(file, "note", MAT_C_CHAR, MAT_T_UINT8, 1, 5, text, 0);
    add_doubles(file, "data", 3, 2, x_values);
    Mat_Close(file);
    reading r;
    assert_int_equal(read_file(&r, NULL, NULL), ALD_OK);
    assert_cells(&r.table, 3, 2, (double[]){1, 4, 2, NAN, 3, 6});
    assert_int_equal(r.table.columns[1].n_missing, 1);
    assert_int_equal(r.table.n_target_columns, 0);
    reading_end(&r);
}

static void takes_x_and_y(void **state)
{
    (void)state;
    mat_t *file = new_file();
    add_doubles(file, "other", 2, 2, x_values);
    add_doubles(file, "X", 3, 2, x_values);
    add_doubles(file, "lying", 1, 3, y_values);
    add_doubles(file, "two", 3, 2, (double[]){1, 2, 3, 10, 20, 30});
    Mat_Close(file);
    reading r;
    assert_int_equal(read_file(&r, NULL, "lying"), ALD_OK);
    assert_cells(&r.table, 3, 3, (double[]){1, 4, 7, 2, NAN, 8, 3, 6, 9});
    assert_int_equal(r.table.n_target_columns, 1);
    assert_string_equal(r.table.columns[2].name, "lying");
    assert_null(r.table.columns[0].name);
    reading_end(&r);
    assert_int_equal(read_file(&r, "X", "two"), ALD_OK);
    assert_cells(&r.table, 3, 4, (double[]){1, 4, 1, 10, 2, NAN, 2, 20, 3, 6, 3, 30});
    assert_int_equal(r.table.n_target_columns, 2);
    assert_string_equal(r.table.columns[2].name, "two1");
    assert_string_equal(r.table.columns[3].name, "two2");
    reading_end(&r);
    refuses("X", "other", "one row for each row of X");
    refuses("nothing", NULL,
            "there is no variable 'nothing'; the file holds: other (2 x 2 double), X (3 x 2 double)");
    refuses("X", "nothing", "there is no variable 'nothing'");
}

/* Wherever the file is cut off, nothing is made up for what is missing. */
static void truncated_files_are_refused(void **state)
{
    (void)state;
    static const enum mat_ft versions[] = {MAT_FT_MAT4, MAT_FT_MAT5};
    static unsigned char bytes[4096];
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        unlink(path);
        mat_t *file = Mat_CreateVer(path, NULL, versions[v]);
        assert_non_null(file);
        add_doubles(file, "X", 4, 2, (double[]){1, 2, 3, 4, 5, 6, 7, 8});
        Mat_Close(file);
        FILE *whole = fopen(path, "rb");
        const size_t size = fread(bytes, 1, sizeof bytes, whole);
        fclose(whole);
        for (size_t kept = size - 1; kept > 0; kept--) {
            reading r;
            assert_int_equal(truncate(path, (off_t)kept), 0);
            assert_int_equal(read_file(&r, "X", NULL), ALD_ERROR_FORMAT);
            reading_end(&r);
        }
    }
}

static void takes_integers_and_logicals(void **state)
{
    (void)state;
    int16_t integers[4] = {-1, 2, 300, -32768};
    uint8_t truths[2] = {1, 0};
    mat_t *file = new_file();
    add(file, "X", MAT_C_INT16, MAT_T_INT16, 2, 2, integers, 0);
    add(file, "y", MAT_C_UINT8, MAT_T_UINT8, 2, 1, truths, MAT_F_LOGICAL);
    Mat_Close(file);
    reading r;
    assert_int_equal(read_file(&r, NULL, "y"), ALD_OK);
    assert_cells(&r.table, 2, 3, (double[]){-1, 300, 1, 2, -32768, 0});
    reading_end(&r);
}

static void add_sparse(mat_t *file, const char *name, size_t rows, size_t cols)
{
    /* (0, 0) = 1, (2, 0) = 2, (1, 2) = 3 */
    mat_uint32_t rows_of[3] = {0, 2, 1}, columns_at[4] = {0, 2, 2, 3};
    double values[3] = {1, 2, 3};
    mat_sparse_t sparse = {
        .nzmax = 3,
        .ir = rows_of,
        .nir = 3,
        .jc = columns_at,
        .njc = 4,
        .ndata = 3,
        .data = values,
    };
    add(file, name, MAT_C_SPARSE, MAT_T_DOUBLE, rows, cols, &sparse, MAT_F_DONT_COPY_DATA);
}

static void sparse_stays_sparse(void **state)
{
    (void)state;
    mat_t *file = new_file();
    add_sparse(file, "S", 3, 3);
    add_doubles(file, "y", 3, 1, y_values);
    Mat_Close(file);
    reading r;
    assert_int_equal(read_file(&r, "S", NULL), ALD_OK);
    assert_true(r.table.sparse);
    assert_cells(&r.table, 3, 3, (double[]){1, 0, 0, 0, 0, 3, 2, 0, 0});
    reading_end(&r);
    assert_int_equal(read_file(&r, "S", "y"), ALD_OK);
    assert_true(r.table.sparse);
    assert_cells(&r.table, 3, 4, (double[]){1, 0, 0, 7, 0, 0, 3, 8, 2, 0, 0, 9});
    reading_end(&r);
    assert_int_equal(read_file(&r, "y", "S"), ALD_OK);
    assert_cells(&r.table, 3, 4, (double[]){7, 1, 0, 0, 8, 0, 0, 3, 9, 2, 0, 0});
    reading_end(&r);
}

static void refuses_what_is_no_matrix(void **state)
{
    (void)state;
    mat_t *file = new_file();
    char text[] = "hello";
    double real[2] = {1, 2}, imaginary[2] = {3, 4};
    mat_complex_split_t complex_values = {real, imaginary};
    size_t one[2] = {1, 1};
    add(file, "note", MAT_C_CHAR, MAT_T_UINT8, 1, 5, text, 0);
    add(file, "z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 1, &complex_values, MAT_F_COMPLEX);
    add_doubles(file, "endless", 1, 2, (double[]){1, INFINITY});
    matvar_t *cell = Mat_VarCreate("c", MAT_C_CELL, MAT_T_CELL, 2, one, NULL, 0);
    assert_int_equal(Mat_VarWrite(file, cell, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(cell);
    Mat_Close(file);
    refuses("note", NULL, "note (1 x 5 char) cannot be used");
    refuses("z", NULL, "z (2 x 1 complex) cannot be used");
    refuses("c", NULL, "cell) cannot be used");
    reading r;
    assert_int_equal(read_file(&r, "endless", NULL), ALD_OK); /* whoever uses the column says so */
    assert_int_equal(r.table.columns[1].n_infinite, 1);
    reading_end(&r);
    file = new_file();
    add_doubles(file, "a", 2, 2, x_values);
    add_doubles(file, "b", 2, 2, x_values);
    Mat_Close(file);
    refuses(NULL, NULL,
            "several variables are matrices of numbers; name the one that holds X (`x_variable`). The file "
            "holds: a");
}

static void refuses_other_files(void **state)
{
    (void)state;
    unlink(path);
    refuses(NULL, NULL, "cannot be opened");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b\n1,2\n", file);
    fclose(file);
    refuses(NULL, NULL, "not a MATLAB file");
    Mat_Close(new_file());
    refuses(NULL, NULL, "no variable can be read");
    const ald_load_options options = {.size = sizeof options, .format = "mat"};
    reading r;
    reading_begin(&r);
    assert_int_equal(ald_table_read(&r.run, "-", &options, &r.arena, &r.table), ALD_ERROR_UNSUPPORTED);
    reading_end(&r);
}

static void takes_older_files(void **state)
{
    (void)state;
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT4);
    assert_non_null(file);
    add_doubles(file, "a_name", 3, 2, x_values);
    add_doubles(file, "y", 3, 1, x_values);
    Mat_Close(file);
    reading r;
    assert_int_equal(read_file(&r, "a_name", "y"), ALD_OK);
    assert_int_equal(r.table.rows, 3);
    assert_int_equal(r.table.cols, 3);
    reading_end(&r);
}

/* libmatio would allocate it: 2 GB for a file of a few bytes. The second variable claims it, in the other
 * order of bytes too. */
static void refuses_names_longer_than_the_file(void **state)
{
    static const unsigned char small[] = {
        0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 0,
    };
    static const unsigned char claims[2][20] = {
        {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x79},
        {0, 0, 3, 0xe8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0x79},
    };
    (void)state;
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(small, 1, sizeof small, file), sizeof small);
        assert_int_equal(fwrite(claims[k], 1, sizeof claims[k], file), sizeof claims[k]);
        fclose(file);
        refuses(NULL, NULL, "extends beyond its end");
    }
}

static void survives_no_memory(void **state)
{
    (void)state;
    mat_t *file = new_file();
    add_sparse(file, "X", 3, 3);
    add_doubles(file, "y", 3, 2, x_values);
    Mat_Close(file);
    const ald_load_options options = {.size = sizeof options, .y_variable = "y"};
    for (int64_t fail_at = 1, reached = 1; reached; fail_at++) {
        reading r;
        reading_begin(&r);
        r.fail_at = fail_at;
        const ald_status status = ald_table_read(&r.run, path, &options, &r.arena, &r.table);
        reached = r.allocations >= fail_at;
        assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        reading_end(&r);
    }
}

/* Every truncation and a change of every byte, uncompressed so that they reach the parser: an error or a
 * table, never a crash. */
static void survives_damage(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    size_t dims[2] = {3, 2};
    double values[6] = {1, 2, 3, 4, 5, 6};
    mat_t *file = new_file();
    matvar_t *variable = Mat_VarCreate("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0);
    assert_int_equal(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
    FILE *input = fopen(path, "rb");
    assert_non_null(input);
    const size_t size = fread(bytes, 1, sizeof bytes, input);
    fclose(input);
    for (size_t at = 0; at < 2 * size; at++) {
        const int cut = at >= size;
        FILE *output = fopen(path, "wb");
        assert_non_null(output);
        if (!cut) bytes[at] ^= 0x5a;
        fwrite(bytes, 1, cut ? at - size : size, output);
        if (!cut) bytes[at] ^= 0x5a;
        fclose(output);
        reading r;
        const ald_status status = read_file(&r, NULL, NULL);
        assert_true(status <= 0 && (status < 0) == (r.error.message[0] != '\0'));
        reading_end(&r);
    }
}

static int clean_up(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_only_matrix),
        cmocka_unit_test(takes_x_and_y),
        cmocka_unit_test(takes_newer_files),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(takes_integers_and_logicals),
        cmocka_unit_test(newer_files_bring_target_and_sparse),
        cmocka_unit_test(damaged_newer_files_do_no_harm),
        cmocka_unit_test(sparse_stays_sparse),
        cmocka_unit_test(refuses_what_is_no_matrix),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(takes_older_files),
        cmocka_unit_test(refuses_names_longer_than_the_file),
        cmocka_unit_test(survives_no_memory),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}

#else

static void says_what_to_install(void **state)
{
    (void)state;
    reading r;
    assert_int_equal(read_file(&r, NULL, NULL), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(r.error.message, "libmatio-dev"));
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_to_install)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
