/* Ways to the same W = (Z'Z + ridge)^+ Z'H.
 *
 * - Cholesky: (Z'Z + ridge) W = Z'H after dividing rows and columns by the roots of the diagonal. Its pivots
 * are then 1 - R^2 of each column on those before it: below 1e-6 the route is left, since its error grows
 * like eps / pivot.
 * - orthogonal: [Z H] = Q [R11 R12; 0 .] by blocks of rows, never a copy of Z; R11 = U S V', W = V S/(S^2 +
 * ridge) U'R12. Error eps cond(Z), not its square. Singular values up to max(n, d) eps of the first are 0.
 * About 4 n d^2.
 * - eigen: Z'Z = V L V', W = V (L + ridge)^+ V'Z'H, where rows of Z are not written out (sparse).
 * - dual: Z Z' = U L U', W = Z'U (L + ridge)^+ U'H. d n^2 + 9 n^3, memory n^2.
 * - lsqr: a pass over Z an iteration.
 * - outer: sparse Z with more columns than rows and a ridge: (Z Z' + ridge) A = H by conjugate gradients that
 * search one space for all columns, W = Z'A. With R = H - (Z Z' + ridge) A what W leaves of the fitted values
 * is Z Z'(Z Z' + ridge)^-1 R, so |R| bounds it.
 *
 * What is taken for 0 is what rounding makes of 0: singular values up to max(n, d) eps of the first on the
 * orthogonal route. Their squares (eigen, dual) are known to eps of the first square only; so the span of the
 * eigenvectors below 1e-8 of it, that is singular values below 1e-4, is decomposed again by what Z makes of
 * it. The vectors above are known to 1e-12 against that span, so singular values up to 1e-12 of the first
 * count as 0, and the error of W grows like 1e-12 cond(Z) instead of eps cond(Z). LSQR has no cut: it takes
 * directions by their share in Z'H until tol is met. */
#include "math/solvers/ridge.h"

#include "base/numbers/ordering.h"
#include "math/linalg/linalg.h"
#include "math/operator/sparse.h"
#include "math/solvers/block_cg.h"
#include "math/solvers/lanczos.h"
#include "math/solvers/lsqr.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double smallest_pivot = 1e-6;
static const double doubtful = 1e-8;       /* eigenvalues, of the first */
static const double smallest_seen = 1e-12; /* singular values, of the first */

static ald_status right_hand_side(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols;
    return ald_operator_apply_transposed(run, task->z, ald_of(task->h, n, task->k),
                                         ald_at(task->b, d, task->k));
}

/* Tries Cholesky on a copy; `*solved` 0 when the pivots say no. */
static ald_status try_cholesky(ald_run *run, int64_t d, const double *scatter, ald_ridge_task *task,
                               int *solved)
{
    double *a, *scale;
    *solved = 0;
    ALD_TRY(ALD_SCRATCH(run, {&a, d, d}, {&scale, d, 1}));
    for (int64_t i = 0; i < d; i++) {
        const double diagonal = scatter[i * d + i] + task->ridge;
        if (!(diagonal > 0.0)) return ALD_OK;
        scale[i] = 1.0 / sqrt(diagonal);
    }
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++)
            a[i * d + j] = i == j ? 1.0 : scale[i] * scale[j] * scatter[i * d + j];
    const ald_status status = ald_cholesky(run, ald_at(a, d, d));
    if (status == ALD_ERROR_NUMERICAL) return ALD_OK;
    ALD_TRY(status);
    for (int64_t i = 0; i < d; i++)
        if (a[i * d + i] * a[i * d + i] < smallest_pivot) return ALD_OK;
    for (int64_t i = 0; i < d; i++)
        for (int64_t c = 0; c < task->k; c++) task->w[i * task->k + c] = scale[i] * task->b[i * task->k + c];
    ALD_TRY(ald_solve_cholesky(run, ald_of(a, d, d), ald_at(task->w, d, task->k)));
    ald_scale_rows(scale, ald_at(task->w, d, task->k));
    task->rank = d;
    task->how = "Cholesky of X'X";
    *solved = 1;
    return ALD_OK;
}

