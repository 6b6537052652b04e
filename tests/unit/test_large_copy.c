/* Work on large arrays is the same whether the caller is asked on the way or not, and stops when it wants. */
#include "support/support.h"

#include "base/threads/large_copy.h"
#include "math/kernel/incomplete_cholesky.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    int asked, stop_at; /* the question that is answered with a wish to stop; 0: none */
} fixture;

static int listen(void *user, const char *stage, double done)
{
    fixture *f = user;
    (void)stage;
    (void)done;
    return ++f->asked == f->stop_at;
}

static void begin(fixture *f, double patience, int stop_at)
{
    *f = (fixture){.stop_at = stop_at};
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = listen,
        .progress_user = f,
    };
    assert_done(ald_context_new(&options, &f->context, &f->error), f->error);
    support_run(&f->run, f->context, &f->error);
    f->context->patience = patience;
}

static void end(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

enum { m = 700, n = 1000 };

/* A copy, a transpose and a column of a kernel, by number. */
static ald_status work(ald_run *run, int kind, const double *a, double *out)
{
    const ald_rbf_rows rows = {.n = m, .q = n, .points = a, .width = 30.0};
    if (kind == 0) return ald_copy_large(run, m * n, a, out);
    if (kind == 1) return ald_transpose_large(run, m, n, a, out);
    return ald_rbf_column(run, &rows, 3, out);
}

static double expected(int kind, const double *a, int64_t at)
{
    return kind == 0 ? a[at] : a[at % m * n + at / m];
}

static void asking_changes_nothing(void **state)
{
    (void)state;
    double *a = support_normals(1, m * n), *out = malloc(m * n * sizeof *out);
    double quiet[m];
    fixture f;
    for (int kind = 0; kind < 3; kind++) {
        begin(&f, 1e12, 0);
        assert_done(work(&f.run, kind, a, out), f.error);
        assert_int_equal(f.asked, 0);
        memcpy(quiet, out, sizeof quiet);
        end(&f);
        begin(&f, 1e3, 0);
        assert_done(work(&f.run, kind, a, out), f.error);
        assert_true(f.asked >= 1);
        assert_memory_equal(out, quiet, sizeof quiet);
        for (int64_t i = 0; kind < 2 && i < m * n; i++) assert_true(out[i] == expected(kind, a, i));
        end(&f);
    }
    free(out);
    free(a);
}

static void a_wish_ends_it(void **state)
{
    (void)state;
    double *a = support_normals(2, m * n), *out = malloc(m * n * sizeof *out);
    fixture f;
    for (int kind = 0; kind < 3; kind++) {
        begin(&f, 1e3, 1);
        assert_int_equal(work(&f.run, kind, a, out), ALD_ERROR_CANCELLED);
        assert_int_equal(f.asked, 1);
        end(&f);
    }
    free(out);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(a_wish_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
