/* The fuzz target for the statistics that a model keeps: rows are added to it, or taken away,
 * and it is merged. */
#include "fuzz/model_rows.h"

static ald_status read_rows(const ald_model *model, size_t number, ald_dataset **dataset, ald_error *error)
{
    ald_run run;
    ald_run_begin(&run, fuzzing_public(), error);
    return ald_run_end(&run, model_rows(&run, model, number, dataset));
}

/* The model with itself, or with what an update has made of it. */
static ald_status merge(ald_context *context, const ald_model *a, const ald_model *b, ald_error *error)
{
    ald_merging *sum = NULL;
    ald_model *merged = NULL;
    ald_status status = ald_merging_new(context, a, &sum, error);
    if (status >= 0) status = ald_merging_add(sum, b, error);
    if (status >= 0) status = ald_merging_fit(sum, &merged, error);
    ald_model_free(merged);
    ald_merging_free(sum);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ald_context *context = fuzzing_public();
    ald_model *model = NULL, *updated = NULL;
    ald_dataset *dataset = NULL;
    ald_error error;
    ald_status status = ald_model_from_bytes(context, bytes, size, &model, &error);
    if (status >= 0) status = read_rows(model, size, &dataset, &error);
    if (status >= 0) status = ald_update(context, model, dataset, size % 8 < 3, &updated, &error);
    fuzzing_expect_message(status, &error);
    if (model) fuzzing_expect_message(merge(context, model, updated ? updated : model, &error), &error);
    ald_model_free(updated);
    ald_dataset_free(dataset);
    ald_model_free(model);
    return 0;
}
