/* Both forms of the criterion of kdr_objective.h: by the whole kernel matrix, and by factors of low rank. */
#include "methods/kdr/kdr_objective.h"

#include "base/numbers/wide.h"
#include "base/threads/large_copy.h"
#include "base/threads/threads.h"
#include "math/kernel/kernel.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

ald_status ald_kdr_project(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work)
{
    const int64_t p = c->rows->p;
    return ald_product(run, ald_of(c->rows->rows, c->rows->n, p), ald_t(ald_of(b, c->r, p)),
                       ald_at(work->z, c->rows->n, c->r));
}

ald_status ald_kdr_pull_back(ald_run *run, const ald_kdr_criterion *c, const ald_kdr_work *work,
                             double factor, double *gradient)
{
    const int64_t p = c->rows->p;
    const double by = -factor / (c->width * c->width);
    return ald_product_add(run, by, ald_t(ald_of(work->pull, c->rows->n, c->r)),
                           ald_of(c->rows->rows, c->rows->n, p), 0.0, ald_at(gradient, c->r, p));
}

ald_status ald_kdr_indefinite(ald_run *run, const ald_kdr_criterion *c)
{
    return ald_fail(
        run->error, ALD_ERROR_NUMERICAL,
        "`ridge=%g` is lost in the rounding of the kernel matrix, which is not positive definite: raise it",
        c->penalty / (double)c->rows->n);
}

/* Cholesky that tells what to do when it fails. */
static ald_status kdr_cholesky(ald_run *run, const ald_kdr_criterion *c, int64_t order, double *a)
{
    const ald_status status = ald_cholesky(run, ald_at(a, order, order));
    return status == ALD_ERROR_NUMERICAL ? ald_kdr_indefinite(run, c) : status;
}

/* row_j = -|z_i - z_j|^2 / (2 s^2) for i = at[0] and j from at[1] on, `count` of them; `turned` is Z' (r x
 * n). */
ALD_WIDE static void kdr_exponents(const ald_kdr_criterion *c, const double *turned, const int64_t at[2],
                                   int64_t count, double *restrict row)
{
    const int64_t n = c->rows->n, i = at[0], j0 = at[1];
    const double by = -0.5 / (c->width * c->width);
    memset(row, 0, (size_t)count * sizeof *row);
    for (int64_t k = 0; k < c->r; k++) {
        const double own = turned[k * n + i];
        const double *others = turned + k * n + j0;
        for (int64_t j = 0; j < count; j++) row[j] += (own - others[j]) * (own - others[j]);
    }
    for (int64_t j = 0; j < count; j++) row[j] *= by;
}

/* |z_i - z_j|^2. */
static double kdr_square(const ald_kdr_criterion *c, const double *z, int64_t i, int64_t j)
{
    double square = 0.0;
    for (int64_t k = 0; k < c->r; k++) {
        const double step = z[i * c->r + k] - z[j * c->r + k];
        square += step * step;
    }
    return square;
}

/* weight (z_i - z_j) added to one end of the pull and taken from the other. */
static void kdr_add_pull(const ald_kdr_criterion *c, ald_kdr_work *work, int64_t i, int64_t j, double weight)
{
    for (int64_t k = 0; k < c->r; k++) {
        const double step = weight * (work->z[i * c->r + k] - work->z[j * c->r + k]);
        work->pull[i * c->r + k] += step;
        work->pull[j * c->r + k] -= step;
    }
}

/* The exact form of the criterion (kdr_objective.h): K as a whole, or by a factor where it is of low rank
 * to rounding, as kernels on few dimensions mostly are. A pivoted Cholesky factorization K = G'G, G l x n,
 * is continued until nothing but rounding is left (4e-15 of the diagonal). With V the centred rows of G,
 *
 *   M = V V' + n eps I = R'R
 *   y = R'^-1 V F
 *   f = (|F|^2 - |y|^2) / (n eps)
 *   P = (F - V'R^-1 y) / (n eps)
 *
 * A value is n l (l + m) instead of n^3 / 3: for 500 rows in two dimensions l is some 60 to 100. Where l
 * would be above n / 3, or n eps so small that what is left would count, K is used as a whole from then on.
 */

