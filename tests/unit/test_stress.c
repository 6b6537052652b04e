/* The stress and its forms: value by the definition, gradient by differences, the exact line, the quadratic
 * form in W W', the conjugate gradient that never rises. */
#include "support/pair_problem.h"

#include "math/optimize/conjugate_gradient.h"
#include "math/optimize/quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const divergences[] = {"squared", "kl", "itakura-saito"};

typedef struct setting {
    int64_t n, d;
    int plain, terms; /* bits: ridge, smoothness, spread */
} setting;

static const setting settings[] = {
    {60, 5, 0, 0}, {60, 5, 0, 7}, {60, 5, 1, 3}, {25, 40, 0, 0}, {25, 40, 0, 7}, {60, 5, 1, 4},
};
enum { setting_count = sizeof settings / sizeof *settings, r = 2 };

static void begin(pair_problem *p, const setting *s, const char *divergence, int threads)
{
    pair_problem_begin(p, s->n, s->d, threads, s->plain);
    pair_problem_add_terms(p, s->terms & 1, s->terms & 2, s->terms & 4);
    p->stress.divergence = ald_divergence_find(divergence);
    assert_done(ald_stress_prepare(&p->run, &p->stress, r, 1), p->error);
}

/* A W whose distances are of the size of the wanted ones. */
static double *some_directions(const pair_problem *p, uint64_t seed)
{
    double *w = support_normals(seed, p->basis.p * r);
    for (int64_t i = 0; i < p->basis.p * r; i++) w[i] *= p->basis.whitened ? 0.7 : 0.3;
    return w;
}

static double gradient_at(pair_problem *p, const ald_objective *f, const double *w, double *g)
{
    double value;
    assert_done(f->place(&p->run, f->self, w, r, 1), p->error);
    assert_done(f->gradient(&p->run, f->self, &value, g), p->error);
    return value;
}

/* Central differences of a step h err by h^2 times the third derivative and eps / h times the value. */
static void check_gradient(pair_problem *p)
{
    const ald_objective f = ald_stress_objective(&p->stress);
    const int64_t count = p->basis.p * r;
    double *w = some_directions(p, 2), *g = malloc((size_t)count * sizeof *g);
    const double value = gradient_at(p, &f, w, g), size = support_norm(count, g);
    assert_close(value, pair_problem_value(p, w, r), 1e-11 * fabs(value));
    for (int64_t i = 0; i < count; i++) {
        const double at = w[i], h = 1e-5;
        w[i] = at + h;
        const double above = pair_problem_value(p, w, r);
        w[i] = at - h;
        const double below = pair_problem_value(p, w, r);
        w[i] = at;
        assert_close(g[i], (above - below) / (2.0 * h), 1e-6 * size);
    }
    free(w);
    free(g);
}

static void gradient_by_differences(void **state)
{
    (void)state;
    for (int k = 0; k < setting_count; k++)
        for (int f = 0; f < 3; f++) {
            pair_problem p;
            begin(&p, &settings[k], divergences[f], 1);
            check_gradient(&p);
            pair_problem_end(&p);
        }
}

static void value_at_zero(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++) {
        pair_problem p;
        double w[2 * 5] = {0};
        begin(&p, &settings[1], divergences[f], 1);
        assert_close(ald_stress_at_zero(&p.stress), pair_problem_value(&p, w, r),
                     1e-12 * ald_stress_at_zero(&p.stress));
        pair_problem_end(&p);
    }
}

/* J(W + s V) - J(W) = c1 s + ... + c4 s^4 at five s; the lowest is a minimum and the move goes there. */
static void the_line_is_a_quartic(void **state)
{
    (void)state;
    static const double at[] = {-1.5, -0.3, 0.1, 0.8, 2.0};
    for (int k = 0; k < setting_count; k++) {
        pair_problem p;
        begin(&p, &settings[k], "squared", 1);
        const ald_objective f = ald_stress_objective(&p.stress);
        const int64_t count = p.basis.p * r;
        double *w = some_directions(&p, 3), *v = some_directions(&p, 4),
               *x = malloc((size_t)count * sizeof *x), *g = malloc((size_t)count * sizeof *g);
        double c[5], step, change, slope = 0.0;
        const double start = gradient_at(&p, &f, w, g);
        assert_done(ald_stress_line(&p.run, &p.stress, v, c), p.error);
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            const double s = at[i], along = s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])));
            for (int64_t j = 0; j < count; j++) x[j] = w[j] + s * v[j];
            const double value = pair_problem_value(&p, x, r);
            assert_close(along, value - start, 1e-10 * fmax(fabs(value), fabs(start)));
        }
        assert_done(f.search(&p.run, f.self, v, &step, &change), p.error);
        assert_true(change < 0.0);
        assert_done(f.move(&p.run, f.self, &step), p.error);
        double value;
        assert_done(f.gradient(&p.run, f.self, &value, g), p.error);
        assert_close(value, start + change, 1e-11 * fabs(start));
        for (int64_t j = 0; j < count; j++) slope += g[j] * v[j];
        assert_below(fabs(slope), 1e-9 * support_norm(count, g) * support_norm(count, v));
        free(w);
        free(v);
        free(x);
        free(g);
        pair_problem_end(&p);
    }
}

