#include "fit/prepare/inputs.h"

#include "data/arrays/input_names.h"
#include "fit/prepare/check.h"

static ald_status check_target(ald_run *run, const ald_target *y, int64_t rows)
{
    if (y->kind < ALD_TARGET_NONE || y->kind > ALD_TARGET_LABELS)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "target: its kind is unknown");
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    return ald_check_truth(run, y, rows);
}

static ald_status check_square(ald_run *run, const ald_matrix *m, int64_t n, const char *what)
{
    if (!m) return ALD_OK;
    ALD_TRY(ald_check_matrix(run, m, what));
    if (m->rows == n && m->cols == n) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%s: it is %lld x %lld; with %lld rows it must be square of that size", what,
                    (long long)m->rows, (long long)m->cols, (long long)n);
}

ald_status ald_check_inputs(ald_run *run, const ald_inputs *inputs)
{
    ALD_TRY(ald_check_matrix(run, inputs->x, "X"));
    const int64_t n = inputs->x->rows;
    if (inputs->y) ALD_TRY(check_target(run, inputs->y, n));
    ALD_TRY(check_square(run, inputs->graph, n, "graph"));
    ALD_TRY(check_square(run, inputs->target_distances, n, "target distances"));
    return ald_check_input_names(run, inputs);
}
