/* Threads: fits at the same time agree and do not disturb each other; the BLAS count is put back; the number
 * asked for is the number used; parts are disjoint and complete. Run under the thread sanitizer as well. */
#include "support/support.h"

#include "base/threads/team.h"
#include "base/threads/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);

enum { n = 700, d = 90, r = 5, together = 4 };

typedef struct job {
    const double *x, *y;
    double components[r * d];
    ald_status status;
} job;

static void *fit_once(void *argument)
{
    job *j = argument;
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, "pls", "n_components=5");
    const ald_matrix x = ald_matrix_row_major(j->x, n, d, d);
    const ald_target y = ald_target_real(ald_matrix_row_major(j->y, n, 2, 2));
    ald_model *model;
    ald_array array;
    j->status = ald_fit(context, settings, &x, &y, &model, NULL);
    if (j->status >= 0 && ald_model_array(model, "components", &array))
        memcpy(j->components, array.data, sizeof j->components);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return NULL;
}

static void concurrent_fits_agree(void **state)
{
    (void)state;
    double *x = support_normals(1, n * d), *y = support_normals(2, n * 2);
    pthread_t threads[together];
    static job jobs[together + 1];
    const int before = openblas_get_num_threads();
    for (int i = 0; i <= together; i++) jobs[i] = (job){.x = x, .y = y};
    fit_once(&jobs[together]);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < together; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, fit_once, &jobs[i]), 0);
        for (int i = 0; i < together; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < together; i++) {
            assert_int_equal(jobs[i].status, ALD_OK);
            assert_below(support_largest_difference(r * d, jobs[i].components, jobs[together].components),
                         1e-11);
        }
    }
    assert_int_equal(openblas_get_num_threads(), before);
    free(x);
    free(y);
}

static void the_blas_count_is_put_back(void **state)
{
    (void)state;
    const int before = openblas_get_num_threads();
    ald_threads_begin(1);
    assert_int_equal(openblas_get_num_threads(), 1);
    ald_threads_begin(2);
    assert_int_equal(openblas_get_num_threads(), 1);
    ald_threads_end();
    ald_threads_end();
    assert_int_equal(openblas_get_num_threads(), before);
}

/* OpenBLAS has one thread while we compute; others are lent to it where nobody else needs them. */
static void threads_are_spared_and_lent(void **state)
{
    (void)state;
    assert_int_equal(ald_threads_spare(), 1);
    ald_threads_begin(2);
    assert_int_equal(openblas_get_num_threads(), 1);
    assert_int_equal(ald_threads_spare(), 2);
    ald_threads_lend();
    assert_int_equal(openblas_get_num_threads(), 2);
    ald_threads_pause();
    assert_int_equal(openblas_get_num_threads(), 1);
    assert_int_equal(ald_threads_spare(), 1);
    ald_threads_resume();
    ald_threads_return();
    assert_int_equal(openblas_get_num_threads(), 1);
    ald_threads_few();
    assert_int_equal(ald_threads_spare(), 1);
    ald_threads_end();
}

static int most_threads(void *user, const char *stage, double done)
{
    int *most = user;
    (void)stage;
    if (done >= 1.0) return 0; /* all is over */
    if (ald_threads_spare() > *most) *most = ald_threads_spare();
    assert_int_equal(openblas_get_num_threads(), 1);
    return 0;
}

/* The largest number of threads that products of a fit of so many rows could have. */
static int threads_of_fit(int64_t rows)
{
    int most = 0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 2,
        .progress = most_threads,
        .progress_user = &most,
    };
    double *x = support_normals(4, rows * 3);
    const ald_matrix view = ald_matrix_row_major(x, rows, 3, 3);
    const ald_target y = ald_target_real(ald_matrix_row_major(x, rows, 1, 3));
    ald_context *context;
    ald_model *model;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_settings *settings =
        support_settings(context, "sdpp", "n_components=1 n_starts=1 solver=cg n_neighbors=3");
    assert_done(ald_fit(context, settings, &view, &y, &model, &error), error);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    free(x);
    return most;
}

static void small_fits_take_one_thread(void **state)
{
    (void)state;
    const int before = openblas_get_num_threads();
    assert_int_equal(threads_of_fit(100), 1);
    assert_int_equal(threads_of_fit(1000), 2);
    assert_int_equal(threads_of_fit(100), 1);
    assert_int_equal(openblas_get_num_threads(), before);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of three fits on one thread, as a part of the time that passed. */
static double load_of_fits(ald_context *context, const ald_settings *settings, const ald_matrix *view)
{
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < 3; i++) {
        ald_model *model;
        ald_error error;
        assert_done(ald_fit(context, settings, view, NULL, &model, &error), error);
        ald_model_free(model);
    }
    return (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (seconds(CLOCK_MONOTONIC) - wall);
}

/* One thread cannot use more processor time than has passed. Threads of OpenBLAS that were woken before spin
 * for a while, so it may take a few tries until they sleep; if a fit woke them, they never would. */
static void one_thread_means_one(void **state)
{
    (void)state;
    enum { tries = 20 };
    const int64_t rows = 6000, cols = 300;
    double *x = support_normals(3, rows * cols);
    double load = 2.0;
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "pca", "n_components=4 solver=direct");
    const ald_matrix view = ald_matrix_row_major(x, rows, cols, cols);
    for (int i = 0; i < tries && load > 1.05; i++) load = load_of_fits(context, settings, &view);
    assert_below(load, 1.05);
    ald_settings_free(settings);
    ald_context_free(context);
    free(x);
}

static void mark_part(void *work, int part)
{
    int *marks = work;
    for (int64_t i = ald_part_begin(103, 7, part); i < ald_part_begin(103, 7, part + 1); i++) marks[i]++;
}

