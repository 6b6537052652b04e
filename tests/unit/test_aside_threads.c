/* Long computations beside the caller's thread: they end, fail and are left behind as they should, and the
 * numbers are those of the caller's own thread. No test here waits for a time to pass: gates say when. */
#include "support/support.h"

#include "base/core/budget.h"
#include "base/threads/aside.h"
#include "math/linalg/linalg.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Closed until the test, or the caller when it is asked, opens it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    int is_open;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

static void set_gate(int is_open)
{
    pthread_mutex_lock(&gate.lock);
    gate.is_open = is_open;
    pthread_cond_broadcast(&gate.opened);
    pthread_mutex_unlock(&gate.lock);
}

static void pass_gate(void)
{
    pthread_mutex_lock(&gate.lock);
    while (!gate.is_open) pthread_cond_wait(&gate.opened, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
}

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    int asked, stops;
} fixture;

/* Opens the gate when it is asked, or wants to stop. */
static int listen(void *user, const char *stage, double done)
{
    fixture *f = user;
    (void)stage;
    (void)done;
    f->asked++;
    if (!f->stops) set_gate(1);
    return f->stops;
}

static void begin(fixture *f, int stops, size_t max_memory)
{
    *f = (fixture){.stops = stops};
    const ald_options options = {
        .size = sizeof options,
        .threads = 2,
        .progress = listen,
        .progress_user = f,
        .max_memory = max_memory,
    };
    assert_done(ald_context_new(&options, &f->context, &f->error), f->error);
    support_run(&f->run, f->context, &f->error);
    set_gate(0);
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

/* Computations that have ended. */
static atomic_int added;

/* out = in + 1 for all, once the gate is open. */
static ald_status add_one(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    double *between;
    pass_gate();
    ALD_TRY(ald_scratch_reals(run, sizes[0], 1, &between));
    for (int64_t i = 0; i < sizes[0]; i++) between[i] = arrays[0][i] + 1.0;
    memcpy(arrays[1], between, (size_t)sizes[0] * sizeof *between);
    added++;
    return ALD_OK;
}

static ald_status break_down(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    (void)sizes;
    (void)arrays;
    return ald_fail(run->error, ALD_ERROR_NUMERICAL, "it did not work");
}

enum { n = 1000 };

static ald_aside_task task_of(ald_status (*compute)(ald_run *, const int64_t *, double *const *), double *in,
                              double *out)
{
    return (ald_aside_task){.compute = compute, .sizes = {n}, .arrays = {{in, n, 1, 0}, {out, n, 0, 1}}};
}

/* The gate opens only when the caller is asked: so it is, while the computation goes on. */
static void the_caller_is_asked_meanwhile(void **state)
{
    (void)state;
    double in[n] = {1.0, 2.0}, out[n] = {0.0};
    const ald_aside_task task = task_of(add_one, in, out);
    fixture f;
    begin(&f, 0, 0);
    assert_done(ald_aside(&f.run, &task), f.error);
    assert_true(f.asked > 0);
    assert_true(out[0] == 2.0 && out[1] == 3.0 && out[n - 1] == 1.0);
    end(&f);
}

/* The call returns although the gate is closed; all that the caller has may go before the computation is
 * over. */
static void a_computation_is_left_behind(void **state)
{
    (void)state;
    double *in = support_normals(1, n);
    double out[n] = {7.0};
    const ald_aside_task task = task_of(add_one, in, out);
    fixture f;
    begin(&f, 1, 0);
    assert_int_equal(ald_aside(&f.run, &task), ALD_ERROR_CANCELLED);
    assert_int_equal(added, 1);
    end(&f);
    free(in);
    set_gate(1);
    ald_aside_wait();
    assert_int_equal(added, 2);
    assert_true(out[0] == 7.0);
}

static void failures_are_handed_on(void **state)
{
    (void)state;
    double in[n] = {0.0}, out[n] = {0.0};
    const ald_aside_task task = task_of(break_down, in, out);
    fixture f;
    begin(&f, 0, 0);
    assert_int_equal(ald_aside(&f.run, &task), ALD_ERROR_NUMERICAL);
    assert_string_equal(f.error.message, "it did not work");
    end(&f);
}

/* Without memory for copies, or for what the computation needs besides, the caller's thread computes. */
static void without_memory_the_caller_computes(void **state)
{
    (void)state;
    static const int64_t room[] = {n / 2, 2 * n + n / 2, 8 * n};
    double in[n] = {1.0}, out[n] = {0.0};
    const ald_aside_task task = task_of(add_one, in, out);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        fixture f;
        void *taken;
        begin(&f, 0, 1 << 20);
        set_gate(1);
        const size_t left = ald_budget_left(f.context->budget), kept = (size_t)room[i] * sizeof *in + 8192;
        assert_done(ald_scratch(&f.run, (int64_t)(left - kept), 1, 1, &taken), f.error);
        out[0] = 0.0;
        assert_done(ald_aside(&f.run, &task), f.error);
        assert_true(out[0] == 2.0);
        end(&f);
    }
}

/* A run beside another has nobody to ask. */
static void forks_ask_nobody(void **state)
{
    (void)state;
    double in[n] = {1.0}, out[n] = {0.0};
    const ald_aside_task task = task_of(add_one, in, out);
    fixture f;
    ald_run fork;
    begin(&f, 1, 0);
    set_gate(1);
    ald_run_fork(&f.run, &fork);
    assert_done(ald_run_join(&f.run, &fork, ald_aside(&fork, &task)), f.error);
    assert_int_equal(f.asked, 0);
    end(&f);
}

