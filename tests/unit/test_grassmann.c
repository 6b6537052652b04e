/* Conjugate gradient over subspaces on problems whose minimum is known: dominant eigenspaces, F = -tr(A'M A),
 * and ratios, F = -tr((A'S A)^-1 A'M A). M = R D R with a reflection R, so that eigenvalues are what they are
 * made. */
#include "support/support.h"

#include "math/linalg/linalg.h"
#include "math/optimize/grassmann.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { p = 40, k = 4 };

/* -tr((A'S A)^-1 A'M A); S is diagonal, NULL: I. */
typedef struct problem {
    double m[p * p];
    const double *s;
    double ma[p * k], sa[p * k], small[4 * k * k];
    double mu[p * k], su[p * k];
    ald_geodesic_form m_form, s_form;
    int64_t lines, looks;
} problem;

/* b (k x m) <- (k x k symmetric c)^-1 b by Gauss' elimination with pivots. */
static void solve(const double *c, int64_t m, double *b)
{
    double a[k * k];
    memcpy(a, c, sizeof a);
    for (int i = 0; i < k; i++) {
        int pivot = i;
        for (int j = i; j < k; j++)
            if (fabs(a[j * k + i]) > fabs(a[pivot * k + i])) pivot = j;
        for (int j = 0; j < k; j++) {
            const double t = a[i * k + j];
            a[i * k + j] = a[pivot * k + j];
            a[pivot * k + j] = t;
        }
        for (int64_t j = 0; j < m; j++) {
            const double t = b[i * m + j];
            b[i * m + j] = b[pivot * m + j];
            b[pivot * m + j] = t;
        }
        for (int j = 0; j < k; j++) {
            if (j == i) continue;
            const double by = a[j * k + i] / a[i * k + i];
            for (int c2 = 0; c2 < k; c2++) a[j * k + c2] -= by * a[i * k + c2];
            for (int64_t c2 = 0; c2 < m; c2++) b[j * m + c2] -= by * b[i * m + c2];
        }
    }
    for (int i = 0; i < k; i++)
        for (int64_t j = 0; j < m; j++) b[i * m + j] /= a[i * k + i];
}

static double trace(const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < k; i++) sum += a[i * k + i];
    return sum;
}

static void times_s(const problem *f, const double *a, double *out)
{
    for (int i = 0; i < p; i++)
        for (int j = 0; j < k; j++) out[i * k + j] = (f->s ? f->s[i] : 1.0) * a[i * k + j];
}

/* With C = A'S A, N = A'M A: the gradient is -2 M A C^-1 + 2 S A C^-1 N C^-1. */
static ald_status gradient(ald_run *run, void *self, const double *a, double *value, double *g, double *size)
{
    (void)run;
    problem *f = self;
    double *c = f->small, *n = c + k * k;
    double inverse[k * k] = {0}, product[k * k];
    support_multiply(0, 0, p, k, p, f->m, a, f->ma);
    times_s(f, a, f->sa);
    support_multiply(1, 0, k, k, p, a, f->sa, c);
    support_multiply(1, 0, k, k, p, a, f->ma, n);
    for (int i = 0; i < k; i++) inverse[i * k + i] = 1.0;
    solve(c, k, inverse);
    support_multiply(0, 0, k, k, k, inverse, n, product);
    *value = -trace(product);
    support_multiply(0, 0, p, k, k, f->ma, inverse, g);
    *size = 2.0 * support_norm(p * k, g);
    support_multiply(0, 0, k, k, k, product, inverse, n);
    support_multiply(0, 0, p, k, k, f->sa, n, f->mu);
    for (int i = 0; i < p * k; i++) g[i] = 2.0 * (f->mu[i] - g[i]);
    return ALD_OK;
}

static ald_status line(ald_run *run, void *self, const ald_geodesic *at)
{
    problem *f = self;
    f->lines++;
    support_multiply(0, 0, p, k, p, f->m, at->x, f->ma);
    support_multiply(0, 0, p, k, p, f->m, at->u, f->mu);
    times_s(f, at->x, f->sa);
    times_s(f, at->u, f->su);
    ALD_TRY(ald_geodesic_form_set(run, at, f->ma, f->mu, &f->m_form));
    return ald_geodesic_form_set(run, at, f->sa, f->su, &f->s_form);
}

