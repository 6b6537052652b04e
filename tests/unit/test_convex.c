/* The convex problem: solvers that share nothing but J agree, the certificate holds at the optimum and bounds
 * the distance to it at any P, in whitened coordinates and in others. */
#include "support/pair_problem.h"

#include "math/convex/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 90, d = 6 };

static ald_convex forms_of(pair_problem *p, ald_quadratic *q, int by_pairs)
{
    ald_convex f;
    assert_done(ald_quadratic_of_stress(&p->run, &p->stress, p->basis.p, 1, q), p->error);
    if (by_pairs)
        assert_done(ald_convex_of_stress(&p->run, &p->stress, &f), p->error);
    else
        assert_done(ald_convex_of_quadratic(&p->run, &p->stress, q, &f), p->error);
    return f;
}

static ald_psd_solution optimum_of(pair_problem *p)
{
    ald_quadratic q;
    ald_psd_solution found;
    const ald_convex f = forms_of(p, &q, 0);
    assert_done(ald_psd_first_order(&p->run, &f, 1e-11, 20000, &found), p->error);
    return found;
}

/* P = X X' of the columns of M X, d x d, to compare optima of different coordinates. */
static void matrix_of(pair_problem *p, const ald_psd_solution *s, double *product)
{
    double *mx;
    assert_done(ald_scratch_reals(&p->run, p->d, s->rank + 1, &mx), p->error);
    assert_done(ald_basis_directions(&p->run, &p->basis, s->factor, s->rank, mx), p->error);
    support_multiply(0, 1, p->d, p->d, s->rank, mx, mx, product);
}

static void check_same(pair_problem *p, const ald_psd_solution *s, const ald_psd_solution *best, double tol)
{
    const double at_zero = ald_stress_at_zero(&p->stress);
    double *a, *b;
    assert_done(ald_scratch_reals(&p->run, p->d, p->d, &a), p->error);
    assert_done(ald_scratch_reals(&p->run, p->d, p->d, &b), p->error);
    matrix_of(p, s, a);
    matrix_of(p, best, b);
    assert_close(s->value, pair_problem_value(p, s->factor, s->rank), 1e-9 * at_zero);
    assert_close(s->value, best->value, tol * at_zero);
    assert_below(s->gap, tol * at_zero);
    assert_below(support_largest_difference(p->d * p->d, a, b),
                 30.0 * sqrt(tol) * support_norm(p->d * p->d, b));
}

static void solvers_agree(void **state)
{
    (void)state;
    for (int terms = 0; terms < 4; terms++) {
        pair_problem p;
        ald_quadratic q;
        ald_psd_solution s;
        pair_problem_begin(&p, n, d, 1, 0);
        pair_problem_add_terms(&p, terms & 1, terms & 2, 0);
        const ald_psd_solution best = optimum_of(&p);
        check_same(&p, &best, &best, 1e-8);
        for (int by_pairs = 0; by_pairs < 2; by_pairs++) {
            const ald_convex f = forms_of(&p, &q, by_pairs);
            assert_close(f.at_zero, ald_stress_at_zero(&p.stress), 1e-12 * f.at_zero);
            assert_done(ald_psd_first_order(&p.run, &f, 1e-9, 5000, &s), p.error);
            check_same(&p, &s, &best, 1e-8);
        }
        for (int rank = 1; rank <= d; rank += 2) {
            assert_done(ald_psd_low_rank(&p.run, &p.stress, rank, 1e-8, 1000, 3, &s), p.error);
            check_same(&p, &s, &best, 1e-7);
        }
        pair_problem_end(&p);
    }
}

/* The gap bounds J(P) - J* at 40 P of several ranks and sizes, and the bound on the trace holds. */
static void bounds_hold_anywhere(void **state)
{
    (void)state;
    for (int plain = 0; plain < 2; plain++)
        for (int terms = 0; terms < 4; terms++) {
            pair_problem p;
            pair_problem_begin(&p, n, d, 1, 0);
            pair_problem_add_terms(&p, terms & 1, terms & 2, 0);
            const ald_psd_solution best = optimum_of(&p);
            double trace = 0.0;
            for (int64_t i = 0; i < p.basis.p * best.rank; i++) trace += best.factor[i] * best.factor[i];
            if (plain) assert_done(ald_basis_plain(&p.run, &p.rows, 0, &p.basis), p.error);
            for (int k = 0; k < 20; k++) {
                const int64_t r = 1 + k % 3;
                double *w = support_normals((uint64_t)k, d * r);
                for (int64_t i = 0; i < d * r; i++) w[i] *= pow(3.0, k % 5 - 3);
                const double value = pair_problem_value(&p, w, r);
                ald_certificate c = {.room = 0};
                assert_done(ald_certify(&p.run, &p.stress, w, r, value, 1, &c), p.error);
                assert_true(value - best.value <= c.gap * (1.0 + 1e-9));
                assert_true(trace <= ald_trace_bound(&p.stress, value) * (1.0 + 1e-9));
                free(w);
            }
            pair_problem_end(&p);
        }
}

/* At the optimum the gap is nothing, in whitened coordinates and in those of the columns, where the pencil of
 * the scatter has the same lowest eigenvalue. */
