/* The two stages of a pencil (pencil.h), by the route that costs least. */
#include "methods/engines/pencil.h"

#include "base/numbers/ordering.h"
#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/tall.h"
#include "math/operator/all_rows.h"
#include "math/solvers/ridge.h"
#include "methods/engines/engine_params.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_codes codes_of(const ald_pencil *pencil)
{
    return (ald_codes){.code = pencil->column, .value = pencil->value, .k = pencil->k};
}

/* block (n x count) = columns j0 .. of H. */
static void write_out(const ald_pencil *pencil, int64_t n, int64_t j0, int64_t count, double *block)
{
    const ald_codes codes = codes_of(pencil);
    if (!pencil->h) ald_codes_write(&codes, 0, n, j0, count, block);
    for (int64_t i = 0; pencil->h && i < n; i++)
        memcpy(block + i * count, pencil->h + i * pencil->k + j0, (size_t)count * sizeof *block);
}

/* q (k x d) = H'Z. */
static ald_status products(ald_run *run, const ald_operator *z, const ald_pencil *pencil, double *q)
{
    enum { step = 256 };
    const int64_t n = z->x.rows, d = z->x.cols, k = pencil->k;
    double *block, *b;
    ALD_TRY(ALD_SCRATCH(run, {&block, n, step}, {&b, d, step}));
    for (int64_t j0 = 0; j0 < k; j0 += step) {
        const int64_t count = k - j0 < step ? k - j0 : step;
        write_out(pencil, n, j0, count, block);
        ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(block, n, count), ald_at(b, d, count)));
        for (int64_t j = 0; j < count; j++)
            for (int64_t a = 0; a < d; a++) q[(j0 + j) * d + a] = b[a * count + j];
        ALD_TRY(ald_progress(run, "adding up the classes", (double)(j0 + count) / (double)k));
    }
    return ALD_OK;
}

/* out (n x d) = H q. */
static ald_status combine(ald_run *run, int64_t n, int64_t d, const ald_pencil *pencil, const double *q,
                          double *out)
{
    if (pencil->h)
        return ald_product(run, ald_of(pencil->h, n, pencil->k), ald_of(q, pencil->k, d), ald_at(out, n, d));
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < d; a++) out[i * d + a] = pencil->value[i] * q[pencil->column[i] * d + a];
    return ALD_OK;
}

/* An H with more columns than X, made shorter without changing the pencil. With B = Z'H (d x k, k > d),
 *
 *   B' = Q R (Q k x d with orthonormal columns),   Z'(H Q) = R',   R'R = B B':
 *
 * the pencil of H Q (n x d) is the same, and its second stage is of order d, not k. Cost: passes over X
 * with k columns in all, 2 k d^2 for Q and, for a stored H, 2 n k d; memory k d + n d, and n 256 on the
 * way.
 *
 * *h (n x *k, in scratch): H as it is (NULL where it has one entry per row), or H Q. */
static ald_status shorten(ald_run *run, const ald_operator *z, const ald_pencil *pencil, const double **h,
                          int64_t *k)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double *q, *out;
    *h = pencil->h;
    *k = pencil->k;
    if (pencil->k <= d) return ALD_OK;
    *k = d;
    ALD_TRY(ald_scratch_reals(run, n, *k, &out));
    *h = out;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, pencil->k, d, &q));
    ALD_TRY(products(run, z, pencil, q));
    ALD_TRY(ald_orthonormal(run, ald_at(q, pencil->k, d)));
    ALD_TRY(ald_rows_settle(run, z, q, pencil->k * d * (int64_t)sizeof *q));
    ALD_TRY(combine(run, n, d, pencil, q, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* |H|_F^2. */
static ald_status square_of(ald_run *run, const ald_operator *z, const ald_pencil *pencil, double *sum)
{
    const double *entries = pencil->h ? pencil->h : pencil->value;
    const int64_t k = pencil->h ? pencil->k : 1;
    double *squares;
    *sum = (double)pencil->k;
    if (pencil->mix) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, k, 1, &squares));
    ALD_TRY(ald_tall_squares(run, z->x.rows, k, entries, squares));
    *sum = 0.0;
    for (int64_t j = 0; j < k; j++) *sum += squares[j];
    return ald_rows_sum(run, z, sum, 1);
}