static void parts_are_disjoint_and_complete(void **state)
{
    (void)state;
    int marks[103] = {0};
    ald_parallel(7, mark_part, marks);
    for (int i = 0; i < 103; i++) assert_int_equal(marks[i], 1);
    assert_int_equal(ald_part_begin(103, 7, 0), 0);
    assert_int_equal(ald_part_begin(103, 7, 7), 103);
}

/* Threads that are kept between regions: every part is done once, the first by the caller, also in regions
 * within regions, from several threads at once, and in a child that has none of the threads. */
enum { most = 9 };

typedef struct region {
    pthread_t caller;
    atomic_int done[most];
    atomic_int first_elsewhere;
    int within; /* each part has a region of its own */
} region;

static void check_region(int parts, int within);

static void do_part(void *work, int part)
{
    region *r = work;
    atomic_fetch_add(&r->done[part], 1);
    if (part == 0 && !pthread_equal(pthread_self(), r->caller)) atomic_store(&r->first_elsewhere, 1);
    if (r->within) check_region(3, 0);
}

static void check_region(int parts, int within)
{
    region r = {.caller = pthread_self(), .within = within};
    ald_parallel(parts, do_part, &r);
    assert_int_equal(atomic_load(&r.first_elsewhere), 0);
    for (int i = 0; i < most; i++) assert_int_equal(atomic_load(&r.done[i]), i < parts);
}

static void regions_are_done(void **state)
{
    (void)state;
    for (int open = 0; open < 3; open++) {
        for (int i = 0; i < open; i++) ald_threads_begin(4);
        for (int i = 0; i < 200; i++) check_region(1 + i % most, i % 10 == 0);
        for (int i = 0; i < open; i++) ald_threads_end();
    }
}

static void *use_from_elsewhere(void *unused)
{
    for (int i = 0; i < 20; i++) {
        ald_threads_begin(3);
        check_region(3, 0);
        ald_threads_end();
    }
    return unused;
}

static void several_callers(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_from_elsewhere, NULL), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void a_child_has_none(void **state)
{
    (void)state;
    int status;
#ifdef ALD_SANITIZED
    skip(); /* the thread sanitizer allows a child no threads */
#endif
    ald_threads_begin(3);
    check_region(4, 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20); /* not for ever, if it waits for threads that are not there */
        check_region(4, 0);
        ald_threads_begin(3);
        for (int i = 0; i < 20; i++) check_region(4, 0);
        ald_threads_end();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    check_region(4, 0);
    ald_threads_end();
}

typedef struct lots {
    ald_pieces pieces;
    int live;
    atomic_int sum;
    int wrong;
} lots;

static void add_piece(void *work, int piece)
{
    atomic_fetch_add(&((lots *)work)->sum, piece + 1);
}

static void take_lots(void *work, int lane)
{
    lots *l = work;
    if (lane > 0) {
        ald_pieces_help(&l->pieces, add_piece, l);
        return;
    }
    for (int count = 0; count < 100; count++) {
        atomic_store(&l->sum, 0);
        ald_pieces_publish(&l->pieces, count);
        ald_pieces_finish(&l->pieces, add_piece, l);
        l->wrong += atomic_load(&l->sum) != count * (count + 1) / 2;
    }
    ald_pieces_close(&l->pieces);
}

static void pieces_are_done(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        lots l = {.wrong = 0};
        ald_pieces_begin(&l.pieces);
        ald_together(threads, &l.live, take_lots, &l);
        ald_pieces_end(&l.pieces);
        assert_int_equal(l.wrong, 0);
    }
}

typedef struct asking {
    ald_run run;
    pthread_t caller;
    atomic_int asked, elsewhere; /* how often the caller was asked, and on another thread than its own */
} asking;

static int hear(void *user, const char *stage, double done)
{
    asking *a = user;
    (void)stage;
    (void)done;
    atomic_fetch_add(&a->asked, 1);
    if (!pthread_equal(pthread_self(), a->caller)) atomic_fetch_add(&a->elsewhere, 1);
    return 0;
}

static void ask_often(void *work, int part)
{
    asking *a = work;
    (void)part;
    for (int k = 0; k < 100; k++) (void)ald_ask_after(&a->run, 1e30);
}

/* Parts share the run of the caller; those of other threads may neither ask nor write to it. */
static void only_the_caller_is_asked(void **state)
{
    (void)state;
    asking a = {.caller = pthread_self()};
    ald_context *context;
    ald_error error;
    const ald_options options = {.size = sizeof options, .threads = 3, .progress = hear, .progress_user = &a};
    assert_done(ald_context_new(&options, &context, &error), error);
    support_run(&a.run, context, &error);
    ald_parallel(3, ask_often, &a);
    ald_parallel(3, ask_often, &a);
    assert_true(atomic_load(&a.asked) >= 200);
    assert_int_equal(atomic_load(&a.elsewhere), 0);
    ald_run_end(&a.run, ALD_OK);
    ald_context_free(context);
}

int main(void)
{
    openblas_set_num_threads(2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concurrent_fits_agree),
        cmocka_unit_test(the_blas_count_is_put_back),
        cmocka_unit_test(threads_are_spared_and_lent),
        cmocka_unit_test(small_fits_take_one_thread),
        cmocka_unit_test(one_thread_means_one),
        cmocka_unit_test(parts_are_disjoint_and_complete),
        cmocka_unit_test(regions_are_done),
        cmocka_unit_test(several_callers),
        cmocka_unit_test(a_child_has_none),
        cmocka_unit_test(pieces_are_done),
        cmocka_unit_test(only_the_caller_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
