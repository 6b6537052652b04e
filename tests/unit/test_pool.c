/* The allocator that hands out again what was freed. */
#include "support/support.h"

#include "base/core/pool.h"

#include <stdlib.h>
#include <string.h>

typedef struct counts {
    int made, live;
} counts;

static void *counted(void *user, void *block, size_t size)
{
    counts *c = user;
    if (size == 0) {
        c->live -= block != NULL;
        free(block);
        return NULL;
    }
    c->made += block == NULL;
    c->live += block == NULL;
    return realloc(block, size);
}

static void freed_blocks_come_back(void **state)
{
    (void)state;
    counts c = {0};
    const ald_allocator source = {counted, &c};
    ald_pool pool;
    ald_pool_init(&pool, &source);
    const ald_allocator *a = &pool.allocator;
    for (int round = 0; round < 100; round++) {
        char *one = a->resize(a->user, NULL, 1000), *two = a->resize(a->user, NULL, 70000 + (size_t)round);
        assert_non_null(one);
        assert_non_null(two);
        assert_int_equal((uintptr_t)one % _Alignof(max_align_t), 0);
        memset(one, round, 1000);
        memset(two, round + 1, 70000);
        one = a->resize(a->user, one, 3000); /* grown: what was in it stays */
        assert_non_null(one);
        for (int i = 0; i < 1000; i++) assert_int_equal(one[i], (char)round);
        one = a->resize(a->user, one, 10);
        assert_int_equal(one[9], (char)round);
        assert_int_equal(two[69999], (char)(round + 1));
        assert_null(a->resize(a->user, one, 0));
        assert_null(a->resize(a->user, two, 0));
    }
    assert_true(c.made <= 4); /* of two sizes, one of which grows past a step */
    ald_pool_free(&pool);
    assert_int_equal(c.live, 0);
}

/* Adds a kilobyte at a time up to a megabyte, as a reader does with the rows of a block. */
static void grow_by_pieces(const ald_allocator *a)
{
    enum { piece = 1024, pieces = 1024 };
    char *array = NULL;
    for (int i = 0; i < pieces; i++) {
        array = a->resize(a->user, array, (size_t)(i + 1) * piece);
        assert_non_null(array);
        memset(array + i * piece, i, piece);
    }
    for (int i = 0; i < pieces; i++) assert_int_equal(array[i * piece + piece - 1], (char)i);
    assert_null(a->resize(a->user, array, 0));
}

/* An array that grows leaves none of its smaller forms behind: the second time what it began with is there,
 * and what it came to. */
static void growing_leaves_nothing_behind(void **state)
{
    (void)state;
    counts c = {0};
    const ald_allocator source = {counted, &c};
    ald_pool pool;
    ald_pool_init(&pool, &source);
    for (int round = 0; round < 5; round++) {
        grow_by_pieces(&pool.allocator);
        assert_true(c.live <= 2);
    }
    assert_true(c.made <= 2);
    ald_pool_free(&pool);
    assert_int_equal(c.live, 0);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    counts c = {0};
    const ald_allocator source = {counted, &c};
    ald_pool pool;
    ald_pool_init(&pool, &source);
    assert_null(pool.allocator.resize(pool.allocator.user, NULL, SIZE_MAX));
    assert_null(pool.allocator.resize(pool.allocator.user, NULL, SIZE_MAX / 2));
    ald_pool_free(&pool);
    assert_int_equal(c.made, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freed_blocks_come_back),
        cmocka_unit_test(growing_leaves_nothing_behind),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
