/* Ways to the same W = (Z'Z + ridge)^+ Z'H.
 *
 * - Cholesky: (Z'Z + ridge) W = Z'H after dividing rows and columns by the roots of the diagonal. Its pivots
 * are then 1 - R^2 of each column on those before it: below 1e-6 the route is left, since its error grows
 * like eps / pivot.
 * - orthogonal: [Z H] = Q [R11 R12; 0 .] by blocks of rows, never a copy of Z; R11 = U S V', W = V S/(S^2 +
 * ridge) U'R12. Error eps cond(Z), not its square. Singular values up to max(n, d) eps of the first are 0.
 * About 4 n d^2.
 * - eigen: Z'Z = V L V', W = V (L + ridge)^+ V'Z'H, where rows of Z are not written out (sparse).
 * - dual: W = Z'(Z Z' + ridge)^+ H by Cholesky as above, centred rows less the direction that they have
 * lost, d n^2 + n^3 / 3, with corrections by products with Z: error eps cond(Z) again. Where the first of
 * them is above 1e-3, that is cond(Z) some 1e6, or pivots are below 1e-11, by Z Z' = U L U', d n^2 + 9 n^3,
 * or where d is up to 2 n by the orthogonal route. Memory n^2.
 * - passes over Z: ridge_passes.c.
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
#include "math/linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double smallest_pivot = 1e-6, smallest_corrected = 1e-11;
static const double doubtful = 1e-8;       /* eigenvalues, of the first */
static const double smallest_seen = 1e-12; /* singular values, of the first */

static ald_status right_hand_side(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols;
    return ald_operator_apply_transposed(run, task->z, ald_of(task->h, n, task->k),
                                         ald_at(task->b, d, task->k));
}

/* Cholesky of a square matrix at a unit diagonal. */
typedef struct factor {
    int64_t order;
    double *a, *scale;
} factor;

/* The factor of square + ridge, which stays as it is; `*good` is 0 where a pivot is below `least`. */
static ald_status factorize(ald_run *run, int64_t order, const double *square, double ridge, double least,
                            factor *f, int *good)
{
    const ald_error before = *run->error; /* it may hold a warning */
    *good = 0;
    f->order = order;
    ALD_TRY(ALD_SCRATCH(run, {&f->a, order, order}, {&f->scale, order, 1}));
    for (int64_t i = 0; i < order; i++) {
        const double diagonal = square[i * order + i] + ridge;
        if (!(diagonal > 0.0)) return ALD_OK;
        f->scale[i] = 1.0 / sqrt(diagonal);
    }
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = i; j < order; j++)
            f->a[i * order + j] = i == j ? 1.0 : f->scale[i] * f->scale[j] * square[i * order + j];
    const ald_status status = ald_cholesky(run, ald_at(f->a, order, order));
    if (status == ALD_ERROR_NUMERICAL) *run->error = before;
    if (status == ALD_ERROR_NUMERICAL) return ALD_OK;
    ALD_TRY(status);
    for (int64_t i = 0; i < order; i++)
        if (f->a[i * order + i] * f->a[i * order + i] < least) return ALD_OK;
    *good = 1;
    return ALD_OK;
}

