/* Saving and loading models: as files or as bytes. */
#include "base/core/error.h"
#include "io/modelfile/modelfile.h"

static ald_status check_path(ald_run *run, const char *path)
{
    if (*path) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "no model file name was given");
}

static ald_status save(ald_run *run, const ald_model *model, const char *path)
{
    ALD_TRY(check_path(run, path));
    return ald_modelfile_write(run, model, path);
}

ald_status ald_model_save(ald_context *context, const ald_model *model, const char *path, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, path);
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, save(&run, model, path));
}

static ald_status load(ald_run *run, const char *path, ald_model **model)
{
    ALD_TRY(check_path(run, path));
    ALD_TRY(ald_model_new(run, model));
    return ald_modelfile_read(run, path, *model);
}

ald_status ald_model_to_bytes(ald_context *context, const ald_model *model, unsigned char **bytes,
                              size_t *size, ald_error *error)
{
    ald_run run;
    if (bytes) *bytes = NULL;
    if (size) *size = 0;
    ALD_GIVEN(error, context, model, bytes, size);
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, ald_modelfile_bytes(&run, model, bytes, size));
}

void ald_bytes_free(ald_context *context, unsigned char *bytes)
{
    if (context && bytes) context->allocator.resize(context->allocator.user, bytes, 0);
}

/* The end of every reading: a model that could not be read whole is none. */
static ald_status settle(ald_run *run, ald_status status, ald_model **model)
{
    if (status < 0) {
        ald_model_free(*model);
        *model = NULL;
    }
    return ald_run_end(run, status);
}

ald_status ald_model_load(ald_context *context, const char *path, ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, path, model);
    ald_run_begin(&run, context, error);
    return settle(&run, load(&run, path, model), model);
}

ald_status ald_model_from_bytes(ald_context *context, const unsigned char *bytes, size_t size,
                                ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, bytes, model);
    ald_run_begin(&run, context, error);
    ald_status status = ald_model_new(&run, model);
    if (status >= 0) status = ald_modelfile_parse(&run, bytes, size, *model);
    return settle(&run, status, model);
}
