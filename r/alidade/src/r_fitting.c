/* Routines that make models: fit, the usual search, calibration, models merged. */
#include "glue.h"
#include "routines.h"

static ald_status fit(r_call *call)
{
    r_inputs inputs;
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_settings(call, r_text(call->arguments, "method"), r_given(call, "settings")));
    R_TRY(ald_predictor_auto_for(call->settings, &inputs.target, 0, NULL, &call->error));
    R_TRY(ald_fit_inputs(call->context, call->settings, &inputs.view, &call->model, &call->error));
    return r_put_new_model(call);
}
R_ENTRY(r_fit, fit)

static ald_status fit_usual(r_call *call)
{
    r_inputs inputs;
    ald_search search = ALD_SEARCH_INIT;
    search.components = r_text(call->arguments, "components");
    search.settings = r_texts(call->arguments, "words");
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(r_take_data(call, &inputs));
    R_TRY(ald_fit_usual(call->context, call->data, &search, &call->model, &call->error));
    return r_put_new_model(call);
}
R_ENTRY(r_fit_usual, fit_usual)

static ald_status calibrate(r_call *call)
{
    r_inputs inputs;
    ald_calibration_options options = ALD_CALIBRATION_OPTIONS_INIT;
    options.folds = r_whole(call->arguments, "folds");
    options.seed = (uint64_t)r_whole(call->arguments, "seed");
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(ald_calibrate(call->context, r_model(call, "model"), &inputs.x, inputs.view.y, &options,
                        &call->model, &call->error));
    return r_put_new_model(call);
}
R_ENTRY(r_calibrate, calibrate)

/* Models of parts, in a list of handles. */
static ald_status merge(r_call *call)
{
    SEXP parts = r_given(call, "models");
    R_TRY(ald_merging_new(call->context, r_model_of(VECTOR_ELT(parts, 0)), &call->merging, &call->error));
    for (R_xlen_t i = 1; i < Rf_xlength(parts); i++)
        R_TRY(ald_merging_add(call->merging, r_model_of(VECTOR_ELT(parts, i)), &call->error));
    R_TRY(ald_merging_fit(call->merging, &call->model, &call->error));
    return r_put_new_model(call);
}
R_ENTRY(r_merge, merge)
