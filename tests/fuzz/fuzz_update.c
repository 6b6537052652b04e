/* The fuzz target for the statistics that a model keeps: rows are added to it, or taken away. */
#include "fuzz/model_rows.h"

static ald_status read_rows(const ald_model *model, size_t number, ald_dataset **dataset, ald_error *error)
{
    ald_run run;
    ald_run_begin(&run, fuzzing_public(), error);
    return ald_run_end(&run, model_rows(&run, model, number, dataset));
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
    ald_model_free(updated);
    ald_dataset_free(dataset);
    ald_model_free(model);
    return 0;
}
