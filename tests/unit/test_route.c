/* Which way ranks go to eigenpairs of many columns: the rule, by sizes alone. */
#include "cluster/strips/divided_scatter.h"
#include "cluster/strips/route.h"
#include "cluster/strips/stretch.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Dense rows in an npy file, 20,000 x 8,000. */
static ald_route_case usual(void)
{
    return (ald_route_case){
        .rows = 20000,
        .columns = 8000,
        .most_square = 5000,
        .entries = 1.6e8,
        .ranks = 2,
        .threads = 1,
        .pairs = 10,
        .reading = 1.0,
        .has_slepc = 1,
    };
}

static ald_route_case sparse_rows(void)
{
    ald_route_case c = usual();
    c.rows = 200000;
    c.columns = 50000;
    c.entries = 23e6;
    c.sparse = 1;
    c.reading = 0.0;
    return c;
}

static ald_route chosen(ald_route_case c)
{
    double seconds[ALD_ROUTES];
    ald_route_seconds(&c, seconds);
    return ald_route_choose(seconds);
}

static double seconds_of(ald_route_case c, ald_route route)
{
    double seconds[ALD_ROUTES];
    ald_route_seconds(&c, seconds);
    return seconds[route];
}

static void test_dense_rows_by_few_passes(void **state)
{
    ald_route_case c = usual();
    (void)state;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
    c.rows *= 100; /* the scatter grows with the rows as products do */
    c.entries *= 100.0;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
    c.pairs = 200; /* which takes products hundreds of passes */
    assert_int_equal(chosen(c), ALD_BY_SCATTER);
}

static void test_sparse_rows_in_memory_by_single_products(void **state)
{
    ald_route_case c = sparse_rows();
    (void)state;
    assert_int_equal(chosen(c), ALD_BY_KRYLOV_SCHUR);
    c.ranks = 1;
    assert_int_equal(chosen(c), ALD_BY_KRYLOV_SCHUR);
    c.ranks = 64; /* the basis of Lanczos is not divided */
    c.rows *= 64;
    c.entries *= 64.0;
    assert_int_equal(chosen(c), ALD_BY_KRYLOV_SCHUR);
}

/* A pass that parses is dear whatever it multiplies. */
static void test_text_that_is_parsed_again(void **state)
{
    ald_route_case c = sparse_rows();
    (void)state;
    c.reading = 60.0;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
    c = usual();
    c.reading = 60.0;
    assert_int_equal(chosen(c), ALD_BY_SCATTER);
    c.ranks = 200; /* as many passes as Lanczos makes, each strip by strip */
    c.columns = 40000;
    c.entries = 40000.0 * (double)c.rows;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
}

static void test_limits(void **state)
{
    ald_route_case c = usual();
    (void)state;
    c.columns = 40001;
    assert_true(isinf(seconds_of(c, ALD_BY_SCATTER)));
    c.columns = 40000;
    assert_true(isfinite(seconds_of(c, ALD_BY_SCATTER)));
    c = sparse_rows();
    c.reading = 60.0;
    c.columns = 20 * 1000 * 1000; /* a basis of 13 GB */
    assert_int_equal(chosen(c), ALD_BY_KRYLOV_SCHUR);
    c.has_slepc = 0;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
    c = usual();
    c.reading = 1e6;
    c.has_slepc = 0;
    assert_int_equal(chosen(c), ALD_BY_LANCZOS);
}

/* More ranks never take longer by the products themselves; nothing is negative or no number. */
static void test_seconds_are_sane(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++)
        for (int64_t pairs = 1; pairs <= 100; pairs *= 10) {
            ald_route_case c = sparse ? sparse_rows() : usual();
            double one[ALD_ROUTES], four[ALD_ROUTES];
            c.pairs = pairs;
            c.entries *= 1000.0;
            c.rows *= 1000;
            c.ranks = 1;
            ald_route_seconds(&c, one);
            c.ranks = 4;
            ald_route_seconds(&c, four);
            for (int i = 0; i < ALD_ROUTES; i++)
                assert_true(one[i] > 0.0 && (four[i] < 0.5 * one[i] || isinf(one[i])));
        }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(ald_route_name(ALD_BY_SCATTER), "scatter");
    assert_string_equal(ald_route_name(ALD_BY_LANCZOS), "lanczos");
    assert_string_equal(ald_route_name(ALD_BY_KRYLOV_SCHUR), "krylov-schur");
}

/* The stretches of all ranks have every column once, in order. */
static void test_stretches(void **state)
{
    (void)state;
    for (int64_t d = 0; d < 30; d++)
        for (int ranks = 1; ranks < 9; ranks++) {
            int64_t at = 0;
            for (int rank = 0; rank < ranks; rank++) {
                const ald_stretch s = ald_stretch_of(d, rank, ranks);
                assert_int_equal(s.first, at);
                assert_true(s.count == d / ranks || s.count == d / ranks + 1);
                at += s.count;
            }
            assert_int_equal(at, d);
        }
}

static void test_passes(void **state)
{
    (void)state;
    assert_int_equal(ald_divided_passes(6000, 2, 1, 5000), 1);
    assert_int_equal(ald_divided_passes(40000, 1, 1, 5000), 1);
    const int64_t two = ald_divided_passes(40000, 8, 1, 5000), four = ald_divided_passes(40000, 8, 2, 5000);
    assert_true(two >= 4 && two <= 6);
    assert_true(four >= 8 && four <= 12);
    assert_true(ald_divided_passes(100, 3, 2, 10) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_rows_by_few_passes),
        cmocka_unit_test(test_sparse_rows_in_memory_by_single_products),
        cmocka_unit_test(test_text_that_is_parsed_again),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_seconds_are_sane),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