static const char *const solvers[] = {"auto", "direct", "dual", "two-stage", NULL};

static const ald_param solver_param =
    ALD_SOLVER_PARAM(solvers, "how: by X'X, by X X', or by LSQR and a small eigenproblem (two-stage)");
static const ald_param ridge_param = ALD_RIDGE_PARAM("0", 0, "added to the diagonal of X'X");
static const ald_param tol_param = ALD_TOL_PARAM("1e-06", 1e-16, "two-stage: tolerance of LSQR");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("10000", "two-stage: at most this many iterations of LSQR");

const ald_param *const ald_pencil_params[] = {
    &solver_param, &ridge_param, &ald_ridge_rel_param, &tol_param, &max_iter_param, NULL,
};

/* What a route costs, as text; infinite where its square would be too large. */
static const char *cost_of(double operations, char *text, size_t size)
{
    if (!isfinite(operations)) return "not possible (its square matrix is too large)";
    snprintf(text, size, "about %.1e operations", operations);
    return text;
}

/* Operations of each route. Products of large matrices run at full speed, the passes of LSQR at about a third
 * of it. How many passes LSQR needs depends on the condition of Z, which is not known beforehand: some 60
 * with a ridge, and without one as many as the smaller dimension has been seen to take, doubled. Without a
 * ridge X'X of no more rows than columns is singular, and what the direct route does then is an SVD; so may
 * X X' of sparse rows be. Squares are formed up to ALD_SQUARE_ORDER. */
ald_pencil_solver ald_pencil_auto(const ald_pencil_sizes *sizes, char *reason, size_t reason_size)
{
    const double rows = sizes->rows, cols = sizes->cols, k = sizes->k;
    const double passes = sizes->ridge > 0.0 ? 60.0 : 60.0 + 2.0 * fmin(rows, cols);
    const double scatter = sizes->dense ? rows * cols * cols : 4.0 * sizes->entries * cols;
    const double gram = sizes->dense ? cols * rows * rows : 4.0 * sizes->entries * rows;
    double direct = scatter + cols * cols * cols / 3.0 + 2.0 * cols * cols * k;
    double dual = gram + (sizes->dense ? 1.0 / 3.0 : 9.0) * rows * rows * rows + 4.0 * rows * rows * k;
    if (rows <= cols && !(sizes->ridge > 0.0)) direct += 20.0 * cols * cols * cols;
    if (cols > ALD_SQUARE_ORDER) direct = INFINITY;
    if (rows > ALD_SQUARE_ORDER) dual = INFINITY;
    const double two_stage = 3.0 * passes * 4.0 * sizes->entries * k;
    ald_pencil_solver taken = dual <= two_stage ? ALD_PENCIL_DUAL : ALD_PENCIL_TWO_STAGE;
    if (direct <= dual && direct <= two_stage) taken = ALD_PENCIL_DIRECT;
    char texts[3][40];
    snprintf(reason, reason_size, "%s: %s directly, %s in the dual, %s by LSQR", solvers[taken],
             cost_of(direct, texts[0], sizeof texts[0]), cost_of(dual, texts[1], sizeof texts[1]),
             cost_of(two_stage, texts[2], sizeof texts[2]));
    return taken;
}

static ald_status resolve_ridge(ald_run *run, const ald_problem *problem, const ald_pencil *pencil,
                                double *ridge)
{
    double largest;
    const double relative = ald_setting_real(run, &ald_ridge_rel_param);
    *ridge = pencil->ridge_unit * ald_setting_real(run, &ridge_param);
    if (!(relative > 0.0)) return ALD_OK;
    ALD_TRY(ald_operator_largest(run, &problem->x, ald_seed(run), &largest));
    *ridge += relative * largest;
    if (!isfinite(*ridge))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the ridge is too large to be a number: lower `ridge_rel`");
    return ALD_OK;
}

