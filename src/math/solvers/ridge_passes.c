/* W = (Z'Z + ridge)^+ Z'H by passes over Z (ridge.h).
 *
 * - lsqr: a pass over Z an iteration.
 * - outer: sparse Z with more columns than rows and a ridge: (Z Z' + ridge) A = H by conjugate gradients that
 * search one space for all columns, W = Z'A. With R = H - (Z Z' + ridge) A what W leaves of the fitted values
 * is Z Z'(Z Z' + ridge)^-1 R, so |R| bounds it. */
#include "base/numbers/ordering.h"
#include "math/linalg/linalg.h"
#include "math/operator/sparse.h"
#include "math/operator/vector_panels.h"
#include "math/solvers/block_cg.h"
#include "math/solvers/lanczos.h"
#include "math/solvers/lsqr.h"
#include "math/solvers/ridge.h"

#include <math.h>
#include <string.h>

/* LSQR only reads through it. */
typedef struct reader {
    const ald_operator *z;
} reader;

static ald_status ridge_advance(ald_run *run, void *self, const double *v, int64_t k, const double *alpha,
                                double *u, double *w)
{
    const reader *of = self;
    const int64_t n = of->z->x.rows, d = of->z->x.cols;
    return ald_operator_advance(run, of->z, ald_of(v, d, k), alpha, ald_at(u, n, k), ald_at(w, d, k));
}

/* Many passes over a sparse Z are made: in the order that is faster for them, where a copy of Z is no larger
 * than what LSQR takes anyway. */
static int has_room_to_turn(const ald_operator *z, int64_t k)
{
    const double room = ((double)z->x.rows + 4.0 * (double)z->x.cols) * (double)k;
    return !z->source && 2.0 * (double)ald_matrix_entries(&z->x) <= room;
}

/* On a card rows stand in both orders. */
static int on_card(const ald_run *run, const ald_operator *z)
{
    return ald_panels_with(run, z).z != NULL;
}

static ald_status in_better_order(ald_run *run, const ald_operator *z, int64_t k, ald_operator *better)
{
    *better = *z;
    if (on_card(run, z) || !ald_sparse_better_turned(&z->x) || !has_room_to_turn(z, k)) return ALD_OK;
    return ald_sparse_ordered(run, &z->x, z->x.storage == ALD_CSC, &better->x);
}

static ald_status by_lsqr(ald_run *run, ald_ridge_task *task)
{
    ald_operator z;
    reader self = {&z};
    ald_lsqr solver = {
        .advance = ridge_advance,
        .self = &self,
        .z = task->z,
        .n = task->z->x.rows,
        .d = task->z->x.cols,
        .k = task->k,
        .b = task->h,
        .damp = sqrt(task->ridge),
        .tol = task->tol,
        .max_iter = task->max_iter,
        .stage = "least squares by LSQR",
        .x = task->w,
    };
    ALD_TRY(in_better_order(run, task->z, task->k, &z));
    ALD_TRY(ald_lsqr_solve(run, &solver));
    task->iterations = solver.most_iterations;
    task->unfinished = solver.unfinished;
    task->error = solver.error;
    task->how = "LSQR";
    return ALD_OK;
}

/* Z Z' + ridge. */
typedef struct outer {
    const ald_operator *z;
    double ridge;
} outer;