static ald_status along(ald_run *run, void *self, const ald_geodesic *at, double *value, double *slope)
{
    (void)run;
    problem *f = self;
    double *n = f->small, *dn = n + k * k, *c = dn + k * k, *dc = c + k * k;
    double product[k * k];
    f->looks++;
    ald_geodesic_form_at(at, &f->m_form, n, dn);
    ald_geodesic_form_at(at, &f->s_form, c, dc);
    solve(c, k, n);
    *value = -trace(n);
    support_multiply(0, 0, k, k, k, dc, n, product);
    for (int i = 0; i < k * k; i++) dn[i] -= product[i];
    solve(c, k, dn);
    *slope = -trace(dn);
    return ALD_OK;
}

/* Eigenvalues falling from 1 by `step`; with S the pencil (M, S) has them. */
static void make(problem *f, double step, const double *s)
{
    double u[p], norm = 0.0;
    memset(f, 0, sizeof *f);
    f->s = s;
    for (int i = 0; i < p; i++) {
        u[i] = sin(1.0 + i);
        norm += u[i] * u[i];
    }
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++) {
            double sum = 0.0;
            for (int c = 0; c < p; c++)
                sum += ((i == c) - 2.0 * u[i] * u[c] / norm) * pow(step, -c) *
                       ((j == c) - 2.0 * u[j] * u[c] / norm);
            f->m[i * p + j] = sum * (s ? sqrt(s[i] * s[j]) : 1.0);
        }
}

static double wanted(double step)
{
    double sum = 0.0;
    for (int c = 0; c < k; c++) sum -= pow(step, -c);
    return sum;
}

typedef struct outcome {
    ald_grassmann task;
    double a[p * k];
    int64_t lines, looks;
} outcome;

static void minimise(problem *f, int blocks, int steepest, uint64_t seed, double *history, outcome *out)
{
    ald_context *context = support_context(1, NULL);
    ald_grassmann_objective objective = {p, k, f, gradient, blocks ? line : NULL, blocks ? along : NULL};
    double *start = support_normals(seed, p * k);
    ald_run run;
    ald_error error;
    memcpy(out->a, start, sizeof out->a);
    free(start);
    f->lines = f->looks = 0;
    out->task = (ald_grassmann){
        .objective = &objective,
        .tol = 1e-10,
        .max_iter = 2000,
        .steepest = steepest,
        .stage = "test",
        .share = 1.0,
        .history = history,
    };
    support_run(&run, context, &error);
    assert_done(ald_geodesic_form_new(&run, k, &f->m_form), error);
    assert_done(ald_geodesic_form_new(&run, k, &f->s_form), error);
    assert_done(ald_run_end(&run, ald_grassmann_minimise(&run, &out->task, out->a)), error);
    out->lines = f->lines;
    out->looks = f->looks;
    out->task.objective = NULL;
    ald_context_free(context);
}

static void assert_orthonormal(const double *a)
{
    double product[k * k];
    support_multiply(1, 0, k, k, p, a, a, product);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) assert_close(product[i * k + j], i == j, 1e-12);
}

static void weights_of(double *s)
{
    for (int i = 0; i < p; i++) s[i] = exp(0.1 * i);
}

/* The value, the subspace and the orthonormality; the value never rises; by blocks or not it is the same way.
 */
