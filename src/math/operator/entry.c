#include "math/operator/entry.h"

#include "base/core/context.h"
#include "base/threads/threads.h"

#include <string.h>

int64_t ald_matrix_index(const ald_matrix *m, const void *list, int64_t i)
{
    return m->index_bits == 64 ? ((const int64_t *)list)[i] : (int64_t)((const int32_t *)list)[i];
}

/* Where in `values` the entry stands, or -1. Indices rise within a row (column), so it is a bisection. */
static int64_t place_of(const ald_matrix *m, int64_t row, int64_t column)
{
    if (m->storage == ALD_DENSE) return row * m->row_stride + column * m->col_stride;
    const int64_t major = m->storage == ALD_CSR ? row : column, minor = m->storage == ALD_CSR ? column : row;
    int64_t low = ald_matrix_index(m, m->pointers, major), high = ald_matrix_index(m, m->pointers, major + 1);
    const int64_t end = high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ald_matrix_index(m, m->indices, middle) < minor)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && ald_matrix_index(m, m->indices, low) == minor ? low : -1;
}

double ald_matrix_value(const ald_matrix *m, int64_t place)
{
    return m->type == ALD_F64 ? ((const double *)m->values)[place]
                              : (double)((const float *)m->values)[place];
}

int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column)
{
    return m->storage == ALD_DENSE || place_of(m, row, column) >= 0;
}

double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column)
{
    const int64_t at = place_of(m, row, column);
    if (m->storage != ALD_DENSE && at < 0) return 0.0;
    return ald_matrix_value(m, at);
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

typedef void (*entry_visitor)(void *user, int64_t row, int64_t column, double value);

/* Rows first .. last - 1, or columns of CSC. */
static void visit_entries(const ald_matrix *m, int64_t first, int64_t last, entry_visitor visit, void *user)
{
    const int csc = m->storage == ALD_CSC;
    if (m->storage == ALD_DENSE) {
        for (int64_t i = first; i < last; i++)
            for (int64_t j = 0; j < m->cols; j++)
                visit(user, i, j, ald_matrix_value(m, i * m->row_stride + j * m->col_stride));
        return;
    }
    for (int64_t major = first; major < last; major++)
        for (int64_t e = ald_matrix_index(m, m->pointers, major);
             e < ald_matrix_index(m, m->pointers, major + 1); e++) {
            const int64_t minor = ald_matrix_index(m, m->indices, e);
            visit(user, csc ? minor : major, csc ? major : minor, ald_matrix_value(m, e));
        }
}

static void add_to_one(void *sum, int64_t row, int64_t column, double value)
{
    *(uint64_t *)sum += entry_print(row, column, value);
}

static void add_to_row(void *sums, int64_t row, int64_t column, double value)
{
    ((uint64_t *)sums)[row] += entry_print(0, column, value);
}

/* Sums, so that the order of the entries does not matter; zeros add nothing, whether they are stored or not.
 */
uint64_t ald_matrix_fingerprint(const ald_matrix *m)
{
    uint64_t sum = mix((uint64_t)m->rows + mix((uint64_t)m->cols));
    visit_entries(m, 0, m->storage == ALD_CSC ? m->cols : m->rows, add_to_one, &sum);
    return sum;
}

typedef struct row_prints {
    const ald_matrix *m;
    uint64_t *prints;
    int64_t majors; /* rows, or columns of CSC, which are not divided: they share the rows */
    int parts;
} row_prints;

static void print_part(void *work, int part)
{
    const row_prints *p = work;
    visit_entries(p->m, ald_part_begin(p->majors, p->parts, part),
                  ald_part_begin(p->majors, p->parts, part + 1), add_to_row, p->prints);
}

void ald_matrix_row_fingerprints(const ald_run *run, const ald_matrix *m, uint64_t *prints)
{
    const int64_t entries_worth_a_thread = 100000, grain = 1 + entries_worth_a_thread / (1 + m->cols);
    const int csc = m->storage == ALD_CSC;
    row_prints p = {
        .m = m,
        .prints = prints,
        .majors = csc ? m->cols : m->rows,
        .parts = csc ? 1 : ald_parts(run, m->rows, grain),
    };
    memset(prints, 0, (size_t)m->rows * sizeof *prints);
    ald_parallel(p.parts, print_part, &p);
}
