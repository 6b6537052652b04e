/* Fitting a dataset: ald_fit, and the names and the schema go into the model. And what `auto` stands for. */
#include "api/fit.h"
#include "data/dataset.h"

#include <stdio.h>

static ald_status fit_dataset(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const ald_target *y = &dataset->target;
    ALD_TRY(ald_fit_run(run, &dataset->x, y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y, model));
    if (dataset->feature_names)
        ALD_TRY(ald_model_set_names(run, model, "alidade.feature_names", (const char *const *)dataset->feature_names,
                                    dataset->x.cols));
    if (y->kind == ALD_TARGET_CLASSES && dataset->response_names)
        ALD_TRY(
            ald_model_set_names(run, model, "alidade.response_names", (const char *const *)dataset->response_names, 1));
    if (dataset->schema) ALD_TRY(ald_model_set_text(run, model, "alidade.schema", dataset->schema));
    return ALD_OK;
}

ald_status ald_fit_dataset(ald_context *context, const ald_settings *settings, const ald_dataset *dataset,
                           ald_model **model, ald_error *error)
{
    ald_run run;
    ald_status status = ald_fit_begin(&run, context, settings, error, model);
    if (status >= 0) status = fit_dataset(&run, dataset, *model);
    return ald_fit_end(&run, status, model);
}

const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size)
{
    const ald_target *y = &dataset->target;
    const long long n = (long long)dataset->x.rows, d = (long long)dataset->x.cols;
    const char *sparse = dataset->x.storage == ALD_DENSE ? "" : "sparse ";
    if (y->kind == ALD_TARGET_NONE) {
        snprintf(reason, reason_size,
                 "pca: there is no target, so the directions of largest variance of the %lld x %lld %smatrix", n, d,
                 sparse);
        return "pca";
    }
    snprintf(
        reason, reason_size,
        "pls: it takes %s, and works for %lld rows of %lld %scolumns whether they are more or fewer, collinear or not",
        y->kind == ALD_TARGET_CLASSES ? "classes"
        : y->kind == ALD_TARGET_REAL  ? "real responses"
                                      : "labels",
        n, d, sparse);
    return "pls";
}
