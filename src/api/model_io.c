#include "core/given.h"
#include "modelfile/modelfile.h"

static ald_status check_path(ald_run *run, const char *path)
{
    if (*path) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "no name of a model file was given");
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

ald_status ald_model_load(ald_context *context, const char *path, ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, path, model);
    ald_run_begin(&run, context, error);
    const ald_status status = load(&run, path, model);
    if (status < 0) {
        ald_model_free(*model);
        *model = NULL;
    }
    return ald_run_end(&run, status);
}
