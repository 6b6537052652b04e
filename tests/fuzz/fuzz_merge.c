/* The fuzz target for models of parts: one is the file, the other is fitted with its settings to rows that
 * are read like its own. They are merged in both orders, and the file with both. */
#include "fuzz/model_rows.h"
#include "judge/dimension/dimension.h"

static ald_status fit_like(ald_context *context, const ald_model *model, size_t number, ald_model **fitted,
                           ald_error *error)
{
    ald_dataset *dataset = NULL;
    ald_settings *settings = NULL;
    ald_status status = model_rows_found(context, model, number, &dataset, error);
    if (status >= 0) status = ald_settings_of_model(context, model, &settings, error);
    if (status >= 0) status = ald_fit_dataset(context, settings, dataset, fitted, error);
    ald_settings_free(settings);
    ald_dataset_free(dataset);
    return status;
}

static ald_status merge(ald_context *context, const ald_model *const *models, int count, ald_error *error)
{
    ald_merging *sum = NULL;
    ald_model *merged = NULL;
    ald_status status = ald_merging_new(context, models[0], &sum, error);
    for (int k = 1; k < count && status >= 0; k++) status = ald_merging_add(sum, models[k], error);
    if (status >= 0) status = ald_merging_fit(sum, &merged, error);
    ald_model_free(merged);
    ald_merging_free(sum);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ald_context *context = fuzzing_public();
    ald_model *model = NULL, *fitted = NULL;
    ald_error error;
    ald_status status = ald_model_from_bytes(context, bytes, size, &model, &error);
    if (status >= 0) status = fit_like(context, model, size, &fitted, &error);
    fuzzing_expect_message(status, &error);
    if (status >= 0) {
        const ald_model *const models[] = {model, fitted, model};
        fuzzing_expect_message(merge(context, models, 3, &error), &error);
        fuzzing_expect_message(merge(context, models + 1, 2, &error), &error);
    }
    ald_model_free(fitted);
    ald_model_free(model);
    return 0;
}
