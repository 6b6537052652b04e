/* The kernels on the targets, one function each (response_kernel.h has the formulas). */
#include "methods/engines/response_kernel.h"

#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "math/kernel/incomplete_cholesky.h"
#include "math/kernel/width.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {
    "auto", "linear", "rbf", "delta", "delta+identity", "identity", "polynomial", "given", NULL,
};
enum { name_auto };

static const ald_param response_kernel_param = ALD_CHOICE_PARAM(
    "response_kernel", "auto", names,
    "similarity of targets; auto: delta+identity for classes, rbf for real, linear for labels; given: a "
    "matrix that comes with the rows",
    .traits = ALD_PARAM_IS_RESPONSE_KERNEL);
static const ald_param response_width_param = ALD_REAL_PARAM(
    "response_width", "0", 0, ALD_NO_LIMIT, "rbf: width s in the units of the target; 0: the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO);

static const ald_param response_degree_param =
    ALD_INT_PARAM("response_degree", "3", 1, 20, "polynomial: the degree");
static const ald_param response_coef0_param =
    ALD_REAL_PARAM("response_coef0", "1", 0, ALD_NO_LIMIT, "polynomial: added to the products of targets");

#define SHAPE &response_width_param, &response_degree_param, &response_coef0_param, NULL
const ald_param *const ald_response_kernel_params[] = {&response_kernel_param, SHAPE};
const ald_param *const ald_response_shape_params[] = {SHAPE};

typedef ald_status (*factor_fn)(ald_run *run, const ald_problem *problem, ald_model *model,
                                ald_response_kernel *k);

enum {
    none = 1 << ALD_TARGET_NONE,
    classes = 1 << ALD_TARGET_CLASSES,
    real = 1 << ALD_TARGET_REAL,
    labels = 1 << ALD_TARGET_LABELS,
};

static ald_status factor_linear(ald_run *run, const ald_problem *problem, ald_model *model,
                                ald_response_kernel *k)
{
    (void)model;
    return ald_problem_responses(run, problem, &k->f, &k->m);
}

static ald_status factor_nothing(ald_run *run, const ald_problem *problem, ald_model *model,
                                 ald_response_kernel *k)
{
    (void)run, (void)problem, (void)model, (void)k;
    return ALD_OK;
}

ald_status ald_response_median(ald_run *run, const ald_problem *problem, int64_t q, const double *y,
                               double *width)
{
    const uint64_t seed = ald_seed(run), mark = ald_arena_mark(&run->scratch);
    const unsigned char *labelled = problem->target->labelled;
    double *rows, *weights = NULL;
    int64_t count = 0;
    ALD_TRY(ald_scratch_reals(run, problem->n, q, &rows));
    if (problem->weights) ALD_TRY(ald_scratch_reals(run, problem->n, 1, &weights));
    for (int64_t i = 0; i < problem->n; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)q));
        if (labelled && !labelled[i]) continue;
        if (weights) weights[count] = problem->weights[i];
        memcpy(rows + q * count++, y + i * q, (size_t)q * sizeof *rows);
    }
    *width = 0.0;
    if (count > 1) ALD_TRY(ald_weighted_median_distance(run, count, q, rows, weights, seed, width));
    ald_arena_release(&run->scratch, mark);
    if (*width > 0.0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "`response_width=0` stands for the median distance between targets, which is 0 here: the "
                    "rows examined have equal targets. Set `response_width`");
}

/* L = D^(1/2) K D^(1/2), K the kernel and D the weights (NULL: 1), by its products. */
typedef struct whole_kernel {
    ald_rbf_rows rows;
    const double *weights;
} whole_kernel;

/* w (n x k) = L v. */
static ald_status multiply_kernel(ald_run *run, void *self, const double *v, int64_t k, double *w)
{
    enum { step = 64 };
    const whole_kernel *l = self;
    const int64_t n = l->rows.n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *block;
    ALD_TRY(ald_scratch_reals(run, step, n, &block));
    for (int64_t i0 = 0; i0 < n; i0 += step) {
        const int64_t count = n - i0 < step ? n - i0 : step;
        for (int64_t i = 0; i < count; i++) {
            double *row = block + i * n;
            ALD_TRY(ald_rbf_column(run, &l->rows, i0 + i, row));
            for (int64_t j = 0; l->weights && j < n; j++) row[j] *= sqrt(l->weights[i0 + i] * l->weights[j]);
        }
        ALD_TRY(ald_product(run, ald_of(block, count, n), ald_of(v, n, k), ald_at(w + i0 * k, count, k)));
        ALD_TRY(ald_progress(run, "multiplying by the response kernel", (double)(i0 + count) / (double)n));
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status keep_whole(ald_run *run, const ald_problem *problem, const ald_rbf_rows *rows,
                             ald_response_kernel *k)
{
    whole_kernel *l;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *l, &l));
    *l = (whole_kernel){*rows, problem->weights};
    k->multiply = multiply_kernel;
    k->self = l;
    k->m = problem->n;
    return ALD_OK;
}

