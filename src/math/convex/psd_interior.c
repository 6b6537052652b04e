/* Primal-dual interior point for min p'A p + b'p over P >= 0 (what the papers pose as SQLP).
 *
 * Z = mat(2 A p + b) + residual, P Z = mu I. With G the Nesterov-Todd scaling, G P G = Z, a step solves
 *
 *   (2 A + G (x) G) dp = svec(sigma mu P^-1 - mat(2 A p + b)),    dZ = sigma mu P^-1 - Z - G dP G,
 *
 * symmetric positive definite of order s: one Cholesky factor serves the predictor (sigma = 0) and the step
 * itself (sigma = (mu_predicted / mu)^3). Both matrices move by the same length, which shrinks the residual
 * by 1 - length. */
#include "math/convex/convex.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

enum { most_steps = 100 };
static const double root_two = 1.41421356237309504880;

typedef struct state {
    int64_t p, s;
    const ald_quadratic *q;
    double *matrix, *dual;     /* P, Z */
    double *step, *dual_step;  /* dP, dZ */
    double *inverse, *scaling; /* P^-1, G */
    double *root, *dual_root;  /* upper triangular: P = R'R, Z = R'R */
    double *system;            /* s x s */
    double *gradient, *rhs;    /* s */
    double *work[3];           /* p x p */
    double *values;            /* p */
} state;

static ald_status psd_interior_new_state(ald_run *run, const ald_quadratic *q, state *t)
{
    double **const squares[] = {
        &t->matrix, &t->dual,      &t->step,    &t->dual_step, &t->inverse, &t->scaling,
        &t->root,   &t->dual_root, &t->work[0], &t->work[1],   &t->work[2],
    };
    *t = (state){.p = q->p, .s = q->s, .q = q};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_zeros(run, q->p, q->p, squares[i]));
    return ALD_SCRATCH(run, {&t->system, q->s, q->s}, {&t->gradient, q->s, 1}, {&t->rhs, q->s, 1},
                       {&t->values, q->p, 1});
}

/* The multiple of I at which J is lowest, kept away from 0, and Z a like one. */
static void begin(state *t)
{
    const ald_quadratic *q = t->q;
    double *one = t->work[0], *x = t->rhs;
    double size = 0.0;
    ald_make_identity(ald_at(one, t->p, t->p));
    ald_svec(t->p, one, x);
    double square = 0.0;
    for (int64_t i = 0; i < t->s; i++) square += x[i] * ald_dot(t->s, q->a + i * t->s, x);
    for (int64_t k = 0; k < t->s; k++) size += q->b[k] * q->b[k];
    size = sqrt(size) / sqrt((double)t->p);
    const double best = -0.5 * ald_dot(t->s, q->b, x) / square, least = 1e-3 * size / fmax(square, 1e-300);
    for (int64_t i = 0; i < t->p; i++) {
        t->matrix[i * t->p + i] = fmax(best, least);
        t->dual[i * t->p + i] = size;
    }
}

static double inner(const state *t, const double *a, const double *b)
{
    return ald_dot(t->p * t->p, a, b);
}

static ald_status upper_root(ald_run *run, int64_t p, const double *m, double *root)
{
    memcpy(root, m, (size_t)(p * p) * sizeof *m);
    ALD_TRY(ald_cholesky(run, ald_at(root, p, p)));
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < i; j++) root[i * p + j] = 0.0;
    return ALD_OK;
}

/* P = R'R; R Z R' = V diag(l) V'; G = R^-1 V diag(sqrt l) V' R'^-1 satisfies G P G = Z. */
static ald_status scale(ald_run *run, state *t)
{
    const int64_t p = t->p;
    double *m = t->work[0], *vectors = t->work[1], *weighted = t->work[2];
    ALD_TRY(upper_root(run, p, t->matrix, t->root));
    ALD_TRY(upper_root(run, p, t->dual, t->dual_root));
    const ald_view root = ald_of(t->root, p, p);
    ALD_TRY(ald_product(run, root, ald_of(t->dual, p, p), ald_at(weighted, p, p)));
    ALD_TRY(ald_product(run, ald_of(weighted, p, p), ald_t(root), ald_at(m, p, p)));
    ALD_TRY(ald_eigen(run, ald_at(m, p, p), t->values, ald_at(vectors, p, p)));
    ald_make_identity(ald_at(t->inverse, p, p));
    ALD_TRY(ald_solve_triangular(run, root, ald_at(t->inverse, p, p))); /* R^-1 */
    ALD_TRY(ald_product(run, ald_of(t->inverse, p, p), ald_t(ald_of(vectors, p, p)),
                        ald_at(m, p, p))); /* R^-1 V */
    for (int64_t i = 0; i < p; i++)
        for (int64_t k = 0; k < p; k++) weighted[i * p + k] = m[i * p + k] * sqrt(fmax(t->values[k], 0.0));
    ALD_TRY(ald_product(run, ald_of(weighted, p, p), ald_t(ald_of(m, p, p)), ald_at(t->scaling, p, p)));
    memcpy(m, t->inverse, (size_t)(p * p) * sizeof *m);
    return ald_product(run, ald_of(m, p, p), ald_t(ald_of(m, p, p)), ald_at(t->inverse, p, p));
}

/* 2 A + G (x) G in svec coordinates: the image of E_kl is G E_kl G. */
static void fill_system(state *t)
{
    const int64_t p = t->p, s = t->s;
    const double *g = t->scaling;
    int64_t row = 0;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = i; j < p; j++, row++) {
            double *out = t->system + row * s;
            int64_t column = 0;
            for (int64_t k = 0; k < p; k++)
                for (int64_t l = k; l < p; l++, column++) {
                    const double both = g[i * p + k] * g[j * p + l] + g[i * p + l] * g[j * p + k];
                    const double factor = (i == j ? 1.0 : root_two) * (k == l ? 1.0 : root_two);
                    out[column] = 2.0 * t->q->a[row * s + column] + 0.5 * factor * both;
                }
        }
}

