#include "choosing/baselines.h"

#include "core/method.h"

static const ald_param no_params[] = {{.name = NULL}};
static const ald_method baseline = {.name = "baseline", .params = no_params};

ald_status ald_baseline_settings(ald_run *run, ald_settings **settings)
{
    ald_context context = *run->context;
    return ald_settings_make(&context, &baseline, settings, run->error);
}

const char *ald_baseline_label(ald_candidate_kind kind, ald_target_kind target)
{
    static const char *const constants[] = {[ALD_TARGET_NONE] = "constant",
                                            [ALD_TARGET_CLASSES] = "majority",
                                            [ALD_TARGET_REAL] = "mean",
                                            [ALD_TARGET_LABELS] = "label shares"};
    return kind == ALD_CANDIDATE_CONSTANT ? constants[target] : "all features";
}
