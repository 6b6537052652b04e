#include "fit/prepare/unlike_columns.h"

#include "base/settings/common_params.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { most_rows = 1000 };

static const double unlike = 100.0;

static int minds_units(const ald_run *run)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    return run->context->log && asked.scale == ALD_COLUMNS_PLAIN && asked.row_scale == ALD_ROWS_PLAIN &&
           !ald_settings_method(run->settings)->scale_free;
}

/* "age", or "column 3". */
static const char *column_shown(const ald_run *run, int64_t j, char *text, size_t size)
{
    const char *name = run->feature_names ? run->feature_names[j] : NULL;
    if (name && *name)
        snprintf(text, size, "'%.60s'", name);
    else
        snprintf(text, size, "column %lld", (long long)j + 1);
    return text;
}

void ald_note_unlike_deviations(ald_run *run, int64_t d, const double *deviations)
{
    int64_t least = -1, most = -1;
    char small[80], large[80];
    if (!minds_units(run)) return;
    for (int64_t j = 0; j < d; j++) {
        if (!(deviations[j] > 0.0) || !isfinite(deviations[j])) continue;
        if (least < 0 || deviations[j] < deviations[least]) least = j;
        if (most < 0 || deviations[j] > deviations[most]) most = j;
    }
    if (least < 0 || deviations[most] <= unlike * deviations[least]) return;
    ald_log(run->context, ALD_LOG_INFO,
            "columns differ in spread by more than 100 times: the standard deviation of %s is %.3g, that of "
            "%s %.3g; %s goes by the large ones: if the columns have different units, give `scale=standard`",
            column_shown(run, most, large, sizeof large), deviations[most],
            column_shown(run, least, small, sizeof small), deviations[least],
            ald_settings_method(run->settings)->name);
}

static double entry(const ald_matrix *x, int64_t i, int64_t j)
{
    const double *values = x->values;
    return values[i * x->row_stride + j * x->col_stride];
}

/* By evenly spaced rows about the first of them; 0 where a column does not vary but for rounding. */
static double deviation_of(const ald_matrix *x, int64_t j, int64_t step)
{
    const double first = entry(x, 0, j);
    double sum = 0.0, square = 0.0, n = 0.0;
    for (int64_t i = 0; i < x->rows; i += step, n += 1.0) {
        const double apart = entry(x, i, j) - first;
        sum += apart;
        square += apart * apart;
    }
    const double variance = (square - sum * (sum / n)) / n;
    return variance > 1e-24 * first * first && variance > 1e-12 * square / n ? sqrt(variance) : 0.0;
}

ald_status ald_note_unlike_columns(ald_run *run, const ald_problem *problem)
{
    const ald_matrix *x = &problem->x.x;
    double *deviations;
    if (!minds_units(run) || problem->x.source || x->storage != ALD_DENSE || x->type != ALD_F64)
        return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->d, 1, &deviations));
    const int64_t step = 1 + (x->rows - 1) / most_rows;
    for (int64_t j = 0; j < problem->d; j++) deviations[j] = deviation_of(x, j, step);
    ald_note_unlike_deviations(run, problem->d, deviations);
    ald_arena_drop(&run->scratch, deviations);
    return ALD_OK;
}
