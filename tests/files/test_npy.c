/* The NPY reader: every type, both byte orders, both matrix orders, and what it refuses. */
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
} bytes;

static void add(bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

/* Magic, version, padded header with this dictionary. */
static void begin_file(bytes *b, int version, const char *dictionary)
{
    const size_t length = strlen(dictionary) + 3;
    const unsigned char size[4] = {(unsigned char)(length & 255), (unsigned char)(length >> 8), 0, 0};
    b->size = 0;
    add(b, "\x93NUMPY", 6);
    add(b, (unsigned char[2]){(unsigned char)version, 0}, 2);
    add(b, size, version == 1 ? 2 : 4);
    add(b, dictionary, strlen(dictionary));
    add(b, "  \n", 3);
}

/* An integer or the bits of a real, `size` bytes in this byte order. */
static void add_number(bytes *b, uint64_t bits, int size, int big)
{
    unsigned char byte[8];
    for (int k = 0; k < size; k++) byte[big ? size - 1 - k : k] = (unsigned char)(bits >> (8 * k));
    add(b, byte, (size_t)size);
}

static uint64_t bits_of(char kind, int size, double value)
{
    uint64_t bits = 0;
    const float single = (float)value;
    uint32_t single_bits;
    memcpy(&single_bits, &single, sizeof single_bits);
    if (kind != 'f') return (uint64_t)(int64_t)value;
    if (size == 4) return single_bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_type(const char *code, char order, int fortran, int version)
{
    const double unsigned_cells[6] = {1, 0, 3, 100, 5, 126}, signed_cells[6] = {1, -2, 3, -100, 5, 126},
                 truths[6] = {1, 0, 0, 1, 1, 0};
    const double *cells = code[0] == 'u' ? unsigned_cells : signed_cells;
    if (code[0] == 'b') cells = truths;
    char dictionary[200];
    const int size = code[1] - '0';
    bytes b;
    reading r;
    snprintf(dictionary, sizeof dictionary, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (2, 3), }",
             order, code, fortran ? "True" : "False");
    begin_file(&b, version, dictionary);
    for (int k = 0; k < 6; k++) {
        const int at = fortran ? (k % 2) * 3 + k / 2 : k;
        add_number(&b, bits_of(code[0], size, cells[at]), size, order == '>');
    }
    reading_begin(&r);
    assert_int_equal(reading_bytes(&r, &ald_npy_reader, b.data, b.size, NULL), ALD_OK);
    assert_cells(&r.table, 2, 3, cells);
    assert_null(r.table.columns);
    reading_end(&r);
}

static void reads_all_types(void **state)
{
    (void)state;
    static const char *const codes[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        for (int fortran = 0; fortran < 2; fortran++)
            for (int version = 1; version <= 3; version++) {
                check_type(codes[k], '<', fortran, version);
                check_type(codes[k], '>', fortran, version);
                if (codes[k][1] == '1') check_type(codes[k], '|', fortran, version);
            }
}

static void write_doubles(bytes *b, const char *dictionary, const double *values, int n)
{
    begin_file(b, 1, dictionary);
    for (int k = 0; k < n; k++) add_number(b, bits_of('f', 8, values[k]), 8, 0);
}

static ald_status read_doubles(reading *r, const char *dictionary, const double *values, int n)
{
    bytes b;
    write_doubles(&b, dictionary, values, n);
    reading_begin(r);
    return reading_bytes(r, &ald_npy_reader, b.data, b.size, NULL);
}

static void one_dimension_is_a_column(void **state)
{
    (void)state;
    const double values[3] = {1.5, -2, 1e300};
    reading r;
    assert_int_equal(read_doubles(&r, "{'shape': (3,), 'descr': '<f8', 'fortran_order': True}", values, 3),
                     ALD_OK);
    assert_cells(&r.table, 3, 1, values);
    reading_end(&r);
}

static void nan_is_missing(void **state)
{
    (void)state;
    const double by_rows[6] = {1, NAN, 3, 4, NAN, NAN}, by_columns[6] = {1, 4, NAN, NAN, 3, NAN};
    static const char *const orders[2] = {"False", "True"};
    for (int fortran = 0; fortran < 2; fortran++) {
        char dictionary[100];
        reading r;
        snprintf(dictionary, sizeof dictionary, "{'descr': '<f8', 'fortran_order': %s, 'shape': (2, 3)}",
                 orders[fortran]);
        assert_int_equal(read_doubles(&r, dictionary, fortran ? by_columns : by_rows, 6), ALD_OK);
        assert_cells(&r.table, 2, 3, by_rows);
        assert_non_null(r.table.columns);
        const int64_t missing[3] = {0, 2, 1}, first[3] = {0, 1, 2};
        for (int j = 0; j < 3; j++) {
            assert_int_equal(r.table.columns[j].n_missing, missing[j]);
            assert_int_equal(r.table.columns[j].n_numbers, 2 - missing[j]);
            assert_int_equal(r.table.columns[j].first_missing_line, first[j]);
            assert_int_equal(r.table.columns[j].position, j + 1);
        }
        reading_end(&r);
    }
}

static void refuses(const char *dictionary, int n, ald_status status, const char *part)
{
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    reading r;
    assert_int_equal(read_doubles(&r, dictionary, values, n), status);
    if (!strstr(r.error.message, part)) fail_msg("no '%s' in: %s", part, r.error.message);
    reading_end(&r);
}

static void infinity_is_counted(void **state)
{
    (void)state;
    const double values[6] = {1, 2, 3, 4, -INFINITY, 6};
    reading r;
    assert_int_equal(read_doubles(&r, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", values, 6),
                     ALD_OK);
    assert_int_equal(r.table.columns[1].n_infinite, 1);
    assert_int_equal(r.table.columns[1].first_infinite_line, 2);
    reading_end(&r);
    assert_int_equal(read_doubles(&r, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", values, 6),
                     ALD_OK);
    assert_int_equal(r.table.columns[2].first_infinite_line, 1);
    assert_int_equal(r.table.columns[2].n_missing, 0);
    reading_end(&r);
}

static void size_must_fit_the_shape(void **state)
{
    (void)state;
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", 4, ALD_ERROR_FORMAT,
            "16 bytes are missing");
    refuses("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", 5, ALD_ERROR_FORMAT,
            "8 bytes are missing");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", 7, ALD_ERROR_FORMAT,
            "continues after");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (100000000, 1000000)}", 7, ALD_ERROR_FORMAT,
            "missing");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (3037000500, 3037000500)}", 7,
            ALD_ERROR_FORMAT, "memory");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1)}", 7,
            ALD_ERROR_FORMAT, "63 bits");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3)}", 0, ALD_ERROR_DATA, "no rows");
    refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0)}", 0, ALD_ERROR_DATA, "no columns");
}

