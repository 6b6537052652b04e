/* Block Lanczos on operators of known spectrum: gaps, clusters, multiplicities, low rank, small orders; and a
 * random sample of their range, whose error is what it estimates. */
#include "support/support.h"

#include "math/solvers/lanczos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A = H D H with H = I - 2 u u' a reflection: eigenvalues D, eigenvectors the columns of H. */
typedef struct reflected {
    int64_t n;
    double *values, *u;
} reflected;

static void reflect(const reflected *a, const double *v, int64_t k, double *w)
{
    for (int64_t c = 0; c < k; c++) {
        double along = 0.0;
        for (int64_t i = 0; i < a->n; i++) along += a->u[i] * v[i * k + c];
        for (int64_t i = 0; i < a->n; i++) w[i * k + c] = v[i * k + c] - 2.0 * along * a->u[i];
    }
}

/* With a random u of length 1, which is freed by the caller. */
static reflected reflected_of(int64_t n, double *values, uint64_t seed)
{
    const reflected a = {n, values, support_normals(seed, n)};
    const double norm = support_norm(n, a.u);
    for (int64_t i = 0; i < n; i++) a.u[i] /= norm;
    return a;
}

static ald_status apply(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    (void)run;
    const reflected *a = self;
    double *between = malloc((size_t)(a->n * k) * sizeof *between);
    reflect(a, v, k, between);
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t c = 0; c < k; c++) between[i * k + c] *= a->values[i];
    reflect(a, between, k, w);
    free(between);
    return ALD_OK;
}

