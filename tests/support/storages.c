#include "support/storages.h"

#include "support/support.h"

#include <stdlib.h>

static const struct {
    const char *name;
    ald_storage storage;
    ald_type type;
    int by_column, padded, bits;
} kinds[support_storage_count] = {
    {"dense f64 rows", ALD_DENSE, ALD_F64, 0, 0, 0},
    {"dense f64 columns", ALD_DENSE, ALD_F64, 1, 0, 0},
    {"dense f64 rows, padded", ALD_DENSE, ALD_F64, 0, 3, 0},
    {"dense f32 rows", ALD_DENSE, ALD_F32, 0, 0, 0},
    {"dense f32 columns, padded", ALD_DENSE, ALD_F32, 1, 2, 0},
    {"csr f64 i64", ALD_CSR, ALD_F64, 0, 0, 64},
    {"csr f32 i32", ALD_CSR, ALD_F32, 0, 0, 32},
    {"csc f64 i32", ALD_CSC, ALD_F64, 1, 0, 32},
};

static void put(void *values, ald_type type, int64_t at, double value)
{
    if (type == ALD_F64)
        ((double *)values)[at] = value;
    else
        ((float *)values)[at] = (float)value;
}

static void put_index(void *indices, int bits, int64_t at, int64_t value)
{
    if (bits == 64)
        ((int64_t *)indices)[at] = value;
    else
        ((int32_t *)indices)[at] = (int32_t)value;
}

static void fill_dense(support_matrix *m, int which, const double *x, int64_t n, int64_t d)
{
    const int by_column = kinds[which].by_column;
    const int64_t stride = (by_column ? n : d) + kinds[which].padded;
    m->memory[0] = calloc((size_t)(stride * (by_column ? d : n)), sizeof(double));
    assert_non_null(m->memory[0]);
    m->view.row_stride = by_column ? 1 : stride;
    m->view.col_stride = by_column ? stride : 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            put(m->memory[0], kinds[which].type, i * m->view.row_stride + j * m->view.col_stride,
                x[i * d + j]);
    m->view.values = m->memory[0];
}

static void fill_sparse(support_matrix *m, int which, const double *x, int64_t n, int64_t d)
{
    const int by_column = kinds[which].by_column, bits = kinds[which].bits;
    const int64_t slices = by_column ? d : n, length = by_column ? n : d;
    int64_t count = 0;
    m->memory[0] = calloc((size_t)(n * d) + 1, sizeof(double));
    m->memory[1] = calloc((size_t)(n * d) + 1, sizeof(int64_t));
    m->memory[2] = calloc((size_t)slices + 1, sizeof(int64_t));
    assert_true(m->memory[0] && m->memory[1] && m->memory[2]);
    for (int64_t s = 0; s < slices; s++) {
        for (int64_t l = 0; l < length; l++) {
            const double value = by_column ? x[l * d + s] : x[s * d + l];
            if (value == 0.0) continue;
            put(m->memory[0], kinds[which].type, count, value);
            put_index(m->memory[1], bits, count++, l);
        }
        put_index(m->memory[2], bits, s + 1, count);
    }
    m->view.values = m->memory[0];
    m->view.indices = m->memory[1];
    m->view.pointers = m->memory[2];
    m->view.index_bits = bits;
}

support_matrix support_storage(int which, const double *x, int64_t n, int64_t d)
{
    support_matrix m = {.name = kinds[which].name};
    m.view.storage = kinds[which].storage;
    m.view.type = kinds[which].type;
    m.view.rows = n;
    m.view.cols = d;
    (kinds[which].storage == ALD_DENSE ? fill_dense : fill_sparse)(&m, which, x, n, d);
    return m;
}

void support_storage_free(support_matrix *matrix)
{
    for (int i = 0; i < 3; i++) free(matrix->memory[i]);
}