static ald_status choose_solver(ald_run *run, const ald_problem *problem, const ald_ridge_task *task,
                                ald_model *model, ald_pencil_solver *solver)
{
    char reason[200];
    *solver = (ald_pencil_solver)ald_setting_choice(run, &solver_param);
    if (*solver == ALD_PENCIL_AUTO && problem->x.source) {
        *solver = ALD_PENCIL_TWO_STAGE;
        ALD_TRY(ald_model_set_text(
            run, model, "alidade.resolved.solver_reason",
            "two-stage: too many columns for a square matrix, and the rows are not in memory"));
    } else if (*solver == ALD_PENCIL_AUTO) {
        const ald_pencil_sizes sizes = {
            .rows = (double)problem->n,
            .cols = (double)problem->d,
            .entries = ald_operator_entries(&problem->x),
            .k = (double)task->k,
            .ridge = task->ridge,
            .dense = problem->x.x.storage == ALD_DENSE,
        };
        *solver = ald_pencil_auto(&sizes, reason, sizeof reason);
        ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.solver_reason", reason));
    }
    return ald_model_set_text(run, model, "alidade.resolved.solver", solvers[*solver]);
}

/* Without a ridge nothing damps the smallest singular values, and LSQR takes about as many passes as there
 * are of them until it has met them all: on 16000 rows of 62000 words some thousands, minutes instead of
 * seconds. */
static void warn_of_passes(ald_run *run, const ald_problem *problem, const ald_ridge_task *task)
{
    const double a_pass = 4.0 * ald_operator_entries(&problem->x) * (double)task->k, long_time = 1e12;
    const double smaller = (double)ald_least(ald_rows_total(&problem->x), problem->d);
    if (task->ridge > 0.0 || !(a_pass * fmin((double)task->max_iter, smaller) > long_time)) return;
    ald_log(run, ALD_LOG_WARNING,
            "without a ridge LSQR may need thousands of passes over X (about 60 with one), which can take "
            "long. Set `ridge` or `ridge_rel`, or stop it earlier with `max_iter` or `tol`");
}

/* H of `mix` written out; others stay. */
static ald_status mix(ald_run *run, int64_t n, ald_pencil *pencil)
{
    double *out;
    if (!pencil->mix) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n, pencil->k, &out));
    ALD_TRY(ald_tall_turn(run, n, pencil->q, pencil->h, pencil->k, pencil->mix, out));
    pencil->h = out;
    pencil->mix = NULL;
    return ALD_OK;
}

/* The direct route alone does with an H that is not written out. */
static ald_status first_stage(ald_run *run, ald_pencil *pencil, ald_pencil_solver solver,
                              ald_ridge_task *task)
{
    static ald_status (*const routes[])(ald_run *, ald_ridge_task *) = {
        [ALD_PENCIL_DIRECT] = ald_ridge_direct,
        [ALD_PENCIL_DUAL] = ald_ridge_dual,
        [ALD_PENCIL_TWO_STAGE] = ald_ridge_lsqr,
    };
    double *out;
    if (solver != ALD_PENCIL_DIRECT && pencil->mix) {
        ALD_TRY(mix(run, task->z->x.rows, pencil));
        task->h = pencil->h;
    }
    task->codes = codes_of(pencil);
    task->mix = pencil->mix;
    task->q = pencil->q;
    if (!task->h && solver != ALD_PENCIL_DIRECT) {
        ALD_TRY(ald_scratch_reals(run, task->z->x.rows, task->k, &out));
        write_out(pencil, task->z->x.rows, 0, task->k, out);
        task->h = out;
    }
    return routes[solver](run, task);
}

/* LSQR and conjugate gradients report how far they came. Directions are off by about as much as the fitted
 * values are. */
static ald_status report_lsqr(ald_run *run, const ald_ridge_task *task, ald_model *model)
{
    const double most_error = 1e-2;
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)task->iterations));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.estimated_error", "%.1e", task->error));
    if (task->unfinished > 0)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "%s stopped after %lld iterations with %lld of %lld columns short of tol %.1e: raise "
                 "`max_iter`, give a ridge, or use `solver=direct`",
                 task->how, (long long)task->iterations, (long long)task->unfinished, (long long)task->k,
                 task->tol);
    else if (task->error > most_error)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "X is too ill-conditioned for %s at tol %.1e: it converged, but directions may be off by "
                 "about %.0e of their length. Use `solver=direct`, lower `tol` (to 1e-12), set a ridge, or "
                 "try scale=standard",
                 task->how, task->tol, task->error);
    return ALD_OK;
}