/* Whether products with L are an alternative to its factor, and up to how many columns the factor is cheaper:
 * it costs n m^2, they cost n^2 (q + d) and some 20 n^2 for the exponentials. Few rows are factored in any
 * case. */
static int whole_is_better(const ald_run *run, const ald_problem *problem, int factored, int64_t q,
                           int64_t *columns)
{
    enum { most_rows = 30000, most_cols = 2000, always = 256, most_bytes = 1 << 29 };
    const double n = (double)problem->n, d = (double)problem->d;
    const ald_param *solver = ald_settings_param_with(run->settings, ALD_PARAM_IS_SOLVER);
    const int able =
        !factored && (ald_setting_is(run, solver, "auto") || ald_setting_is(run, solver, "direct"));
    const int possible = able && problem->n <= most_rows && problem->d <= most_cols;
    const int64_t fitting = most_bytes / (int64_t)sizeof(double) / problem->n;
    *columns = possible ? (int64_t)sqrt(n * (20.0 + d + (double)q)) : ald_least(fitting, 4000);
    if (*columns < always) *columns = always;
    return possible;
}

static ald_status factor_or_keep(ald_run *run, const ald_problem *problem, const ald_rbf_rows *rows,
                                 ald_response_kernel *k)
{
    int64_t columns;
    const int possible = whole_is_better(run, problem, k->factored, rows->q, &columns);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_incomplete_cholesky task = {.rows = *rows, .tol = 1e-12, .most = columns};
    ALD_TRY(ald_incomplete_cholesky_run(run, &task));
    if (task.left > task.tol && possible) {
        ald_arena_release(&run->scratch, mark);
        return keep_whole(run, problem, rows, k);
    }
    if (task.left > task.tol)
        ald_warn(run, ALD_RANK_REDUCED,
                 "the response kernel was approximated with %lld columns, which leave %.1e of its trace out: "
                 "%s, or use `response_kernel=linear`",
                 (long long)task.rank, task.left,
                 rows->degree > 0 ? "lower `response_degree`" : "raise `response_width`");
    for (int64_t i = 0; problem->weights && i < problem->n; i++)
        for (int64_t c = 0; c < task.rank; c++) task.f[i * task.rank + c] *= sqrt(problem->weights[i]);
    k->f = task.f;
    k->m = task.rank;
    return ALD_OK;
}

/* The rows of F of a kernel of degree p in q responses have the rank of its monomials: few columns. */
static ald_status factor_polynomial(ald_run *run, const ald_problem *problem, ald_model *model,
                                    ald_response_kernel *k)
{
    ald_rbf_rows rows = {
        .n = problem->n,
        .degree = ald_setting_int(run, &response_degree_param),
        .coef0 = ald_setting_real(run, &response_coef0_param),
    };
    double *y;
    (void)model;
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &rows.q));
    rows.points = y;
    return factor_or_keep(run, problem, &rows, k);
}

static ald_status factor_rbf(ald_run *run, const ald_problem *problem, ald_model *model,
                             ald_response_kernel *k)
{
    ald_rbf_rows rows = {.n = problem->n, .width = ald_setting_real(run, &response_width_param)};
    double *y;
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &rows.q));
    if (rows.width == 0.0) ALD_TRY(ald_response_median(run, problem, rows.q, y, &rows.width));
    rows.points = y;
    ALD_TRY(factor_or_keep(run, problem, &rows, k));
    return ald_model_set_real(run, model, "alidade.resolved.response_width", rows.width);
}

/* L (n x n) as given, both triangles equal to 1e-8 of the largest entry. */
static ald_status copy_given(ald_run *run, const ald_problem *problem, double *l)
{
    const ald_matrix *given = problem->response_kernel;
    const int64_t *which = problem->which; /* NULL: all rows */
    const int64_t n = given->rows;
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)n));
        for (int64_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(l[i * n + j] = ald_matrix_at(given, i, j)));
    }
    for (int64_t i = 0; i < n; i++) {
        ALD_TRY(ald_ask_after(run, 4.0 * (double)n));
        for (int64_t j = 0; j < i; j++) {
            if (!(fabs(l[i * n + j] - l[j * n + i]) <= 1e-8 * largest))
                return ald_fail(
                    run->error, ALD_ERROR_DATA,
                    "a kernel of the response must be symmetric, but rows %lld and %lld have %g one "
                    "way and %g the other",
                    (long long)(which ? which[j] : j) + 1, (long long)(which ? which[i] : i) + 1,
                    l[j * n + i], l[i * n + j]);
            l[i * n + j] = l[j * n + i] = 0.5 * (l[i * n + j] + l[j * n + i]);
        }
    }
    return ALD_OK;
}

