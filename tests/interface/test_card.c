/* A real card beside the processor: products, sums and LSQR of dense and sparse X, of shapes that do not fill
 * a block and slices that are divided, and eigenvectors; the same bytes twice. Skipped where there is no
 * card. */
#include "support/storages.h"
#include "support/support.h"

#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"
#include "math/solvers/ridge.h"

#include <alidade/device.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_device *device;
static int shapes_wanted; /* 0: all; an argument, for tools that take long */

typedef struct shape {
    int64_t n, d, k;
    int every; /* one of so many entries is stored; the first row and the second column are full */
} shape;

/* Slices of more than 4096 entries are divided. */
static const shape shapes[] = {
    {300, 17, 1, 3},  {300, 17, 2, 3}, {299, 40, 3, 7},      {1000, 33, 20, 11},  {77, 200, 64, 5},
    {130, 70, 67, 4}, {50, 9, 140, 2}, {9000, 5000, 6, 900}, {6, 20000, 5, 2000}, {350, 2600, 3, 9},
};

typedef struct problem {
    ald_matrix x;
    double *mean, *scale, *shift, *factor, *weight, *v, *u, *alpha, *factors;
} problem;

static double *sizes(uint64_t seed, int64_t count)
{
    double *values = support_normals(seed, count);
    for (int64_t i = 0; i < count; i++) values[i] = 0.5 + fabs(values[i]);
    return values;
}

static double *entries_of(const shape *s)
{
    double *x = support_normals(1, s->n * s->d);
    for (int64_t e = 0; e < s->n * s->d; e++) {
        const int full = e / s->d == 0 || e % s->d == 1;
        x[e] = full || e % s->every == 0 ? (double)(float)x[e] : 0.0;
    }
    return x;
}

/* prepared: 0 plain, 1 mean and scale, 2 weights too, 3 rows shifted and scaled as well. */
static ald_operator operator_of(const problem *p, int prepared)
{
    ald_operator z = {.x = p->x};
    if (prepared >= 1) z.mean = p->mean;
    if (prepared >= 1) z.inverse_scale = p->scale;
    if (prepared >= 2) z.row_weight = p->weight;
    if (prepared >= 3) z.row_shift = p->shift;
    if (prepared >= 3) z.row_factor = p->factor;
    return z;
}

enum { n_results = 8 };

typedef struct results {
    int64_t count[n_results];
    double *values[n_results];
} results;

static results new_results(const shape *s)
{
    const int64_t square = s->d <= 300 ? s->d * s->d : 0;
    results r = {
        .count = {s->n * s->k, s->d * s->k, s->n * s->k, s->d * s->k, 5 * s->d, square, s->d * s->k,
                  2 * s->n},
    };
    for (int i = 0; i < n_results; i++) r.values[i] = calloc((size_t)r.count[i] + 1, sizeof(double));
    return r;
}

static void free_results(results *r)
{
    for (int i = 0; i < n_results; i++) free(r->values[i]);
}

/* Everything that is asked of X, where it is. */
static void compute(ald_run *run, const shape *s, const problem *p, const ald_operator *z, results *r)
{
    const int64_t n = s->n, d = s->d, k = s->k;
    const ald_error *error = run->error;
    double *m = r->values[4], *with = malloc((size_t)(d * k) * sizeof *with);
    assert_done(ald_operator_apply(run, z, ald_of(p->v, d, k), ald_at(r->values[0], n, k)), *error);
    assert_done(ald_operator_apply_transposed(run, z, ald_of(p->u, n, k), ald_at(r->values[1], d, k)),
                *error);
    memcpy(r->values[2], p->u, (size_t)(n * k) * sizeof(double));
    assert_done(ald_operator_advance(run, z, ald_of(p->v, d, k), p->alpha, ald_at(r->values[2], n, k),
                                     ald_at(r->values[3], d, k)),
                *error);
    const ald_column_moments moments = {m, m + d, m + 2 * d, m + 3 * d, m + 4 * d};
    assert_done(ald_column_statistics(run, z, p->weight, moments), *error);
    for (int64_t j = 0; j < d; j++) m[4 * d + j] = 0.0; /* the peak is one to a factor of two */
    if (r->count[5] > 0) assert_done(ald_operator_scatter(run, z, ald_at(r->values[5], d, d)), *error);
    assert_done(ald_operator_apply_squared(run, z, ald_of(p->v, d, k), ald_of(p->factors, k, 2),
                                           ald_at(r->values[7], n, 2)),
                *error);
    ald_ridge_task task = {
        .z = z,
        .h = p->u,
        .k = k,
        .ridge = 10.0,
        .tol = 1e-13,
        .max_iter = 500,
        .w = r->values[6],
        .b = with,
    };
    assert_done(ald_ridge_lsqr(run, &task), *error);
    free(with);
}

