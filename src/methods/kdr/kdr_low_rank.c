/* The low-rank form of the criterion of kdr (kdr_objective.h has the formulas). */
#include "base/threads/large_copy.h"
#include "math/linalg/linalg.h"
#include "methods/kdr/kdr_objective.h"

#include <math.h>
#include <string.h>

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
            work->c[a * n + i] = exp(by * ald_kdr_square(c, work->z, i, c->pivots[a]));
    }
    for (int64_t a = 0; a < l; a++)
        for (int64_t b = 0; b < l; b++) {
            work->w[a * l + b] = work->c[a * n + c->pivots[b]];
            work->t[a * l + b] = work->w[a * l + b] + (a == b ? jitter : 0.0);
        }
    return ALD_OK;
}

static ald_status centre_rows(ald_run *run, int64_t l, int64_t n, double *v)
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
static ald_status value(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work,
                        double *f)
{
    const int64_t n = c->rows->n, l = c->l, m = c->target->m;
    double sum = 0.0;
    ALD_TRY(ald_kdr_project(run, c, b, work));
    ALD_TRY(fill_kernels(run, c, work));
    ALD_TRY(ald_kdr_cholesky(run, c, l, work->t));
    ALD_TRY(ald_copy_large(run, l * n, work->c, work->v));
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(work->t, l, l)), ald_at(work->v, l, n)));
    ALD_TRY(centre_rows(run, l, n, work->v));
    ALD_TRY(ald_gram(run, ald_t(ald_of(work->v, l, n)), ald_at(work->m, l, l)));
    ald_add_ridge(c->penalty, ald_at(work->m, l, l));
    ALD_TRY(ald_kdr_cholesky(run, c, l, work->m));
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
static ald_status gradient(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *gradient)
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
            ald_kdr_add_pull(c, work, i, c->pivots[a], work->v[a * n + i] * work->c[a * n + i]);
    }
    for (int64_t a = 0; a < l; a++)
        for (int64_t b = 0; b < l; b++)
            ald_kdr_add_pull(c, work, c->pivots[a], c->pivots[b], work->m[a * l + b] * work->w[a * l + b]);
    return ald_kdr_pull_back(run, c, work, 1.0, gradient);
}

const ald_kdr_form ald_kdr_low_rank = {kdr_low_rank_prepare, value, gradient};
