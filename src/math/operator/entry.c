/* Entries and rows of a matrix of any storage: single entries by bisection in their row or column, hashes
 * that know a matrix or a row again, and rows of a matrix, a target or an operator copied into scratch. */
#include "math/operator/entry.h"

#include "math/operator/survival.h"

#include "base/core/context.h"
#include "base/numbers/hash.h"
#include "base/threads/threads.h"
#include "math/linalg/tall.h"
#include "math/operator/sparse.h"

#include <string.h>

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

int ald_matrix_is_constant(const ald_matrix *m)
{
    for (int64_t j = 0; j < m->cols; j++) {
        const double first = ald_matrix_at(m, 0, j);
        for (int64_t i = 1; i < m->rows; i++)
            if (!(ald_matrix_at(m, i, j) == first)) return 0;
    }
    return 1;
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

uint64_t ald_operator_print(uint64_t print, const ald_operator *z)
{
    const ald_matrix *x = &z->x;
    const int plain = x->storage == ALD_DENSE && x->type == ALD_F64 && x->col_stride == 1;
    const int64_t n = x->rows, d = x->cols;
    const uint64_t other = plain ? 0 : ald_matrix_fingerprint(x);
    for (int64_t i = 0; plain && i < n; i++)
        print = ald_hash_many(print, (const double *)x->values + i * x->row_stride, d);
    print = ald_hash(print, &other, sizeof other);
    print = ald_hash_reals(ald_hash_reals(print, z->row_shift, n), z->row_factor, n);
    return ald_hash_reals(ald_hash_reals(print, z->mean, d), z->inverse_scale, d);
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

static ald_status take_dense(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n,
                             ald_matrix *out)
{
    double *values;
    ALD_TRY(ald_scratch_reals(run, n, m->cols, &values));
    *out = ald_matrix_row_major(values, n, m->cols, m->cols);
    if (m->type == ALD_F64 && m->col_stride == 1) {
        const double *from = m->values;
        for (int64_t i = 0; i < n; i++, values += m->cols)
            memcpy(values, from + rows[i] * m->row_stride, (size_t)m->cols * sizeof *values);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m->cols; j++)
            *values++ = ald_matrix_value(m, rows[i] * m->row_stride + j * m->col_stride);
    return ALD_OK;
}

static ald_status take_csr(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n, ald_matrix *out)
{
    int64_t *pointers, *indices;
    int64_t entries = 0;
    double *values;
    for (int64_t i = 0; i < n; i++)
        entries += ald_matrix_index(m, m->pointers, rows[i] + 1) - ald_matrix_index(m, m->pointers, rows[i]);
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *pointers, &pointers));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *indices, &indices));
    ALD_TRY(ald_scratch_reals(run, entries, 1, &values));
    pointers[0] = entries = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = ald_matrix_index(m, m->pointers, rows[i] + 1);
        for (int64_t e = ald_matrix_index(m, m->pointers, rows[i]); e < end; e++, entries++) {
            indices[entries] = ald_matrix_index(m, m->indices, e);
            values[entries] = ald_matrix_value(m, e);
        }
        pointers[i + 1] = entries;
    }
    *out = ald_matrix_csr(n, m->cols, pointers, indices, values);
    return ALD_OK;
}

ald_status ald_matrix_take(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n, ald_matrix *out)
{
    ald_matrix turned;
    if (m->storage == ALD_DENSE) return take_dense(run, m, rows, n, out);
    if (m->storage == ALD_CSR) return take_csr(run, m, rows, n, out);
    ALD_TRY(ald_sparse_ordered(run, m, 1, &turned));
    return take_csr(run, &turned, rows, n, out);
}

/* Elements rows[0 .. n) of a list of elements of `size` bytes; NULL stays NULL. */
static ald_status take_list(ald_run *run, const void *list, size_t size, const int64_t *rows, int64_t n,
                            void *taken)
{
    char *copy = NULL;
    if (list) ALD_TRY(ald_scratch(run, n, 1, size, &copy));
    for (int64_t i = 0; list && i < n; i++)
        memcpy(copy + (size_t)i * size, (const char *)list + (size_t)rows[i] * size, size);
    memcpy(taken, &copy, sizeof copy);
    return ALD_OK;
}

ald_status ald_target_take(ald_run *run, const ald_target *y, const int64_t *rows, int64_t n, ald_target *out)
{
    *out = *y;
    out->rows = n;
    ALD_TRY(take_list(run, y->labelled, sizeof *y->labelled, rows, n, &out->labelled));
    ALD_TRY(take_list(run, y->weights, sizeof *y->weights, rows, n, &out->weights));
    ALD_TRY(take_list(run, y->events, sizeof *y->events, rows, n, &out->events));
    if (y->kind == ALD_TARGET_CLASSES)
        return take_list(run, y->classes, sizeof *y->classes, rows, n, &out->classes);
    return y->kind == ALD_TARGET_NONE ? ALD_OK : ald_matrix_take(run, &y->values, rows, n, &out->values);
}

