/* Fitting a dataset: ald_fit, and the names and the schema go into the model. And what `auto` stands for. */
#include "api/fit.h"
#include "api/prepare_x.h"
#include "core/given.h"
#include "preparing/dataset.h"

#include <stdio.h>
#include <string.h>

/* Rows that the model places one by one, and knows no others: their names belong to it. */
static ald_status keep_row_names(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    if (!dataset->row_names || !map || strcmp(map, "none") != 0) return ALD_OK;
    return ald_model_set_names(run, model, "alidade.row_names", (const char *const *)dataset->row_names,
                               dataset->x.rows);
}

ald_status ald_fit_dataset_run(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const ald_target *y = &dataset->target;
    const ald_inputs inputs = {.x = &dataset->x,
                               .y = y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y,
                               .graph = dataset->graph.values ? &dataset->graph : NULL,
                               .target_distances = dataset->distances.values ? &dataset->distances : NULL};
    run->row_names = (const char *const *)dataset->row_names;
    run->feature_names = (const char *const *)dataset->feature_names;
    ALD_TRY(ald_check_row_order(run, run->settings, dataset->categorical));
    ALD_TRY(ald_fit_run(run, &inputs, model));
    if (dataset->feature_names)
        ALD_TRY(ald_model_set_names(run, model, "alidade.feature_names",
                                    (const char *const *)dataset->feature_names, dataset->x.cols));
    if (y->kind == ALD_TARGET_CLASSES && dataset->response_names)
        ALD_TRY(ald_model_set_names(run, model, "alidade.response_names",
                                    (const char *const *)dataset->response_names, 1));
    if (dataset->schema) ALD_TRY(ald_model_set_text(run, model, "alidade.schema", dataset->schema));
    return keep_row_names(run, dataset, model);
}

ald_status ald_fit_dataset(ald_context *context, const ald_settings *settings, const ald_dataset *dataset,
                           ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, dataset, model);
    ald_status status = ald_fit_begin(&run, context, settings, error, model);
    if (status >= 0) status = ald_fit_dataset_run(&run, dataset, *model);
    return ald_fit_end(&run, status, model);
}

/* lda where there are rows enough for its covariance and classes enough for two directions; else pls, which
 * always works. */
const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size)
{
    char unwanted[1];
    if (!dataset) return NULL;
    if (!reason) {
        reason = unwanted;
        reason_size = sizeof unwanted;
    }
    const ald_target *y = &dataset->target;
    const long long n = (long long)dataset->x.rows, d = (long long)dataset->x.cols;
    const int dense = dataset->x.storage == ALD_DENSE;
    if (y->kind == ALD_TARGET_NONE) {
        snprintf(reason, reason_size, "pca, since there is no target: the directions of largest variance");
        return "pca";
    }
    if (y->kind == ALD_TARGET_CLASSES && y->n_classes > 2 && dense && n >= 5 * d) {
        snprintf(reason, reason_size,
                 "lda, since there are %lld classes and %lld rows for %lld columns, five or more a column",
                 (long long)y->n_classes, n, d);
        return "lda";
    }
    static const char *const words[] = {
        [ALD_TARGET_NONE] = "labels",
        [ALD_TARGET_CLASSES] = "classes",
        [ALD_TARGET_REAL] = "real responses",
        [ALD_TARGET_LABELS] = "labels",
    };
    snprintf(reason, reason_size,
             "pls, since it takes %s and needs no more rows (%lld) than columns (%lld%s)", words[y->kind], n,
             d, dense ? "" : ", sparse");
    return "pls";
}
