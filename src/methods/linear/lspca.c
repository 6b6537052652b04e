/* Supervised principal component analysis as least squares: directions that keep X and explain the target.
 *
 *   least  f(W) = (1 - g) loss(Y; Z) + g |X - X W W'|^2 / |X|^2     over W'W = I,
 *
 * where Z = X W and g is trade_off.
 *
 * Both terms are shares. The first is, for numbers and labels and with loss=squared,
 *
 *   |Y - P_Z Y|^2 / |Y|^2             P_Z the projection onto the columns of Z, Y centred, classes 0/1
 *
 * and for classes the least penalised multinomial loss of an intercept and slopes C,
 *
 *   (-log likelihood of [1 Z] + ridge/2 |C|^2) / (-log likelihood of the intercept alone),
 *
 * with X over its root mean square, so that the ridge has no units. g = 1 is pca; towards g = 0 it is the
 * least squares (or logistic) fit with r directions.
 *
 * With X = F V' (engines/row_space.h), F'F = diag(lambda), W = V A: directions that no row sees serve neither
 * term. f is a function of the span of A; conjugate gradient on the Grassmann manifold from three starts, of
 * which the lowest end is taken: the directions of pca, the span of the weights of pls, and the directions of
 * least squares filled up by those of pca. With s = lambda / sum lambda and K = F'Y over both norms,
 *
 *   squared    f = 1 - g tr(A'diag(s)A) - (1 - g) tr((A'diag(s)A)^-1 A'K K'A)         (trace_ratios.h)
 *   classes    df/dA = (1 - g) F'(P - Y)C' / l_0 - 2 g diag(s) A,                      P the probabilities:
 *
 * at the least C, its change does not matter. W is turned so that the covariance of Z is diagonal, descending
 * (`eigenvalues`).
 *
 * Cost, with p = min(n, d): the row space, n d p + 4 p^3; then per step 2 p^2 r (squared), or about ten
 * logistic fits of r columns, n r C each, and n p r (classes).
 *
 * Edge cases: at most the rank of X, eigenvalues above 1e-10 of the largest. Where least squares fits
 * exactly, pls has fewer weights than were asked for: pca fills up. Collinear columns and a g near 0 need
 * many steps.
 *
 * Reference: Ritchie, Balzano, Kessler, Sripada and Scott (2022). */
#include "methods/linear/lspca.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/trace_ratios.h"
#include "math/solvers/subspace.h"

#include <math.h>
#include <string.h>

static const char *const losses[] = {"auto", "squared", "logistic", NULL};
enum { loss_auto, loss_squared, loss_logistic };

static const ald_param trade_off_param = ALD_REAL_PARAM(
    "trade_off", "0.5", 0, 1,
    "share of X against the target in what is minimised: 1 is pca, 0 looks at the target alone",
    .grid = "0.1,0.5,0.9", .simpler = ALD_SIMPLER_LARGER);
static const ald_param loss_param = ALD_CHOICE_PARAM(
    "loss", "auto", losses, "how the target is explained; auto: logistic for classes, squared for others");
static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0.01", 1e-9, "logistic: penalty of the squared slopes, of X over its root mean square");
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-07", 1e-15, "stops when the gradient is below this part of its terms");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("500", "at most this many steps from each of the three starts");

static const ald_param *const params[] = {
    &trade_off_param, &loss_param, &ridge_param, &tol_param, &max_iter_param, NULL,
};

static ald_status lspca_begin(ald_run *run, const ald_problem *problem, ald_lspca *p)
{
    double *rows, *y;
    *p = (ald_lspca){.problem = problem, .r = problem->r, .g = ald_setting_real(run, &trade_off_param)};
    if (p->r == 0) return ald_no_own_rule(run);
    ALD_TRY(ald_row_space_find(run, problem, &problem->x, problem->d > problem->n, NULL, &p->space));
    ALD_TRY(ald_problem_responses(run, problem, &y, &p->q));
    for (int64_t i = 0; i < p->space.k; i++) p->sum += p->space.values[i];
    while (p->space.values[p->space.k - 1] <= 1e-10 * p->space.values[0]) p->space.k--;
    p->k = p->space.k;
    if (p->r > p->k) return ald_too_many_components(run, problem, p->k, "the rank of the data");
    ALD_TRY(ALD_SCRATCH(run, {&p->share, p->k, 1}, {&p->cross, p->k, p->q}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, problem->n, p->k, &rows));
    ALD_TRY(ald_row_space_rows(run, &p->space, rows));
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, problem->n, p->k)), ald_of(y, problem->n, p->q),
                        ald_at(p->cross, p->k, p->q)));
    const double norm = sqrt(p->sum) * ald_norm(problem->n * p->q, y);
    if (!isfinite(norm)) return ald_too_large(run);
    if (!(norm > 0.0)) return ald_no_direction(run, problem);
    for (int64_t i = 0; i < p->k; i++) p->share[i] = p->space.values[i] / p->sum;
    ald_scale(1.0 / norm, ald_at(p->cross, p->k, p->q));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Adds the columns of `from` (k x m) to the orthonormal ones of a (k x r) that are there, as far as they are
 * independent of these. */
