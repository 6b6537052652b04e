/* O'Leary's block conjugate gradients in the form of Dubrulle (2001), which keeps the residuals as Q C with
 * orthonormal Q (n x k), so that columns that become alike do no harm:
 *
 *   S = A P,   M = P'S,   x += P M^-1 C,   Q+ T = Q - S M^-1 (a QR decomposition),   C <- T C,
 *   P <- Q+ + P T'.
 *
 * |b - A x| of a column is the length of that column of C. Where T is singular Q+ is completed by any
 * orthonormal columns: they have no part in C, and are one more direction to look in.
 *
 * All columns search one space, which grows by k dimensions with each step, so that they need fewer steps
 * than each by itself: on text with 20 classes 28 instead of 64. A step costs a product and about 10 n k^2
 * operations. Memory 3 n k beside x. */
#include "math/solvers/block_cg.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

static const double smallest_pivot = 1e-8; /* 1 - R^2 of a column on those before it */

typedef struct cg_state {
    int64_t n, k;
    double *q, *p, *s;              /* n x k */
    double *c, *m, *step, *t, *all; /* k x k; all: the T of several divisions */
    double *lengths, *diagonal;     /* k: |b|; of q'q */
} cg_state;

static ald_status cg_new_state(ald_run *run, const ald_block_cg *task, cg_state *g)
{
    const int64_t n = g->n = task->n, k = g->k = task->k;
    return ALD_SCRATCH(run, {&g->q, n, k}, {&g->p, n, k}, {&g->s, n, k}, {&g->c, k, k}, {&g->m, k, k},
                       {&g->step, k, k}, {&g->t, k, k}, {&g->all, k, k}, {&g->lengths, k, 1},
                       {&g->diagonal, k, 1});
}

/* matrix (k x k) <- by matrix, by way of m. */
static ald_status multiply_square(ald_run *run, const cg_state *g, const double *by, double *matrix)
{
    const int64_t k = g->k;
    ALD_TRY(ald_product(run, ald_of(by, k, k), ald_of(matrix, k, k), ald_at(g->m, k, k)));
    memcpy(matrix, g->m, (size_t)(k * k) * sizeof *matrix);
    return ALD_OK;
}

/* q <- q R^-1 by way of s, R in t (upper triangle, the rest cleared), `all` <- R all. */
static ald_status divide_by_triangle(ald_run *run, cg_state *g)
{
    const int64_t n = g->n, k = g->k;
    double *const before = g->q;
    for (int64_t i = 0; i < k; i++) memset(g->t + i * k, 0, (size_t)i * sizeof *g->t);
    ald_make_identity(ald_at(g->m, k, k));
    ALD_TRY(ald_solve_triangular(run, ald_of(g->t, k, k), ald_at(g->m, k, k)));
    ALD_TRY(ald_product(run, ald_of(before, n, k), ald_of(g->m, k, k), ald_at(g->s, n, k)));
    g->q = g->s;
    g->s = before;
    return multiply_square(run, g, g->t, g->all);
}

/* Divides q by R with R'R = q'q; `*done` 0 and q as it was where that is too near to singular. */
static ald_status divide_by_gram(ald_run *run, cg_state *g, int *done)
{
    const int64_t k = g->k;
    *done = 0;
    ALD_TRY(ald_gram(run, ald_of(g->q, g->n, k), ald_at(g->t, k, k)));
    for (int64_t i = 0; i < k; i++) g->diagonal[i] = g->t[i * k + i];
    const ald_status status = ald_cholesky(run, ald_at(g->t, k, k));
    if (status == ALD_ERROR_NUMERICAL) return ALD_OK;
    ALD_TRY(status);
    for (int64_t i = 0; i < k; i++) {
        const double pivot = g->t[i * k + i];
        if (!(pivot * pivot > smallest_pivot * g->diagonal[i])) return ALD_OK;
    }
    *done = 1;
    return divide_by_triangle(run, g);
}

/* q <- Q with q = Q T, T in `all`: by q'q, twice, so that Q is orthonormal to rounding; by reflections where
 * columns are nearly dependent. m, t and s are overwritten. */