static void known_minima_are_found(void **state)
{
    (void)state;
    static problem f;
    static outcome out, other;
    static double history[2001], s[p];
    weights_of(s);
    for (int ratio = 0; ratio < 2; ratio++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const double step = 1.3;
            double g[p * k], size, value;
            make(&f, step, ratio ? s : NULL);
            minimise(&f, 1, 0, seed, history, &out);
            assert_true(out.task.converged);
            assert_orthonormal(out.a);
            assert_close(out.task.value, wanted(step), 1e-12);
            for (int64_t i = 1; i <= out.task.iterations; i++) assert_true(history[i] <= history[i - 1]);
            gradient(NULL, &f, out.a, &value, g, &size);
            assert_close(value, out.task.value, 1e-13);
            assert_true(out.looks <= 16 * out.lines);
            minimise(&f, 0, 0, seed, NULL, &other);
            assert_close(other.task.value, out.task.value, 1e-12);
            assert_in_range(other.task.iterations, out.task.iterations * 9 / 10 - 2,
                            out.task.iterations * 11 / 10 + 2);
        }
}

/* Flat spectra are where steepest descent crawls. */
static void it_needs_a_third_of_steepest_descent(void **state)
{
    (void)state;
    static problem f;
    static outcome conjugate, steepest;
    static double s[p];
    weights_of(s);
    for (int ratio = 0; ratio < 2; ratio++) {
        make(&f, 1.1, ratio ? s : NULL);
        minimise(&f, 1, 0, 7, NULL, &conjugate);
        minimise(&f, 1, 1, 7, NULL, &steepest);
        assert_true(conjugate.task.converged);
        assert_true(3 * conjugate.task.iterations <= steepest.task.iterations);
        assert_orthonormal(steepest.a);
        assert_true(steepest.task.value >= conjugate.task.value - 1e-12);
    }
}

/* A(t) stays orthonormal, its derivative is the direction carried along, and lengths and angles of carried
 * vectors do not change. */
static void geodesics_are_straight(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    ald_run run;
    ald_error error;
    ald_geodesic g;
    double small[k * k], low[p * k], high[p * k], tangent[p * k];
    double *a = support_normals(1, p * k), *h = support_normals(2, p * k), *v = support_normals(3, p * k);
    double carried[p * k];
    support_run(&run, context, &error);
    assert_done(ald_orthonormal(&run, ald_at(a, p, k)), error);
    assert_done(ald_project_tangent(&run, p, k, a, small, h), error);
    assert_done(ald_project_tangent(&run, p, k, a, small, v), error);
    assert_done(ald_geodesic_new(&run, p, k, &g), error);
    assert_done(ald_geodesic_set(&run, a, h, &g), error);
    const double length = support_norm(p * k, h), t = 0.3 / length, dt = 1e-5 / length;
    assert_done(ald_geodesic_point(&run, &g, low), error);
    assert_below(support_largest_difference(p * k, low, a), 1e-14);
    ald_geodesic_go(&g, t - dt);
    assert_done(ald_geodesic_point(&run, &g, low), error);
    ald_geodesic_go(&g, t + dt);
    assert_done(ald_geodesic_point(&run, &g, high), error);
    ald_geodesic_go(&g, t);
    assert_done(ald_geodesic_tangent(&run, &g, tangent), error);
    for (int i = 0; i < p * k; i++) assert_close((high[i] - low[i]) / (2.0 * dt), tangent[i], 1e-8 * length);
    memcpy(carried, h, sizeof carried);
    assert_done(ald_geodesic_carry(&run, &g, carried), error);
    assert_below(support_largest_difference(p * k, carried, tangent), 1e-13 * length);
    memcpy(carried, v, sizeof carried);
    assert_done(ald_geodesic_carry(&run, &g, carried), error);
    assert_close(support_norm(p * k, carried), support_norm(p * k, v), 1e-12);
    assert_done(ald_geodesic_point(&run, &g, low), error);
    assert_orthonormal(low);
    support_multiply(1, 0, k, k, p, low, carried, small);
    assert_below(support_norm(k * k, small), 1e-12);
    double before = 0.0, after = 0.0;
    for (int i = 0; i < p * k; i++) {
        before += v[i] * h[i];
        after += carried[i] * tangent[i];
    }
    assert_close(before, after, 1e-11);
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_context_free(context);
    free(a);
    free(h);
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geodesics_are_straight),
        cmocka_unit_test(known_minima_are_found),
        cmocka_unit_test(it_needs_a_third_of_steepest_descent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