/* w = V diag(f) y with V' in rows (p x d) and y p x k. */
static ald_status combine(ald_run *run, int64_t p, int64_t d, const double *rows, const double *f, double *y,
                          ald_ridge_task *task)
{
    ald_scale_rows(f, ald_at(y, p, task->k));
    return ald_product(run, ald_t(ald_of(rows, p, d)), ald_of(y, p, task->k), ald_at(task->w, d, task->k));
}

/* The eigenvectors of the smallest eigenvalues, whose squares rounding has mixed, are separated by the
 * singular values of Z on their span: `rows` (order x length, of Z'Z, or with `dual` of Z Z') are rotated
 * within it and `values` become the squares of those. */
static ald_status refine(ald_run *run, const ald_operator *z, int dual, int64_t order, double *values,
                         double *rows)
{
    const int64_t n = z->x.rows, d = z->x.cols, length = order, other = dual ? d : n;
    int64_t first = 0;
    while (first < order && values[first] > doubtful * values[0]) first++;
    const int64_t p = order - first, q = p < other ? p : other;
    double *span, *image, *left, *roots, *turn, *turned;
    if (p == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&span, length, p}, {&image, other, p}, {&left, other, q}, {&roots, q, 1},
                        {&turn, q, p}, {&turned, q, length}));
    for (int64_t i = 0; i < length; i++)
        for (int64_t c = 0; c < p; c++) span[i * p + c] = rows[(first + c) * length + i];
    ALD_TRY((dual ? ald_operator_apply_transposed : ald_operator_apply)(run, z, ald_of(span, length, p),
                                                                        ald_at(image, other, p)));
    ALD_TRY(ald_svd(run, ald_at(image, other, p), ald_at(left, other, q), roots, ald_at(turn, q, p)));
    ALD_TRY(ald_product(run, ald_of(turn, q, p), ald_of(rows + first * length, p, length),
                        ald_at(turned, q, length)));
    memcpy(rows + first * length, turned, (size_t)(q * length) * sizeof *rows);
    for (int64_t c = 0; c < p; c++) values[first + c] = c < q ? roots[c] * roots[c] : 0.0;
    return ALD_OK;
}

/* values <- (value + ridge)^+, singular values up to smallest_seen of the first being 0; gives the rank. */
static int64_t invert(int64_t count, double *values, double ridge)
{
    int64_t rank = 0;
    const double least = smallest_seen * smallest_seen * values[0];
    for (int64_t i = 0; i < count; i++) {
        rank += values[i] > least;
        values[i] = values[i] > least ? 1.0 / (values[i] + ridge) : 0.0;
    }
    return rank;
}

static ald_status by_eigenvalues(ald_run *run, int64_t d, double *scatter, ald_ridge_task *task)
{
    double *values, *rows, *y;
    ALD_TRY(ALD_SCRATCH(run, {&values, d, 1}, {&rows, d, d}, {&y, d, task->k}));
    ALD_TRY(ald_eigen(run, ald_at(scatter, d, d), values, ald_at(rows, d, d)));
    ALD_TRY(refine(run, task->z, 0, d, values, rows));
    task->rank = invert(d, values, task->ridge);
    ALD_TRY(ald_product(run, ald_of(rows, d, d), ald_of(task->b, d, task->k), ald_at(y, d, task->k)));
    task->how = "eigenvalues of X'X";
    return combine(run, d, d, rows, values, y, task);
}

/* R ((d + k) x (d + k)) of the QR decomposition of [Z H], a block of rows at a time under the R so far. */
static ald_status triangle_of(ald_run *run, const ald_ridge_task *task, double *r)
{
    const ald_operator *z = task->z;
    const int64_t n = z->x.rows, d = z->x.cols, width = d + task->k, step = ald_most(256, width);
    double *stack, *rows;
    memset(r, 0, (size_t)(width * width) * sizeof *r);
    ALD_TRY(ALD_SCRATCH(run, {&stack, width + step, width}, {&rows, step, d}));
    for (int64_t i0 = 0; i0 < n; i0 += step) {
        const int64_t m = n - i0 < step ? n - i0 : step;
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(ald_operator_rows(run, z, i0, ald_at(rows, m, d)));
        memcpy(stack, r, (size_t)(width * width) * sizeof *r);
        for (int64_t i = 0; i < m; i++) {
            memcpy(stack + (width + i) * width, rows + i * d, (size_t)d * sizeof *stack);
            memcpy(stack + (width + i) * width + d, task->h + (i0 + i) * task->k,
                   (size_t)task->k * sizeof *stack);
        }
        ALD_TRY(ald_triangle(run, ald_at(stack, width + m, width), ald_at(r, width, width)));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "orthogonal triangularization", (double)(i0 + m) / (double)n));
    }
    return ALD_OK;
}

