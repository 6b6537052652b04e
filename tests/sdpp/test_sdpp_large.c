/* The convex optimum is certified where the papers stop: 100 columns by the first-order method, 2000 columns
 * with fewer rows by a factor of growing rank. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>

typedef struct large {
    double *x, *y;
    ald_matrix view;
    ald_target target;
} large;

/* Parity in the first two of d columns. */
static large make_large(int64_t n, int64_t d)
{
    large s = {.x = malloc((size_t)(n * d) * sizeof *s.x), .y = malloc((size_t)n * sizeof *s.y)};
    const double turn = 2.0 * acos(-1.0);
    ald_random random;
    ald_random_seed(&random, 1, 0);
    for (int64_t i = 0; i < n * d; i++) s.x[i] = ald_random_uniform(&random);
    for (int64_t i = 0; i < n; i++)
        s.y[i] = sin(turn * s.x[i * d]) * sin(turn * s.x[i * d + 1]) + 0.1 * ald_random_normal(&random);
    s.view = ald_matrix_row_major(s.x, n, d, d);
    s.target = ald_target_real(ald_matrix_row_major(s.y, n, 1, 1));
    return s;
}

static void certified(int64_t n, int64_t d, const char *set)
{
    large s = make_large(n, d);
    ald_model *model = support_fit_inputs(
        "sdpp", set, &(ald_inputs){.size = sizeof(ald_inputs), .x = &s.view, .y = &s.target}, 2);
    print_message("n %d, d %d, %s: %s, rank %.0f, gap %.1e of J(0); %s\n", (int)n, (int)d, set,
                  ald_model_text(model, "alidade.resolved.convex_solver"),
                  support_resolved(model, "convex_rank"), support_resolved(model, "convex_relative_gap"),
                  ald_model_text(model, "alidade.resolved.certificate"));
    assert_below(support_resolved(model, "convex_relative_gap"), 1e-6);
    assert_true(support_resolved(model, "objective") >=
                support_resolved(model, "convex_objective") -
                    1e-6 * support_resolved(model, "objective_at_zero"));
    ald_model_free(model);
    free(s.x);
    free(s.y);
}

static void a_hundred_columns(void **state)
{
    (void)state;
    certified(2000, 100, "n_neighbors=20 n_starts=2");
}

/* Without a ridge J* is 0, fewer directions than 500 rows fit them all; with one it is not. */
static void two_thousand_columns(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    certified(500, 2000, "n_neighbors=20 n_starts=1");
    certified(500, 2000, "n_neighbors=20 n_starts=1 ridge_rel=0.05");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_columns),
        cmocka_unit_test(two_thousand_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
