/* Pivoted incomplete Cholesky, column by column (incomplete_cholesky.h). */
#include "math/kernel/incomplete_cholesky.h"

#include "base/threads/large_copy.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>

static double polynomial(const ald_rbf_rows *k, const double *a, const double *b)
{
    return pow(ald_dot(k->q, a, b) + k->coef0, (double)k->degree);
}

/* Columns are kept as rows (capacity x n) while they are made. */
typedef struct factor {
    double *rows;
    int64_t capacity;
    double *rest; /* n: the diagonal of E */
    double *at_pivot;
} factor;

static ald_status make_room(ald_run *run, const ald_incomplete_cholesky *task, factor *f)
{
    if (task->rank < f->capacity) return ALD_OK;
    const int64_t capacity = f->capacity == 0 ? 16 : 2 * f->capacity;
    double *rows;
    ALD_TRY(ald_scratch_reals(run, capacity, task->rows.n, &rows));
    ALD_TRY(ald_copy_large(run, f->capacity * task->rows.n, f->rows, rows));
    if (f->rows) ald_arena_drop(&run->scratch, f->rows);
    f->rows = rows;
    f->capacity = capacity;
    return ALD_OK;
}

static int64_t next_pivot(int64_t n, const double *rest)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (rest[i] > rest[best]) best = i;
    return best;
}

static double trace_left(int64_t n, const double *rest)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += rest[i];
    return sum;
}

/* The column of pivot p. */
static ald_status add_column(ald_run *run, ald_incomplete_cholesky *task, factor *f, int64_t p)
{
    const int64_t n = task->rows.n, m = task->rank;
    const double root = sqrt(f->rest[p]);
    ALD_TRY(make_room(run, task, f));
    double *column = f->rows + m * n;
    for (int64_t k = 0; k < m; k++) f->at_pivot[k] = f->rows[k * n + p];
    ALD_TRY(ald_rbf_column(run, &task->rows, p, column));
    if (m > 0)
        ALD_TRY(ald_product_add(run, -1.0, ald_t(ald_of(f->rows, m, n)), ald_of(f->at_pivot, m, 1), 1.0,
                                ald_at(column, n, 1)));
    for (int64_t i = 0; i < n; i++) {
        column[i] /= root;
        f->rest[i] = fmax(f->rest[i] - column[i] * column[i], 0.0);
    }
    f->rest[p] = 0.0; /* a pivot is not taken twice, whatever the rounding */
    task->rank++;
    return ALD_OK;
}

static ald_status transpose(ald_run *run, ald_incomplete_cholesky *task, const factor *f)
{
    const int64_t n = task->rows.n, m = task->rank;
    ALD_TRY(ald_scratch_reals(run, n, m, &task->f));
    return ald_transpose_large(run, m, n, f->rows, task->f);
}

ald_status ald_incomplete_cholesky_run(ald_run *run, ald_incomplete_cholesky *task)
{
    const int64_t n = task->rows.n, most = task->most < n ? task->most : n;
    factor f = {0};
    ALD_TRY(ALD_SCRATCH(run, {&f.rest, n, 1}, {&f.at_pivot, most, 1}));
    for (int64_t i = 0; i < n; i++) {
        const double *row = task->rows.points + i * task->rows.q;
        f.rest[i] = task->rows.degree > 0 ? polynomial(&task->rows, row, row) : 1.0;
    }
    const double trace = trace_left(n, f.rest);
    task->rank = 0;
    task->left = 1.0;
    while (task->rank < most && task->left > task->tol) {
        const int64_t pivot = next_pivot(n, f.rest);
        if (task->pivots) task->pivots[task->rank] = pivot;
        ALD_TRY(add_column(run, task, &f, pivot));
        task->left = trace_left(n, f.rest) / trace;
        ALD_TRY(ald_progress(run, "factoring the kernel", -1.0));
    }
    ALD_TRY(transpose(run, task, &f));
    ald_arena_drop(&run->scratch, f.rows);
    return ALD_OK;
}

/* Rows first .. end - 1 of the column. */
static void rbf_rows(const ald_rbf_rows *k, const double *at, int64_t first, int64_t end, double *column)
{
    for (int64_t i = first; i < end; i++) {
        double square = 0.0;
        for (int64_t j = 0; j < k->q; j++) {
            const double step = (k->points[i * k->q + j] - at[j]) / k->width;
            square += step * step;
        }
        column[i] = exp(-0.5 * square);
    }
}

ald_status ald_rbf_column(ald_run *run, const ald_rbf_rows *k, int64_t pivot, double *column)
{
    enum { values = 1 << 20 }; /* between two questions, some milliseconds */
    const int64_t step = 1 + values / (k->q + 1);
    for (int64_t i = 0; i < k->n; i += step) {
        const int64_t count = step < k->n - i ? step : k->n - i;
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(count * (k->q + 1))));
        const double *at = k->points + pivot * k->q;
        if (k->degree == 0) rbf_rows(k, at, i, i + count, column);
        for (int64_t j = i; k->degree > 0 && j < i + count; j++)
            column[j] = polynomial(k, k->points + j * k->q, at);
    }
    return ALD_OK;
}
