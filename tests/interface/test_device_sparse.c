/* Sparse X on a card, and the vectors of LSQR beside it: solutions as the processor's, failures at every
 * call. The card is one of plain loops (support/loops_card.h); every method with sparse X on it is in
 * methods/test_grid. */
#include "support/card_bench.h"
#include "support/storages.h"

#include "math/device/held.h"
#include "math/operator/operator.h"
#include "math/solvers/ridge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 40, d = 15, k = 4 };

typedef struct bench {
    double *x, *h, *mean, *scale, *weights;
    card_bench on;
} bench;

static void bench_begin(bench *b, int always)
{
    card_bench_begin(&b->on, 0, 0, always);
    b->x = support_normals(1, n * d);
    b->h = support_normals(2, n * k);
    b->mean = support_normals(3, d);
    b->scale = support_normals(4, d);
    b->weights = support_normals(5, n);
    for (int e = 0; e < n * d; e++) b->x[e] = e % 3 == 0 ? (double)(float)b->x[e] : 0.0;
    for (int j = 0; j < d; j++) b->scale[j] = 1.0 + fabs(b->scale[j]);
    for (int i = 0; i < n; i++) b->weights[i] = 0.5 + fabs(b->weights[i]);
}

static void bench_end(bench *b)
{
    double *const all[] = {b->x, b->h, b->mean, b->scale, b->weights};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    card_bench_end(&b->on);
}

static ald_operator operator_of(const bench *b, const ald_matrix *x)
{
    return (ald_operator){.x = *x, .mean = b->mean, .inverse_scale = b->scale, .row_weight = b->weights};
}

static const double ridge = 0.3;

/* min |Z W - H|^2 + ridge |W|^2; X stands on the card if `there`. The card fails from then on as it was told
 * to, and is asked for by name or not. */
static ald_status solve(bench *b, const ald_matrix *x, int there, int always, double *w, ald_error *error)
{
    ald_run run;
    double with_h[d * k];
    const ald_operator z = operator_of(b, x);
    ald_ridge_task task = {
        .z = &z,
        .h = b->h,
        .k = k,
        .ridge = ridge,
        .tol = 1e-14,
        .max_iter = 200,
        .w = w,
        .b = with_h,
    };
    const int64_t fails = b->on.card.fail_at;
    support_run(&run, b->on.context, error);
    b->on.card.fail_at = 0;
    b->on.device->always = 1;
    if (there) assert_done(ald_card_hold(&run, x, 1.0), *error);
    b->on.device->always = always;
    b->on.card.asked = 0;
    b->on.card.fail_at = fails;
    const ald_status status = ald_ridge_lsqr(&run, &task);
    if (there) ald_card_release(&run, NULL);
    assert_int_equal(b->on.card.standing, 0);
    return ald_run_end(&run, status);
}

static void solutions_are_those_of_the_processor(void **state)
{
    (void)state;
    bench b;
    ald_error error;
    double want[d * k], w[d * k];
    bench_begin(&b, 1);
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, b.x, n, d);
        assert_done(solve(&b, &m.view, 0, 1, want, &error), error);
        assert_int_equal(b.on.card.calls, 0);
        const double before = b.on.card.bytes_in;
        assert_done(solve(&b, &m.view, 1, 1, w, &error), error);
        assert_below(support_largest_difference(d * k, want, w), 1e-11 * support_norm(d * k, want));
        assert_true(b.on.card.calls > 5);
        /* X, H twice, and nothing of that size at an iteration. */
        assert_true(b.on.card.bytes_in - before < 8.0 * (2 * n * d + 3 * n * k));
        b.on.card.calls = 0;
        support_storage_free(&m);
    }
    bench_end(&b);
}

/* Every call of the solver fails once. */
static void every_call_may_fail(void **state)
{
    (void)state;
    for (int always = 0; always <= 1; always++) {
        bench b;
        ald_error error;
        double want[d * k], w[d * k];
        bench_begin(&b, 1);
        support_matrix m = support_storage(5, b.x, n, d);
        assert_done(solve(&b, &m.view, 0, 1, want, &error), error);
        b.on.card.code = ALD_CARD_FAILED;
        int done = 0;
        for (int64_t at = 1; !done; at += at < 40 ? 1 : 17) {
            b.on.card.fail_at = at;
            b.on.log[0] = '\0';
            const ald_status status = solve(&b, &m.view, 1, always, w, &error);
            done = b.on.card.asked < at;
            if (done || !always) {
                assert_done(status, error);
                assert_below(support_largest_difference(d * k, want, w), 1e-11 * support_norm(d * k, want));
                assert_true(done ||
                            strstr(b.on.log, "loops: it has disappeared; the processor computes instead"));
            } else {
                assert_int_equal(status, ALD_ERROR_UNSUPPORTED);
                assert_non_null(strstr(error.message, "loops: it has disappeared"));
            }
        }
        support_storage_free(&m);
        bench_end(&b);
    }
}