/* out (order x k) <- (square + ridge)^-1 out. */
static ald_status solve(ald_run *run, const factor *f, int64_t k, double *out)
{
    ald_scale_rows(f->scale, ald_at(out, f->order, k));
    ALD_TRY(ald_solve_cholesky(run, ald_of(f->a, f->order, f->order), ald_at(out, f->order, k)));
    ald_scale_rows(f->scale, ald_at(out, f->order, k));
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

/* Row i of H. */
static void write_right(const ald_ridge_task *task, int64_t i, double *to)
{
    const int64_t k = task->k;
    if (!task->h) {
        ald_codes_write(&task->codes, i, 1, 0, k, to);
    } else if (task->mix) {
        memset(to, 0, (size_t)k * sizeof *to);
        for (int64_t j = 0; j < task->q; j++)
            ald_add_times(k, task->h[i * task->q + j], task->mix + j * k, to);
    } else {
        memcpy(to, task->h + i * k, (size_t)k * sizeof *to);
    }
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
            write_right(task, i0 + i, stack + (width + i) * width + d);
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

/* Z'Z, and Z'H in task->b. */
static ald_status scatter_and_products(ald_run *run, ald_ridge_task *task, ald_area square)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols, q = task->mix ? task->q : task->k;
    const ald_area b = ald_at(task->b, d, task->k);
    double *plain;
    if (!task->h) return ald_operator_scatter_codes(run, task->z, &task->codes, square, b);
    if (!task->mix) return ald_operator_scatter_with(run, task->z, ald_of(task->h, n, q), square, b);
    ALD_TRY(ald_scratch_reals(run, d, q, &plain));
    ALD_TRY(ald_operator_scatter_with(run, task->z, ald_of(task->h, n, q), square, ald_at(plain, d, q)));
    return ald_product(run, ald_of(plain, d, q), ald_of(task->mix, q, task->k), b);
}

ald_status ald_ridge_direct(ald_run *run, ald_ridge_task *task)
{
    const int64_t d = task->z->x.cols;
    double *scatter;
    factor f;
    int good;
    ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
    ALD_TRY(scatter_and_products(run, task, ald_at(scatter, d, d)));
    ALD_TRY(factorize(run, d, scatter, task->ridge, smallest_pivot, &f, &good));
    task->rank = d;
    task->how = "Cholesky of X'X";
    memcpy(task->w, task->b, (size_t)(d * task->k) * sizeof *task->w);
    if (good) return solve(run, &f, task->k, task->w);
    if (task->z->x.storage == ALD_DENSE) return by_orthogonal(run, task);
    return by_eigenvalues(run, d, scatter, task);
}

/* The direction u (n) that centring takes off, roots of the weights at unit length; 0 where G = Z Z' (n x n)
 * does not take it to 0. */
static ald_status find_centre(ald_run *run, const ald_operator *z, const double *gram, double *u, int *found)
{
    const int64_t n = z->x.rows;
    double largest = 0.0;
    double *image;
    *found = 0;
    if (!z->mean) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, 1, &image));
    for (int64_t i = 0; i < n; i++) {
        u[i] = z->row_weight ? z->row_weight[i] : 1.0;
        largest = fmax(largest, gram[i * n + i]);
    }
    ald_normalise(n, u);
    ALD_TRY(ald_product(run, ald_of(gram, n, n), ald_of(u, n, 1), ald_at(image, n, 1)));
    *found = ald_norm(n, image) <= (double)n * DBL_EPSILON * largest;
    return ALD_OK;
}

/* left (n x k) += (Z Z' + ridge)^-1 (h - (Z Z' + ridge) left), the products by Z itself; how much of left. */
static ald_status correct(ald_run *run, const ald_ridge_task *task, const factor *f, const double *h,
                          double *left, double *change)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols, k = task->k;
    double *rest;
    ALD_TRY(ald_scratch_reals(run, n, k, &rest));
    ALD_TRY(ald_operator_apply_transposed(run, task->z, ald_of(left, n, k), ald_at(task->w, d, k)));
    ALD_TRY(ald_operator_apply(run, task->z, ald_of(task->w, d, k), ald_at(rest, n, k)));
    for (int64_t i = 0; i < n * k; i++) rest[i] = h[i] - rest[i] - task->ridge * left[i];
    ALD_TRY(solve(run, f, k, rest));
    for (int64_t i = 0; i < n * k; i++) left[i] += rest[i];
    *change = ald_norm(n * k, rest) / ald_norm(n * k, left);
    return ALD_OK;
}

/* left (n x k) = (Z Z' + ridge)^-1 h by the factor, and corrections: each is smaller than the one before by
 * the first, as the error eps cond(Z)^2 of the factor is. *solved is 0 where that is much. */
