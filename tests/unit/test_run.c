/* Runs: several arrays in one request, and runs of worker threads beside that of the caller. */
#include "support/support.h"

#include "base/threads/threads.h"

#include <string.h>

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
} fixture;

static void begin(fixture *f)
{
    f->context = support_context(2, NULL);
    support_run(&f->run, f->context, &f->error);
}

static void end(fixture *f, ald_status expected)
{
    assert_int_equal(ald_run_end(&f->run, f->error.status < 0 ? f->error.status : ALD_OK), expected);
    ald_context_free(f->context);
}

static void arrays_come_in_one_request(void **state)
{
    (void)state;
    fixture f;
    double *a, *b, *none, *huge = NULL;
    begin(&f);
    assert_done(ALD_SCRATCH(&f.run, {&a, 3, 4}, {&b, 5, 1}, {&none, 0, 7}), f.error);
    for (int i = 0; i < 12; i++) a[i] = 1.0;
    for (int i = 0; i < 5; i++) b[i] = 2.0;
    for (int i = 0; i < 12; i++) assert_true(a[i] == 1.0);
    assert_non_null(none);
    assert_int_equal(ALD_SCRATCH(&f.run, {&a, 2, 2}, {&huge, INT64_MAX, 3}), ALD_ERROR_MEMORY);
    end(&f, ALD_ERROR_MEMORY);
}

typedef struct work {
    ald_run workers[4];
    ald_status status[4];
    ald_status outcome[4]; /* what each is to give: an error, a warning or ALD_OK */
} work;

static void allocate(void *shared, int part)
{
    work *w = shared;
    double *a, *b;
    ald_run *run = &w->workers[part];
    w->status[part] = ALD_SCRATCH(run, {&a, 100, part + 1}, {&b, 10, 10});
    if (w->status[part] < 0) return;
    memset(a, 0, 100 * sizeof *a);
    if (w->outcome[part] > 0) ald_warn(run, w->outcome[part], "part %d warns", part);
    if (w->outcome[part] < 0) w->status[part] = ald_fail(run->error, w->outcome[part], "part %d fails", part);
}

static void fork_and_join(fixture *f, work *w)
{
    for (int i = 0; i < 4; i++) ald_run_fork(&f->run, &w->workers[i]);
    for (int i = 0; i < 4; i++) assert_ptr_equal(w->workers[i].settings, f->run.settings);
    ald_parallel(4, allocate, w);
    for (int i = 0; i < 4; i++)
        assert_int_equal(ald_run_join(&f->run, &w->workers[i], w->status[i]), w->status[i]);
}

/* A worker allocates from the context of its run, and what it has to say arrives. */
static void workers_have_memory_and_an_error(void **state)
{
    (void)state;
    fixture f;
    work quiet = {.outcome = {0}}, failing = {.outcome = {0, ALD_RANK_REDUCED, ALD_ERROR_DATA, ALD_ERROR_IO}};
    begin(&f);
    fork_and_join(&f, &quiet);
    assert_int_equal(f.error.status, ALD_OK);
    fork_and_join(&f, &failing);
    assert_int_equal(f.error.status, ALD_ERROR_DATA);
    assert_string_equal(f.error.message, "part 2 fails");
    end(&f, ALD_ERROR_DATA);
}

static void warnings_of_workers_are_handed_on(void **state)
{
    (void)state;
    fixture f;
    work w = {.outcome = {0, ALD_NOT_CONVERGED, ALD_RANK_REDUCED, 0}};
    begin(&f);
    fork_and_join(&f, &w);
    assert_string_equal(f.error.message, "part 1 warns");
    end(&f, ALD_NOT_CONVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_come_in_one_request),
        cmocka_unit_test(workers_have_memory_and_an_error),
        cmocka_unit_test(warnings_of_workers_are_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