static ald_status outer_in_two(ald_run *run, const ald_operator *z, const double *p, int64_t k, double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = z->x.rows, d = z->x.cols;
    double *between;
    ALD_TRY(ald_scratch_reals(run, d, k, &between));
    ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(p, n, k), ald_at(between, d, k)));
    ALD_TRY(ald_operator_apply(run, z, ald_of(between, d, k), ald_at(out, n, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status apply_outer(ald_run *run, void *self, const double *p, int64_t k, double *out)
{
    const outer *of = self;
    const int64_t n = of->z->x.rows;
    ALD_TRY(on_card(run, of->z) ? outer_in_two(run, of->z, p, k, out)
                                : ald_sparse_outer(run, of->z, ald_of(p, n, k), ald_at(out, n, k)));
    for (int64_t i = 0; i < n * k; i++) out[i] += of->ridge * p[i];
    return ALD_OK;
}

/* Columns `first` to `first + k` of H; their part of A into `a` (n x task->k). */
static ald_status solve_outer(ald_run *run, ald_ridge_task *task, outer *self, int64_t first, int64_t k,
                              double *a)
{
    const int64_t n = task->z->x.rows, all = task->k;
    double *b, *x;
    ALD_TRY(ALD_SCRATCH(run, {&b, n, k}, {&x, n, k}));
    for (int64_t i = 0; i < n; i++) memcpy(b + i * k, task->h + i * all + first, (size_t)k * sizeof *b);
    ald_block_cg solver = {
        .apply = apply_outer,
        .self = self,
        .n = n,
        .k = k,
        .b = b,
        .tol = 10.0 * task->tol,
        .max_iter = task->max_iter,
        .stage = "least squares by conjugate gradients",
        .x = x,
    };
    ALD_TRY(ald_block_cg_solve(run, &solver));
    for (int64_t i = 0; i < n; i++) memcpy(a + i * all + first, x + i * k, (size_t)k * sizeof *x);
    task->iterations = ald_most(task->iterations, solver.iterations);
    task->unfinished += solver.unfinished;
    task->error = fmax(task->error, solver.error);
    return ALD_OK;
}

/* In groups of some 32 columns: what is done between the products grows with the square of their number. */
static ald_status by_outer(ald_run *run, ald_ridge_task *task, const ald_operator *z)
{
    enum { most_columns = 32 };
    const int64_t n = z->x.rows, k = task->k, groups = (k + most_columns - 1) / most_columns;
    outer self = {z, task->ridge};
    double *a;
    ALD_TRY(ald_scratch_reals(run, n, k, &a));
    task->iterations = task->unfinished = 0;
    task->error = 0.0;
    for (int64_t i = 0; i < groups; i++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t first = i * k / groups, end = (i + 1) * k / groups;
        ALD_TRY(solve_outer(run, task, &self, first, end - first, a));
        ald_arena_release(&run->scratch, mark);
    }
    task->how = "conjugate gradients on X X'";
    return ald_operator_apply_transposed(run, z, ald_of(a, n, k), ald_at(task->w, z->x.cols, k));
}

/* Whether Z Z' + ridge is so well conditioned that its solutions have ten digits, and Z in the order of its
 * columns can be had. */
static ald_status outer_pays(ald_run *run, const ald_ridge_task *task, int *pays)
{
    const double least_ridge = 1e-6; /* of |Z|_F^2 */
    const ald_operator *z = task->z;
    double square;
    *pays = 0;
    if (z->source || z->x.storage == ALD_DENSE || z->x.rows >= z->x.cols || !(task->ridge > 0.0))
        return ALD_OK;
    if (z->x.storage == ALD_CSR && !has_room_to_turn(z, task->k)) return ALD_OK;
    if (z->x.rows < 2 * task->k) return ALD_OK;
    ALD_TRY(ald_operator_square_norm(run, z, &square));
    *pays = task->ridge >= least_ridge * square;
    return ALD_OK;
}

ald_status ald_ridge_lsqr(ald_run *run, ald_ridge_task *task)
{
    ald_operator z = *task->z;
    int pays;
    task->rank = -1;
    ALD_TRY(ald_operator_apply_transposed(run, task->z, ald_of(task->h, z.x.rows, task->k),
                                          ald_at(task->b, z.x.cols, task->k)));
    ALD_TRY(outer_pays(run, task, &pays));
    if (!pays) return by_lsqr(run, task);
    if (z.x.storage == ALD_CSR && !on_card(run, task->z))
        ALD_TRY(ald_sparse_ordered(run, &task->z->x, 0, &z.x));
    return by_outer(run, task, &z);
}

static ald_status apply_normal(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    const reader *of = self;
    const int64_t d = of->z->x.cols;
    return ald_operator_normal(run, of->z, ald_of(v, d, k), ald_at(w, d, k));
}

ald_status ald_operator_largest(ald_run *run, const ald_operator *z, uint64_t seed, double *value)
{
    reader self = {z};
    ald_lanczos task = {
        .apply = apply_normal,
        .self = &self,
        .z = z,
        .n = z->x.cols,
        .wanted = 1,
        .tol = 1e-6,
        .max_products = 1000,
        .seed = seed,
        .stage = "estimating the size of X",
        .values = value,
    };
    return ald_lanczos_solve(run, &task);
}
