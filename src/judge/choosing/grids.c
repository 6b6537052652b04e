/* Grids of values where none are given. */
#include "judge/choosing/search.h"

#include "base/numbers/number.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "math/kernel/width.h"

#include <math.h>
#include <string.h>

/* The values of a parameter that are tried where none are given: the grids of the parameter tables
 * (ald_param.grid), for parameters that are not set. Those in units of the median distance are multiplied by
 * that of the rows as the settings prepare them. */

/* "kernel=rbf": that setting has that value. */
static int holds(const ald_settings *settings, const char *condition)
{
    char name[64];
    const size_t length = condition ? strcspn(condition, "=") : 0;
    if (!condition) return 1;
    if (length >= sizeof name) return 0;
    memcpy(name, condition, length);
    name[length] = '\0';
    const char *value = ald_settings_text(settings, name);
    return value && strcmp(value, condition + length + 1) == 0;
}

static int is_wanted(const ald_settings *settings, const ald_param *param, int relative)
{
    const int in_distances = (param->traits & ALD_PARAM_GRID_IS_RELATIVE) != 0;
    return param->grid && in_distances == relative && !ald_settings_given(settings, param->name) &&
           holds(settings, param->grid_when);
}

/* The median distance of the rows as the kernel of the settings sees them. */
static ald_status find_distance(ald_run *run, const ald_matrix *x, double *distance)
{
    const ald_param *param = ald_settings_param_with(run->settings, ALD_PARAM_IS_KERNEL);
    ald_kernel kernel = {.kind = ALD_KERNEL_RBF};
    ald_problem problem;
    ald_row_plan plan;
    if (param) ald_kernel_find(ald_settings_text(run->settings, param->name), &kernel.kind);
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    ALD_TRY(ald_prepare_fit(run, x, NULL, &plan, &problem));
    ald_operator rows = problem.x;
    ALD_TRY(ald_kernel_rows(run, &kernel, problem.shift, &rows));
    return ald_kernel_median(run, &kernel, &rows, ald_seed(run), NULL, distance);
}

/* 0 where there is none: the fit reports what is wrong with the rows. Want of memory is no such thing. */
static ald_status distance_of(ald_run *run, const ald_settings *settings, const ald_matrix *x,
                              double *distance)
{
    ald_run inner;
    ald_error error;
    *distance = 0.0;
    if (x->rows < 2) return ALD_OK;
    ald_run_inside(&inner, run, &error);
    inner.settings = settings;
    const ald_status status = ald_run_end(&inner, find_distance(&inner, x, distance));
    if (status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED)
        return ald_fail(run->error, status, "%s", error.message);
    if (status < 0 || !isfinite(*distance)) *distance = 0.0;
    return ALD_OK;
}

/* Every value of the grid times the distance, with four digits. */
static ald_status multiply(ald_run *run, const ald_grid *grid, double distance, const char **values)
{
    ald_text list, product;
    ald_text_init(&list, &run->scratch);
    ald_text_init(&product, &run->scratch);
    ALD_TRY(ald_grid_write(run, grid, &list));
    for (const char *at = list.data; *at;) {
        const size_t length = strcspn(at, ",");
        double value = 0.0;
        ald_parse_real(at, length, &value);
        ALD_TRY(ald_text_print(run, &product, "%s%.4g", product.length ? "," : "", value * distance));
        at += length;
        at += *at == ',';
    }
    *values = product.data;
    return ALD_OK;
}

static ald_grid grid_of(const ald_param *param)
{
    return (ald_grid){.name = param->name, .values = param->grid, .whole = ald_param_is_whole(param)};
}

/* Parameters that are what a trait says, or, trait 0, nothing of that kind. */
static void add_plain(const ald_settings *settings, unsigned trait, ald_grid *grids, int *count)
{
    const unsigned ordered = ALD_PARAM_IS_RIDGE_REL;
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(ald_settings_method(settings), i)) != NULL; i++)
        if (is_wanted(settings, param, 0) && (param->traits & ordered) == trait)
            grids[(*count)++] = grid_of(param);
}

static ald_status add_relative(ald_run *run, const ald_settings *settings, const ald_matrix *x,
                               ald_grid *grids, int *count)
{
    const ald_param *param;
    double distance = -1.0; /* found when it is first wanted */
    for (int i = 0; (param = ald_method_param(ald_settings_method(settings), i)) != NULL; i++) {
        if (!is_wanted(settings, param, 1)) continue;
        if (distance < 0.0 && x->rows > ALD_WIDTH_GRID_ROWS) return ALD_OK;
        if (distance < 0.0) ALD_TRY(distance_of(run, settings, x, &distance));
        if (!(distance > 0.0)) return ALD_OK;
        grids[*count] = grid_of(param);
        ALD_TRY(multiply(run, &grids[*count], distance, &grids[*count].values));
        ++*count;
    }
    return ALD_OK;
}

ald_status ald_usual_grids(ald_run *run, const ald_settings *settings, const ald_matrix *x, int relative,
                           ald_grid **grids, int *count)
{
    int params = 0;
    while (ald_method_param(ald_settings_method(settings), params)) params++;
    *count = 0;
    ALD_TRY(ald_scratch(run, params, 1, sizeof **grids, grids));
    add_plain(settings, ALD_PARAM_IS_RIDGE_REL, *grids, count);
    add_plain(settings, 0, *grids, count);
    return relative ? add_relative(run, settings, x, *grids, count) : ALD_OK;
}

ald_status ald_grid_of_widths(ald_run *run, const ald_settings *settings, const ald_matrix *x,
                              const char *grid, const char **values)
{
    const ald_grid parts = {.name = "", .values = grid};
    double distance;
    *values = NULL;
    ALD_TRY(distance_of(run, settings, x, &distance));
    return distance > 0.0 ? multiply(run, &parts, distance, values) : ALD_OK;
}
