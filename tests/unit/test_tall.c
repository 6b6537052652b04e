/* Sums over the rows of tall matrices: those of plain loops, and the same bytes on any number of threads. */
#include "support/support.h"

#include "math/linalg/tall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 3 * ALD_SLAB_ROWS + 17, q = 3 };

typedef struct results {
    double sums[q], weighted[q], squares[q], largest[q];
    double y[n * q], turned[n * q], left[n * q];
    double cross[q * q];
} results;

static void compute(int threads, const double *y, const double *weights, results *r)
{
    static const double shift[q] = {1.0, -2.0, 0.5}, size[q] = {2.0, 0.0, 3.0};
    ald_context *context = support_context(threads, NULL);
    ald_run run;
    ald_error error;
    support_run(&run, context, &error);
    memcpy(r->y, y, sizeof r->y);
    assert_done(ald_tall_sums(&run, n, q, y, NULL, r->sums), error);
    assert_done(ald_tall_sums(&run, n, q, y, weights, r->weighted), error);
    assert_done(ald_tall_squares(&run, n, q, y, r->squares), error);
    assert_done(ald_tall_largest(&run, n, q, y, r->largest), error);
    assert_done(ald_tall_centre(&run, n, q, shift, weights, r->y), error);
    assert_done(ald_tall_divide(&run, n, q, size, r->y), error);
    assert_done(ald_tall_cross(&run, ald_of(y, n, q), q, r->y, r->cross), error);
    memcpy(r->turned, y, sizeof r->turned);
    assert_done(ald_tall_turn(&run, n, q, r->turned, q, r->cross, r->turned), error); /* in place */
    memcpy(r->left, r->turned, sizeof r->left);
    assert_done(ald_tall_subtract(&run, ald_of(y, n, q), q, r->cross, r->left), error);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

static void sums_are_those_of_loops(void **state)
{
    static const double shift[q] = {1.0, -2.0, 0.5}, size[q] = {2.0, 1.0, 3.0};
    static double y[n * q], weights[n];
    static results one, four;
    (void)state;
    for (int i = 0; i < n; i++) weights[i] = 0.5 + (i * 37 % 101) / 50.0;
    for (int e = 0; e < n * q; e++) y[e] = sin(0.37 * e) + (e % q);
    compute(1, y, weights, &one);
    compute(4, y, weights, &four);
    assert_memory_equal(&one, &four, sizeof one);
    for (int j = 0; j < q; j++) {
        double sum = 0.0, weighted = 0.0, square = 0.0, largest = 0.0;
        for (int i = 0; i < n; i++) {
            const double v = y[i * q + j];
            sum += v;
            weighted += weights[i] * v;
            square += v * v;
            largest = fmax(largest, fabs(v));
            assert_below(fabs(one.y[i * q + j] - sqrt(weights[i]) * (v - shift[j]) / size[j]), 1e-14);
        }
        assert_below(fabs(one.sums[j] - sum), 1e-10 * n); /* n additions of about 1 */
        assert_below(fabs(one.weighted[j] - weighted), 1e-10 * n);
        assert_below(fabs(one.squares[j] - square), 1e-10 * n);
        assert_true(one.largest[j] == largest);
    }
}

/* V'Y, Y m in place, and what is left of it when V m is taken off: nothing but rounding. */
static void products_are_those_of_loops(void **state)
{
    static double y[n * q], weights[n], want[q * q];
    static results r;
    (void)state;
    for (int i = 0; i < n; i++) weights[i] = 1.0;
    for (int e = 0; e < n * q; e++) y[e] = sin(0.37 * e) + (e % q);
    compute(4, y, weights, &r);
    support_multiply(1, 0, q, q, n, y, r.y, want);
    const double size = support_norm(q * q, want);
    assert_below(support_largest_difference(q * q, want, r.cross), 1e-13 * size);
    for (int e = 0; e < n * q; e++) assert_below(fabs(r.left[e]), 1e-14 * size); /* of entries of about 1 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_loops),
        cmocka_unit_test(products_are_those_of_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