/* dP and dZ for this sigma mu. */
static ald_status direction(ald_run *run, state *t, double target)
{
    const int64_t p = t->p;
    double *m = t->work[0], *half = t->work[1];
    for (int64_t i = 0; i < p * p; i++) m[i] = target * t->inverse[i];
    ald_svec(p, m, t->rhs);
    for (int64_t k = 0; k < t->s; k++) t->rhs[k] -= t->gradient[k];
    ALD_TRY(ald_solve_cholesky(run, ald_of(t->system, t->s, t->s), ald_at(t->rhs, t->s, 1)));
    ald_svec_matrix(p, t->rhs, t->step);
    const ald_view scaling = ald_of(t->scaling, p, p);
    ALD_TRY(ald_product(run, scaling, ald_of(t->step, p, p), ald_at(half, p, p)));
    ALD_TRY(ald_product(run, ald_of(half, p, p), scaling, ald_at(t->dual_step, p, p)));
    for (int64_t i = 0; i < p * p; i++)
        t->dual_step[i] = target * t->inverse[i] - t->dual[i] - t->dual_step[i];
    ald_symmetrise(ald_at(t->dual_step, p, p));
    return ALD_OK;
}

/* How far along `step` R'R stays positive definite: -1 / the lowest eigenvalue of R'^-1 step R^-1. */
static ald_status room(ald_run *run, state *t, const double *root, const double *step, double *length)
{
    const int64_t p = t->p;
    double *m = t->work[0], *half = t->work[1];
    memcpy(m, step, (size_t)(p * p) * sizeof *m);
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(root, p, p)), ald_at(m, p, p)));
    ald_transpose(p, p, m, half);
    ALD_TRY(ald_solve_triangular(run, ald_t(ald_of(root, p, p)), ald_at(half, p, p)));
    ALD_TRY(ald_eigenvalues(run, ald_at(half, p, p), p, t->values));
    *length = t->values[p - 1] < 0.0 ? -1.0 / t->values[p - 1] : INFINITY;
    return ALD_OK;
}

static ald_status common_room(ald_run *run, state *t, double *length)
{
    double primal, dual;
    ALD_TRY(room(run, t, t->root, t->step, &primal));
    ALD_TRY(room(run, t, t->dual_root, t->dual_step, &dual));
    *length = fmin(primal, dual);
    return ALD_OK;
}

static void psd_interior_move(state *t, double length)
{
    for (int64_t i = 0; i < t->p * t->p; i++) {
        t->matrix[i] += length * t->step[i];
        t->dual[i] += length * t->dual_step[i];
    }
}

static void find_gradient(state *t)
{
    double *const at = t->rhs;
    ald_svec(t->p, t->matrix, at);
    for (int64_t i = 0; i < t->s; i++)
        t->gradient[i] = 2.0 * ald_dot(t->s, t->q->a + i * t->s, at) + t->q->b[i];
}

static ald_status psd_interior_advance(ald_run *run, state *t)
{
    const double mu = inner(t, t->matrix, t->dual) / (double)t->p;
    double length;
    find_gradient(t);
    ALD_TRY(scale(run, t));
    fill_system(t);
    ALD_TRY(ald_cholesky(run, ald_at(t->system, t->s, t->s)));
    ALD_TRY(direction(run, t, 0.0));
    ALD_TRY(common_room(run, t, &length));
    length = fmin(1.0, length);
    const double predicted = (inner(t, t->matrix, t->dual) +
                              length * (inner(t, t->step, t->dual) + inner(t, t->matrix, t->dual_step)) +
                              length * length * inner(t, t->step, t->dual_step)) /
                             (double)t->p;
    const double sigma = pow(fmin(1.0, fmax(predicted / mu, 0.0)), 3.0);
    ALD_TRY(direction(run, t, fmax(sigma, 1e-6) * mu));
    ALD_TRY(common_room(run, t, &length));
    psd_interior_move(t, fmin(1.0, 0.95 * length));
    return ALD_OK;
}

/* Keeps the last result; a matrix that rounding has made singular ends the search there. */
ald_status ald_psd_interior(ald_run *run, const ald_convex *f, const ald_quadratic *q, double tol,
                            ald_psd_solution *out)
{
    state t;
    double *copy, *image;
    *out = (ald_psd_solution){.solver = "ipm", .gap = INFINITY};
    ALD_TRY(ald_scratch_reals(run, f->p, f->p, &out->factor));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(psd_interior_new_state(run, q, &t));
    ALD_TRY(ALD_SCRATCH(run, {&copy, f->p, f->p}, {&image, f->size, 1}));
    begin(&t);
    double best = INFINITY;
    while (out->iterations < most_steps && out->gap > tol * f->at_zero) {
        const ald_status status = psd_interior_advance(run, &t);
        if (status == ALD_ERROR_NUMERICAL && out->iterations > 0) break;
        ALD_TRY(status);
        out->iterations++;
        memcpy(copy, t.matrix, (size_t)(f->p * f->p) * sizeof *copy);
        ALD_TRY(ald_psd_finish(run, f, copy, image, out));
        ALD_TRY(ald_progress(run, "convex problem", -1.0));
        if (out->gap > 0.99 * best && best < 1e-6 * f->at_zero) break; /* as far as rounding goes */
        best = fmin(best, out->gap);
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