static void fill_up(const ald_lspca *p, int64_t m, const double *from, int64_t *there, double *column,
                    double *a)
{
    const int64_t k = p->k, r = p->r;
    for (int64_t c = 0; c < m && *there < r; c++) {
        for (int64_t i = 0; i < k; i++) column[i] = from ? from[i * m + c] : (double)(i == c);
        const double length = ald_norm(k, column);
        for (int64_t j = 0; j < 2 * *there; j++) { /* twice: the first may lose digits */
            double along = 0.0;
            for (int64_t i = 0; i < k; i++) along += a[i * r + j % *there] * column[i];
            for (int64_t i = 0; i < k; i++) column[i] -= along * a[i * r + j % *there];
        }
        if (!(ald_normalise(k, column) > 1e-8 * length)) continue;
        for (int64_t i = 0; i < k; i++) a[i * r + *there] = column[i];
        ++*there;
    }
}

/* w (k x r): the weights of pls with r components, 0 beyond those that there are. */
static ald_status pls_weights(ald_run *run, const ald_lspca *p, double *w)
{
    const int64_t k = p->k, r = p->r, q = p->q;
    const double least = 1e-12 * ald_norm(k * q, p->cross);
    double *s, *rotations, *loadings, *y;
    ALD_TRY(ALD_SCRATCH(run, {&s, k, q}, {&rotations, r, k}, {&loadings, r, k}, {&y, q, 1}));
    memcpy(s, p->cross, (size_t)(k * q) * sizeof *s);
    memset(w, 0, (size_t)(k * r) * sizeof *w);
    for (int64_t c = 0; c < r && ald_norm(k * q, s) > least; c++) {
        double *rotation = rotations + c * k, *loading = loadings + c * k;
        double tt = 0.0;
        ALD_TRY(ald_leading_by_eigen(run, ald_of(s, k, q), rotation));
        ald_normalise(k, rotation);
        for (int64_t i = 0; i < k; i++) w[i * r + c] = rotation[i];
        for (int64_t j = 0; j < c; j++)
            ald_add_times(k, -ald_dot(k, loadings + j * k, rotation), rotations + j * k, rotation);
        for (int64_t i = 0; i < k; i++) tt += p->share[i] * rotation[i] * rotation[i];
        for (int64_t i = 0; i < k; i++) loading[i] = p->share[i] * rotation[i] / tt;
        ALD_TRY(ald_product(run, ald_of(rotation, 1, k), ald_of(s, k, q), ald_at(y, 1, q)));
        for (int64_t i = 0; i < k * q; i++) s[i] -= loading[i / q] * y[i % q];
    }
    return ALD_OK;
}

/* b (k x m): the directions of least squares, (F'F)^-1 F'Y times the eigenvectors of Y'P_F Y, best first. */
static ald_status least_squares(ald_run *run, const ald_lspca *p, double **b, int64_t *m)
{
    const int64_t k = p->k, q = p->q;
    double *slopes, *fitted, *values, *vectors;
    *m = q < p->r ? q : p->r;
    ALD_TRY(
        ALD_SCRATCH(run, {b, k, *m}, {&slopes, k, q}, {&fitted, q, q}, {&values, *m, 1}, {&vectors, *m, q}));
    for (int64_t i = 0; i < k * q; i++) slopes[i] = p->cross[i] / p->share[i / q];
    ALD_TRY(ald_product(run, ald_t(ald_of(slopes, k, q)), ald_of(p->cross, k, q), ald_at(fitted, q, q)));
    ALD_TRY(ald_eigen(run, ald_at(fitted, q, q), values, ald_at(vectors, *m, q)));
    return ald_product(run, ald_of(slopes, k, q), ald_t(ald_of(vectors, *m, q)), ald_at(*b, k, *m));
}