/* Relative to the diagonal, which is 1; the least eps at which this is at most 4e-11 of it. */
static const double rounding = 4e-15, least_eps = 1e-4;

/* Where the parts stand in work->square (n x n): G (or V), at most n / 3 rows, then R, then y. */
static int64_t most_rows(const ald_kdr_criterion *c)
{
    return c->rows->n / 3;
}

static double *triangle_of(const ald_kdr_criterion *c, const ald_kdr_work *work)
{
    return work->square + most_rows(c) * c->rows->n;
}

static double *solution_of(const ald_kdr_criterion *c, const ald_kdr_work *work)
{
    return triangle_of(c, work) + most_rows(c) * most_rows(c);
}

/* row -= sum_t g_t[pivot] g_t over the l rows of g, four at a time. */
ALD_WIDE static void take_out(int64_t n, int64_t l, const double *g, int64_t pivot, double *restrict row)
{
    int64_t t = 0;
    for (; t + 4 <= l; t += 4) {
        const double *a = g + t * n, *b = a + n, *c = b + n, *d = c + n;
        const double x[] = {a[pivot], b[pivot], c[pivot], d[pivot]};
        for (int64_t j = 0; j < n; j++) row[j] -= (x[0] * a[j] + x[1] * b[j]) + (x[2] * c[j] + x[3] * d[j]);
    }
    for (; t < l; t++)
        for (int64_t j = 0; j < n; j++) row[j] -= g[t * n + pivot] * g[t * n + j];
}

/* The new row divided by the root of its pivot, and its squares taken from what is left of the diagonal. */
ALD_WIDE static void take_squares(int64_t n, double by, double *restrict row, double *restrict left)
{
    for (int64_t j = 0; j < n; j++) {
        row[j] *= by;
        left[j] -= row[j] * row[j];
    }
}

static int64_t largest(int64_t n, const double *left)
{
    int64_t at = 0;
    for (int64_t j = 1; j < n; j++)
        if (left[j] > left[at]) at = j;
    return at;
}

/* G, as many rows as it takes; 0 where they are too many. */
static int64_t factor_kernel(const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, most = most_rows(c);
    double *left = work->means;
    for (int64_t j = 0; j < n; j++) left[j] = 1.0;
    for (int64_t l = 0; l <= most; l++) {
        const int64_t pivot = largest(n, left);
        double *row = work->square + l * n;
        if (!(left[pivot] > rounding)) return l;
        if (l == most) break;
        kdr_exponents(c, work->turned, (int64_t[2]){pivot, 0}, n, row);
        ald_many_exp(n, row);
        take_out(n, l, work->square, pivot, row);
        take_squares(n, 1.0 / sqrt(left[pivot]), row, left);
        left[pivot] = 0.0;
    }
    return 0;
}

static void centre_rows(int64_t n, int64_t l, double *g)
{
    for (int64_t t = 0; t < l; t++) {
        double mean = 0.0;
        for (int64_t j = 0; j < n; j++) mean += g[t * n + j] / (double)n;
        for (int64_t j = 0; j < n; j++) g[t * n + j] -= mean;
    }
}

/* The value by the factor. Sets work->l; 0: not of low rank, and f is not written. work->turned is Z'. */
static ald_status factored_value(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *f)
{
    const int64_t n = c->rows->n, m = c->target->m;
    double *const triangle = triangle_of(c, work), *const y = solution_of(c, work);
    work->l = 0;
    if (!c->whole || *c->whole || c->penalty < least_eps * (double)n) return ALD_OK;
    const int64_t l = work->l = factor_kernel(c, work);
    *c->whole = l == 0;
    if (l == 0) return ALD_OK;
    ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(n * l)));
    centre_rows(n, l, work->square);
    const ald_view v = ald_of(work->square, l, n);
    ALD_TRY(ald_gram(run, ald_t(v), ald_at(triangle, l, l)));
    ald_add_ridge(c->penalty, ald_at(triangle, l, l));
    ALD_TRY(kdr_cholesky(run, c, l, triangle));
    ALD_TRY(ald_product(run, v, ald_of(c->target->f, n, m), ald_at(y, l, m)));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(triangle, l, l)), ald_at(y, l, m)));
    *f = (ald_dot(n * m, c->target->f, c->target->f) - ald_dot(l * m, y, y)) / c->penalty;
    return ALD_OK;
}