static void compare(const char *name, const shape *s, int prepared, const results *want, const results *found)
{
    static const char *const what[] = {
        "Z v", "Z'u", "u", "w", "statistics", "Z'Z", "least squares", "squares of Z v",
    };
    for (int i = 0; i < n_results; i++) {
        const double most = i == 6 ? 1e-9 : 1e-11;
        const double off = support_largest_difference(want->count[i], want->values[i], found->values[i]);
        const double size = support_norm(want->count[i], want->values[i]);
        if (!(off <= most * size))
            print_error("%s %lld x %lld, k %lld, prepared %d: %s off by %.1e of %.1e\n", name,
                        (long long)s->n, (long long)s->d, (long long)s->k, prepared, what[i], off, size);
        assert_true(off <= most * size);
    }
}

static void check_prepared(ald_context *context, const char *name, const shape *s, const problem *p,
                           int prepared)
{
    ald_run run;
    ald_error error;
    results want = new_results(s), found = new_results(s), again = new_results(s);
    const ald_operator z = operator_of(p, prepared);
    support_run(&run, context, &error);
    compute(&run, s, p, &z, &want);
    assert_done(ald_card_hold(&run, &p->x, 1.0), error);
    assert_non_null(run.call.held);
    compute(&run, s, p, &z, &found);
    ald_card_release(&run, NULL);
    assert_done(ald_card_hold(&run, &p->x, 1.0), error);
    compute(&run, s, p, &z, &again);
    ald_card_release(&run, NULL);
    compare(name, s, prepared, &want, &found);
    for (int i = 0; i < n_results; i++)
        assert_memory_equal(found.values[i], again.values[i], (size_t)found.count[i] * sizeof(double));
    ald_run_end(&run, ALD_OK);
    free_results(&want);
    free_results(&found);
    free_results(&again);
}

static void check_shape(ald_context *context, const shape *s)
{
    double *x = entries_of(s);
    problem p = {
        .mean = support_normals(2, s->d),
        .scale = sizes(3, s->d),
        .shift = support_normals(4, s->n),
        .factor = sizes(5, s->n),
        .weight = sizes(6, s->n),
        .v = support_normals(7, s->d * s->k),
        .u = support_normals(8, s->n * s->k),
        .alpha = support_normals(9, s->k),
        .factors = support_normals(10, 2 * s->k),
    };
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, s->n, s->d);
        p.x = m.view;
        for (int prepared = 0; prepared < 4; prepared++)
            if (s->n * s->d < 1000000 || (prepared == 1 && m.view.storage != ALD_DENSE))
                check_prepared(context, m.name, s, &p, prepared);
        support_storage_free(&m);
    }
    double *const all[] = {x, p.mean, p.scale, p.shift, p.factor, p.weight, p.v, p.u, p.alpha, p.factors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void card_and_processor_agree(void **state)
{
    (void)state;
    ald_context *context = support_context(2, NULL);
    ald_error error;
    assert_done(ald_context_set_device(context, device, &error), error);
    const int all = (int)(sizeof shapes / sizeof *shapes), count = shapes_wanted ? shapes_wanted : all;
    for (int i = 0; i < count && i < all; i++) check_shape(context, &shapes[i]);
    ald_context_free(context);
}

/* The `wanted` largest eigenpairs of a matrix, by the card of the context if it has one. */
static void find_eigen(ald_context *context, int64_t order, int64_t wanted, double *pairs)
{
    ald_run run;
    ald_error error;
    double *a = support_normals(11, order * order);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < i; j++) a[i * order + j] = a[j * order + i];
    support_run(&run, context, &error);
    assert_done(ald_eigen(&run, ald_at(a, order, order), pairs, ald_at(pairs + wanted, wanted, order)),
                error);
    ald_run_end(&run, ALD_OK);
    free(a);
}

/* Signs are anybody's. */
static void eigenvectors_agree(void **state)
{
    (void)state;
    enum { order = 1003 };
    ald_context *here = support_context(2, NULL), *there = support_context(2, NULL);
    ald_error error;
    assert_done(ald_context_set_device(there, device, &error), error);
    for (int64_t wanted = 5; wanted <= order; wanted += order - 5) {
        const size_t count = (size_t)(wanted * (order + 1));
        double *pairs = calloc(3 * count, sizeof *pairs), *found = pairs + count, *again = found + count;
        find_eigen(here, order, wanted, pairs);
        find_eigen(there, order, wanted, found);
        find_eigen(there, order, wanted, again);
        assert_memory_equal(found, again, count * sizeof *found);
        assert_below(support_largest_difference(wanted, pairs, found), 1e-12 * fabs(pairs[0]));
        for (int64_t k = 0; k < wanted; k++) {
            double product = 0.0;
            for (int64_t j = 0; j < order; j++)
                product += pairs[wanted + k * order + j] * found[wanted + k * order + j];
            assert_below(fabs(fabs(product) - 1.0), 1e-9);
        }
        free(pairs);
    }
    ald_context_free(here);
    ald_context_free(there);
}

int main(int argc, char **argv)
{
    ald_error error;
    if (argc > 1) shapes_wanted = atoi(argv[1]);
    if (ald_device_open("cuda", &device, &error) < 0) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(card_and_processor_agree),
        cmocka_unit_test(eigenvectors_agree),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ald_device_close(device);
    return failed;
}
