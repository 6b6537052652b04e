/* The fuzz target for the model reader. */
#include "fuzz/fuzzing.h"
#include "modelfile/modelfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_model *model = NULL;
    ald_run_begin(&run, &context, &error);
    ald_status status = ald_model_new(&run, &model);
    if (status >= 0) status = ald_modelfile_parse(&run, bytes, size, model);
    if (status < 0 && error.message[0] == '\0') abort(); /* a failure says why */
    ald_model_free(model);
    ald_run_end(&run, status);
    return 0;
}
