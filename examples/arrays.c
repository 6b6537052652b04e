/* From arrays with names to a model as bytes, predictions by it, and three methods side by side. */
#include <alidade/alidade.h>
#include <stdio.h>

int main(void)
{
    enum { n = 90, d = 2 };
    static const char *const features[] = {"length", "width"}, *const classes[] = {"cod", "hake", "ling"};
    static double x[n * d], predicted[n];
    static int32_t species[n];
    for (int i = 0; i < n; i++) species[i] = i % 3;
    for (int i = 0; i < n * d; i++) x[i] = i * 37 % 97 / 97.0 + 0.5 * species[i / d];
    const ald_matrix rows = ald_matrix_row_major(x, n, d, d);
    const ald_target target = {ALD_TARGET_CLASSES, n, .classes = species, .n_classes = 3, .names = classes};
    const ald_inputs inputs = {.size = sizeof inputs, .x = &rows, .y = &target, .feature_names = features};
    const ald_compare_options options = {.size = sizeof options, .methods = "lda,pls,pca"};
    ald_error error;
    ald_context *context;
    ald_model *model, *again;
    ald_comparison *comparison;
    unsigned char *bytes;
    size_t size;
    char *table;
    if (ald_context_new(NULL, &context, &error) < 0 ||
        ald_fit_words(context, "lda predictor=centroid", &inputs, &model, &error) < 0 ||
        ald_model_to_bytes(context, model, &bytes, &size, &error) < 0 ||
        ald_model_from_bytes(context, bytes, size, &again, &error) < 0 ||
        ald_predict(context, again, &rows, predicted, &error) < 0 ||
        ald_compare(context, &rows, &target, &options, &comparison, &error) < 0 ||
        ald_comparison_text(context, comparison, &table, &error) < 0)
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("features %s\n", ald_model_text(again, "alidade.feature_names"));
    printf("the first row is %s\n%s", classes[(int)predicted[0]], table);
    ald_text_free(context, table);
    ald_comparison_free(comparison);
    ald_bytes_free(context, bytes);
    ald_model_free(again);
    ald_model_free(model);
    ald_context_free(context);
}