/* Arrays of a decomposition of a (m x k or k x k), one after the other. */
static ald_status decompose(ald_run *run, int kind, int64_t m, int64_t k, double *a, double *out)
{
    switch (kind) {
    case 0:
        return ald_eigen(run, ald_at(a, k, k), out, ald_at(out + k, 7, k));
    case 1:
        return ald_eigenvalues(run, ald_at(a, k, k), k, out);
    case 2:
        return ald_svd(run, ald_at(a, m, k), ald_at(out, m, k), out + m * k, ald_at(out + m * k + k, k, k));
    case 3:
        return ald_qr(run, ald_at(a, m, k), ald_at(out, k, k));
    case 4:
        return ald_triangle(run, ald_at(a, m, k), ald_at(out, k, k));
    default:
        return ald_cholesky(run, ald_at(a, k, k));
    }
}

static void decompositions_are_the_same_to_the_last_bit(void **state)
{
    (void)state;
    enum { m = 60, k = 40, room = m * k + k + k * k };
    double *normal = support_normals(3, m * k);
    double square[k * k];
    support_multiply(1, 0, k, k, m, normal, normal, square);
    for (int kind = 0; kind < 6; kind++) {
        const int is_square = kind < 2 || kind == 5;
        double a[2][m * k], out[2][room] = {{0.0}};
        for (int aside = 0; aside < 2; aside++) {
            fixture f;
            begin(&f, 0, 0);
            f.context->patience = aside ? 1.0 : 1e9;
            memcpy(a[aside], is_square ? square : normal, (is_square ? k * k : m * k) * sizeof **a);
            assert_done(decompose(&f.run, kind, m, k, a[aside], out[aside]), f.error);
            end(&f);
        }
        assert_memory_equal(out[0], out[1], sizeof out[0]);
        if (kind == 3) assert_memory_equal(a[0], a[1], sizeof a[0]);
        if (kind == 5) assert_memory_equal(a[0], a[1], k * k * sizeof **a);
    }
    free(normal);
}

static void cancelled_decompositions_leave_the_matrix(void **state)
{
    (void)state;
    enum { m = 300 };
    double *a = support_normals(4, m * m), *before = malloc(m * m * sizeof *before);
    double values[m];
    double *vectors = malloc(m * m * sizeof *vectors);
    fixture f;
    memcpy(before, a, m * m * sizeof *before);
    for (int turn = 0; turn < 3; turn++) {
        begin(&f, 1, 0);
        f.context->patience = 1.0;
        const ald_status status = ald_eigen(&f.run, ald_at(a, m, m), values, ald_at(vectors, m, m));
        assert_true(status == ALD_OK || status == ALD_ERROR_CANCELLED); /* it may be over before */
        assert_memory_equal(a, before, m * m * sizeof *a);
        end(&f);
    }
    free(a);
    free(vectors);
    ald_aside_wait();
    free(before);
}

/* By panels, between which the caller is asked. */
static void products_by_panels_are_right(void **state)
{
    (void)state;
    enum { m = 450, k = 30, w = 410 };
    double *a = support_normals(5, m * k), *b = support_normals(6, k * w), *r = support_normals(7, k * k);
    double *got[2], *gram[2], *solved[2];
    for (int i = 0; i < k; i++) r[i * k + i] = 10.0 + i;
    for (int panels = 0; panels < 2; panels++) {
        fixture f;
        begin(&f, 0, 0);
        f.context->patience = panels ? 1e4 : 1e12;
        got[panels] = calloc(m * w, sizeof(double));
        gram[panels] = calloc(m * m, sizeof(double));
        solved[panels] = malloc(k * w * sizeof(double));
        memcpy(solved[panels], b, k * w * sizeof(double));
        assert_done(ald_product(&f.run, ald_of(a, m, k), ald_of(b, k, w), ald_at(got[panels], m, w)),
                    f.error);
        assert_done(ald_gram_add(&f.run, 1.0, ald_t(ald_of(a, m, k)), 0.0, ald_at(gram[panels], m, m)),
                    f.error);
        assert_done(ald_solve_triangular(&f.run, ald_of(r, k, k), ald_at(solved[panels], k, w)), f.error);
        assert_true(panels ? f.asked >= 6 : f.asked == 0);
        end(&f);
    }
    assert_below(support_largest_difference(m * w, got[0], got[1]), 1e-13);
    assert_below(support_largest_difference(m * m, gram[0], gram[1]), 1e-13);
    assert_below(support_largest_difference(k * w, solved[0], solved[1]), 1e-15);
    for (int panels = 0; panels < 2; panels++) {
        free(got[panels]);
        free(gram[panels]);
        free(solved[panels]);
    }
    free(a);
    free(b);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caller_is_asked_meanwhile),
        cmocka_unit_test(a_computation_is_left_behind),
        cmocka_unit_test(failures_are_handed_on),
        cmocka_unit_test(without_memory_the_caller_computes),
        cmocka_unit_test(forks_ask_nobody),
        cmocka_unit_test(decompositions_are_the_same_to_the_last_bit),
        cmocka_unit_test(cancelled_decompositions_leave_the_matrix),
        cmocka_unit_test(products_by_panels_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
