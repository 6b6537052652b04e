/* The matrices that may come beside X: of all pairs of rows, or of all columns, for methods that use them. */
#include "base/core/text.h"
#include "base/settings/method.h"
#include "fit/prepare/check.h"
#include "math/operator/operator.h"

#include <stddef.h>

static const struct {
    const char *name;
    size_t place; /* in ald_inputs */
    unsigned capability;
    int by_columns; /* a row for each component, instead of one for each row of X */
} beside[] = {
    {"graph", offsetof(ald_inputs, graph), ALD_CAN_GRAPH, 0},
    {"matrix of target distances", offsetof(ald_inputs, target_distances), ALD_CAN_DISTANCES, 0},
    {"kernel of the response", offsetof(ald_inputs, response_kernel), ALD_CAN_RESPONSE_KERNEL, 0},
    {"start", offsetof(ald_inputs, start), ALD_CAN_START, 1},
};
enum { beside_count = sizeof beside / sizeof *beside };

static const ald_matrix *given(const ald_inputs *inputs, int i)
{
    return *(const ald_matrix *const *)((const char *)inputs + beside[i].place);
}

static ald_status check_shape(ald_run *run, const ald_inputs *inputs, int i)
{
    const ald_matrix *m = given(inputs, i);
    const char *name = beside[i].name;
    const int64_t n = inputs->x->rows, d = inputs->x->cols;
    ALD_TRY(ald_check_matrix(run, m, name));
    if (beside[i].by_columns && m->cols != d)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the %s is %lld x %lld; with %lld columns of X it must have a row of %lld numbers for "
            "each component",
            name, (long long)m->rows, (long long)m->cols, (long long)d, (long long)d);
    if (!beside[i].by_columns && (m->rows != n || m->cols != n))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the %s is %lld x %lld; with %lld rows it must be %lld x %lld", name,
                        (long long)m->rows, (long long)m->cols, (long long)n, (long long)n, (long long)n);
    return ALD_OK;
}

/* By numbers alone: its rows and columns do not have the names of those of X. */
static ald_status check_finite(ald_run *run, const ald_matrix *m, const char *name)
{
    int64_t row, column;
    ALD_TRY(ald_matrix_find_bad(run, m, &row, &column));
    if (row < 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s: row %lld, column %lld is not a finite number", name,
                    (long long)row + 1, (long long)column + 1);
}

ald_status ald_check_beside(ald_run *run, const ald_inputs *inputs)
{
    for (int i = 0; i < beside_count; i++)
        if (given(inputs, i)) ALD_TRY(check_shape(run, inputs, i));
    return ALD_OK;
}

/* What to do with a matrix that the method does not use. */
static ald_status refuse_use(ald_run *run, int i)
{
    ald_text others;
    ald_text_init(&others, &run->scratch);
    for (int m = 0; m < ald_method_count(); m++)
        if (ald_method_capabilities(ald_method_at(m)) & beside[i].capability)
            ALD_TRY(ald_text_print(run, &others, "%s%s", others.length ? ", " : "",
                                   ald_method_name(ald_method_at(m))));
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s does not use a %s: leave it out, or take another method (%s)",
                    ald_method_name(ald_settings_method(run->settings)), beside[i].name, others.data);
}

ald_status ald_check_beside_use(ald_run *run, const ald_inputs *inputs)
{
    const ald_method *method = ald_settings_method(run->settings);
    for (int i = 0; i < beside_count; i++) {
        if (!given(inputs, i)) continue;
        if (!(method->capabilities & beside[i].capability)) return refuse_use(run, i);
        ALD_TRY(check_shape(run, inputs, i));
        ALD_TRY(check_finite(run, given(inputs, i), beside[i].name));
    }
    return ALD_OK;
}
