#include "methods/kdr/kdr_factored.h"

#include "base/numbers/wide.h"
#include "math/kernel/many_exp.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

/* Of the diagonal, which is 1; the least eps that makes no more than 4e-11 of it. */
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
        ald_kdr_exponents(c, work->turned, (int64_t[2]){pivot, 0}, n, row);
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

ald_status ald_kdr_factored_value(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *f)
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
    ALD_TRY(ald_kdr_cholesky(run, c, l, triangle));
    ALD_TRY(ald_product(run, v, ald_of(c->target->f, n, m), ald_at(y, l, m)));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(triangle, l, l)), ald_at(y, l, m)));
    *f = (ald_dot(n * m, c->target->f, c->target->f) - ald_dot(l * m, y, y)) / c->penalty;
    return ALD_OK;
}

ald_status ald_kdr_factored_p(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work)
{
    const int64_t n = c->rows->n, m = c->target->m, l = work->l;
    double *const y = solution_of(c, work);
    ALD_TRY(ald_solve_triangular(run, ald_of(triangle_of(c, work), l, l), ald_at(y, l, m)));
    memcpy(work->p, c->target->f, (size_t)(n * m) * sizeof *work->p);
    return ald_product_add(run, -1.0 / c->penalty, ald_t(ald_of(work->square, l, n)), ald_of(y, l, m),
                           1.0 / c->penalty, ald_at(work->p, n, m));
}