/* Other divergences: along -G, the step goes to where the slope is 0 and the change is the change of J. */
static void the_first_minimum_of_a_line(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int d = 1; d < 3; d++) {
            pair_problem p;
            begin(&p, &settings[k], divergences[d], 1);
            const ald_objective f = ald_stress_objective(&p.stress);
            const int64_t count = p.basis.p * r;
            double *w = some_directions(&p, 5), *g = malloc((size_t)count * sizeof *g), *v;
            double step, change, slope = 0.0;
            const double start = gradient_at(&p, &f, w, g);
            v = malloc((size_t)count * sizeof *v);
            for (int64_t j = 0; j < count; j++) v[j] = -g[j];
            assert_done(f.search(&p.run, f.self, v, &step, &change), p.error);
            assert_true(step > 0.0 && change < 0.0);
            assert_done(f.move(&p.run, f.self, &step), p.error);
            double value;
            assert_done(f.gradient(&p.run, f.self, &value, g), p.error);
            assert_close(value, start + change, 1e-11 * fabs(start));
            for (int64_t j = 0; j < count; j++) slope += g[j] * v[j];
            assert_below(fabs(slope * step), 1e-9 * fabs(change));
            /* Upwards there is no step. */
            gradient_at(&p, &f, w, g);
            assert_done(f.search(&p.run, f.self, g, &step, &change), p.error);
            assert_true(step == 0.0 && change == 0.0);
            free(w);
            free(v);
            free(g);
            pair_problem_end(&p);
        }
}

/* Each divergence is 0 at D = T with slope 0, positive elsewhere, and its slope and curvature are those of
 * the value.
 */
static void divergences_and_their_slopes(void **state)
{
    (void)state;
    static const double sizes[] = {0.02, 0.5, 1.0, 3.0, 40.0};
    for (int f = 0; f < 3; f++) {
        const ald_divergence *v = ald_divergence_find(divergences[f]);
        assert_non_null(v);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) {
                const double d = sizes[i], t = sizes[j], h = 1e-5 * d;
                assert_close(v->slope(d, t), (v->value(d + h, t) - v->value(d - h, t)) / (2.0 * h),
                             1e-7 * (1.0 + fabs(v->slope(d, t))));
                assert_close(v->curvature(d, t), (v->slope(d + h, t) - v->slope(d - h, t)) / (2.0 * h),
                             1e-7 * (1.0 + fabs(v->curvature(d, t))));
                if (i == j) {
                    assert_close(v->value(d, t), 0.0, 1e-15 * t);
                    assert_close(v->slope(d, t), 0.0, 1e-15);
                } else {
                    assert_true(v->value(d, t) > 0.0);
                }
            }
    }
    assert_null(ald_divergence_find("other"));
}

static void svec_keeps_inner_products(void **state)
{
    (void)state;
    enum { p = 4, s = 10 };
    double *a = support_normals(6, p * p);
    double x[s], back[p * p], inner = 0.0;
    for (int i = 0; i < p; i++)
        for (int j = 0; j < i; j++) a[i * p + j] = a[j * p + i];
    assert_int_equal(ald_svec_size(p), s);
    ald_svec(p, a, x);
    for (int i = 0; i < s; i++) inner += x[i] * x[i];
    assert_close(inner, pow(support_norm(p * p, a), 2.0), 1e-14 * inner);
    ald_svec_matrix(p, x, back);
    assert_below(support_largest_difference(p * p, a, back), 1e-15);
    free(a);
}

