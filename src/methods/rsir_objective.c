#include "methods/rsir_objective.h"

#include "linalg/linalg.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

ald_status ald_rsir_prepare(ald_run *run, ald_rsir *problem)
{
    const int64_t q = problem->q, k = problem->k;
    double **const tall[] = {&problem->ga, &problem->qa, &problem->la, &problem->work};
    double **const small[] = {&problem->m, &problem->n, &problem->inverse, &problem->slope, &problem->dn};
    for (size_t i = 0; i < sizeof tall / sizeof *tall; i++) ALD_TRY(ald_scratch_reals(run, q, k, tall[i]));
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) ALD_TRY(ald_scratch_reals(run, k, k, small[i]));
    ALD_TRY(ald_geodesic_form_new(run, k, &problem->g_form));
    ALD_TRY(ald_geodesic_form_new(run, k, &problem->q_form));
    return ald_geodesic_form_new(run, k, &problem->l_form);
}

/* inverse = m^-1; m is destroyed. */
static ald_status invert(ald_run *run, int64_t k, double *m, double *inverse)
{
    memset(inverse, 0, (size_t)(k * k) * sizeof *inverse);
    for (int64_t i = 0; i < k; i++) inverse[i * k + i] = 1.0;
    ALD_TRY(ald_cholesky(run, k, m));
    ALD_TRY(ald_solve_triangular(run, 1, k, k, m, inverse));
    return ald_solve_triangular(run, 0, k, k, m, inverse);
}

static double trace(int64_t k, const double *a)
{
    double sum = 0.0;
    for (int64_t i = 0; i < k; i++) sum += a[i * k + i];
    return sum;
}

/* Gt a, Qt a and Lt a. */
static ald_status products(ald_run *run, const ald_rsir *f, const double *a, double *ga, double *qa, double *la)
{
    const int64_t q = f->q, k = f->k;
    ALD_TRY(ald_gemm(run, 0, 0, q, k, q, 1.0, f->gamma, q, a, k, 0.0, ga, k));
    ALD_TRY(ald_gemm(run, 0, 0, q, k, q, 1.0, f->quad, q, a, k, 0.0, qa, k));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < k; j++) la[i * k + j] = f->lt[i] * a[i * k + j];
    return ALD_OK;
}

static ald_status gradient(ald_run *run, void *self, const double *a, double *value, double *g, double *size)
{
    const ald_rsir *f = self;
    const int64_t q = f->q, k = f->k;
    ALD_TRY(products(run, f, a, f->ga, f->qa, f->la));
    ALD_TRY(ald_gemm(run, 1, 0, k, k, q, 1.0, a, k, f->la, k, 0.0, f->m, k));
    ALD_TRY(ald_gemm(run, 1, 0, k, k, q, 1.0, a, k, f->qa, k, 0.0, f->n, k));
    ALD_TRY(invert(run, k, f->m, f->inverse));
    /* m = M^-1 A'Qt A, n = that times M^-1. */
    ALD_TRY(ald_gemm(run, 0, 0, k, k, k, 1.0, f->inverse, k, f->n, k, 0.0, f->m, k));
    ALD_TRY(ald_gemm(run, 0, 0, k, k, k, 1.0, f->m, k, f->inverse, k, 0.0, f->n, k));
    ALD_TRY(ald_gemm(run, 0, 0, q, k, k, 1.0, f->qa, k, f->inverse, k, 0.0, f->work, k));
    const double pull = sqrt(ald_dot(q * k, f->ga, f->ga)), push = sqrt(ald_dot(q * k, f->work, f->work));
    for (int64_t i = 0; i < q * k; i++) g[i] = 2.0 * (f->eta * f->work[i] - f->ga[i]);
    ALD_TRY(ald_gemm(run, 0, 0, q, k, k, -2.0 * f->eta, f->la, k, f->n, k, 1.0, g, k));
    *value = f->eta * trace(k, f->m) - ald_dot(q * k, a, f->ga);
    *size = 2.0 * (pull + f->eta * push);
    return ALD_OK;
}

static ald_status line(ald_run *run, void *self, const ald_geodesic *at)
{
    ald_rsir *f = self;
    const int64_t q = f->q, k = f->k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *gu, *qu, *lu;
    ALD_TRY(ald_scratch_reals(run, q, k, &gu));
    ALD_TRY(ald_scratch_reals(run, q, k, &qu));
    ALD_TRY(ald_scratch_reals(run, q, k, &lu));
    ALD_TRY(products(run, f, at->x, f->ga, f->qa, f->la));
    ALD_TRY(products(run, f, at->u, gu, qu, lu));
    ALD_TRY(ald_geodesic_form_set(run, at, f->ga, gu, &f->g_form));
    ALD_TRY(ald_geodesic_form_set(run, at, f->qa, qu, &f->q_form));
    ALD_TRY(ald_geodesic_form_set(run, at, f->la, lu, &f->l_form));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* With N = A'Qt A and K = M^-1 N: d tr K = tr(M^-1 (dN - dM K)). */
static ald_status along(ald_run *run, void *self, const ald_geodesic *at, double *value, double *slope)
{
    const ald_rsir *f = self;
    const int64_t k = f->k;
    ald_geodesic_form_at(at, &f->g_form, f->n, f->slope);
    *value = -trace(k, f->n);
    *slope = -trace(k, f->slope);
    ald_geodesic_form_at(at, &f->q_form, f->n, f->dn);
    ald_geodesic_form_at(at, &f->l_form, f->m, f->slope);
    ALD_TRY(invert(run, k, f->m, f->inverse));
    ALD_TRY(ald_gemm(run, 0, 0, k, k, k, 1.0, f->inverse, k, f->n, k, 0.0, f->m, k));
    ALD_TRY(ald_gemm(run, 0, 0, k, k, k, -1.0, f->slope, k, f->m, k, 1.0, f->dn, k));
    *value += f->eta * trace(k, f->m);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) *slope += f->eta * f->inverse[i * k + j] * f->dn[j * k + i];
    return ALD_OK;
}

ald_grassmann_objective ald_rsir_objective(ald_rsir *problem)
{
    return (ald_grassmann_objective){problem->q, problem->k, problem, gradient, line, along};
}