static ald_status report_first_stage(ald_run *run, const ald_problem *problem, const ald_ridge_task *task,
                                     ald_model *model)
{
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.first_stage", task->how));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.ridge", task->ridge));
    if (task->iterations > 0) ALD_TRY(report_lsqr(run, task, model));
    /* LSQR does not see the rank, but knows that centred rows are no more than rows - 1. */
    const int64_t n = ald_rows_total(&problem->x);
    const int64_t rank = task->rank < 0 && n <= problem->d ? n - 1 : task->rank;
    if (rank >= 0 && rank < problem->d && !(task->ridge > 0.0))
        ald_warn(run, ALD_RANK_REDUCED,
                 "X'X is singular (rank %lld): the solution of smallest norm is returned; a ridge (`ridge`, "
                 "`ridge_rel`) makes it unique",
                 (long long)rank); /* of how many columns: wide rows may be rotated into fewer */
    return ALD_OK;
}

/* M = W1'B, symmetrised, = V L V'; how many of L count. `h_square` is |H|_F^2. */
static ald_status second_stage(ald_run *run, int64_t d, const ald_ridge_task *task, double h_square,
                               double *values, double *rows, int64_t *available)
{
    const int64_t k = task->k;
    double *m;
    ALD_TRY(ald_scratch_reals(run, k, k, &m));
    ALD_TRY(ald_product(run, ald_t(ald_of(task->w, d, k)), ald_of(task->b, d, k), ald_at(m, k, k)));
    ald_symmetrise(ald_at(m, k, k));
    ALD_TRY(ald_eigen(run, ald_at(m, k, k), values, ald_at(rows, k, k)));
    ALD_TRY(ald_rows_settle(run, task->z, values, k * (int64_t)sizeof *values));
    if (!isfinite(values[0])) return ald_too_large(run);
    const double noise = 256.0 * DBL_EPSILON * DBL_EPSILON * (double)(ald_rows_total(task->z) + d) * h_square;
    *available = 0;
    if (!(values[0] > noise)) return ALD_OK;
    while (*available < k && values[*available] > 1e-10 * values[0] && values[*available] > 0.0) ++*available;
    return ALD_OK;
}

/* Turns `count` rows of V' (k columns) so that W1 V has orthogonal columns there, the shortest first. */
static ald_status turn(ald_run *run, int64_t d, const ald_ridge_task *task, int64_t count, double *rows)
{
    const int64_t k = task->k;
    const ald_view given = ald_of(rows, count, k);
    double *w, *gram, *squares, *vectors, *turned;
    ALD_TRY(ALD_SCRATCH(run, {&w, count, d}, {&gram, count, count}, {&squares, count, 1},
                        {&vectors, count, count}, {&turned, count, k}));
    ALD_TRY(ald_product(run, given, ald_t(ald_of(task->w, d, k)), ald_at(w, count, d)));
    ALD_TRY(ald_gram(run, ald_t(ald_of(w, count, d)), ald_at(gram, count, count)));
    ALD_TRY(ald_eigen(run, ald_at(gram, count, count), squares, ald_at(vectors, count, count)));
    ALD_TRY(ald_product(run, ald_of(vectors, count, count), given, ald_at(turned, count, k)));
    for (int64_t i = 0; i < count; i++)
        memcpy(rows + i * k, turned + (count - 1 - i) * k, (size_t)k * sizeof *rows);
    return ALD_OK;
}