/* By A, b and c the same value, gradient, step and move. */
static void the_quadratic_form_is_the_stress(void **state)
{
    (void)state;
    for (int k = 0; k < setting_count; k++)
        for (int threads = 1; threads <= 2; threads++) {
            pair_problem p;
            ald_quadratic q;
            begin(&p, &settings[k], "squared", threads);
            assert_done(ald_quadratic_of_stress(&p.run, &p.stress, 3 * r, 3, &q), p.error);
            const ald_objective forms[2] = {ald_stress_objective(&p.stress), ald_quadratic_objective(&q)};
            const int64_t count = p.basis.p * r;
            double *w = some_directions(&p, 7), *v = some_directions(&p, 8), *g[2];
            double value[2], step[2], change[2];
            assert_close(q.c, ald_stress_at_zero(&p.stress), 1e-13 * q.c);
            for (int f = 0; f < 2; f++) {
                g[f] = malloc((size_t)count * sizeof *g[f]);
                value[f] = gradient_at(&p, &forms[f], w, g[f]);
                assert_done(forms[f].search(&p.run, forms[f].self, v, &step[f], &change[f]), p.error);
            }
            assert_close(value[0], value[1], 1e-10 * fabs(value[0]));
            assert_below(support_largest_difference(count, g[0], g[1]), 1e-10 * support_norm(count, g[0]));
            assert_close(step[0], step[1], 1e-8 * fabs(step[0]));
            assert_close(change[0], change[1], 1e-9 * fabs(value[0]));
            for (int f = 0; f < 2; f++) {
                assert_done(forms[f].move(&p.run, forms[f].self, &step[f]), p.error);
                assert_done(forms[f].gradient(&p.run, forms[f].self, &value[f], g[f]), p.error);
                free(g[f]);
            }
            assert_close(value[0], value[1], 1e-10 * fabs(q.c));
            free(w);
            free(v);
            pair_problem_end(&p);
        }
}

/* From any start down to a stationary point, no step up, by both forms; a rescaled start has the best length.
 */
static void descent(void **state)
{
    (void)state;
    enum { most = 2000 };
    static double history[most + 1];
    for (int form = 0; form < 4; form++) {
        pair_problem p;
        ald_quadratic q;
        begin(&p, &settings[form == 1 ? 1 : 0], divergences[form < 2 ? 0 : form - 1], 1);
        if (form == 1) assert_done(ald_quadratic_of_stress(&p.run, &p.stress, 3 * r, 3, &q), p.error);
        const ald_objective f = form == 1 ? ald_quadratic_objective(&q) : ald_stress_objective(&p.stress);
        const int64_t count = p.basis.p * r;
        double *w = some_directions(&p, 9), *g = malloc((size_t)count * sizeof *g);
        double along = 0.0;
        for (int64_t i = 0; i < count; i++) w[i] *= 50.0;
        assert_done(ald_cg_rescale(&p.run, &f, r, 1, w), p.error);
        gradient_at(&p, &f, w, g);
        for (int64_t i = 0; i < count; i++) along += g[i] * w[i];
        assert_below(fabs(along), 1e-7 * support_norm(count, g) * support_norm(count, w));
        double value;
        int64_t iterations;
        int converged;
        ald_cg task = {
            .objective = &f,
            .r = r,
            .groups = 1,
            .tol = 1e-10,
            .size = 1.0,
            .max_iter = most,
            .stage = "test",
            .history = history,
            .history_length = most + 1,
            .values = &value,
            .iterations = &iterations,
            .converged = &converged,
        };
        assert_done(ald_cg_minimise(&p.run, &task, w), p.error);
        assert_true(converged && iterations < most);
        for (int64_t i = 1; i <= iterations; i++) assert_true(history[i] <= history[i - 1]);
        assert_close(gradient_at(&p, &f, w, g), value, 1e-11 * fabs(value));
        assert_close(history[iterations], value, 0.0);
        assert_below(support_norm(count, g),
                     1e-7 * support_norm(count, w) * fmax(1.0, ald_stress_at_zero(&p.stress)));
        free(w);
        free(g);
        pair_problem_end(&p);
    }
}

/* The columns of point `g` of `groups` side by side, k columns each, out of `all`. */
static void take_point(int64_t rows, int64_t k, int64_t groups, int64_t g, const double *all, double *one)
{
    for (int64_t i = 0; i < rows; i++)
        memcpy(one + i * k, all + (i * groups + g) * k, (size_t)k * sizeof *one);
}

/* Value, gradient and line of points side by side are those of each alone, by the same sums in the same
 * order. */