/* What is left of the trace of L (n x n) when it is centred, as a part of it: 0, all targets are alike. */
static double centred_share(const ald_problem *problem, const double *l)
{
    const int64_t n = problem->n;
    const double *w = problem->weights;
    double trace = 0.0, sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double row = 0.0;
        for (int64_t j = 0; j < n; j++) row += (w ? w[j] : 1.0) * l[i * n + j];
        trace += (w ? w[i] : 1.0) * l[i * n + i];
        sum += (w ? w[i] : 1.0) * row;
    }
    return (trace - sum / problem->total) / trace;
}

static ald_status factor_given(ald_run *run, const ald_problem *problem, ald_model *model,
                               ald_response_kernel *k)
{
    const int64_t n = problem->n;
    double *l, *values, *rows;
    (void)model;
    if (!problem->response_kernel)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`response_kernel=given` needs the matrix, which only a fit takes "
                        "(`response_kernel_file`): give it there, or use another kernel");
    ALD_TRY(ALD_SCRATCH(run, {&k->f, n, n}, {&l, n, n}, {&values, n, 1}, {&rows, n, n}));
    ALD_TRY(copy_given(run, problem, l));
    const double share = centred_share(problem, l);
    ALD_TRY(ald_eigen(run, ald_at(l, n, n), values, ald_at(rows, n, n)));
    if (!(values[0] > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA, "the kernel of the response has no positive eigenvalue");
    if (values[n - 1] < -1e-8 * values[0])
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the kernel of the response is not positive semidefinite: its eigenvalues go from %.3g "
            "to %.3g",
            values[n - 1], values[0]);
    if (!(share > 1e-12))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the kernel of the response says that the targets of all rows are alike: there is "
                        "nothing to find");
    while (k->m < n && values[k->m] > 1e-12 * values[0]) k->m++;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k->m; c++)
            k->f[i * k->m + c] =
                rows[c * n + i] * sqrt(values[c] * (problem->weights ? problem->weights[i] : 1.0));
    return ald_ask_after(run, 4.0 * (double)n * (double)k->m);
}

/* In the order of `names` after auto. */
static const struct {
    factor_fn factor;
    int identity;
    unsigned kinds; /* of targets it makes sense for */
} table[] = {
    {factor_linear, 0, classes | real | labels},
    {factor_rbf, 0, real | labels},
    {factor_linear, 0, classes},
    {factor_linear, 1, classes},
    {factor_nothing, 1, classes | real | labels},
    {factor_polynomial, 0, classes | real | labels},
    {factor_given, 0, none | classes | real | labels},
};

static int choose(ald_run *run, ald_target_kind kind)
{
    const int asked = ald_setting_choice(run, &response_kernel_param);
    if (asked != name_auto) return asked - 1;
    if (kind == ALD_TARGET_CLASSES) return 3;
    return kind == ALD_TARGET_REAL ? 1 : 0;
}

ald_status ald_response_kernel_check_moments(ald_run *run, ald_target_kind kind)
{
    const int which = choose(run, kind);
    const factor_fn factor = table[which].factor;
    if (factor != factor_rbf && factor != factor_polynomial && factor != factor_given) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "`response_kernel=%s`%s compares the targets of all rows with each other, so it can be neither "
        "streamed nor updated: use `response_kernel=linear`",
        names[which + 1],
        ald_setting_choice(run, &response_kernel_param) == name_auto ? ", the usual one for numbers," : "");
}

static ald_status refuse(ald_run *run, const ald_problem *problem, const char *name)
{
    const int of_classes = problem->target->kind == ALD_TARGET_CLASSES;
    const char *numbers = problem->target->kind == ALD_TARGET_REAL ? "real" : "several labels";
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "`response_kernel=%s` needs %s, but the target is %s: use %s", name,
                    of_classes ? "numbers" : "classes", of_classes ? "classes" : numbers,
                    of_classes ? "delta" : "rbf or linear");
}

static ald_status make(ald_run *run, const ald_problem *problem, ald_model *model, int which,
                       ald_response_kernel *k)
{
    *k = (ald_response_kernel){.factored = k->factored};
    k->name = names[which + 1];
    k->identity = table[which].identity;
    if (problem->response_kernel && table[which].factor != factor_given)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a kernel of the response is given, but `response_kernel=%s` does not use it: set "
                        "`response_kernel=given`, or leave the matrix out",
                        k->name);
    if (!(table[which].kinds & 1U << problem->target->kind)) return refuse(run, problem, k->name);
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.response_kernel", k->name));
    ALD_TRY(table[which].factor(run, problem, model, k));
    return ald_model_set_printed(run, model, "alidade.resolved.response_rank", "%lld", (long long)k->m);
}

ald_status ald_response_kernel_make(ald_run *run, const ald_problem *problem, ald_model *model,
                                    ald_response_kernel *k)
{
    return make(run, problem, model, choose(run, problem->target->kind), k);
}

ald_status ald_response_kernel_named(ald_run *run, const ald_problem *problem, ald_model *model,
                                     const char *name, ald_response_kernel *k)
{
    int which = 1;
    while (strcmp(names[which], name) != 0) which++;
    return make(run, problem, model, which - 1, k);
}
