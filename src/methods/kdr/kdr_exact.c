#include "base/numbers/wide.h"
#include "base/threads/large_copy.h"
#include "base/threads/threads.h"
#include "math/kernel/many_exp.h"
#include "math/linalg/linalg.h"
#include "methods/kdr/kdr_factored.h"
#include "methods/kdr/kdr_objective.h"

#include <math.h>
#include <string.h>

enum { tile = 64 };

static ald_status kdr_exact_prepare(ald_run *run, const ald_kdr_criterion *size, ald_kdr_work *work)
{
    const int64_t n = size->rows->n;
    memset(work, 0, sizeof *work);
    work->threads = 1;
    return ALD_SCRATCH(run, {&work->z, n, size->r}, {&work->pull, n, size->r}, {&work->p, n, size->target->m},
                       {&work->square, n, n}, {&work->means, n, 1}, {&work->block, tile, n},
                       {&work->turned, size->r, n});
}

/* One matrix as the threads see it. A row of tiles is one thread's: which one does not change a number. */
typedef struct filling {
    const ald_kdr_criterion *c;
    ald_kdr_work *work;
    ald_run *run;
    ald_status status; /* of part 0, which is the caller's thread and asks whether to go on */
} filling;

/* K of the rows of two tiles, in both triangles. */
static void fill_tile(const ald_kdr_criterion *c, const ald_kdr_work *work, int64_t i0, int64_t j0)
{
    const int64_t n = c->rows->n, i1 = i0 + tile < n ? i0 + tile : n, j1 = j0 + tile < n ? j0 + tile : n;
    for (int64_t i = i0; i < i1; i++) {
        const int64_t first = j0 > i ? j0 : i + 1, count = j1 - first;
        double *row = work->square + i * n + first;
        if (count <= 0) continue;
        ald_kdr_exponents(c, work->turned, (int64_t[2]){i, first}, count, row);
        ald_many_exp(count, row);
        for (int64_t j = 0; j < count; j++) work->square[(first + j) * n + i] = row[j];
    }
}

static void fill_rows(void *of, int part)
{
    filling *f = of;
    const int64_t n = f->c->rows->n;
    for (int64_t i0 = part * tile; i0 < n; i0 += f->work->threads * tile) {
        if (part == 0) f->status = ald_ask_after(f->run, 8.0 * ALD_VALUE_WORK * (double)(tile * (n - i0)));
        if (part == 0 && f->status < 0) return;
        for (int64_t i = i0; i < n && i < i0 + tile; i++) f->work->square[i * n + i] = 1.0;
        for (int64_t j0 = i0; j0 < n; j0 += tile) fill_tile(f->c, f->work, i0, j0);
    }
}

/* Sum of a row, in lanes. */
ALD_WIDE static double row_sum(int64_t n, const double *row)
{
    enum { lanes = 8 };
    double sums[lanes] = {0.0}, rest = 0.0;
    int64_t j = 0;
    for (; j + lanes <= n; j += lanes)
        for (int k = 0; k < lanes; k++) sums[k] += row[j + k];
    for (; j < n; j++) rest += row[j];
    return rest + (((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
}

ALD_WIDE static void centre_row(int64_t count, double by, const double *means, double *restrict row)
{
    for (int64_t j = 0; j < count; j++) row[j] += by - means[j];
}

/* K, whole. */
static ald_status fill_kernel(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    filling f = {c, work, run, ALD_OK};
    ald_parallel(work->threads, fill_rows, &f);
    return f.status;
}

/* K below the diagonal, K^c + n eps I from it on. */
static ald_status fill_centred(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n;
    const double *means = work->means;
    double mean = 0.0;
    ALD_TRY(fill_kernel(run, c, work));
    for (int64_t i = 0; i < n; i++) {
        work->means[i] = row_sum(n, work->square + i * n) / (double)n;
        mean += work->means[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(n - i)));
        centre_row(n - i, mean - means[i], means + i, work->square + i * n + i);
        work->square[i * n + i] += c->penalty;
    }
    return ALD_OK;
}

static ald_status value(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work,
                        double *f)
{
    const int64_t n = c->rows->n, m = c->target->m;
    ALD_TRY(ald_kdr_project(run, c, b, work));
    ald_transpose(n, c->r, work->z, work->turned);
    ALD_TRY(ald_kdr_factored_value(run, c, work, f));
    if (work->l > 0) return ALD_OK;
    ALD_TRY(fill_centred(run, c, work));
    ALD_TRY(ald_kdr_cholesky(run, c, n, work->square));
    ALD_TRY(ald_copy_large(run, n * m, c->target->f, work->p));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(work->square, n, n)), ald_at(work->p, n, m)));
    *f = 0.0;
    for (int64_t i = 0; i < n * m; i++) *f += work->p[i] * work->p[i];
    return ALD_OK;
}

/* The pairs of rows i0 .. i0 + count with those before them; `block` holds their P P'. */
static void pull_rows(const ald_kdr_criterion *c, ald_kdr_work *work, int64_t i0, int64_t count)
{
    const int64_t n = c->rows->n;
    for (int64_t i = i0; i < i0 + count; i++)
        for (int64_t j = 0; j < i; j++)
            ald_kdr_add_pull(c, work, i, j, -work->block[(i - i0) * n + j] * work->square[i * n + j]);
}

/* P, and K below the diagonal. */
static ald_status find_p(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, m = c->target->m;
    if (work->l == 0) return ald_solve_triangular(run, ald_of(work->square, n, n), ald_at(work->p, n, m));
    ALD_TRY(ald_kdr_factored_p(run, c, work));
    return fill_kernel(run, c, work);
}

static ald_status gradient(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *gradient)
{
    const int64_t n = c->rows->n, m = c->target->m;
    ALD_TRY(find_p(run, c, work));
    memset(work->pull, 0, (size_t)(n * c->r) * sizeof *work->pull);
    for (int64_t i0 = 0; i0 < n; i0 += tile) {
        const int64_t count = n - i0 < tile ? n - i0 : tile;
        const ald_area block = ald_area_block(ald_at(work->block, count, n), 0, 0, count, i0 + count);
        const ald_view rows = ald_of(work->p + i0 * m, count, m), others = ald_of(work->p, i0 + count, m);
        ALD_TRY(ald_product(run, rows, ald_t(others), block));
        ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)(count * (i0 + count))));
        pull_rows(c, work, i0, count);
    }
    return ald_kdr_pull_back(run, c, work, 2.0, gradient);
}

const ald_kdr_form ald_kdr_exact = {kdr_exact_prepare, value, gradient};