static ald_status solve_corrected(ald_run *run, const ald_ridge_task *task, const factor *f, const double *h,
                                  double *left, int *solved)
{
    const double most = 1e-3;
    enum { most_steps = 6 };
    double first = 0.0, change;
    memcpy(left, h, (size_t)(f->order * task->k) * sizeof *left);
    ALD_TRY(solve(run, f, task->k, left));
    for (int step = 0; step < most_steps; step++) {
        ALD_TRY(correct(run, task, f, h, left, &change));
        if (step == 0) first = change;
        if (!(change <= most)) break;
        *solved = change * first <= DBL_EPSILON;
        if (*solved) break;
    }
    return ALD_OK;
}

/* left (n x k) = (Z Z' + ridge)^+ H by Cholesky. What H has along the u of centred rows is lost in Z';
 * without a ridge Z Z' has no full rank there, and c u u' is added to it. `gram` is destroyed. */
static ald_status dual_cholesky(ald_run *run, const ald_ridge_task *task, double *gram, double *left,
                                int64_t *rank, int *solved)
{
    const int64_t n = task->z->x.rows, k = task->k;
    double *u, *along, *h;
    int centred = 0, good;
    factor f;
    *solved = 0;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, 1}, {&along, k, 1}, {&h, n, k}));
    memcpy(h, task->h, (size_t)(n * k) * sizeof *h);
    ALD_TRY(find_centre(run, task->z, gram, u, &centred));
    *rank = centred ? n - 1 : n;
    const double size = task->ridge > 0.0 ? 0.0 : ald_trace(n, gram) / (double)n;
    if (centred) ALD_TRY(ald_product(run, ald_t(ald_of(u, n, 1)), ald_of(h, n, k), ald_at(along, 1, k)));
    for (int64_t i = 0; centred && i < n; i++) {
        ald_add_times(k, -u[i], along, h + i * k);
        ald_add_times(n, size * u[i], u, gram + i * n);
    }
    ALD_TRY(factorize(run, n, gram, task->ridge, smallest_corrected, &f, &good));
    return good ? solve_corrected(run, task, &f, h, left, solved) : ALD_OK;
}

/* The same by the eigenvectors of Z Z', whose products are formed once more. */
static ald_status dual_eigen(ald_run *run, const ald_ridge_task *task, double *gram, double *left,
                             int64_t *rank)
{
    const int64_t n = task->z->x.rows, k = task->k;
    double *values, *rows, *y;
    ALD_TRY(ALD_SCRATCH(run, {&values, n, 1}, {&rows, n, n}, {&y, n, k}));
    ALD_TRY(ald_operator_gram(run, task->z, ald_at(gram, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(gram, n, n), values, ald_at(rows, n, n)));
    ALD_TRY(refine(run, task->z, 1, n, values, rows));
    *rank = invert(n, values, task->ridge);
    ALD_TRY(ald_product(run, ald_of(rows, n, n), ald_of(task->h, n, k), ald_at(y, n, k)));
    ald_scale_rows(values, ald_at(y, n, k));
    return ald_product(run, ald_t(ald_of(rows, n, n)), ald_of(y, n, k), ald_at(left, n, k));
}

/* Where X has not many more columns than rows the orthogonal route costs about as much as eigenvectors, and
 * squares nothing. */
static int prefers_orthogonal(const ald_operator *z)
{
    return z->x.storage == ALD_DENSE && z->x.cols <= 2 * z->x.rows;
}

ald_status ald_ridge_dual(ald_run *run, ald_ridge_task *task)
{
    const int64_t n = task->z->x.rows, d = task->z->x.cols, k = task->k;
    double *gram, *left;
    int solved;
    ALD_TRY(right_hand_side(run, task));
    ALD_TRY(ALD_SCRATCH(run, {&gram, n, n}, {&left, n, k}));
    ALD_TRY(ald_operator_gram(run, task->z, ald_at(gram, n, n)));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(dual_cholesky(run, task, gram, left, &task->rank, &solved));
    ald_arena_release(&run->scratch, mark);
    task->how = solved ? "Cholesky of X X'" : "eigenvalues of X X'";
    if (!solved && prefers_orthogonal(task->z)) return by_orthogonal(run, task);
    if (!solved) ALD_TRY(dual_eigen(run, task, gram, left, &task->rank));
    return ald_operator_apply_transposed(run, task->z, ald_of(left, n, k), ald_at(task->w, d, k));
}