/* Statistics, the norm, the scatter and products of rows, of the same sparse X here and there. */
static void sums_are_those_of_the_processor(void **state)
{
    (void)state;
    bench b;
    ald_run run;
    ald_error error;
    double found[2][5 * d + 1 + d * d + n * n];
    double *factor = support_normals(6, n);
    bench_begin(&b, 1);
    for (int which = 5; which < support_storage_count; which++)
        for (int shifted = 0; shifted <= 1; shifted++) {
            support_matrix m = support_storage(which, b.x, n, d);
            ald_operator z = operator_of(&b, &m.view);
            if (shifted) z.row_shift = b.h;
            if (shifted) z.row_factor = factor;
            support_run(&run, b.on.context, &error);
            for (int there = 0; there <= 1; there++) {
                double *to = found[there];
                const ald_column_moments moments = {to, to + d, to + 2 * d, to + 3 * d, to + 4 * d};
                if (there) assert_done(ald_card_hold(&run, &m.view, 1.0), error);
                assert_done(ald_column_statistics(&run, &z, b.weights, moments), error);
                assert_done(ald_operator_square_norm(&run, &z, to + 5 * d), error);
                to += 5 * d + 1;
                assert_done(ald_operator_scatter(&run, &z, ald_at(to, d, d)), error);
                assert_done(ald_operator_gram(&run, &z, ald_at(to + d * d, n, n)), error);
            }
            assert_true(b.on.card.calls >= 5);
            for (size_t e = 0; e < sizeof found[0] / sizeof *found[0]; e++)
                assert_below(fabs(found[0][e] - found[1][e]), 1e-11 * (1.0 + fabs(found[0][e])));
            ald_card_release(&run, NULL);
            ald_run_end(&run, ALD_OK);
            b.on.card.calls = 0;
            support_storage_free(&m);
        }
    free(factor);
    bench_end(&b);
}

/* X that is larger than the card passes through it in blocks, and what is asked of it is the same; a block
 * that fails is an error, or goes to the processor. */
static void products(ald_run *run, const bench *b, const ald_operator *z, double *to, ald_status *status)
{
    const double alpha[k] = {0.5, 1.0, -2.0, 3.0};
    double *v = to + 2 * n * k, *square = v + 2 * d * k;
    memcpy(to + n * k, b->h, sizeof(double) * n * k);
    *status = ald_operator_apply(run, z, ald_of(b->x, d, k), ald_at(to, n, k));
    if (*status >= 0) *status = ald_operator_apply_transposed(run, z, ald_of(b->h, n, k), ald_at(v, d, k));
    if (*status >= 0)
        *status = ald_operator_advance(run, z, ald_of(b->x, d, k), alpha, ald_at(to + n * k, n, k),
                                       ald_at(v + d * k, d, k));
    if (*status >= 0)
        *status = ald_operator_scatter_with(run, z, ald_of(b->h, n, k), ald_at(square, d, d),
                                            ald_at(square + d * d, d, k));
    if (*status >= 0) *status = ald_operator_square_norm(run, z, square + d * d + d * k);
    if (*status >= 0) *status = ald_operator_gram(run, z, ald_at(square + d * d + d * k + 1, n, n));
}

enum { n_products = 2 * n * k + 2 * d * k + d * d + d * k + 1 + n * n };

/* With the failure of call `at` (0: none); the last one that was made, or -1 when there was an error. */
static int64_t pass_through(bench *b, const ald_matrix *x, int64_t at, int always, const double *want)
{
    static double found[n_products];
    ald_run run;
    ald_error error;
    ald_operator z = operator_of(b, x);
    ald_status status;
    z.row_factor = b->weights;
    z.row_shift = b->h;
    b->on.card.fail_at = 0;
    b->on.device->always = 1;
    support_run(&run, b->on.context, &error);
    assert_done(ald_card_hold(&run, x, 1.0), error);
    assert_non_null(ald_card_through(&run, x));
    assert_int_equal(b->on.card.standing, 0);
    b->on.card.asked = 0;
    b->on.card.fail_at = at;
    b->on.card.code = ALD_CARD_FAILED;
    b->on.device->always = always;
    products(&run, b, &z, found, &status);
    for (int e = 0; status >= 0 && e < n_products; e++)
        assert_below(fabs(found[e] - want[e]), 1e-11 * (1.0 + fabs(want[e])));
    if (status < 0) assert_non_null(strstr(error.message, "loops: it has disappeared"));
    ald_card_release(&run, NULL);
    ald_run_end(&run, ALD_OK);
    assert_int_equal(b->on.card.standing, 0);
    return status < 0 ? -1 : b->on.card.asked;
}

static void larger_than_the_card(void **state)
{
    (void)state;
    static double want[n_products];
    for (int which = 0; which < support_storage_count; which++) {
        bench b;
        ald_run run;
        ald_error error;
        ald_status status;
        bench_begin(&b, 1);
        support_matrix m = support_storage(which, b.x, n, d);
        ald_operator z = operator_of(&b, &m.view);
        z.row_factor = b.weights;
        z.row_shift = b.h;
        b.on.card.memory = 1500.0;
        b.on.device->facts.memory = 16.0 * 500.0;
        if (m.view.storage != ALD_CSC) {
            support_run(&run, b.on.context, &error);
            products(&run, &b, &z, want, &status);
            assert_done(ald_run_end(&run, status), error);
            const int64_t calls = pass_through(&b, &m.view, 0, 1, want);
            assert_true(b.on.card.held > 10);
            assert_non_null(strstr(b.on.log, "X passes through it in blocks of"));
            for (int64_t at = 1; at <= calls; at += 7) {
                assert_int_equal(pass_through(&b, &m.view, at, 1, want), -1);
                assert_true(pass_through(&b, &m.view, at, 0, want) > 0);
            }
        }
        support_storage_free(&m);
        bench_end(&b);
    }
}

/* X without entries stays with the processor, even where a card is asked for by name. */
static void nothing_is_not_held(void **state)
{
    (void)state;
    bench b;
    ald_run run;
    ald_error error;
    const int64_t pointers[n + 1] = {0};
    bench_begin(&b, 1);
    const ald_matrix x = ald_matrix_csr(n, d, pointers, pointers, b.x);
    support_run(&run, b.on.context, &error);
    assert_done(ald_card_hold(&run, &x, 1.0), error);
    assert_int_equal(b.on.card.held, 0);
    ald_run_end(&run, ALD_OK);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_processor),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(sums_are_those_of_the_processor),
        cmocka_unit_test(larger_than_the_card),
        cmocka_unit_test(nothing_is_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
