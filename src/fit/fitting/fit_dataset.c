/* Fitting a dataset: ald_fit, and the names and the schema go into the model. And what `auto` stands for. */
#include "base/core/given.h"
#include "data/encode/dataset.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/prepare_x.h"

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
    const ald_inputs inputs = {
        .x = &dataset->x,
        .y = y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y,
        .graph = dataset->graph.values ? &dataset->graph : NULL,
        .target_distances = dataset->distances.values ? &dataset->distances : NULL,
    };
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

/* Why pls and not lda, which the classes call for. */
static const char *against_lda(const ald_dataset *dataset)
{
    if (dataset->target.n_classes <= 2)
        return "there are two classes, for which lda has a single direction and pls as many as you ask for";
    if (dataset->x.storage != ALD_DENSE) return "lda would have to make the sparse rows dense";
    return "lda needs at least five rows for each column, and pls can do with fewer";
}

/* lda where there are rows enough for its covariance and classes enough for two directions; else pls, which
 * always works. */
static const char *choose_by_data(const ald_dataset *dataset, char *reason, size_t size)
{
    const ald_target *y = &dataset->target;
    const long long n = (long long)(dataset->stands_for ? dataset->stands_for : dataset->x.rows),
                    d = (long long)dataset->x.cols;
    const int dense = dataset->x.storage == ALD_DENSE, classes = y->kind == ALD_TARGET_CLASSES;
    if (y->kind == ALD_TARGET_NONE) {
        snprintf(reason, size,
                 "pca: no target was named, so it looks for the directions along which the rows differ most");
        return "pca";
    }
    if (classes && y->n_classes > 2 && dense && n >= 5 * d) {
        snprintf(reason, size,
                 "lda: it looks for the directions that keep the %lld classes apart, and %lld rows are "
                 "enough for %lld column%s",
                 (long long)y->n_classes, n, d, d == 1 ? "" : "s");
        return "lda";
    }
    if (classes)
        snprintf(reason, size,
                 "pls: it looks for directions that vary together with the classes; %s (%lld rows, %lld "
                 "column%s)",
                 against_lda(dataset), n, d, d == 1 ? "" : "s");
    else
        snprintf(reason, size,
                 "pls: it looks for directions that vary together with the %s, and works with few rows and "
                 "many columns too (%lld rows, %lld column%s)",
                 y->kind == ALD_TARGET_REAL ? "target" : "labels", n, d, d == 1 ? "" : "s");
    return "pls";
}

const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size)
{
    char unwanted[300];
    if (!dataset) return NULL;
    return reason ? choose_by_data(dataset, reason, reason_size)
                  : choose_by_data(dataset, unwanted, sizeof unwanted);
}

ald_status ald_fit_words(ald_context *context, const char *words, const ald_inputs *inputs, ald_model **model,
                         ald_error *error)
{
    ald_settings *settings;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, words, inputs, model);
    ALD_TRY(ald_settings_from_words(context, words, &settings, error));
    const ald_status status = ald_fit_inputs(context, settings, inputs, model, error);
    ald_settings_free(settings);
    return status;
}
