#include "judge/choosing/baselines.h"

#include "fit/fitting/method_settings.h"

/* No parameters but those that every method has. */
static const ald_method baseline = {.name = "baseline", .tables = (const ald_param_table[]){NULL}};

ald_status ald_baseline_settings(ald_run *run, ald_settings **settings)
{
    return ald_settings_of_method(run->context, &baseline, settings, run->error);
}

const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target)
{
    static const char *const constants[] = {
        [ALD_TARGET_NONE] = "constant",
        [ALD_TARGET_CLASSES] = "majority",
        [ALD_TARGET_REAL] = "mean",
        [ALD_TARGET_LABELS] = "label shares",
    };
    return kind == ALD_CANDIDATE_CONSTANT ? constants[target] : "all features";
}