static void check_lanes(int64_t k, int64_t groups)
{
    enum { most = 12, rows = 5, size = rows * most * 5 };
    pair_problem p;
    double values[most], lines[5 * most], g[size], value, line[5], gradient[size], point[size], way[size];
    begin(&p, &settings[1], divergences[0], 1);
    assert_int_equal(p.basis.p, rows);
    const ald_objective f = ald_stress_objective(&p.stress);
    double *w = support_normals(3, rows * k * groups), *v = support_normals(4, rows * k * groups);
    assert_done(ald_stress_prepare(&p.run, &p.stress, k, groups), p.error);
    assert_done(f.place(&p.run, f.self, w, k, groups), p.error);
    assert_done(f.gradient(&p.run, f.self, values, g), p.error);
    assert_done(ald_stress_line(&p.run, &p.stress, v, lines), p.error);
    for (int64_t i = 0; i < groups; i++) {
        take_point(rows, k, groups, i, w, point);
        take_point(rows, k, groups, i, v, way);
        assert_done(f.place(&p.run, f.self, point, k, 1), p.error);
        assert_done(f.gradient(&p.run, f.self, &value, gradient), p.error);
        assert_done(ald_stress_line(&p.run, &p.stress, way, line), p.error);
        assert_close(values[i], value, 1e-12 * fabs(value));
        take_point(rows, k, groups, i, g, point);
        assert_below(support_largest_difference(rows * k, point, gradient),
                     1e-12 * support_norm(rows * k, gradient));
        assert_below(support_largest_difference(5, lines + 5 * i, line), 1e-12 * support_norm(5, line));
    }
    free(w);
    free(v);
    pair_problem_end(&p);
}

static void points_side_by_side(void **state)
{
    (void)state;
    static const int64_t points[] = {2, 4, 5, 8, 11};
    for (int64_t k = 1; k <= 5; k++)
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) check_lanes(k, points[i]);
}

/* The cosine of W W' of `a`, whose rows are `groups` times as far apart, and of `b`. */
static double likeness(int64_t rows, int groups, const double *a, const double *b)
{
    double square_a = 0.0, square_b = 0.0, both = 0.0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++) {
            double of_a = 0.0, of_b = 0.0;
            for (int k = 0; k < r; k++) {
                of_a += a[i * groups * r + k] * a[j * groups * r + k];
                of_b += b[i * r + k] * b[j * r + k];
            }
            square_a += of_a * of_a;
            square_b += of_b * of_b;
            both += of_a * of_b;
        }
    return both / sqrt(square_a * square_b);
}

/* Three starts side by side go where each goes alone, though they end at different times. */
static void starts_side_by_side(void **state)
{
    (void)state;
    enum { groups = 3 };
    for (int form = 0; form < 2; form++) {
        pair_problem p;
        ald_quadratic q;
        begin(&p, &settings[0], divergences[0], 1);
        assert_done(ald_stress_prepare(&p.run, &p.stress, r, groups), p.error);
        if (form == 1)
            assert_done(ald_quadratic_of_stress(&p.run, &p.stress, groups * r, groups, &q), p.error);
        const ald_objective f = form == 1 ? ald_quadratic_objective(&q) : ald_stress_objective(&p.stress);
        const int64_t rows = p.basis.p;
        double *together = malloc((size_t)(rows * r * groups) * sizeof *together), *alone[groups];
        double values[groups], value;
        int64_t iterations[groups], taken;
        int converged[groups], done;
        for (int g = 0; g < groups; g++) {
            alone[g] = some_directions(&p, (uint64_t)(20 + g));
            for (int64_t i = 0; i < rows; i++)
                memcpy(together + (i * groups + g) * r, alone[g] + i * r, r * sizeof *together);
        }
        ald_cg task = {
            .objective = &f,
            .r = r,
            .groups = groups,
            .tol = 1e-9,
            .size = 1.0,
            .max_iter = 2000,
            .stage = "test",
            .values = values,
            .iterations = iterations,
            .converged = converged,
        };
        assert_done(ald_cg_rescale(&p.run, &f, r, groups, together), p.error);
        assert_done(ald_cg_minimise(&p.run, &task, together), p.error);
        task.groups = 1;
        task.values = &value;
        task.iterations = &taken;
        task.converged = &done;
        for (int g = 0; g < groups; g++) {
            assert_done(ald_cg_rescale(&p.run, &f, r, 1, alone[g]), p.error);
            assert_done(ald_cg_minimise(&p.run, &task, alone[g]), p.error);
            assert_true(converged[g] && done);
            assert_close(values[g], value, 1e-9 * fabs(value));
            assert_close(likeness(rows, groups, together + g * r, alone[g]), 1.0, 1e-8);
            free(alone[g]);
        }
        free(together);
        pair_problem_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_side_by_side),
        cmocka_unit_test(starts_side_by_side),
        cmocka_unit_test(gradient_by_differences),
        cmocka_unit_test(value_at_zero),
        cmocka_unit_test(the_line_is_a_quartic),
        cmocka_unit_test(the_first_minimum_of_a_line),
        cmocka_unit_test(divergences_and_their_slopes),
        cmocka_unit_test(svec_keeps_inner_products),
        cmocka_unit_test(the_quadratic_form_is_the_stress),
        cmocka_unit_test(descent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
