/* Products of dense Z that our own threads divide, and those with a single vector, which read X as it stands:
 * against the prepared matrix written out, for several numbers of threads and both types. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "support/support.h"

#include "math/operator/operator.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Large enough to be divided. */
enum { n = 3001, d = 90, k = 3 };

typedef struct fixture {
    float *single;
    double *wide, *z; /* n x d; z prepared */
    double mean[d], inverse[d];
    double *weight, *h;
    double scatter[d * d], with_h[d * k]; /* Z'Z and Z'H, by plain loops */
} fixture;

static fixture *new_fixture(int parts)
{
    fixture *f = malloc(sizeof *f);
    *f = (fixture){
        .single = malloc(n * d * sizeof(float)),
        .wide = support_normals(1, n * d),
        .z = malloc(n * d * sizeof(double)),
        .weight = malloc(n * sizeof(double)),
        .h = support_normals(2, n * k),
    };
    for (int i = 0; i < n; i++) f->weight[i] = parts & 2 ? 0.5 + 1e-4 * i : 1.0;
    for (int j = 0; j < d; j++) {
        f->mean[j] = 3.0 - 0.1 * j;
        f->inverse[j] = parts & 1 ? 0.5 + 0.01 * j : 1.0;
    }
    for (int i = 0; i < n * d; i++) {
        f->single[i] = (float)f->wide[i];
        f->wide[i] = (double)f->single[i];
        f->z[i] = (f->wide[i] - f->mean[i % d]) * f->inverse[i % d] * f->weight[i / d];
    }
    support_multiply(1, 0, d, d, n, f->z, f->z, f->scatter);
    support_multiply(1, 0, d, k, n, f->z, f->h, f->with_h);
    return f;
}

static void free_fixture(fixture *f)
{
    free(f->single);
    free(f->wide);
    free(f->z);
    free(f->weight);
    free(f->h);
    free(f);
}

static ald_operator operator_of(const fixture *f, int parts, int single)
{
    ald_operator z = {.x = ald_matrix_row_major(f->wide, n, d, d), .mean = f->mean};
    if (single) {
        z.x.values = f->single;
        z.x.type = ALD_F32;
    }
    z.inverse_scale = parts & 1 ? f->inverse : NULL;
    z.row_weight = parts & 2 ? f->weight : NULL;
    return z;
}

static double relative(int64_t count, const double *want, const double *got)
{
    return support_largest_difference(count, want, got) / support_norm(count, want);
}

static void check_scatter(ald_run *run, const ald_operator *z, const fixture *f)
{
    double got[d * d], got_b[d * k];
    memset(got, 0xff, sizeof got);
    memset(got_b, 0xff, sizeof got_b);
    assert_done(ald_operator_scatter_with(run, z, ald_of(f->h, n, k), ald_at(got, d, d), ald_at(got_b, d, k)),
                *run->error);
    assert_below(relative(d * d, f->scatter, got), 1e-14);
    assert_below(relative(d * k, f->with_h, got_b), 1e-14);
    memset(got, 0xff, sizeof got);
    assert_done(ald_operator_scatter(run, z, ald_at(got, d, d)), *run->error);
    assert_below(relative(d * d, f->scatter, got), 1e-14);
}

static void check_single(ald_run *run, const ald_operator *z, const fixture *f)
{
    double *u = support_normals(3, n), *v = support_normals(4, d);
    double between[n], want[d], got[d];
    const double alpha = 0.75;
    support_multiply(1, 0, d, 1, n, f->z, u, want);
    assert_done(ald_operator_apply_transposed(run, z, ald_of(u, n, 1), ald_at(got, d, 1)), *run->error);
    assert_below(relative(d, want, got), 1e-13);
    support_multiply(0, 0, n, 1, d, f->z, v, between);
    support_multiply(1, 0, d, 1, n, f->z, between, want);
    assert_done(ald_operator_normal(run, z, ald_of(v, d, 1), ald_at(got, d, 1)), *run->error);
    assert_below(relative(d, want, got), 1e-13);
    for (int i = 0; i < n; i++) between[i] -= alpha * u[i];
    support_multiply(1, 0, d, 1, n, f->z, between, want);
    assert_done(ald_operator_advance(run, z, ald_of(v, d, 1), &alpha, ald_at(u, n, 1), ald_at(got, d, 1)),
                *run->error);
    assert_below(relative(n, between, u), 1e-13);
    assert_below(relative(d, want, got), 1e-13);
    free(u);
    free(v);
}