/* Columns columns[0 .. n) of a CSR copy made above, whose entries move up; they rise, so indices still do. */
static ald_status keep_columns(ald_run *run, const int64_t *columns, int64_t n, ald_matrix *m)
{
    int64_t *place, *pointers, *indices;
    int64_t kept = 0, begin = 0;
    double *values;
    memcpy(&pointers, &m->pointers,
           sizeof pointers); /* the copies are ours to write to, though views are const */
    memcpy(&indices, &m->indices, sizeof indices);
    memcpy(&values, &m->values, sizeof values);
    ALD_TRY(ald_scratch(run, m->cols, 1, sizeof *place, &place));
    for (int64_t j = 0; j < m->cols; j++) place[j] = -1;
    for (int64_t j = 0; j < n; j++) place[columns[j]] = j;
    for (int64_t i = 0; i < m->rows; i++) {
        const int64_t end = pointers[i + 1];
        for (int64_t e = begin; e < end; e++) {
            if (place[indices[e]] < 0) continue;
            values[kept] = values[e];
            indices[kept++] = place[indices[e]];
        }
        begin = end;
        pointers[i + 1] = kept;
    }
    m->cols = n;
    return ALD_OK;
}

ald_status ald_matrix_take_square(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n,
                                  ald_matrix *out)
{
    double *values;
    if (m->storage != ALD_DENSE) {
        ALD_TRY(ald_matrix_take(run, m, rows, n, out));
        return keep_columns(run, rows, n, out);
    }
    ALD_TRY(ald_scratch_reals(run, n, n, &values));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            values[i * n + j] = ald_matrix_value(m, rows[i] * m->row_stride + rows[j] * m->col_stride);
    *out = ald_matrix_row_major(values, n, n, n);
    return ALD_OK;
}

ald_status ald_operator_take(ald_run *run, const ald_operator *z, const int64_t *rows, int64_t n,
                             ald_operator *out)
{
    *out = *z;
    ALD_TRY(take_list(run, z->row_shift, sizeof *z->row_shift, rows, n, &out->row_shift));
    ALD_TRY(take_list(run, z->row_factor, sizeof *z->row_factor, rows, n, &out->row_factor));
    ALD_TRY(take_list(run, z->row_weight, sizeof *z->row_weight, rows, n, &out->row_weight));
    return ald_matrix_take(run, &z->x, rows, n, &out->x);
}

ald_status ald_rows_that_count(ald_run *run, int64_t n, const double *weights, const int64_t **rows,
                               int64_t *count)
{
    int64_t *which;
    *rows = NULL;
    *count = 0;
    for (int64_t i = 0; i < n; i++) *count += !weights || weights[i] > 0.0;
    if (*count == n) return ALD_OK;
    ALD_TRY(ald_scratch(run, *count, 1, sizeof *which, &which));
    for (int64_t i = 0, k = 0; i < n; i++)
        if (weights[i] > 0.0) which[k++] = i;
    *rows = which;
    return ALD_OK;
}

/* Sparse labels through the operator: X I. */
static ald_status sparse_values(ald_run *run, const ald_matrix *m, double *y)
{
    const ald_operator plain = {.x = *m};
    double *unit;
    ALD_TRY(ald_scratch_zeros(run, m->cols, m->cols, &unit));
    for (int64_t j = 0; j < m->cols; j++) unit[j * m->cols + j] = 1.0;
    return ald_operator_apply(run, &plain, ald_of(unit, m->cols, m->cols), ald_at(y, m->rows, m->cols));
}

/* Row by row: with thousands of classes this is the largest matrix of all. */
static ald_status class_indicators(ald_run *run, const ald_target *target, int64_t q, double *y)
{
    for (int64_t i = 0; i < target->rows; i++) {
        ALD_TRY(ald_ask_after(run, 5.0 * ALD_VALUE_WORK * (double)q));
        memset(y + i * q, 0, (size_t)q * sizeof *y);
        /* codes of rows without a target may be anything */
        if (!target->labelled || target->labelled[i]) y[i * q + target->classes[i]] = 1.0;
    }
    return ALD_OK;
}

typedef struct copying {
    const ald_matrix *from;
    double *to;
} copying;

static void copy_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const copying *c = work;
    const ald_matrix *m = c->from;
    const int64_t q = m->cols;
    (void)slab;
    if (m->type == ALD_F64 && m->col_stride == 1 && m->row_stride == q) {
        const double *from = m->values;
        memcpy(c->to + begin * q, from + begin * q, (size_t)((end - begin) * q) * sizeof *from);
        return;
    }
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < q; j++)
            c->to[i * q + j] = ald_matrix_value(m, i * m->row_stride + j * m->col_stride);
}

static ald_status raw_values(ald_run *run, const ald_target *target, int64_t q, double *y)
{
    if (target->kind == ALD_TARGET_CLASSES) return class_indicators(run, target, q, y);
    const ald_matrix *m = &target->values;
    if (m->storage != ALD_DENSE) return sparse_values(run, m, y);
    copying c = {m, y};
    return ald_slabs(run, target->rows, 4.0 * ALD_VALUE_WORK * (double)q, copy_slab, &c);
}

ald_status ald_target_numbers(ald_run *run, const ald_target *target, double **y, int64_t *q)
{
    *q = target->kind == ALD_TARGET_CLASSES ? target->n_classes : target->values.cols;
    ALD_TRY(ald_scratch_reals(run, target->rows, *q, y));
    if (!target->events) return raw_values(run, target, *q, *y);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_survival s;
    ALD_TRY(ald_survival_of(run, target, &s));
    ALD_TRY(ald_survival_residuals(run, &s, *y));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