static ald_status by_orthogonal(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols, k = task->k, width = d + k;
    double *r, *square, *right, *u, *s, *vt, *y;
    ALD_TRY(ald_scratch_reals(run, width, width, &r));
    ALD_TRY(triangle_of(run, task, r));
    ALD_TRY(
        ALD_SCRATCH(run, {&square, d, d}, {&right, d, k}, {&u, d, d}, {&s, d, 1}, {&vt, d, d}, {&y, d, k}));
    for (int64_t i = 0; i < d; i++) {
        memcpy(square + i * d, r + i * width, (size_t)d * sizeof *square);
        memcpy(right + i * k, r + i * width + d, (size_t)k * sizeof *right);
    }
    ALD_TRY(ald_svd(run, ald_at(square, d, d), ald_at(u, d, d), s, ald_at(vt, d, d)));
    ALD_TRY(ald_product(run, ald_t(ald_of(u, d, d)), ald_of(right, d, k), ald_at(y, d, k)));
    const double least = (double)ald_most(n, d) * DBL_EPSILON * s[0];
    task->rank = 0;
    for (int64_t i = 0; i < d; i++) {
        task->rank += s[i] > least;
        s[i] = s[i] > least ? s[i] / (s[i] * s[i] + task->ridge) : 0.0;
    }
    task->how = "orthogonal triangularization of X";
    return combine(run, d, d, vt, s, y, task);
}

ald_status ald_ridge_direct(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols;
    double *scatter;
    int solved;
    ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
    ALD_TRY(ald_operator_scatter_with(run, task->z, ald_of(task->h, n, task->k), ald_at(scatter, d, d),
                                      ald_at(task->b, d, task->k)));
    ALD_TRY(try_cholesky(run, d, scatter, task, &solved));
    if (solved) return ALD_OK;
    if (task->z->x.storage == ALD_DENSE) return by_orthogonal(run, task);
    return by_eigenvalues(run, d, scatter, task);
}

ald_status ald_ridge_dual(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols, k = task->k;
    double *gram, *values, *rows, *y, *left;
    ALD_TRY(right_hand_side(run, task));
    ALD_TRY(ALD_SCRATCH(run, {&gram, n, n}, {&values, n, 1}, {&rows, n, n}, {&y, n, k}, {&left, n, k}));
    ALD_TRY(ald_operator_gram(run, task->z, ald_at(gram, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(gram, n, n), values, ald_at(rows, n, n)));
    ALD_TRY(refine(run, task->z, 1, n, values, rows));
    task->rank = invert(n, values, task->ridge);
    ALD_TRY(ald_product(run, ald_of(rows, n, n), ald_of(task->h, n, k), ald_at(y, n, k)));
    ald_scale_rows(values, ald_at(y, n, k));
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, n, n)), ald_of(y, n, k), ald_at(left, n, k)));
    task->how = "eigenvalues of X X'";
    return ald_operator_apply_transposed(run, task->z, ald_of(left, n, k), ald_at(task->w, d, k));
}

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

static ald_status in_better_order(ald_run *run, const ald_operator *z, int64_t k, ald_operator *better)
{
    *better = *z;
    if (!ald_sparse_better_turned(&z->x) || !has_room_to_turn(z, k)) return ALD_OK;
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

static ald_status apply_outer(ald_run *run, void *self, const double *p, int64_t k, double *out)
{
    const outer *of = self;
    const int64_t n = of->z->x.rows;
    ALD_TRY(ald_sparse_outer(run, of->z, ald_of(p, n, k), ald_at(out, n, k)));
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
    ALD_TRY(right_hand_side(run, task));
    ALD_TRY(outer_pays(run, task, &pays));
    if (!pays) return by_lsqr(run, task);
    if (z.x.storage == ALD_CSR) ALD_TRY(ald_sparse_ordered(run, &task->z->x, 0, &z.x));
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