static void refuses_other_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *shape, *part;
    } cases[] = {
        {"'<c16'", "(2, 2)", "complex"},
        {"'|O'", "(2, 2)", "objects"},
        {"'<U5'", "(2, 2)", "text"},
        {"'|S5'", "(2, 2)", "text"},
        {"'<f2'", "(2, 2)", "'<f2'"},
        {"'<M8[ns]'", "(2, 2)", "dates"},
        {"[('a', '<f8')]", "(2,)", "structured"},
        {"'<f8'", "()", "0 dimensions"},
        {"'<f8'", "(2, 1, 2)", "3 dimensions"},
        {"'|f8'", "(2, 2)", "'|f8'"},
        {"''", "(2, 2)", "type ''"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char dictionary[200];
        snprintf(dictionary, sizeof dictionary, "{'descr': %s, 'fortran_order': False, 'shape': %s}",
                 cases[k].descr, cases[k].shape);
        refuses(dictionary, 4, ALD_ERROR_UNSUPPORTED, cases[k].part);
    }
}

static void refuses_damaged_headers(void **state)
{
    (void)state;
    static const char *const dictionaries[] = {
        "",
        "{",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)} more",
        "{'descr: '<f8'}",
        "{'other': 1}",
    };
    for (size_t k = 0; k < sizeof dictionaries / sizeof *dictionaries; k++)
        refuses(dictionaries[k], 4, ALD_ERROR_FORMAT, "header is damaged");
    assert_refused(&ald_npy_reader, "", 0, 0, "8 bytes are missing");
    assert_refused(&ald_npy_reader, "a,b\n1,2\n3,4\n", 0, 0, "not an NPY file");
}

static void check_large(const char *order, size_t rows, size_t cols)
{
    enum { start = 10 + 118 };
    const size_t size = start + sizeof(double) * rows * cols;
    const int fortran = order[0] == 'T';
    char *file = malloc(size);
    assert_non_null(file);
    memset(file, ' ', start);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length =
        snprintf(file + 10, start - 10, "{'descr': '<f8', 'fortran_order': %s, 'shape': (%zu, %zu)}", order,
                 rows, cols);
    file[10 + length] = ' ';
    for (size_t k = 0; k < rows * cols; k++) {
        const size_t i = fortran ? k % rows : k / cols, j = fortran ? k / rows : k % cols;
        const double value = (double)(i * 1000 + j);
        memcpy(file + start + k * sizeof value, &value, sizeof value);
    }
    reading r;
    reading_begin(&r);
    if (reading_bytes(&r, &ald_npy_reader, file, size, NULL) < 0) fail_msg("%s", r.error.message);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) assert_true(r.table.cells[i * cols + j] == (double)(i * 1000 + j));
    reading_end(&r);
    free(file);
}

/* Columns of which several fill a block, of which the last block is not full, and that are longer than a
 * block. */
static void large_files_come_in_blocks(void **state)
{
    (void)state;
    check_large("False", 321, 257);
    check_large("True", 8000, 257);
    check_large("True", (1 << 20) + 3, 2);
}

static void survives(void **state)
{
    (void)state;
    const double values[6] = {1, NAN, 3, 4, 5, 6};
    bytes b;
    write_doubles(&b, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", values, 6);
    assert_survives_no_memory(&ald_npy_reader, b.data, b.size);
    assert_survives_damage(&ald_npy_reader, b.data, b.size);
    write_doubles(&b, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", values, 6);
    assert_survives_no_memory(&ald_npy_reader, b.data, b.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_types),
        cmocka_unit_test(one_dimension_is_a_column),
        cmocka_unit_test(nan_is_missing),
        cmocka_unit_test(infinity_is_counted),
        cmocka_unit_test(size_must_fit_the_shape),
        cmocka_unit_test(refuses_other_arrays),
        cmocka_unit_test(refuses_damaged_headers),
        cmocka_unit_test(large_files_come_in_blocks),
        cmocka_unit_test(survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
