/* The fuzz target for the page of a model file and rows that are read like its own: quick, and for every
 * fourth length all that a page can have, with test rows. */
#include "fuzz/model_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ald_context *context = fuzzing_public();
    const int whole = size % 4 == 0;
    const ald_report_options options = {
        .size = sizeof options,
        .folds = 2,
        .resamples = 1,
        .quick = !whole,
    };
    ald_model *model = NULL;
    ald_dataset *data = NULL, *test = NULL;
    char *page = NULL;
    ald_error error;
    ald_status status = ald_model_from_bytes(context, bytes, size, &model, &error);
    if (status >= 0) status = model_rows_found(context, model, size, &data, &error);
    if (status >= 0 && whole) status = model_rows_found(context, model, size / 4, &test, &error);
    if (status >= 0) status = ald_report(context, model, data, test, &options, &page, &error);
    fuzzing_expect_message(status, &error);
    if (status >= 0 && strstr(page, "<script>alert")) abort();
    if (page) ald_text_free(context, page);
    ald_dataset_free(test);
    ald_dataset_free(data);
    ald_model_free(model);
    return 0;
}