static void products_match_the_matrix(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 7, 16};
    for (int parts = 0; parts < 4; parts++) {
        fixture *f = new_fixture(parts);
        for (int which = 0; which < 8; which++) {
            ald_context *context = support_context(threads[which / 2], NULL);
            ald_run run;
            ald_error error;
            const ald_operator z = operator_of(f, parts, which % 2);
            support_run(&run, context, &error);
            check_scatter(&run, &z, f);
            check_single(&run, &z, f);
            ald_run_end(&run, ALD_OK);
            ald_context_free(context);
        }
        free_fixture(f);
    }
}

/* Responses that take as long as the columns: the last member of a team has nothing else to do. */
static void many_responses(void **state)
{
    (void)state;
    enum { many = 60 };
    static double want[d * many], got[d * many], scatter[d * d];
    fixture *f = new_fixture(0);
    double *h = support_normals(5, n * many);
    ald_context *context = support_context(16, NULL);
    ald_run run;
    ald_error error;
    const ald_operator z = operator_of(f, 0, 0);
    support_run(&run, context, &error);
    assert_done(
        ald_operator_scatter_with(&run, &z, ald_of(h, n, many), ald_at(scatter, d, d), ald_at(got, d, many)),
        error);
    support_multiply(1, 0, d, many, n, f->z, h, want);
    assert_below(relative(d * many, want, got), 1e-14);
    assert_below(relative(d * d, f->scatter, scatter), 1e-14);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(h);
    free_fixture(f);
}

#ifndef ALD_SANITIZED
static int threads_left = -1; /* that the system gives; -1: as many as are asked for */

/* In place of the system's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *work)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (threads_left == 0) return EAGAIN;
    if (threads_left > 0) threads_left--;
    *(void **)(void *)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, begin, work);
}
#endif

/* Where the system has no threads for whole teams, one does the work of a team, to the same bytes. */
static void teams_without_threads(void **state)
{
    (void)state;
#ifdef ALD_SANITIZED
    skip(); /* sanitizers watch the beginning of threads themselves */
#else
    static double want[d * d], got[d * d], want_b[d * k], got_b[d * k];
    fixture *f = new_fixture(1);
    const ald_operator z = operator_of(f, 1, 0);
    for (int left = -1; left < 20; left += left < 0 ? 1 : 5) {
        ald_context *context = support_context(16, NULL);
        ald_run run;
        ald_error error;
        double *c = left < 0 ? want : got, *b = left < 0 ? want_b : got_b;
        support_run(&run, context, &error);
        threads_left = left;
        const ald_status status =
            ald_operator_scatter_with(&run, &z, ald_of(f->h, n, k), ald_at(c, d, d), ald_at(b, d, k));
        threads_left = -1;
        assert_done(status, error);
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
        if (left < 0) continue;
        assert_memory_equal(want, got, sizeof want);
        assert_memory_equal(want_b, got_b, sizeof want_b);
    }
    free_fixture(f);
#endif
}

static int stop(void *user, const char *stage, double done)
{
    (void)user;
    (void)stage;
    (void)done;
    return 1;
}

/* Who wants to stop is obeyed before all is added up. */
static void stops_when_asked(void **state)
{
    (void)state;
    fixture *f = new_fixture(0);
    double c[d * d];
    const ald_options options = {.size = sizeof options, .threads = 3, .progress = stop};
    ald_context *context;
    ald_run run;
    ald_error error;
    const ald_operator z = operator_of(f, 0, 0);
    assert_int_equal(ald_context_new(&options, &context, NULL), ALD_OK);
    support_run(&run, context, &error);
    assert_int_equal(ald_operator_scatter(&run, &z, ald_at(c, d, d)), ALD_ERROR_CANCELLED);
    ald_run_end(&run, ALD_ERROR_CANCELLED);
    ald_context_free(context);
    free_fixture(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_match_the_matrix),
        cmocka_unit_test(many_responses),
        cmocka_unit_test(teams_without_threads),
        cmocka_unit_test(stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
