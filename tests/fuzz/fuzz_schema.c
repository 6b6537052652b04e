/* The fuzz target for what a model file says about columns: rows are read as those of the model were. */
#include "fuzz/model_rows.h"
#include "io/modelfile/modelfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_model *model = NULL;
    ald_dataset *dataset = NULL;
    ald_run_begin(&run, &context, &error);
    ald_status status = ald_model_new(&run, &model);
    if (status >= 0) status = ald_modelfile_parse(&run, bytes, size, model);
    if (status >= 0) status = model_rows(&run, model, size, &dataset);
    fuzzing_expect_message(status, &error);
    ald_dataset_free(dataset);
    ald_model_free(model);
    ald_run_end(&run, status);
    return 0;
}