static void the_optimum_is_certified(void **state)
{
    (void)state;
    pair_problem p;
    double *mx, *w = support_normals(5, d * 2), *mw;
    ald_certificate own = {.room = 0}, plain = {.room = 0};
    pair_problem_begin(&p, n, d, 1, 0);
    const ald_psd_solution best = optimum_of(&p);
    const double at_zero = ald_stress_at_zero(&p.stress);
    assert_done(ald_scratch_reals(&p.run, d, best.rank, &mx), p.error);
    assert_done(ald_scratch_reals(&p.run, d, 2, &mw), p.error);
    assert_done(ald_basis_directions(&p.run, &p.basis, best.factor, best.rank, mx), p.error);
    assert_done(ald_basis_directions(&p.run, &p.basis, w, 2, mw), p.error);
    const double value = pair_problem_value(&p, w, 2);
    assert_done(ald_certify(&p.run, &p.stress, best.factor, best.rank, best.value, 1, &own), p.error);
    assert_below(own.gap, 1e-8 * at_zero);
    assert_done(ald_certify(&p.run, &p.stress, w, 2, value, 1, &own), p.error);
    assert_done(ald_basis_plain(&p.run, &p.rows, 0, &p.basis), p.error);
    assert_done(ald_certify(&p.run, &p.stress, mw, 2, value, 1, &plain), p.error);
    assert_true(own.lowest < 0.0);
    assert_close(own.lowest, plain.lowest, 2e-4 * fabs(own.lowest));
    assert_close(own.inner, plain.inner, 1e-9 * (fabs(own.inner) + at_zero));
    assert_done(ald_certify(&p.run, &p.stress, mx, best.rank, best.value, 1, &plain), p.error);
    assert_below(plain.gap, 1e-8 * at_zero);
    free(w);
    pair_problem_end(&p);
}

/* The directions offered lead down: one more column along them lowers J. */
static void escapes_lead_down(void **state)
{
    (void)state;
    pair_problem p;
    double *w;
    double x[d * 2], escape[d * 3];
    pair_problem_begin(&p, n, d, 1, 0);
    const ald_psd_solution best = optimum_of(&p);
    assert_true(best.rank >= 2);
    assert_done(ald_scratch_reals(&p.run, d, 1, &w), p.error);
    for (int i = 0; i < d; i++) w[i] = best.factor[i * best.rank];
    ald_certificate c = {.room = 3, .escape = escape};
    const double value = pair_problem_value(&p, w, 1);
    assert_done(ald_certify(&p.run, &p.stress, w, 1, value, 1, &c), p.error);
    assert_true(c.found >= 1 && c.lowest < 0.0);
    for (int i = 0; i < d; i++) {
        x[2 * i] = w[i];
        x[2 * i + 1] = 1e-2 * escape[i * c.found];
    }
    assert_true(pair_problem_value(&p, x, 2) < value);
    /* By 1e-4 lambda_min to the first order. */
    assert_close(pair_problem_value(&p, x, 2) - value, 1e-4 * c.lowest, 1e-5 * fabs(c.lowest));
    pair_problem_end(&p);
}

/* The steepest way down from W = 0 are the leading eigenvectors of B = 2 c sum w t tau tau'. */
static void steepest_way_down(void **state)
{
    (void)state;
    pair_problem p;
    double directions[d * 2], size;
    double *b, *bv;
    double length = 0.0;
    static const double ones[d] = {1, 1, 1, 1, 1, 1};
    const double *rows;
    pair_problem_begin(&p, n, d, 1, 0);
    assert_done(ald_scratch_zeros(&p.run, d, d, &b), p.error);
    assert_done(ald_scratch_reals(&p.run, d, 2, &bv), p.error);
    assert_done(ald_basis_rows(&p.run, &p.basis, &rows), p.error);
    assert_done(ald_stress_size(&p.run, &p.stress, 1, &size), p.error);
    assert_done(ald_stress_steepest(&p.run, &p.stress, ones, 1, 2, directions), p.error);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = p.pairs.upper[i]; e < p.pairs.pointers[i + 1]; e++)
            for (int s = 0; s < d; s++)
                for (int t = 0; t < d; t++) {
                    const double *one = rows + i * d, *two = rows + p.pairs.partners[e] * d;
                    b[s * d + t] += 2.0 * p.stress.scale * p.pairs.weights[e] * p.squares[e] *
                                    (one[s] - two[s]) * (one[t] - two[t]);
                }
    support_multiply(0, 0, d, 2, d, b, directions, bv);
    for (int i = 0; i < d; i++) length += directions[2 * i] * directions[2 * i];
    assert_close(length, 1.0, 1e-9);
    for (int i = 0; i < d; i++) assert_close(bv[2 * i], 0.5 * size * directions[2 * i], 5e-3 * size);
    pair_problem_end(&p);
}

/* 70 columns, more than A could hold well: low rank and first order by the pairs. */
static void larger_problem(void **state)
{
    (void)state;
    pair_problem p;
    ald_convex f;
    ald_psd_solution first, low;
    pair_problem_begin(&p, 400, 70, 2, 0);
    pair_problem_add_terms(&p, 1, 0, 0);
    const double at_zero = ald_stress_at_zero(&p.stress);
    assert_done(ald_convex_of_stress(&p.run, &p.stress, &f), p.error);
    assert_done(ald_psd_first_order(&p.run, &f, 1e-8, 3000, &first), p.error);
    assert_done(ald_psd_low_rank(&p.run, &p.stress, 3, 1e-7, 1000, 1, &low), p.error);
    assert_true(first.iterations <= 70); /* 80 where one step length is for I and all other directions */
    assert_below(first.gap, 1e-7 * at_zero);
    assert_below(low.gap, 1e-6 * at_zero);
    assert_close(first.value, low.value, 1e-6 * at_zero);
    pair_problem_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(bounds_hold_anywhere),
        cmocka_unit_test(the_optimum_is_certified),
        cmocka_unit_test(escapes_lead_down),
        cmocka_unit_test(steepest_way_down),
        cmocka_unit_test(larger_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
