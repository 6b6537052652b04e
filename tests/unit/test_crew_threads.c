/* Threads that are kept between regions: every part is done once, the first by the caller, also in regions
 * within regions, from several threads at once, and in a child that has none of the threads. */
#include "support/support.h"

#include "threads/crew.h"
#include "threads/pieces.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

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
        check_region(4, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_done),
        cmocka_unit_test(several_callers),
        cmocka_unit_test(a_child_has_none),
        cmocka_unit_test(pieces_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
