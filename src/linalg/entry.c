#include "linalg/entry.h"

#include <string.h>

static int64_t integer_at(const void *list, int bits, int64_t i)
{
    return bits == 64 ? ((const int64_t *)list)[i] : (int64_t)((const int32_t *)list)[i];
}

/* Where in `values` the entry stands, or -1. Indices rise within a row (column), so it is a bisection. */
static int64_t place_of(const ald_matrix *m, int64_t row, int64_t column)
{
    if (m->storage == ALD_DENSE) return row * m->row_stride + column * m->col_stride;
    const int64_t major = m->storage == ALD_CSR ? row : column, minor = m->storage == ALD_CSR ? column : row;
    int64_t low = integer_at(m->pointers, m->index_bits, major),
            high = integer_at(m->pointers, m->index_bits, major + 1);
    const int64_t end = high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (integer_at(m->indices, m->index_bits, middle) < minor)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && integer_at(m->indices, m->index_bits, low) == minor ? low : -1;
}

static double value_at(const ald_matrix *m, int64_t at)
{
    return m->type == ALD_F64 ? ((const double *)m->values)[at] : (double)((const float *)m->values)[at];
}

int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column)
{
    return m->storage == ALD_DENSE || place_of(m, row, column) >= 0;
}

double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column)
{
    const int64_t at = place_of(m, row, column);
    if (m->storage != ALD_DENSE && at < 0) return 0.0;
    return value_at(m, at);
}

/* splitmix64's last steps. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static uint64_t entry_print(int64_t row, int64_t column, double value)
{
    uint64_t bits;
    if (value == 0.0) return 0;
    memcpy(&bits, &value, sizeof bits);
    return mix(bits + mix((uint64_t)row + mix((uint64_t)column + 0x9e3779b97f4a7c15U)));
}

/* A sum, so that the order of the entries does not matter; zeros add nothing, whether they are stored or not. */
uint64_t ald_matrix_fingerprint(const ald_matrix *m)
{
    const int csc = m->storage == ALD_CSC;
    uint64_t sum = mix((uint64_t)m->rows + mix((uint64_t)m->cols));
    if (m->storage == ALD_DENSE) {
        for (int64_t i = 0; i < m->rows; i++)
            for (int64_t j = 0; j < m->cols; j++)
                sum += entry_print(i, j, value_at(m, i * m->row_stride + j * m->col_stride));
        return sum;
    }
    for (int64_t major = 0; major < (csc ? m->cols : m->rows); major++)
        for (int64_t e = integer_at(m->pointers, m->index_bits, major);
             e < integer_at(m->pointers, m->index_bits, major + 1); e++) {
            const int64_t minor = integer_at(m->indices, m->index_bits, e);
            sum += entry_print(csc ? minor : major, csc ? major : minor, value_at(m, e));
        }
    return sum;
}
