#include "data/arrays/input_names.h"

#include "io/table/names.h"

#include <string.h>

static ald_status check_names(ald_run *run, const char *const *names, int64_t count, const char *what)
{
    for (int64_t k = 0; names && k < count; k++)
        if (!names[k])
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: number %lld of %lld is NULL", what,
                            (long long)k + 1, (long long)count);
    return ALD_OK;
}

/* Columns are found again by their names: one name, one column. */
static ald_status check_distinct(ald_run *run, const char *const *names, int64_t count)
{
    ald_name_index index;
    if (!names) return ALD_OK;
    ALD_TRY(ald_name_index_new(run, count, &index));
    for (int64_t k = 0; k < count; k++) {
        const int64_t before = ald_name_index_find(&index, names[k], strlen(names[k]));
        if (before >= 0)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "feature_names: numbers %lld and %lld are both '%.80s'", (long long)before + 1,
                            (long long)k + 1, names[k]);
        ald_name_index_add(&index, names[k], k);
    }
    return ALD_OK;
}

ald_status ald_check_input_names(ald_run *run, const ald_inputs *inputs)
{
    const ald_target *y = inputs->y;
    const int64_t d = inputs->x->cols;
    if (y && y->kind == ALD_TARGET_CLASSES) ALD_TRY(check_names(run, y->names, y->n_classes, "target names"));
    if (y && y->kind != ALD_TARGET_CLASSES && y->kind != ALD_TARGET_NONE)
        ALD_TRY(check_names(run, y->names, y->values.cols, "target names"));
    ALD_TRY(check_names(run, inputs->feature_names, d, "feature_names"));
    ALD_TRY(check_distinct(run, inputs->feature_names, d));
    return check_names(run, inputs->row_names, inputs->x->rows, "row_names");
}