/* P at the point of that value, into work->p; work->square is free then. */
static ald_status factored_p(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, m = c->target->m, l = work->l;
    double *const y = solution_of(c, work);
    ALD_TRY(ald_solve_triangular(run, ald_of(triangle_of(c, work), l, l), ald_at(y, l, m)));
    memcpy(work->p, c->target->f, (size_t)(n * m) * sizeof *work->p);
    return ald_product_add(run, -1.0 / c->penalty, ald_t(ald_of(work->square, l, n)), ald_of(y, l, m),
                           1.0 / c->penalty, ald_at(work->p, n, m));
}

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
    ald_status status; /* of part 0, which is the caller's thread and asks whether to continue */
} filling;

/* K of the rows of two tiles, in both triangles. */
static void fill_tile(const ald_kdr_criterion *c, const ald_kdr_work *work, int64_t i0, int64_t j0)
{
    const int64_t n = c->rows->n, i1 = i0 + tile < n ? i0 + tile : n, j1 = j0 + tile < n ? j0 + tile : n;
    for (int64_t i = i0; i < i1; i++) {
        const int64_t first = j0 > i ? j0 : i + 1, count = j1 - first;
        double *row = work->square + i * n + first;
        if (count <= 0) continue;
        kdr_exponents(c, work->turned, (int64_t[2]){i, first}, count, row);
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

static ald_status exact_value(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work,
                              double *f)
{
    const int64_t n = c->rows->n, m = c->target->m;
    ALD_TRY(ald_kdr_project(run, c, b, work));
    ald_transpose(n, c->r, work->z, work->turned);
    ALD_TRY(factored_value(run, c, work, f));
    if (work->l > 0) return ALD_OK;
    ALD_TRY(fill_centred(run, c, work));
    ALD_TRY(kdr_cholesky(run, c, n, work->square));
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
            kdr_add_pull(c, work, i, j, -work->block[(i - i0) * n + j] * work->square[i * n + j]);
}

/* P, and K below the diagonal. */
static ald_status find_p(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, m = c->target->m;
    if (work->l == 0) return ald_solve_triangular(run, ald_of(work->square, n, n), ald_at(work->p, n, m));
    ALD_TRY(factored_p(run, c, work));
    return fill_kernel(run, c, work);
}

static ald_status exact_gradient(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work,
                                 double *gradient)
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

const ald_kdr_form ald_kdr_exact = {kdr_exact_prepare, exact_value, exact_gradient};

/* The low-rank form of the criterion of kdr (kdr_objective.h has the formulas). */

/* delta: far below what the factorization leaves out (see kdr.c), far above rounding. */
static const double jitter = 1e-10;

static ald_status kdr_low_rank_prepare(ald_run *run, const ald_kdr_criterion *size, ald_kdr_work *work)
{
    const int64_t n = size->rows->n, l = size->l, m = size->target->m;
    memset(work, 0, sizeof *work);
    return ALD_SCRATCH(run, {&work->z, n, size->r}, {&work->pull, n, size->r}, {&work->p, n, m},
                       {&work->c, l, n}, {&work->v, l, n}, {&work->w, l, l}, {&work->t, l, l},
                       {&work->m, l, l}, {&work->beta, l, m}, {&work->g, l, m});
}

/* C' (l x n), W and W + delta I. */
static ald_status fill_kernels(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, l = c->l;
    const double by = -0.5 / (c->width * c->width);
    for (int64_t a = 0; a < l; a++) {
        ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)n)); /* an exponential is worth some */
        for (int64_t i = 0; i < n; i++)
            work->c[a * n + i] = exp(by * kdr_square(c, work->z, i, c->pivots[a]));
    }
    for (int64_t a = 0; a < l; a++)
        for (int64_t b = 0; b < l; b++) {
            work->w[a * l + b] = work->c[a * n + c->pivots[b]];
            work->t[a * l + b] = work->w[a * l + b] + (a == b ? jitter : 0.0);
        }
    return ALD_OK;
}

