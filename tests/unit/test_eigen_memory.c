/* A library that asks the system for memory by itself: what it will ask for counts against the limit of the
 * context while it works, and what the limit does not allow is refused before it begins. */
#include "base/core/budget.h"
#include "cluster/strips/krylov_schur.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { order = 50, limit = 64 << 20 };

/* What the pretended module is told to need, and what it saw. */
static int64_t needed;
static int solved;
static size_t left_meanwhile;
static ald_budget *budget;

static int64_t bytes(const ald_eigen_task *task)
{
    (void)task;
    return needed;
}

static int solve(ald_eigen_task *task)
{
    solved++;
    left_meanwhile = ald_budget_left(budget);
    task->found = needed == 1 ? 0 : task->wanted;
    task->values[0] = 1.0;
    memset(task->vectors, 0, (size_t)task->count * sizeof *task->vectors);
    snprintf(task->trouble, sizeof task->trouble, "trouble");
    return needed == 2;
}

static ald_status solve_with(int64_t asked, size_t *left_before, size_t *left_after)
{
    static const ald_eigen_module module = {.bytes = bytes, .solve = solve};
    ald_options options = ALD_OPTIONS_INIT;
    ald_error error;
    ald_context *context;
    ald_run run;
    double value, vector[order];
    ald_lanczos task = {.n = order, .wanted = 1, .values = &value, .vectors = vector, .tol = 1e-8};
    options.max_memory = limit;
    assert_int_equal(ald_context_new(&options, &context, &error), ALD_OK);
    budget = context->budget;
    needed = asked;
    solved = 0;
    ald_run_begin(&run, context, &error);
    const uint64_t mark = ald_arena_mark(&run.scratch);
    *left_before = ald_budget_left(budget);
    const ald_status status = ald_krylov_schur_solve(&run, &module, NULL, &task);
    if (status == ALD_ERROR_MEMORY) assert_non_null(strstr(error.message, "max_memory"));
    ald_arena_release(&run.scratch, mark);
    *left_after = ald_budget_left(budget);
    ald_run_end(&run, status);
    ald_context_free(context);
    return status;
}

static void what_it_asks_for_counts_meanwhile(void **state)
{
    const int64_t half = limit / 2;
    size_t before, after;
    (void)state;
    assert_int_equal(solve_with(half, &before, &after), ALD_OK);
    assert_int_equal(solved, 1);
    assert_true(left_meanwhile <= before - (size_t)half);
    assert_int_equal(before, after);
}

static void too_much_is_refused_before(void **state)
{
    size_t before, after;
    (void)state;
    assert_int_equal(solve_with(limit, &before, &after), ALD_ERROR_MEMORY);
    assert_int_equal(solved, 0);
    assert_int_equal(before, after);
}

/* Pairs that were not found, and a failure. */
static void it_is_given_back_however_it_ends(void **state)
{
    size_t before, after;
    (void)state;
    assert_int_equal(solve_with(1, &before, &after), ALD_OK);
    assert_int_equal(before, after);
    assert_int_equal(solve_with(2, &before, &after), ALD_ERROR_NUMERICAL);
    assert_int_equal(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_asks_for_counts_meanwhile),
        cmocka_unit_test(too_much_is_refused_before),
        cmocka_unit_test(it_is_given_back_however_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