static ald_status make_orthonormal(ald_run *run, cg_state *g)
{
    const int64_t k = g->k;
    int done = 1;
    ald_make_identity(ald_at(g->all, k, k));
    for (int i = 0; i < 2 && done; i++) ALD_TRY(divide_by_gram(run, g, &done));
    if (done) return ALD_OK;
    ALD_TRY(ald_qr(run, ald_at(g->q, g->n, k), ald_at(g->t, k, k)));
    return multiply_square(run, g, g->t, g->all); /* the first division may have been made */
}

static ald_status cg_start(ald_run *run, const ald_block_cg *task, cg_state *g)
{
    const int64_t n = task->n, k = task->k;
    ALD_TRY(cg_new_state(run, task, g));
    memset(task->x, 0, (size_t)(n * k) * sizeof *task->x);
    memcpy(g->q, task->b, (size_t)(n * k) * sizeof *g->q);
    ALD_TRY(make_orthonormal(run, g));
    memcpy(g->c, g->all, (size_t)(k * k) * sizeof *g->c);
    memcpy(g->p, g->q, (size_t)(n * k) * sizeof *g->p);
    return ALD_OK;
}

/* M^-1 into `t` and M^-1 C into `step`; S is in s. */
static ald_status find_steps(ald_run *run, cg_state *g)
{
    const int64_t n = g->n, k = g->k;
    ALD_TRY(ald_product(run, ald_t(ald_of(g->p, n, k)), ald_of(g->s, n, k), ald_at(g->m, k, k)));
    ald_symmetrise(ald_at(g->m, k, k));
    ALD_TRY(ald_cholesky(run, ald_at(g->m, k, k)));
    ald_make_identity(ald_at(g->t, k, k));
    ALD_TRY(ald_solve_cholesky(run, ald_of(g->m, k, k), ald_at(g->t, k, k)));
    return ald_product(run, ald_of(g->t, k, k), ald_of(g->c, k, k), ald_at(g->step, k, k));
}

static ald_status cg_iterate(ald_run *run, const ald_block_cg *task, cg_state *g)
{
    const int64_t n = g->n, k = g->k;
    ALD_TRY(task->apply(run, task->self, g->p, k, g->s));
    ALD_TRY(find_steps(run, g));
    ALD_TRY(ald_product_add(run, 1.0, ald_of(g->p, n, k), ald_of(g->step, k, k), 1.0, ald_at(task->x, n, k)));
    ALD_TRY(ald_product_add(run, -1.0, ald_of(g->s, n, k), ald_of(g->t, k, k), 1.0, ald_at(g->q, n, k)));
    ALD_TRY(make_orthonormal(run, g));
    ALD_TRY(multiply_square(run, g, g->all, g->c));
    double *const next = g->s;
    memcpy(next, g->q, (size_t)(n * k) * sizeof *next);
    ALD_TRY(
        ald_product_add(run, 1.0, ald_of(g->p, n, k), ald_t(ald_of(g->all, k, k)), 1.0, ald_at(next, n, k)));
    g->s = g->p;
    g->p = next;
    return ALD_OK;
}

static double column_length(const cg_state *g, int64_t column)
{
    double sum = 0.0;
    for (int64_t i = 0; i < g->k; i++) sum += g->c[i * g->k + column] * g->c[i * g->k + column];
    return sqrt(sum);
}

/* Sets `error` and `unfinished`; gives how far the worst column has come, 1 where all are done. */
static double judge(ald_block_cg *task, const cg_state *g)
{
    task->error = 0.0;
    task->unfinished = 0;
    for (int64_t c = 0; c < g->k; c++) {
        const double part = g->lengths[c] > 0.0 ? column_length(g, c) / g->lengths[c] : 0.0;
        task->unfinished += !(part <= task->tol);
        if (!(part <= task->error)) task->error = part;
    }
    return task->error > task->tol ? log(fmin(task->error, 1.0)) / log(task->tol) : 1.0;
}

ald_status ald_block_cg_solve(ald_run *run, ald_block_cg *task)
{
    cg_state g;
    double come = 0.0;
    ALD_TRY(cg_start(run, task, &g));
    for (int64_t c = 0; c < g.k; c++) g.lengths[c] = column_length(&g, c);
    judge(task, &g);
    for (task->iterations = 0; task->unfinished > 0 && task->iterations < task->max_iter;
         task->iterations++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(cg_iterate(run, task, &g));
        ald_arena_release(&run->scratch, mark);
        come = fmax(come, judge(task, &g));
        ALD_TRY(ald_progress(run, task->stage, come));
    }
    return ALD_OK;
}
