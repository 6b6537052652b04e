/* The caller is asked often whether it still wants the result: with many classes too, no more than half a
 * second of processor time lies between two questions. */
#include "support/support.h"

#include <stdlib.h>
#include <time.h>

enum { n = 3000, d = 20, classes = 1500 };

typedef struct watch {
    clock_t last, longest;
    int calls;
} watch;

static int look(void *user, const char *stage, double done)
{
    watch *w = user;
    const clock_t now = clock();
    (void)stage, (void)done;
    if (now - w->last > w->longest) w->longest = now - w->last;
    w->last = now;
    w->calls++;
    return 0;
}

static void many_classes_do_not_keep_it_from_asking(void **state)
{
    (void)state;
    static const char *const methods[] = {"cca", "lda", "kpls"};
    double *x = malloc(sizeof *x * n * d);
    int32_t *code = malloc(sizeof *code * n);
    ald_random random;
    ald_random_seed(&random, 4, 0);
    for (int i = 0; i < n; i++) {
        code[i] = i % classes;
        for (int j = 0; j < d; j++) x[i * d + j] = ald_random_normal(&random) + 0.1 * (code[i] % 7);
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target y = ald_target_classes(code, n, classes);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        watch w = {.last = clock()};
        const ald_options options = {
            .size = sizeof options,
            .threads = 1,
            .progress = look,
            .progress_user = &w,
        };
        ald_context *context;
        ald_model *model;
        ald_error error;
        assert_done(ald_context_new(&options, &context, &error), error);
        ald_settings *settings = support_settings(context, methods[m], "n_components=1");
        assert_done(ald_fit(context, settings, &view, &y, &model, &error), error);
        look(&w, "", 1.0);
        const double seconds = (double)w.longest / CLOCKS_PER_SEC;
        print_message("%s: asked %d times, %.2f s apart at the most\n", methods[m], w.calls, seconds);
        if (seconds > 0.5) fail_msg("%s: nothing asked for %.1f s", methods[m], seconds);
        ald_model_free(model);
        ald_settings_free(settings);
        ald_context_free(context);
    }
    free(x);
    free(code);
}

static void permutations_are_asked_about(void **state)
{
    (void)state;
    enum { rows = 2000, width = 5 };
    double *x = malloc(sizeof *x * rows * width);
    int32_t *code = malloc(sizeof *code * rows);
    watch w = {.last = clock()};
    const ald_options options = {.size = sizeof options, .threads = 1, .progress = look, .progress_user = &w};
    ald_hsic_options task = ALD_HSIC_OPTIONS_INIT;
    ald_hsic_result result = ALD_HSIC_RESULT_INIT;
    ald_context *context;
    ald_random random;
    ald_error error;
    ald_random_seed(&random, 4, 1);
    for (int i = 0; i < rows * width; i++) x[i] = ald_random_normal(&random);
    for (int i = 0; i < rows; i++) code[i] = i % 4;
    const ald_matrix view = ald_matrix_row_major(x, rows, width, width);
    const ald_target y = ald_target_classes(code, rows, 4);
    task.permutations = 400;
    assert_done(ald_context_new(&options, &context, &error), error);
    assert_done(ald_hsic(context, &view, &y, &task, &result, &error), error);
    look(&w, "", 1.0);
    const double seconds = (double)w.longest / CLOCKS_PER_SEC;
    print_message("hsic: asked %d times, %.2f s apart at the most\n", w.calls, seconds);
    if (seconds > 0.5) fail_msg("hsic: nothing asked for %.1f s", seconds);
    ald_context_free(context);
    free(x);
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_classes_do_not_keep_it_from_asking),
        cmocka_unit_test(permutations_are_asked_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
