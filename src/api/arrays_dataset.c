/* ald_dataset_from_arrays: the arrays are checked, then looked at through a dataset. */
#include "base/core/given.h"
#include "base/settings/options.h"
#include "data/arrays/arrays.h"
#include "fit/prepare/check.h"

ald_status ald_dataset_from_arrays(ald_context *context, const ald_inputs *inputs, int copy,
                                   ald_dataset **dataset, ald_error *error)
{
    ald_inputs whole;
    ald_run run;
    if (dataset) *dataset = NULL;
    ALD_GIVEN(error, context, inputs, dataset);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_inputs, inputs, &whole));
    ald_run_begin(&run, context, error);
    ald_status status = ald_check_inputs(&run, &whole);
    if (status >= 0) status = ald_dataset_new(&run, dataset);
    if (status >= 0) status = ald_dataset_from_inputs(&run, &whole, copy, *dataset);
    if (status < 0) {
        ald_dataset_free(*dataset);
        *dataset = NULL;
    }
    return ald_run_end(&run, status);
}
