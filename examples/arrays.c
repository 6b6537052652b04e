/* From arrays with names to a model as bytes, predictions of it read again, and three methods side by side.
 */
#include <alidade/alidade.h>
#include <stdio.h>

#define TRY(call)                                                                                            \
    do                                                                                                       \
        if ((call) < 0) return fprintf(stderr, "%s\n", error.message), 1;                                    \
    while (0)

enum { n = 90, d = 4 };

int main(void)
{
    static double x[n * d], predicted[n];
    static int32_t species[n];
    const char *const features[] = {"length", "width", "weight", "age"}, *const classes[] = {"cod", "hake",
                                                                                             "ling"};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            x[i * d + j] =
                (i * 7919 + j * 104729) % 97 / 97.0 + (j < 2) * 0.5 * (species[i] = i % 3) * (j + 1);
    const ald_matrix rows = ald_matrix_row_major(x, n, d, d);
    ald_target target = ald_target_classes(species, n, 3);
    target.names = classes;
    ald_inputs inputs = ALD_INPUTS_INIT;
    inputs.x = &rows, inputs.y = &target, inputs.feature_names = features, inputs.target_name = "species";

    ald_error error;
    ald_context *context;
    ald_settings *settings;
    ald_model *model, *again;
    ald_comparison *comparison;
    unsigned char *bytes;
    size_t size;
    TRY(ald_context_new(NULL, &context, &error));
    TRY(ald_settings_new(context, "lda", &settings, &error));
    TRY(ald_settings_set_text(settings, "predictor", "centroid", &error));
    TRY(ald_fit_inputs(context, settings, &inputs, &model, &error));
    TRY(ald_model_to_bytes(context, model, &bytes, &size, &error));
    TRY(ald_model_from_bytes(context, bytes, size, &again, &error));
    TRY(ald_predict(context, again, &rows, predicted, &error));
    printf("features %s, the first row is %s\n", ald_model_text(again, "alidade.feature_names"),
           classes[(int)predicted[0]]);

    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    options.methods = "lda,pls,pca";
    TRY(ald_compare(context, &rows, &target, &options, &comparison, &error));
    for (int i = 0; i < ald_comparison_count(comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        if (row->status < 0) continue; /* lda has two components for three classes */
        printf("%-12s %2lld  %s %.3f +- %.3f%s\n", row->label, (long long)row->dims,
               ald_comparison_metric(comparison, NULL), row->mean, row->std,
               row->mark == ALD_MARK_BEST ? "  best" : "");
    }
    ald_comparison_free(comparison);
    ald_bytes_free(context, bytes);
    ald_model_free(again);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return 0;
}
