#include "methods/engines/labelled.h"

#include <string.h>

static int is_labelled(const ald_target *y, int64_t i)
{
    return !y->labelled || y->labelled[i];
}

static ald_status take_classes(ald_run *run, const ald_target *y, ald_labelled *l)
{
    int32_t *classes;
    int64_t *size;
    int64_t missing = -1;
    ALD_TRY(ald_scratch(run, l->count, 1, sizeof *classes, &classes));
    ALD_TRY(ald_scratch(run, y->n_classes, 1, sizeof *size, &size));
    memset(size, 0, (size_t)y->n_classes * sizeof *size);
    for (int64_t i = 0; i < l->count; i++) {
        classes[i] = y->classes[l->which[i]];
        size[classes[i]]++;
    }
    for (int64_t c = y->n_classes - 1; c >= 0; c--)
        if (size[c] == 0) missing = c;
    l->target.classes = classes;
    if (missing < 0) return ALD_OK;
    if (y->names && y->names[missing])
        ald_warn(run, ALD_RANK_REDUCED,
                 "class '%.60s' has no labelled row, so nothing is done to tell it apart", y->names[missing]);
    else
        ald_warn(run, ALD_RANK_REDUCED,
                 "class code %lld has no labelled row, so nothing is done to tell it apart",
                 (long long)missing);
    return ALD_OK;
}

static ald_status take_values(ald_run *run, const ald_target *y, ald_labelled *l)
{
    const int64_t q = y->values.cols;
    double *all, *values;
    int64_t columns;
    ALD_TRY(ald_scratch_reals(run, l->count, q, &values));
    ALD_TRY(ald_target_numbers(run, y, &all, &columns));
    for (int64_t i = 0; i < l->count; i++)
        memcpy(values + i * q, all + l->which[i] * q, (size_t)q * sizeof *values);
    l->target.values = ald_matrix_row_major(values, l->count, q, q);
    return ALD_OK;
}

ald_status ald_labelled_find(ald_run *run, const ald_problem *problem, ald_model *model,
                             ald_labelled *labelled)
{
    const ald_target *y = problem->target;
    const int64_t n = problem->n;
    *labelled = (ald_labelled){.target = *y};
    ALD_TRY(
        ald_ask_again(run)); /* targets have been checked, and are now copied: long where there are many */
    ALD_TRY(ald_scratch(run, n, 1, sizeof *labelled->which, &labelled->which));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *labelled->others, &labelled->others));
    for (int64_t i = 0; i < n; i++)
        if (is_labelled(y, i))
            labelled->which[labelled->count++] = i;
        else
            labelled->others[labelled->others_count++] = i;
    if (labelled->count < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "%lld of %lld rows %s a target: two or more are needed",
                        (long long)labelled->count, (long long)n, labelled->count == 1 ? "has" : "have");
    labelled->target.rows = labelled->count;
    labelled->target.labelled = NULL;
    labelled->target.weights = NULL;
    ALD_TRY(y->kind == ALD_TARGET_CLASSES ? take_classes(run, y, labelled) : take_values(run, y, labelled));
    if (labelled->others_count == 0) return ALD_OK;
    return ald_model_set_printed(run, model, "alidade.resolved.unlabelled_rows", "%lld",
                                 (long long)labelled->others_count);
}