/* values[0] >= values[1] >= ... */
static void solve_known(int64_t n, const double *values, int64_t wanted)
{
    ald_context *context = support_context(2, NULL);
    ald_run run;
    ald_error error;
    reflected a = reflected_of(n, malloc((size_t)n * sizeof(double)), 3);
    memcpy(a.values, values, (size_t)n * sizeof(double));
    ald_lanczos task = {
        .apply = apply,
        .self = &a,
        .n = n,
        .wanted = wanted,
        .tol = 1e-12,
        .max_products = 100000,
        .stage = "test",
    };
    double *found = malloc((size_t)wanted * sizeof *found),
           *vectors = malloc((size_t)(n * wanted) * sizeof *vectors),
           *product = malloc((size_t)(n * wanted) * sizeof *product);
    task.values = found;
    task.vectors = vectors;
    support_run(&run, context, &error);
    assert_done(ald_lanczos_solve(&run, &task), error);
    assert_true(task.converged);
    assert_below(task.residual, 1e-11);
    apply(&run, &a, vectors, wanted, product);
    for (int64_t k = 0; k < wanted; k++) {
        assert_close(found[k], values[k], 1e-10 * values[0]);
        for (int64_t i = 0; i < n; i++)
            assert_close(product[i * wanted + k], found[k] * vectors[i * wanted + k], 1e-10 * values[0]);
        for (int64_t l = 0; l <= k; l++) {
            double inner = 0.0;
            for (int64_t i = 0; i < n; i++) inner += vectors[i * wanted + k] * vectors[i * wanted + l];
            assert_close(inner, k == l, 1e-12);
        }
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(a.values);
    free(a.u);
    free(found);
    free(vectors);
    free(product);
}

static void geometric_spectrum(void **state)
{
    (void)state;
    double values[600];
    for (int i = 0; i < 600; i++) values[i] = pow(0.9, i);
    for (int64_t wanted = 1; wanted <= 16; wanted *= 2) solve_known(600, values, wanted);
}

static void slowly_falling_spectrum(void **state)
{
    (void)state;
    double values[400];
    for (int i = 0; i < 400; i++) values[i] = 1.0 - i / 500.0;
    solve_known(400, values, 3);
    solve_known(400, values, 10);
}

static void multiple_eigenvalues_are_all_found(void **state)
{
    (void)state;
    double values[500];
    for (int i = 0; i < 500; i++) values[i] = i < 12 ? 5.0 : 1.0 / (1 + i);
    solve_known(500, values, 12);
    solve_known(500, values, 14);
}

static void low_rank_does_not_break_it(void **state)
{
    (void)state;
    double values[300] = {4.0, 3.0, 2.0};
    solve_known(300, values, 3);
    solve_known(300, values, 9);
    double nothing[300] = {0};
    solve_known(300, nothing, 2);
}

/* A few large values over a flat tail: the Krylov space is nearly exhausted after one step. */
static void flat_tails(void **state)
{
    (void)state;
    const double tails[] = {1e-6, 0.25, 0.0};
    double values[400];
    for (int tail = 0; tail < 3; tail++) {
        for (int i = 0; i < 400; i++) values[i] = i < 6 ? 100.0 - 10.0 * i : tails[tail];
        solve_known(400, values, 6);
        solve_known(400, values, 8);
        for (int i = 0; i < 400; i++) values[i] = i < 32 ? 8.0 - 0.1 * i : tails[tail];
        for (int i = 0; i < 12; i++) values[i] = 9.0;
        solve_known(400, values, 9);
        solve_known(400, values, 16);
    }
}

static void multiplicities_above_the_block(void **state)
{
    (void)state;
    double values[500];
    for (int i = 0; i < 500; i++) values[i] = i < 20 ? 100.0 : 64.0 * pow(0.5, i - 20);
    solve_known(500, values, 20);
    for (int i = 0; i < 500; i++) values[i] = i < 12 ? 100.0 : 64.0 * pow(0.5, i - 12);
    solve_known(500, values, 9);
    for (int i = 0; i < 500; i++) values[i] = i < 40 ? 100.0 : 60.0 * pow(0.97, i - 40);
    solve_known(500, values, 40);
}

/* Each pair to its own size: a value a millionth of the first has its own direction. */
/* Blocks of one, two and four columns, as kernels have them, and up to two copies more; falling spectra. */
static void copies_beyond_small_blocks(void **state)
{
    (void)state;
    enum { n = 400, most = 8 };
    ald_context *context = support_context(1, NULL);
    for (int trial = 0; trial < 150; trial++) {
        ald_run run;
        ald_error error;
        double values[n], found[most];
        double *vectors = malloc(sizeof *vectors * n * most);
        reflected a = reflected_of(n, values, 40 + (uint64_t)trial);
        const double fall = 1.0 + 0.002 * (double)(trial % 5);
        const int block = 1 << trial % 3, copies = block + 1 + trial % 2, at = trial % 4;
        for (int i = 0; i < n; i++) values[i] = (1.0 - (double)i / n) * pow(fall, -i);
        for (int i = at; i < at + copies; i++) values[i] = values[at];
        ald_lanczos task = {
            .apply = apply,
            .self = &a,
            .n = n,
            .wanted = most,
            .tol = 1e-12,
            .block = block,
            .room = 96,
            .seed = (uint64_t)trial,
            .max_products = 100000,
            .stage = "test",
            .values = found,
            .vectors = vectors,
        };
        support_run(&run, context, &error);
        assert_done(ald_lanczos_solve(&run, &task), error);
        assert_below(support_largest_difference(most, found, values), 1e-9);
        ald_run_end(&run, ALD_OK);
        free(vectors);
        free(a.u);
    }
    ald_context_free(context);
}

static void small_values_are_resolved(void **state)
{
    (void)state;
    double values[400] = {1.0, 1e-3, 1e-6};
    for (int i = 3; i < 400; i++) values[i] = 1e-9;
    solve_known(400, values, 3);
}

/* A trial that knows the trace finds what stands apart, and gives up after few columns of a spectrum without
 * gaps. With more copies than a block has columns it may give up too, but finds nothing wrong. */
static void a_trial_is_for_what_stands_apart(void **state)
{
    (void)state;
    enum { n = 400, wanted = 5 };
    double values[n], found[wanted];
    ald_run run;
    ald_error error;
    const reflected a = reflected_of(n, values, 3);
    for (int copies = 0; copies <= wanted; copies++) { /* 0: nothing stands apart */
        ald_context *context = support_context(1, NULL);
        ald_lanczos task = {
            .apply = apply,
            .self = (void *)&a,
            .n = n,
            .wanted = wanted,
            .tol = 1e-13,
            .max_products = n / 2,
            .trial = 1,
            .block = 2,
            .room = 96,
            .stage = "test",
            .values = found,
        };
        for (int i = 0; i < n; i++) {
            values[i] = copies > 0 && i < wanted ? 90.0 - i : 1.0 - (double)i / n;
            if (i < copies) values[i] = 100.0;
            task.total += values[i];
        }
        support_run(&run, context, &error);
        assert_done(ald_lanczos_solve(&run, &task), error);
        if (copies < 3) assert_int_equal(task.converged, copies > 0);
        for (int k = 0; k < wanted && task.converged; k++) assert_close(found[k], values[k], 1e-10);
        if (copies == 0) assert_true(task.products <= wanted + 12);
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
    free(a.u);
}

/* Products that end before the second copy of an eigenvalue was looked for leave it to another solver. */
static void a_trial_that_ends_early_is_none(void **state)
{
    (void)state;
    enum { n = 400, wanted = 2 };
    double values[n], found[wanted];
    int converged = 0;
    ald_run run;
    ald_error error;
    const reflected a = reflected_of(n, values, 3);
    for (int i = 0; i < n; i++) values[i] = i < 2 ? 3.0 : 1.0 - (double)i / n;
    values[2] = 2.9;
    for (int64_t most = 10; most < 60; most++) {
        ald_context *context = support_context(1, NULL);
        ald_lanczos task = {
            .apply = apply,
            .self = (void *)&a,
            .n = n,
            .wanted = wanted,
            .tol = 1e-13,
            .max_products = most,
            .trial = 1,
            .block = 1,
            .room = 96,
            .stage = "test",
            .values = found,
        };
        support_run(&run, context, &error);
        assert_done(ald_lanczos_solve(&run, &task), error);
        for (int k = 0; k < wanted && task.converged; k++) assert_close(found[k], values[k], 1e-10);
        converged += task.converged != 0;
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
    assert_in_range(converged, 1, 49);
    free(a.u);
}

static void small_orders(void **state)
{
    (void)state;
    double values[40];
    for (int i = 0; i < 40; i++) values[i] = 40.0 - i;
    for (int64_t n = 1; n <= 40; n += 3) solve_known(n, values, n < 5 ? n : 5);
}

/* Ritz values are below the eigenvalues by no more than the estimate allows, and the largest
 * residual, measured here, is what it says. Returns the estimate. */
static double sample_known(const reflected *a, int64_t wanted, int64_t power, int threads, double *found)
{
    ald_context *context = support_context(threads, NULL);
    ald_run run;
    ald_error error;
    ald_lanczos task = {
        .apply = apply,
        .self = (void *)a,
        .n = a->n,
        .wanted = wanted,
        .randomized = 1,
        .power = power,
        .oversamples = 4,
        .stage = "test",
        .values = found,
    };
    support_run(&run, context, &error);
    assert_done(ald_lanczos_solve(&run, &task), error);
    assert_int_equal(task.products, (power + 2) * (wanted + 4) + 30);
    double *product = malloc((size_t)(a->n * wanted) * sizeof *product);
    double worst = 0.0;
    apply(&run, (void *)a, task.vectors, wanted, product);
    for (int64_t k = 0; k < wanted; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < a->n; i++)
            square += pow(product[i * wanted + k] - found[k] * task.vectors[i * wanted + k], 2.0);
        worst = fmax(worst, sqrt(square));
        assert_true(found[k] <= a->values[k] * (1.0 + 1e-12));
        assert_true(a->values[k] - found[k] <= (task.error + 1e-13) * found[0]);
    }
    assert_true(worst <= (task.residual + 1e-13) * found[0]);
    assert_true(worst * sqrt((double)wanted) >= (task.residual - 1e-13) * found[0]);
    const double estimate = task.error;
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(product);
    return estimate;
}

static void a_sample_knows_its_error(void **state)
{
    (void)state;
    enum { n = 300, wanted = 5 };
    double values[n], found[wanted], again[wanted];
    reflected a = reflected_of(n, values, 3);
    for (int decay = 0; decay < 4; decay++) {
        const double rate[] = {0.5, 0.9, 0.99, 1.0}, floor = decay == 3 ? 0.3 : 0.0;
        for (int i = 0; i < n; i++) values[i] = i < wanted && decay == 3 ? 2.0 : floor + pow(rate[decay], i);
        for (int power = 0; power < 4; power++) {
            const double estimate = sample_known(&a, wanted, power, 2, found);
            assert_true(estimate <= (decay == 0 ? pow(0.1, power) : 10.0));
            sample_known(&a, wanted, power, 1, again);
            assert_memory_equal(found, again, sizeof found);
        }
    }
    for (int i = 0; i < n; i++) values[i] = i < wanted ? 5.0 - i : 0.0; /* the sample holds all there is */
    assert_below(sample_known(&a, wanted, 1, 2, found), 1e-12);
    for (int k = 0; k < wanted; k++) assert_close(found[k], values[k], 1e-13);
    free(a.u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometric_spectrum),
        cmocka_unit_test(slowly_falling_spectrum),
        cmocka_unit_test(multiple_eigenvalues_are_all_found),
        cmocka_unit_test(low_rank_does_not_break_it),
        cmocka_unit_test(flat_tails),
        cmocka_unit_test(multiplicities_above_the_block),
        cmocka_unit_test(copies_beyond_small_blocks),
        cmocka_unit_test(small_values_are_resolved),
        cmocka_unit_test(a_trial_is_for_what_stands_apart),
        cmocka_unit_test(a_trial_that_ends_early_is_none),
        cmocka_unit_test(small_orders),
        cmocka_unit_test(a_sample_knows_its_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