/* Where values are equal, as far as the route can tell. */
static ald_status turn_equals(ald_run *run, int64_t d, const ald_ridge_task *task, int64_t available,
                              const double *values, double *rows)
{
    const double equal = (task->iterations > 0 ? fmax(task->tol, 1e-10) : 1e-10) * values[0];
    for (int64_t from = 0, to; from < available; from = to) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        for (to = from + 1; to < available && values[from] - values[to] <= equal;) to++;
        if (to - from > 1) ALD_TRY(turn(run, d, task, to - from, rows + from * task->k));
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* The entries of H of classes. */
typedef struct valuing {
    const int32_t *classes;
    const double *weights, *size, *root; /* root: of 1 / size, or 0 */
    double *value;
} valuing;

static void value_slab(void *work, int64_t slab, int64_t begin, int64_t end)
{
    const valuing *v = work;
    (void)slab;
    for (int64_t i = begin; i < end; i++) {
        const int32_t c = v->classes[i];
        v->value[i] = v->weights && v->size[c] > 0.0 ? sqrt(v->weights[i] / v->size[c]) : v->root[c];
    }
}

ald_status ald_pencil_of_classes(ald_run *run, const ald_problem *problem, ald_pencil *pencil)
{
    const ald_target *y = problem->target;
    const double *w = problem->weights;
    double *size, *root, *value;
    ALD_TRY(ald_scratch_zeros(run, y->n_classes, 1, &size));
    ALD_TRY(ALD_SCRATCH(run, {&root, y->n_classes, 1}, {&value, problem->n, 1}));
    for (int64_t i = 0; i < problem->n; i++) size[y->classes[i]] += w ? w[i] : 1.0;
    ALD_TRY(ald_rows_sum(run, &problem->x, size, y->n_classes));
    for (int64_t c = 0; c < y->n_classes; c++) root[c] = size[c] > 0.0 ? sqrt(1.0 / size[c]) : 0.0;
    const valuing v = {y->classes, w, size, root, value};
    ALD_TRY(ald_slabs(run, problem->n, 4.0 * ALD_VALUE_WORK, value_slab, (void *)&v));
    pencil->k = y->n_classes;
    pencil->column = y->classes;
    pencil->value = value;
    return ALD_OK;
}

/* components (r x d) = unit L^(-1/2) V'W1', or V'W1'. */
static ald_status directions(ald_run *run, int64_t r, const ald_ridge_task *task, const ald_pencil *pencil,
                             const double *values, double *rows, double *components)
{
    const int64_t d = task->z->x.cols;
    for (int64_t i = 0; i < r && pencil->length == ALD_PENCIL_WHITE; i++)
        for (int64_t c = 0; c < task->k; c++) rows[i * task->k + c] *= pencil->unit / sqrt(values[i]);
    return ald_product(run, ald_of(rows, r, task->k), ald_t(ald_of(task->w, d, task->k)),
                       ald_at(components, r, d));
}

ald_status ald_pencil_fit(ald_run *run, const ald_problem *problem, const ald_pencil *given, ald_model *model)
{
    const int64_t d = problem->d;
    ald_pencil own = *given;
    ald_pencil *pencil = &own;
    ald_ridge_task task = {
        .z = &problem->x,
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
    };
    ald_pencil_solver solver;
    double *values, *rows, *components;
    double h_square;
    int64_t available = 0;
    ALD_TRY(ald_check_bounds(run, problem, pencil->limit));
    ALD_TRY(square_of(run, &problem->x, pencil, &h_square));
    if (pencil->k > d) ALD_TRY(mix(run, problem->n, pencil));
    ALD_TRY(shorten(run, &problem->x, pencil, &task.h, &task.k));
    const int64_t k = task.k;
    if (k > ALD_LARGEST_ORDER)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%lld classes, slices or responses are too many for %s with that many columns: it "
                        "decomposes a square matrix of that order",
                        (long long)k, ald_settings_method(run->settings)->name);
    ALD_TRY(ALD_SCRATCH(run, {&task.w, d, k}, {&task.b, d, k}, {&values, k, 1}, {&rows, k, k}));
    ALD_TRY(resolve_ridge(run, problem, pencil, &task.ridge));
    ALD_TRY(choose_solver(run, problem, &task, model, &solver));
    if (solver == ALD_PENCIL_TWO_STAGE) warn_of_passes(run, problem, &task);
    ALD_TRY(first_stage(run, pencil, solver, &task));
    ALD_TRY(second_stage(run, d, &task, h_square, values, rows, &available));
    if (available == 0) return ald_no_direction(run, problem);
    const int64_t r = problem->r == 0 ? available : problem->r;
    if (r > available) return ald_too_many_components(run, problem, available, pencil->limit);
    ALD_TRY(report_first_stage(run, problem, &task, model));
    ALD_TRY(turn_equals(run, d, &task, available, values, rows));
    ALD_TRY(ald_scratch_reals(run, r, d, &components));
    ALD_TRY(directions(run, r, &task, pencil, values, rows, components));
    ALD_TRY(ald_add_components(run, problem, r, components, NULL, model));
    return ald_model_add_vector(run, model, "eigenvalues", r, values);
}
