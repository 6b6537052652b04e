#include "choosing/baselines.h"

#include "core/method.h"
#include "core/settings.h"

static const ald_method baseline = {.name = "baseline", .tables = (const ald_param_table[]){NULL}};

ald_status ald_baseline_settings(ald_run *run, ald_settings **settings)
{
    enum { most_params = 64 };
    const ald_param *params[most_params];
    ald_context context = *run->context;
    int count = 0;
    while (count < most_params && (params[count] = ald_method_param(&baseline, count)) != NULL) count++;
    return ald_settings_make(&context, &baseline, params, count, settings, run->error);
}

const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target)
{
    static const char *const constants[] = {[ALD_TARGET_NONE] = "constant",
                                            [ALD_TARGET_CLASSES] = "majority",
                                            [ALD_TARGET_REAL] = "mean",
                                            [ALD_TARGET_LABELS] = "label shares"};
    return kind == ALD_CANDIDATE_CONSTANT ? constants[target] : "all features";
}
