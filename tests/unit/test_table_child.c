/* A reader in a process of its own: what it reads comes over, and what it breaks stays there. */
#include "io/reading/table_child.h"
#include "support/reading.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ald_status read_dense(ald_run *run, const char *path, const ald_load_options *options,
                             ald_table *table)
{
    (void)path;
    (void)options;
    static double cells[] = {1, 2, NAN, 4, 5, 6};
    (void)run;
    table->rows = 2;
    table->cols = 3;
    table->cells = cells;
    return ALD_OK;
}

/* `last` is the last of the indices: 2 is sound, others are not. */
static ald_status give_sparse(ald_table *table, int64_t last, int64_t end)
{
    static int64_t pointers[3], indices[3];
    static double values[] = {1, 2, 3};
    memcpy(pointers, (int64_t[]){0, 2, end}, sizeof pointers);
    memcpy(indices, (int64_t[]){0, 1, last}, sizeof indices);
    *table = (ald_table){.arena = table->arena, .rows = 2, .cols = 3, .sparse = 1};
    table->pointers = pointers;
    table->indices = indices;
    table->values = values;
    return ALD_OK;
}

static ald_status read_sparse(ald_run *run, const char *path, const ald_load_options *options,
                              ald_table *table)
{
    (void)run;
    (void)path;
    (void)options;
    return give_sparse(table, 2, 3);
}

static ald_status read_wrong_index(ald_run *run, const char *path, const ald_load_options *options,
                                   ald_table *table)
{
    (void)run;
    (void)path;
    (void)options;
    return give_sparse(table, 3, 3);
}

static ald_status read_failing(ald_run *run, const char *path, const ald_load_options *options,
                               ald_table *table)
{
    (void)path;
    (void)options;
    (void)table;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "no such thing");
}

static ald_status read_crashing(ald_run *run, const char *path, const ald_load_options *options,
                                ald_table *table)
{
    (void)path;
    (void)options;
    (void)table;
    raise(SIGSEGV);
    return ald_fail(run->error, ALD_ERROR_FORMAT, "still here");
}

/* As a crash in the middle of what is sent. */
static ald_status read_vanishing(ald_run *run, const char *path, const ald_load_options *options,
                                 ald_table *table)
{
    read_dense(run, path, options, table);
    table->rows = 1 << 20;
    table->cells = NULL;
    return ALD_OK;
}

static ald_status read_with(reading *r, ald_table_fn read)
{
    static const ald_load_options none;
    reading_begin(r);
    r->table = (ald_table){.arena = &r->arena};
    return ald_table_read_in_child(&r->run, read, "none.mat", &none, &r->table);
}

static void numbers_come_over(void **state)
{
    (void)state;
    reading r;
    assert_int_equal(read_with(&r, read_dense), ALD_OK);
    assert_int_equal(r.table.rows, 2);
    assert_true(r.table.cells[1] == 2 && isnan(r.table.cells[2]) && r.table.cells[5] == 6);
    reading_end(&r);
    assert_int_equal(read_with(&r, read_sparse), ALD_OK);
    assert_int_equal(r.table.pointers[2], 3);
    assert_int_equal(r.table.indices[2], 2);
    assert_true(r.table.values[2] == 3);
    reading_end(&r);
}

static void failures_come_over(void **state)
{
    (void)state;
    reading r;
    assert_int_equal(read_with(&r, read_failing), ALD_ERROR_FORMAT);
    assert_string_equal(r.error.message, "no such thing");
    reading_end(&r);
}

static void crashes_stay_there(void **state)
{
    (void)state;
    static const ald_table_fn bad[] = {read_crashing, read_vanishing, read_wrong_index};
    for (int i = 0; i < 3; i++) {
        reading r;
        assert_int_equal(read_with(&r, bad[i]), ALD_ERROR_FORMAT);
        assert_non_null(strstr(r.error.message, "damaged"));
        reading_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_over),
        cmocka_unit_test(failures_come_over),
        cmocka_unit_test(crashes_stay_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
