/* ald_update: statistics of the model and of the new rows are combined, and the method is fitted to a problem
 * with those moments. */
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "data/encode/dataset.h"
#include "fit/fitting/calibration.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/fit_moments.h"
#include "fit/fitting/method_settings.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "fit/updating/counted_parts.h"
#include "math/operator/all_rows.h"
#include "methods/engines/slices.h"
#include "methods/moments/moments.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

/* The target of the new rows: of the kind that the model was fitted with. */
static ald_status check_rows(ald_run *run, const ald_moments *total, const ald_dataset *dataset)
{
    const ald_target *y = &dataset->target;
    if (y->kind != (total->edges ? ALD_TARGET_REAL : total->kind))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the rows need the target that the model was fitted with");
    ALD_TRY(ald_check_matrix(run, &dataset->x, "X"));
    ALD_TRY(ald_check_storage(run, &dataset->x, ald_settings_method(run->settings)));
    ALD_TRY(ald_check_finite(run, &dataset->x, "X"));
    if (y->kind != ALD_TARGET_NONE) ALD_TRY(ald_check_truth(run, y, dataset->x.rows));
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld has no target: leave out such rows (`unlabelled_rows=drop`)",
                            (long long)ald_dataset_file_number(dataset, i));
    return ALD_OK;
}

/* Classes that the model did not know stand behind its own. */
static ald_status rename_classes(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const ald_target *y = &dataset->target;
    if (y->names) ALD_TRY(ald_model_set_names(run, model, "alidade.class_names", y->names, y->n_classes));
    return dataset->schema ? ald_model_set_text(run, model, "alidade.schema", dataset->schema) : ALD_OK;
}

/* The statistics of the model, and of the rows of the dataset. */
static ald_status sum_both(ald_run *run, const ald_model *old, const ald_dataset *dataset, ald_moments *total,
                           ald_moments *change, ald_model *model)
{
    ald_operator rows = {.x = dataset->x};
    ald_target target = dataset->target;
    ald_row_plan plan;
    *change = (ald_moments){0};
    ALD_TRY(ald_moments_load(run, old, total));
    ALD_TRY(ald_check_kept(run, total));
    ALD_TRY(ald_row_plan_load(run, old, &plan));
    ALD_TRY(ald_row_plan_store(run, &plan, total->d, model));
    if (dataset->all && dataset->x.rows == 0) return ALD_OK; /* all rows of this part are left out */
    ALD_TRY(check_rows(run, total, dataset));
    if (total->edges) ALD_TRY(ald_slice_target(run, total->edges, total->k, &dataset->target, &target));
    ALD_TRY(ald_prepare_rows(run, &plan, &rows));
    return ald_moments_to_keep(run, &rows, &target, change);
}

/* Whose rows the statistics of the model are of. */
static ald_status count_parts(ald_run *run, const ald_moments *total, const ald_moments *change, int sign,
                              char *parts, ald_model *model)
{
    char *added;
    int64_t already;
    if (sign < 0) {
        ALD_TRY(ald_parts_take(run, change, total, &parts));
    } else {
        ALD_TRY(ald_parts_of(run, &run->scratch, model, change, &added));
        ALD_TRY(ald_parts_add(run, &run->scratch, added, &parts, &already));
    }
    return ald_parts_store(run, parts, total, model);
}

static ald_status fit_both(ald_run *run, const ald_model *old, const ald_dataset *dataset, int sign,
                           ald_moments *total, const ald_moments *change, ald_model *model)
{
    const ald_target *y = &dataset->target;
    const int new_classes = total->kind == ALD_TARGET_CLASSES && !total->edges && y->n_classes > total->k;
    const int known = change->n > 0.0 && total->n > 0.0;
    char *parts = NULL;
    if (known) ALD_TRY(ald_parts_of(run, &run->scratch, old, total, &parts));
    ALD_TRY(ald_moments_merge(run, &run->scratch, total, change, sign));
    ALD_TRY(ald_fit_moments(run, total, old, model));
    if (known) ALD_TRY(count_parts(run, total, change, sign, parts, model));
    return new_classes ? rename_classes(run, dataset, model) : ALD_OK;
}

static ald_status update(ald_run *run, const ald_model *old, const ald_dataset *dataset, int take_away,
                         ald_model **model)
{
    const int sign = take_away ? -1 : 1;
    const ald_all_rows *all = dataset->all;
    ald_moments total, change;
    ALD_TRY(sum_both(run, old, dataset, &total, &change, *model));
    if (all) ALD_TRY(all->unite(run, &run->scratch, &change));
    if (ald_is_first(all)) ALD_TRY(fit_both(run, old, dataset, sign, &total, &change, *model));
    if (ald_model_calibration_count(old) > 0 && (all || take_away))
        ald_log(run, ALD_LOG_WARNING,
                "the model kept its errors on rows that it had not seen; the new one keeps none, since %s: "
                "calibrate it again (`ald_calibrate`)",
                take_away ? "it is not known which of them are of the rows that are taken away"
                          : "ranks do not measure new ones");
    if (all) return all->share(run, model);
    return take_away ? ALD_OK : ald_calibration_continue(run, old, &dataset->x, &dataset->target, *model);
}

ald_status ald_update(ald_context *context, const ald_model *model, const ald_dataset *dataset, int take_away,
                      ald_model **updated, ald_error *error)
{
    ald_settings *settings = NULL;
    ald_run run;
    ald_error told;
    if (updated) *updated = NULL;
    ALD_GIVEN(error, context, model, dataset, updated);
    const ald_status stored = ald_settings_as_stored(context, model, &settings, &told);
    ald_run_begin(&run, context, error);
    ald_status status = ald_fit_begin(&run, settings, updated);
    if (stored < 0) {
        *run.error = told;
        status = stored;
    }
    if (status >= 0) status = update(&run, model, dataset, take_away, updated);
    status = ald_fit_end(&run, dataset->all ? dataset->all->end(&run, status) : status, updated);
    ald_settings_free(settings);
    return status;
}