static ald_status centre_factor(ald_run *run, int64_t l, int64_t n, double *v)
{
    for (int64_t a = 0; a < l; a++) {
        double mean = 0.0;
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)n));
        for (int64_t i = 0; i < n; i++) mean += v[a * n + i];
        mean /= (double)n;
        for (int64_t i = 0; i < n; i++) v[a * n + i] -= mean;
    }
    return ALD_OK;
}

/* T in t, the triangle of M in m, its R'^-1 V F in beta. */
static ald_status low_rank_value(ald_run *run, const ald_kdr_criterion *c, const double *b,
                                 ald_kdr_work *work, double *f)
{
    const int64_t n = c->rows->n, l = c->l, m = c->target->m;
    double sum = 0.0;
    ALD_TRY(ald_kdr_project(run, c, b, work));
    ALD_TRY(fill_kernels(run, c, work));
    ALD_TRY(kdr_cholesky(run, c, l, work->t));
    ALD_TRY(ald_copy_large(run, l * n, work->c, work->v));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(work->t, l, l)), ald_at(work->v, l, n)));
    ALD_TRY(centre_factor(run, l, n, work->v));
    ALD_TRY(ald_gram(run, ald_t(ald_of(work->v, l, n)), ald_at(work->m, l, l)));
    ald_add_ridge(c->penalty, ald_at(work->m, l, l));
    ALD_TRY(kdr_cholesky(run, c, l, work->m));
    ALD_TRY(ald_product(run, ald_of(work->v, l, n), ald_of(c->target->f, n, m), ald_at(work->beta, l, m)));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(work->m, l, l)), ald_at(work->beta, l, m)));
    for (int64_t i = 0; i < n * m; i++) sum += c->target->f[i] * c->target->f[i];
    for (int64_t i = 0; i < l * m; i++) sum -= work->beta[i] * work->beta[i];
    *f = sum / c->penalty;
    return ALD_OK;
}

/* P, beta and g. */
static ald_status kdr_low_rank_solve(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, l = c->l, m = c->target->m;
    ALD_TRY(ald_solve_triangular(run, ald_of(work->m, l, l), ald_at(work->beta, l, m)));
    ALD_TRY(ald_copy_large(run, n * m, c->target->f, work->p));
    ALD_TRY(ald_product_add(run, -1.0 / c->penalty, ald_t(ald_of(work->v, l, n)), ald_of(work->beta, l, m),
                            1.0 / c->penalty, ald_at(work->p, n, m)));
    memcpy(work->g, work->beta, (size_t)(l * m) * sizeof *work->g);
    return ald_solve_triangular(run, ald_of(work->t, l, l), ald_at(work->g, l, m));
}

/* dC takes the place of V, dW that of M. */
static ald_status low_rank_gradient(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work,
                                    double *gradient)
{
    const int64_t n = c->rows->n, l = c->l, m = c->target->m;
    ALD_TRY(kdr_low_rank_solve(run, c, work));
    ALD_TRY(ald_product_add(run, -2.0, ald_of(work->g, l, m), ald_t(ald_of(work->p, n, m)), 0.0,
                            ald_at(work->v, l, n)));
    ALD_TRY(ald_product(run, ald_of(work->g, l, m), ald_t(ald_of(work->g, l, m)), ald_at(work->m, l, l)));
    memset(work->pull, 0, (size_t)(n * c->r) * sizeof *work->pull);
    for (int64_t a = 0; a < l; a++) {
        ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)n));
        for (int64_t i = 0; i < n; i++)
            kdr_add_pull(c, work, i, c->pivots[a], work->v[a * n + i] * work->c[a * n + i]);
    }
    for (int64_t a = 0; a < l; a++)
        for (int64_t b = 0; b < l; b++)
            kdr_add_pull(c, work, c->pivots[a], c->pivots[b], work->m[a * l + b] * work->w[a * l + b]);
    return ald_kdr_pull_back(run, c, work, 1.0, gradient);
}

const ald_kdr_form ald_kdr_low_rank = {kdr_low_rank_prepare, low_rank_value, low_rank_gradient};
