/* The rows and the target as kdr and gkdr compare them, and their parameters (kdr_data.h). */
#include "methods/kdr/kdr_data.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "base/threads/large_copy.h"
#include "math/kernel/gram.h"
#include "math/kernel/width.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

static const ald_param kernel_width_param = ALD_REAL_PARAM(
    "kernel_width", "0", 0, ALD_NO_LIMIT,
    "width of the kernel on X (kdr: on the projection, at the end), in units of the prepared "
    "columns; 0: by the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_KERNEL_WIDTH | ALD_PARAM_ZERO_IS_AUTO);
static const ald_param response_width_param = ALD_REAL_PARAM(
    "response_width", "0", 0, ALD_NO_LIMIT,
    "width of the kernel on the target, in its units; 0: by the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO);
static const ald_param standardize_param = ALD_FLAG_PARAM(
    "standardize", "1",
    "divide the columns by their standard deviations first; has no effect when scale is given");

const ald_param *const ald_kdr_params[] = {
    &kernel_width_param,
    &response_width_param,
    &standardize_param,
    NULL,
};

ald_kdr_settings ald_kdr_settings_of(const ald_run *run)
{
    return (ald_kdr_settings){
        .kernel_width = ald_setting_real(run, &kernel_width_param),
        .response_width = ald_setting_real(run, &response_width_param),
        .standardize = ald_setting_flag(run, &standardize_param),
        .seed = ald_seed(run),
    };
}

int ald_kdr_ignores_units(const ald_settings *settings)
{
    return ald_settings_int_of(settings, &standardize_param) != 0;
}

static const double least_part = 1e-10; /* of the largest eigenvalue of Z'Z */

/* Divides the columns of `z` by their deviations. */
static ald_status standardize(ald_run *run, const ald_problem *problem, ald_operator *z, double **scale)
{
    const ald_operator plain = {.x = z->x, .row_shift = z->row_shift, .row_factor = z->row_factor};
    ald_problem scaled = *problem;
    ald_column_moments moments = {0};
    ALD_TRY(ALD_SCRATCH(run, {&moments.mean, problem->d, 1}, {&moments.deviation, problem->d, 1}));
    ALD_TRY(ald_column_statistics(run, &plain, NULL, moments));
    ALD_TRY(ald_problem_scale(run, &scaled, moments.mean, moments.deviation));
    z->inverse_scale = scaled.x.inverse_scale;
    *scale = moments.deviation;
    return ALD_OK;
}

/* Q' (p x d) from the eigenvectors of Z'Z. */
static ald_status span_by_columns(ald_run *run, const ald_operator *z, ald_kdr_rows *rows)
{
    const int64_t d = rows->d;
    double *scatter, *values;
    ALD_TRY(ALD_SCRATCH(run, {&scatter, d, d}, {&values, d, 1}, {&rows->basis, d, d}));
    ALD_TRY(ald_operator_scatter(run, z, ald_at(scatter, d, d)));
    ALD_TRY(ald_eigen(run, ald_at(scatter, d, d), values, ald_at(rows->basis, d, d)));
    const double noise = ald_rounding_of_means(z);
    while (rows->p < d && values[rows->p] > fmax(least_part * values[0], noise)) rows->p++;
    return ALD_OK;
}

/* The same from the thin SVD of Z, d > n: nothing of size d x d. */
static ald_status span_by_rows(ald_run *run, const ald_operator *z, ald_kdr_rows *rows)
{
    const int64_t n = rows->n, d = rows->d;
    double *copy, *left, *values;
    ALD_TRY(ALD_SCRATCH(run, {&copy, n, d}, {&left, n, n}, {&values, n, 1}, {&rows->basis, n, d}));
    ALD_TRY(ald_operator_rows(run, z, 0, ald_at(copy, n, d)));
    ALD_TRY(ald_svd(run, ald_at(copy, n, d), ald_at(left, n, n), values, ald_at(rows->basis, n, d)));
    const double noise = ald_rounding_of_means(z), least = fmax(least_part * values[0] * values[0], noise);
    while (rows->p < n && values[rows->p] * values[rows->p] > least) rows->p++;
    return ALD_OK;
}

/* U, written out. */
static ald_status write_rows(ald_run *run, const ald_operator *z, ald_kdr_rows *rows)
{
    ALD_TRY(ald_scratch_reals(run, rows->n, rows->p, &rows->rows));
    if (rows->p == rows->d) {
        rows->basis = NULL;
        return ald_operator_rows(run, z, 0, ald_at(rows->rows, rows->n, rows->d));
    }
    double *turned;
    ALD_TRY(ald_scratch_reals(run, rows->d, rows->p, &turned));
    ald_transpose(rows->p, rows->d, rows->basis, turned);
    return ald_operator_apply(run, z, ald_of(turned, rows->d, rows->p), ald_at(rows->rows, rows->n, rows->p));
}

static ald_status check_finite(ald_run *run, const ald_kdr_rows *rows)
{
    for (int64_t i = 0; i < rows->n * rows->p; i++)
        if (!(fabs(rows->rows[i]) < 1e150)) return ald_too_large(run);
    return ALD_OK;
}

ald_status ald_kdr_rows_make(ald_run *run, const ald_problem *problem, const ald_kdr_settings *settings,
                             ald_model *model, ald_kdr_rows *rows)
{
    ald_operator z = problem->x;
    *rows = (ald_kdr_rows){.n = problem->n, .d = problem->d};
    if (settings->standardize && !problem->scale) ALD_TRY(standardize(run, problem, &z, &rows->scale));
    ALD_TRY(rows->d <= rows->n ? span_by_columns(run, &z, rows) : span_by_rows(run, &z, rows));
    if (problem->r > rows->p) return ald_too_many_components(run, problem, rows->p, "the rank of the data");
    ALD_TRY(write_rows(run, &z, rows));
    ALD_TRY(check_finite(run, rows));
    if (rows->scale) ALD_TRY(ald_model_add_vector(run, model, "column_scale", rows->d, rows->scale));
    return ald_model_set_printed(run, model, "alidade.resolved.data_rank", "%lld", (long long)rows->p);
}

/* Points that want a width, and how it is to be found. */
typedef struct width_task {
    const char *name; /* of the parameter */
    double asked;     /* 0: factor times the median distance */
    double factor;
    int64_t n, q;
    const double *points; /* n x q */
    uint64_t seed;
} width_task;

static ald_status choose_width(ald_run *run, const width_task *task, ald_model *model, double *width)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    char key[64] = "alidade.resolved.";
    *width = task->asked;
    if (*width == 0.0) {
        ALD_TRY(ald_median_distance(run, task->n, task->q, task->points, task->seed, width));
        *width *= task->factor;
        ald_arena_release(&run->scratch, mark);
    }
    if (!(*width > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s=0 stands for the median distance between rows, which is 0 here: they are all "
                        "equal. There is nothing to fit",
                        task->name);
    return ald_model_set_real(run, model, strncat(key, task->name, 32), *width);
}

ald_status ald_kdr_rows_width(ald_run *run, const ald_kdr_rows *rows, const ald_kdr_settings *settings,
                              double factor, ald_model *model, double *width)
{
    const width_task task = {
        .name = "kernel_width",
        .asked = settings->kernel_width,
        .factor = factor,
        .n = rows->n,
        .q = rows->p,
        .points = rows->rows,
        .seed = settings->seed,
    };
    return choose_width(run, &task, model, width);
}

ald_status ald_kdr_rows_turn(ald_run *run, const ald_kdr_rows *rows, int64_t r, const double *b,
                             double *turned, double *values)
{
    const int64_t n = rows->n, p = rows->p;
    double *z, *covariance, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&z, n, r}, {&covariance, r, r}, {&vectors, r, r}));
    ALD_TRY(ald_product(run, ald_of(rows->rows, n, p), ald_t(ald_of(b, r, p)), ald_at(z, n, r)));
    ALD_TRY(ald_product_add(run, 1.0 / (double)n, ald_t(ald_of(z, n, r)), ald_of(z, n, r), 0.0,
                            ald_at(covariance, r, r)));
    ALD_TRY(ald_eigen(run, ald_at(covariance, r, r), values, ald_at(vectors, r, r)));
    return ald_product(run, ald_of(vectors, r, r), ald_of(b, r, p), ald_at(turned, r, p));
}

