#include "linalg/entry.h"

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

int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column)
{
    return m->storage == ALD_DENSE || place_of(m, row, column) >= 0;
}

double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column)
{
    const int64_t at = place_of(m, row, column);
    if (m->storage != ALD_DENSE && at < 0) return 0.0;
    return m->type == ALD_F64 ? ((const double *)m->values)[at] : (double)((const float *)m->values)[at];
}
