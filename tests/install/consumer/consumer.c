/* A program of somebody else's: fits a PLS model on eight rows by the installed library alone and projects
 * them. */
#include <alidade/alidade.h>
#include <stdio.h>
#include <string.h>

enum { rows = 8, cols = 3 };

static int fit_and_project(ald_context *context, ald_settings *settings, ald_error *error)
{
    static const double x[rows * cols] = {
        1, 2, 0, 2, 1, 1, 3, 5, 0, 4, 3, 1, 5, 8, 0, 6, 5, 1, 7, 6, 0, 8, 9, 1,
    };
    static const double y[rows] = {1, 2, 3, 4, 5, 6, 7, 8};
    const ald_matrix features = ald_matrix_row_major(x, rows, cols, cols);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, rows, 1, 1));
    double z[rows];
    ald_model *model = NULL;
    if (ald_settings_set_int(settings, "n_components", 1, error) < 0) return 0;
    if (ald_fit(context, settings, &features, &target, &model, error) < 0) return 0;
    const int done = ald_transform(context, model, &features, z, error) >= 0;
    ald_model_free(model);
    if (done) printf("alidade %s, first score %.6f\n", ald_version(), z[0]);
    return done && z[0] < z[rows - 1];
}

int main(void)
{
    ald_error error = {0};
    ald_context *context = NULL;
    ald_settings *settings = NULL;
    int done = strcmp(ald_version(), ALD_VERSION) == 0 && ald_context_new(NULL, &context, &error) >= 0 &&
               ald_settings_new(context, "pls", &settings, &error) >= 0 &&
               fit_and_project(context, settings, &error);
    if (!done) fprintf(stderr, "consumer: %s\n", error.message);
    ald_settings_free(settings);
    ald_context_free(context);
    return !done;
}