static const char *const starts[] = {"pca", "pls", "least squares"};
enum { start_count = 3 };
static const char descending[] = "conjugate gradient";

/* a (k x r), orthonormal. */
static ald_status begin_at(ald_run *run, const ald_lspca *p, int start, double *a)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *from = NULL, *column;
    int64_t there = 0, m = 0;
    ALD_TRY(ald_scratch_reals(run, p->k, 1, &column));
    if (start == 1) {
        ALD_TRY(ald_scratch_reals(run, p->k, m = p->r, &from));
        ALD_TRY(pls_weights(run, p, from));
    }
    if (start == 2) ALD_TRY(least_squares(run, p, &from, &m));
    fill_up(p, m, from, &there, column, a);
    fill_up(p, p->k, NULL, &there, column, a);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The harmonic mean v of the eigenvalues of A'diag(s)A. */
static ald_status spread_of(ald_run *run, const ald_lspca *p, const double *a, double *v)
{
    const int64_t k = p->k, r = p->r;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scaled, *small, *values;
    ALD_TRY(ALD_SCRATCH(run, {&scaled, k, r}, {&small, r, r}, {&values, r, 1}));
    for (int64_t i = 0; i < k * r; i++) scaled[i] = sqrt(p->share[i / r]) * a[i];
    ALD_TRY(ald_gram(run, ald_of(scaled, k, r), ald_at(small, r, r)));
    ALD_TRY(ald_eigenvalues(run, ald_at(small, r, r), r, values));
    *v = 0.0;
    for (int64_t c = 0; c < r; c++) *v += 1.0 / fmax(values[c], 1e-300) / (double)r;
    *v = 1.0 / *v;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* A descent in coordinates B, A = diag(sigma)B, in which the curvature is about 1 where the spread is v. */
static ald_status descend_scaled(ald_run *run, const ald_lspca *p, double v, ald_grassmann *task, double *a)
{
    const int64_t k = p->k, r = p->r, q = p->q;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *sigma, *square, *spread, *cross, *product;
    ALD_TRY(
        ALD_SCRATCH(run, {&sigma, k, 1}, {&square, k, 1}, {&spread, k, 1}, {&cross, k, q}, {&product, k, k}));
    for (int64_t i = 0; i < k; i++) {
        square[i] = 1.0 / (p->share[i] / v + p->g * v);
        sigma[i] = sqrt(square[i]);
        spread[i] = p->share[i] * square[i];
    }
    for (int64_t i = 0; i < k * q; i++) cross[i] = sigma[i / q] * p->cross[i];
    for (int64_t i = 0; i < k * r; i++) a[i] /= sigma[i / r];
    ALD_TRY(ald_gram(run, ald_t(ald_of(cross, k, q)), ald_at(product, k, k)));
    ald_trace_ratios f = {
        .q = k,
        .k = r,
        .factors = {-p->g, p->g - 1.0},
        .squares = {{NULL, spread}, {NULL, square}, {product, NULL}, {NULL, spread}},
    };
    ALD_TRY(ald_trace_ratios_prepare(run, &f));
    const ald_grassmann_objective objective = ald_trace_ratios_objective(&f);
    task->objective = &objective;
    ALD_TRY(ald_grassmann_minimise(run, task, a));
    for (int64_t i = 0; i < k * r; i++) a[i] *= sigma[i / r];
    ald_arena_release(&run->scratch, mark);
    return ald_orthonormal(run, ald_at(a, k, r));
}

/* Again in other coordinates as long as the spread changes much. */
static ald_status descend_squared(ald_run *run, const ald_lspca *p, ald_grassmann *task, double *a)
{
    const int64_t most = task->max_iter;
    int64_t steps = 0;
    double v, before;
    ALD_TRY(spread_of(run, p, a, &v));
    do {
        before = v;
        task->max_iter = most - steps;
        ALD_TRY(descend_scaled(run, p, before, task, a));
        ALD_TRY(spread_of(run, p, a, &v));
        steps += task->iterations;
    } while (steps < most && task->iterations > 0 && !(v < 2.0 * before && before < 2.0 * v));
    task->iterations = steps;
    task->value += 1.0;
    return ALD_OK;
}

/* best (k x r): the lowest end of the starts; of those within 1e-9, the first. */
static ald_status lspca_minimise(ald_run *run, const ald_lspca *p, int logistic, double *best,
                                 ald_model *model)
{
    ald_grassmann lowest = {.value = INFINITY};
    ald_grassmann_objective classes;
    const char *name = NULL;
    double *a;
    ALD_TRY(ald_scratch_reals(run, p->k, p->r, &a));
    for (int start = 0; start < start_count; start++) {
        ald_grassmann task = {
            .objective = &classes,
            .search = logistic ? 0.01 : 0.0, /* a trial of theirs is a logistic fit */
            .tol = ald_setting_real(run, &tol_param),
            .max_iter = ald_setting_int(run, &max_iter_param),
            .stage = descending,
            .begun = (double)start / start_count,
            .share = 1.0 / start_count,
        };
        ALD_TRY(begin_at(run, p, start, a));
        const uint64_t mark = ald_arena_mark(&run->scratch);
        if (logistic) ALD_TRY(ald_lspca_classes(run, p, ald_setting_real(run, &ridge_param), &classes));
        ALD_TRY(logistic ? ald_grassmann_minimise(run, &task, a) : descend_squared(run, p, &task, a));
        ald_arena_release(&run->scratch, mark);
        if (!(task.value < lowest.value - 1e-9)) continue;
        lowest = task;
        name = starts[start];
        memcpy(best, a, (size_t)(p->k * p->r) * sizeof *best);
    }
    if (!lowest.converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "stopped after %lld steps with a gradient of %.1e, above tol %.1e: raise `max_iter`",
                 (long long)lowest.iterations, lowest.gradient, lowest.tol);
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.start", name));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)lowest.iterations));
    return ald_model_set_real(run, model, "alidade.resolved.objective", lowest.value);
}

/* Operations of the stages; how many steps it takes is guessed. */
static void plan(const ald_run *run, const ald_problem *problem, int logistic)
{
    const double n = (double)problem->n, d = (double)problem->d, k = fmin(n, d), r = (double)problem->r,
                 steps = 50.0 * start_count,
                 step =
                     logistic ? 10.0 * n * (r + 1.0) * (double)problem->target->n_classes : 2.0 * k * k * r;
    const ald_stage_cost stages[] = {
        {"forming the scatter matrix", n * d * k + 10.0 * k * k * k},
        {descending, steps * step},
    };
    ald_plan_stages(run, stages, sizeof stages / sizeof *stages);
}

static ald_status lspca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int asked = ald_setting_choice(run, &loss_param),
              of_classes = problem->target->kind == ALD_TARGET_CLASSES;
    const int logistic = asked == loss_logistic || (asked == loss_auto && of_classes);
    ald_lspca p;
    double *a, *values, *components;
    if (logistic && !of_classes)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`loss=logistic` needs classes, and the target is %s: use `loss=squared`",
                        problem->target->kind == ALD_TARGET_REAL ? "real" : "several labels");
    ALD_TRY(ald_check_class_columns(run, problem));
    plan(run, problem, logistic);
    ALD_TRY(lspca_begin(run, problem, &p));
    ALD_TRY(ALD_SCRATCH(run, {&a, p.k, p.r}, {&values, p.r, 1}, {&components, p.r, problem->d}));
    ALD_TRY(lspca_minimise(run, &p, logistic, a, model));
    ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.loss",
                               losses[logistic ? loss_logistic : loss_squared]));
    ALD_TRY(ald_row_space_turn(run, &p.space, problem->total, p.r, a, values));
    ALD_TRY(ald_row_space_back(run, &p.space, p.r, a, components));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", p.r, values));
    return ald_add_components(run, problem, p.r, components, NULL, model);
}

const ald_method ald_method_lspca = {
    .name = "lspca",
    .title = "Supervised principal component analysis as least squares",
    .synonyms = "least squares pca, lrpca, supervised pca, covariance regression",
    .summary =
        "Directions that keep much of X and explain much of the target, with a trade-off between them.",
    .reference = "Ritchie, Balzano, Kessler, Sripada and Scott (2022)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = lspca_fit,
};
