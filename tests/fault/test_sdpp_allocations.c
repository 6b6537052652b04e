/* Every allocation of fits by sdpp is made to fail once, by every solver and with every option: each time the
 * fit says "out of memory" and nothing is left. */
#include "support/ledger.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_status fit(const ald_inputs *inputs, const char *set, ald_error *error)
{
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = ledger_allocator()};
    ald_context *context = NULL;
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    char copy[200];
    char *rest = copy, *item;
    snprintf(copy, sizeof copy, "%s", set);
    ald_status status = ald_context_new(&options, &context, error);
    if (status >= 0) status = ald_settings_new(context, "sdpp", &settings, error);
    while (status >= 0 && (item = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(item, '=');
        *value++ = '\0';
        status = ald_settings_set_text(settings, item, value, error);
    }
    if (status >= 0) status = ald_fit_inputs(context, settings, inputs, &model, error);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static void fail_each(const ald_inputs *inputs, const char *set)
{
    long k = 0;
    for (int done = 0; !done; k += support_stride()) {
        ald_error error = {0};
        ledger_begin(k);
        const ald_status status = fit(inputs, set, &error);
        done = !ledger_failed();
        if (ledger_live() != 0)
            fail_msg("%s: %ld blocks left after failing allocation %ld", set, ledger_live(), k);
        if (done)
            assert_done(status, error);
        else if (status != ALD_ERROR_MEMORY)
            fail_msg("%s: allocation %ld failed and gave '%s': %s", set, k, ald_status_name(status),
                     error.message);
    }
    print_message("%-46s %ld allocations failed in turn\n", set, k / support_stride() - 1);
}

static void every_way(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=0",
        "solver=cg",
        "solver=first-order ridge_rel=0.1",
        "divergence=kl",
        "early_stopping=0.2 pca_dims=3",
        "penalty=l21",
        "manifold=0.1 repulsion=1",
    };
    enum { n = 40, d = 5 };
    double *x = support_normals(1, n * d), *y = support_normals(2, n);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        char set[200];
        /* Few steps: all of them allocate alike. */
        snprintf(set, sizeof set, "%s max_iter=2 n_starts=2 tol=0.01", sets[k]);
        fail_each(&(ald_inputs){.size = sizeof(ald_inputs), .x = &view, .y = &target}, set);
    }
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
