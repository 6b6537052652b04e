/* Jobs of several threads: the caller is asked until the last one has ended, also when its own thread has
 * nothing left to do, and its wish to stop reaches them. */
#include "support/support.h"

#include "base/threads/jobs.h"

#include <stdatomic.h>
#include <time.h>

enum { patience_ms = 10000 };

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    atomic_int begun, first_ended, asked_since; /* asked since the first job has ended */
    int stops, asks_again;
    int seen[2]; /* whether a job saw what it waited for, by job */
    int heard;   /* the second job was told to stop */
} fixture;

static int listen(void *user, const char *stage, double done)
{
    fixture *f = user;
    (void)stage;
    (void)done;
    if (!atomic_load(&f->first_ended)) return 0;
    atomic_fetch_add(&f->asked_since, 1);
    return f->stops;
}

static void nap(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

static int wait_for(const atomic_int *what, int least)
{
    for (int k = 0; k < patience_ms && atomic_load(what) < least; k++) nap();
    return atomic_load(what) >= least;
}

/* The job on the caller's thread ends when both have begun. The other ends only when the caller has been
 * asked after that, or is told to stop. */
static ald_status one_job(void *work, const ald_run *outer, int lane, int64_t job, ald_error *error)
{
    fixture *f = work;
    ald_run run;
    ald_status status = ALD_OK;
    atomic_fetch_add(&f->begun, 1);
    if (lane == 0) {
        f->seen[job] = wait_for(&f->begun, 2);
        atomic_store(&f->first_ended, 1);
        return ALD_OK;
    }
    ald_run_inside(&run, outer, error);
    f->seen[job] = wait_for(&f->first_ended, 1) && wait_for(&f->asked_since, 3);
    for (int k = 0; f->stops && status >= 0 && k < patience_ms; k++) {
        status = f->asks_again ? ald_ask_again(&run) : ald_progress(&run, "waiting", -1.0);
        nap();
    }
    f->heard = status == ALD_ERROR_CANCELLED;
    return ald_run_end(&run, status);
}

static void run_two(fixture *f, int stops, int asks_again, ald_status expected)
{
    *f = (fixture){.stops = stops, .asks_again = asks_again};
    const ald_options options = {
        .size = sizeof options,
        .threads = 2,
        .progress = listen,
        .progress_user = f,
    };
    assert_done(ald_context_new(&options, &f->context, &f->error), f->error);
    support_run(&f->run, f->context, &f->error);
    assert_int_equal(ald_jobs_run(&f->run, 2, "testing", one_job, f), expected);
    assert_true(f->seen[0] && f->seen[1]);
    assert_int_equal(f->heard, stops);
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
}

static void the_caller_is_asked_to_the_end(void **state)
{
    (void)state;
    fixture f;
    run_two(&f, 0, 0, ALD_OK);
}

static void a_late_wish_to_stop_is_heard(void **state)
{
    (void)state;
    fixture f;
    for (int asks_again = 0; asks_again < 2; asks_again++) run_two(&f, 1, asks_again, ALD_ERROR_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caller_is_asked_to_the_end),
        cmocka_unit_test(a_late_wish_to_stop_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
