/* L-BFGS on functions whose values are known: a bowl of unlike curvatures, and a slope without an end, along
 * which no step meets the condition on the derivative. */
#include "support/support.h"

#include "math/optimize/lbfgs.h"

#include <math.h>

enum { size = 5 };

static ald_status bowl(ald_run *run, void *self, const double *x, double *value, double *gradient)
{
    (void)run;
    (void)self;
    *value = 0.0;
    for (int i = 0; i < size; i++) {
        const double curvature = pow(10.0, i), apart = x[i] - i;
        *value += 0.5 * curvature * apart * apart;
        gradient[i] = curvature * apart;
    }
    return ALD_OK;
}

static ald_status endless(ald_run *run, void *self, const double *x, double *value, double *gradient)
{
    (void)run;
    (void)self;
    *value = -x[0];
    gradient[0] = -1.0;
    return ALD_OK;
}

static void minimise(ald_lbfgs *task, double *x)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    const ald_status status = ald_lbfgs_minimise(&run, task, x);
    assert_int_equal(ald_run_end(&run, status), ALD_OK);
    ald_context_free(context);
}

static void finds_a_minimum(void **state)
{
    double x[size] = {0};
    ald_lbfgs task = {.size = size, .at = bowl, .memory = 5, .max_iter = 200, .tol = 1e-12};
    (void)state;
    minimise(&task, x);
    for (int i = 0; i < size; i++) assert_close(x[i], i, 1e-8);
}

static void keeps_what_falls(void **state)
{
    double x[1] = {0.0};
    ald_lbfgs task = {.size = 1, .at = endless, .memory = 5, .max_iter = 1, .tol = 1e-12};
    (void)state;
    minimise(&task, x);
    assert_true(task.value < 0.0);
    assert_close(task.value, -x[0], 0.0);
    assert_int_equal(task.iterations, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_minimum),
        cmocka_unit_test(keeps_what_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
