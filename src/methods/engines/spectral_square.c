/* The largest eigenvectors of a square that was formed (spectral.h): by a decomposition, or where few of a
 * large one are wanted by Lanczos with products of order^2, as accurate. */
#include "base/numbers/ordering.h"
#include "math/kernel/gram.h"
#include "math/linalg/linalg.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/spectral.h"

#include <float.h>
#include <math.h>

/* Whether Lanczos finds them sooner, to the last digits, even where the spectrum is flat. */
static int are_few(int64_t order, int64_t r)
{
    enum { least = 200, each = 32 };
    return order > least + each * r;
}

/* Whether it finds them sooner where they stand apart, as factors do; a few columns of it show that. */
static int may_stand_apart(int64_t order, int64_t r)
{
    return order > 200 && r < order / 20;
}

/* Single vectors for what the caches hold: they need the fewest products. */
static int64_t block_of(int64_t order)
{
    enum { in_cache = 1024 };
    return order <= in_cache ? 1 : 2;
}

/* Lanczos finds one copy of an eigenvalue with each vector of a block. Whether there is another above the
 * last of those that were found, A V = V diag(l): no if s I - A + V diag(l) V' has a Cholesky decomposition,
 * s above the last by what rounding may leave. */
static ald_status none_is_missing(ald_run *run, const ald_lanczos *task, const double *a, int *none)
{
    const int64_t n = task->n, r = task->wanted;
    const double *l = task->values;
    const double above = l[r - 1] + 32.0 * (double)n * DBL_EPSILON * l[0];
    const ald_error before = *run->error; /* it may hold a warning */
    double *rest, *found;
    ALD_TRY(ALD_SCRATCH(run, {&rest, n, n}, {&found, r, n}));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) rest[i * n + j] = (double)(i == j) * above - a[i * n + j];
    for (int64_t k = 0; k < r; k++)
        for (int64_t i = 0; i < n; i++) found[k * n + i] = sqrt(fmax(l[k], 0.0)) * task->vectors[i * r + k];
    ALD_TRY(ald_gram_add(run, 1.0, ald_of(found, r, n), 1.0, ald_at(rest, n, n)));
    const ald_status status = ald_cholesky(run, ald_at(rest, n, n));
    *none = status >= 0;
    if (status != ALD_ERROR_NUMERICAL) return status;
    *run->error = before;
    return ALD_OK;
}

/* By Lanczos, as accurate as a decomposition; *found is 0 where it does not come to an end soon. */
static ald_status few_of_square(ald_run *run, int64_t n, double *a, int64_t r, double *values, double *rows,
                                int *found)
{
    ald_lanczos task = {
        .n = n,
        .wanted = r,
        .room = 96,
        .stage = "finding principal components",
        .values = values,
    };
    ALD_TRY(ald_symmetric_mirror(run, n, a));
    ald_lanczos_set(run, r < 8 ? r : 8, &task);
    task.trial = 1;
    task.looks = n / 16;
    task.block = block_of(n);
    task.tol = fmin(task.tol, ALD_SPECTRAL_TRIAL_TOL);
    task.max_products = n / 2;
    if (!are_few(n, r)) task.total = ald_trace(n, a);
    ALD_TRY(ald_symmetric_top(run, n, a, &task));
    *found = task.converged != 0;
    if (*found && task.unsure) ALD_TRY(none_is_missing(run, &task, a, found));
    if (*found) ald_transpose(n, r, task.vectors, rows);
    return ALD_OK;
}

ald_status ald_square_top(ald_run *run, int64_t order, double *a, int64_t r, int level, double *values,
                          double *rows)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    int found = 0;
    if (are_few(order, r) || (!level && may_stand_apart(order, r)))
        ALD_TRY(few_of_square(run, order, a, r, values, rows, &found));
    ald_arena_release(&run->scratch, mark);
    return found ? ALD_OK : ald_eigen(run, ald_at(a, order, order), values, ald_at(rows, r, order));
}

double ald_square_operations(double order, int64_t r)
{
    const double whole = 4.0 * order * order * order;
    if (!are_few((int64_t)order, r)) return whole;
    return fmin(whole, 80.0 * order * order * ((double)r + 6.0));
}

ald_status ald_rows_are_level(ald_run *run, const ald_operator *z, int64_t r, int *level)
{
    const double far = 6.0; /* noise does not come near */
    const int64_t some = ald_least(z->x.rows, 40 + 2 * r);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator few = *z;
    double *square, *values;
    few.x.rows = some;
    few.x.row_stride *= z->x.rows / some;
    ALD_TRY(ALD_SCRATCH(run, {&square, some, some}, {&values, r, 1}));
    ALD_TRY(ald_operator_gram(run, &few, ald_at(square, some, some)));
    double others = ald_trace(some, square);
    ALD_TRY(ald_eigenvalues(run, ald_at(square, some, some), r, values));
    for (int64_t k = 0; k < r; k++) others -= values[k];
    *level = !(values[r - 1] * (double)(some - r) > far * others);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
