/* Cross-validation by sums beside refitting; see neighbours.c. */
#include <alidade/alidade.h>

/* Ten folds of lda over `count` ridges on classes, by sums or (refit) with a fit of the rows each: 0, or a
 * negative status; the sum of the mean accuracies in `total`. */
ALD_API int bench_folds(const double *x, const int32_t *classes, int64_t n, int64_t d, int64_t n_classes,
                        int count, int refit, int threads, double *total);

enum { most_settings = 32 };

static double no_clock(void)
{
    return 0.0;
}

static ald_status compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                          ald_settings **settings, int count, int refit, double *total)
{
    const int64_t dims = y->n_classes - 1;
    const ald_candidate candidate = {
        .size = sizeof(ald_candidate),
        .settings = (const ald_settings *const *)settings,
        .n_settings = count,
        .dims = &dims,
        .n_dims = 1,
    };
    /* Where times are asked for the rows are fitted. */
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = &candidate,
        .count = 1,
        .splits = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 10},
        .clock = refit ? no_clock : NULL,
    };
    ald_comparison *comparison;
    const ald_status status = ald_compare(context, x, y, &options, &comparison, NULL);
    *total = 0.0;
    for (int i = 0; status >= 0 && i < count; i++) *total += ald_comparison_at(comparison, i)->mean;
    ald_comparison_free(comparison);
    return status;
}

int bench_folds(const double *x, const int32_t *classes, int64_t n, int64_t d, int64_t n_classes, int count,
                int refit, int threads, double *total)
{
    const ald_options options = {.size = sizeof options, .threads = threads};
    const ald_matrix rows = ald_matrix_row_major(x, n, d, d);
    const ald_target y = ald_target_classes(classes, n, n_classes);
    ald_settings *settings[most_settings] = {0};
    ald_context *context;
    ald_status status = ald_context_new(&options, &context, NULL);
    if (status < 0) return status;
    for (int i = 0; status >= 0 && i < count; i++) {
        status = ald_settings_new(context, "lda", &settings[i], NULL);
        if (status >= 0) status = ald_settings_set_real(settings[i], "ridge", 1.0 + i, NULL);
    }
    if (status >= 0) status = compare(context, &rows, &y, settings, count, refit, total);
    for (int i = 0; i < count; i++) ald_settings_free(settings[i]);
    ald_context_free(context);
    return status;
}