ald_status ald_kdr_rows_add(ald_run *run, const ald_problem *problem, const ald_kdr_rows *rows,
                            const double *directions, ald_model *model)
{
    const int64_t r = problem->r, d = rows->d, p = rows->p;
    double *components;
    ALD_TRY(ald_scratch_reals(run, r, d, &components));
    if (rows->basis)
        ALD_TRY(
            ald_product(run, ald_of(directions, r, p), ald_of(rows->basis, p, d), ald_at(components, r, d)));
    else
        memcpy(components, directions, (size_t)(r * d) * sizeof *components);
    for (int64_t k = 0; rows->scale && k < r; k++)
        for (int64_t j = 0; j < d; j++) components[k * d + j] /= rows->scale[j];
    return ald_add_components(run, problem, r, components, NULL, model);
}

ald_status ald_kdr_target_make(ald_run *run, const ald_problem *problem, const ald_kdr_settings *settings,
                               double factor, ald_model *model, ald_kdr_target *target)
{
    double *y;
    *target = (ald_kdr_target){
        .n = problem->n,
        .classes = problem->target->kind == ALD_TARGET_CLASSES,
        .width = 1.0,
    };
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &target->q));
    target->y = y;
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.response_kernel",
                               target->classes ? "delta" : "rbf"));
    if (target->classes) return ALD_OK;
    const width_task task = {
        .name = "response_width",
        .asked = settings->response_width,
        .factor = factor,
        .n = target->n,
        .q = target->q,
        .points = y,
        .seed = settings->seed,
    };
    return choose_width(run, &task, model, &target->width);
}

/* The indicators of classes where they may be changed. */
static ald_status copy_target(ald_run *run, const ald_kdr_target *target, double **f)
{
    ALD_TRY(ald_scratch_reals(run, target->n, target->q, f));
    return ald_copy_large(run, target->n * target->q, target->y, *f);
}

ald_status ald_kdr_target_factor(ald_run *run, const ald_kdr_target *target, double stretch, double tol,
                                 int64_t most, int centred, ald_kdr_factor *factor)
{
    ald_incomplete_cholesky task = {
        .rows = {.n = target->n, .q = target->q, .points = target->y, .width = stretch * target->width},
        .tol = tol,
        .most = most,
    };
    double *f = NULL;
    *factor = (ald_kdr_factor){target->y, target->q, 0.0};
    if (!target->classes) {
        ALD_TRY(ald_incomplete_cholesky_run(run, &task));
        *factor = (ald_kdr_factor){f = task.f, task.rank, task.left};
    } else if (centred) {
        ALD_TRY(copy_target(run, target, &f));
        factor->f = f;
    }
    return centred ? ald_centre_columns(run, target->n, factor->m, f) : ALD_OK;
}
