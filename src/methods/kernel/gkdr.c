/* Gradient-based kernel dimension reduction.
 *
 * If the target depends on x through B'x only, then the gradient of every regression function E[g(y) | x]
 * lies in the span of B. The regression of all features of the target at once is one kernel ridge
 * regression, whose gradients are known in closed form:
 *
 *   K_ij = k(x_i, x_j) = exp(-|x_i - x_j|^2 / (2 s^2)),   Ky = Y Y'        Y n x m (kdr_data.h), not centred
 *   M    = (1/n) sum_i D_i'(K + n eps I)^-1 Ky (K + n eps I)^-1 D_i        row j of D_i: dk(x, x_j)/dx at x_i
 *
 * and the directions are the unit eigenvectors of its largest eigenvalues: no start, no step, no local
 * minimum.
 *
 * By an incomplete Cholesky factorization K = F F' (n x l, pivots c = 1 .. l, R upper triangular with R_kc
 * = F_ck; the columns of the pivots are exact, k(x_i, x_c) = (F R)_ic) the regression functions are
 * combinations of l kernels:
 *
 *   beta         = (F'F + n eps I)^-1 F'Y                                    l x m
 *   alpha        = R^-1 beta
 *   h_a(x)       = sum_c alpha_ca k(x, x_c)
 *   E_a          = R diag(alpha_a) X_pivots                                  l x p
 *   grad h_a(x_i) = (1/s^2) (sum_c k(x_i, x_c) alpha_ca x_c - h_a(x_i) x_i)
 *                 = (1/s^2) (E_a'F_i - (F beta)_ia x_i)
 *   M            = (1/n) sum_i sum_a grad h_a(x_i) grad h_a(x_i)'
 *
 * the exact gradients of the functions that were fitted. With all rows as pivots this is the definition
 * above.
 *
 * Cost: n l^2 for the factor, 2 n l m p + n m p^2 for the gradients, 4/3 p^3: linear in n. Memory n (l + m)
 * + l m p + p^2 beside the rows. Columns of F are added until 1e-12 of the trace is left or there are
 * `rank`.
 *
 * Edge cases: no more directions than the rank of the data. Targets or rows that are all equal are refused.
 *
 * Reference: Fukumizu and Leng (2014). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/kdr/kdr_data.h"

#include <math.h>
#include <string.h>

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0.0001", 1e-12, "eps: n times this is added to the diagonal of the kernel of X");
static const ald_param rank_param =
    ALD_INT_PARAM("rank", "200", 1, 1e6, "at most this many columns of the kernels' factors",
                  .simpler = ALD_SIMPLER_SMALLER);

static const ald_param *const params[] = {
    &ridge_param,
    &rank_param,
    NULL,
};

enum { block_rows = 256 };
static const double tolerance = 1e-12;

typedef struct regression {
    int64_t rank; /* at most this many columns of the factors */
    const ald_kdr_rows *rows;
    ald_incomplete_cholesky kernel; /* F and the pivots */
    ald_kdr_factor target;          /* Y */
    double width, penalty;          /* s, n eps */
    double *beta;                   /* l x m */
    double *e;                      /* E, l x (m p): E_a side by side */
} regression;

static ald_status factor(ald_run *run, regression *g, const ald_kdr_target *target)
{
    const int64_t n = g->rows->n, most = g->rank < n ? g->rank : n;
    g->kernel = (ald_incomplete_cholesky){
        .rows = {.n = n, .q = g->rows->p, .points = g->rows->rows, .width = g->width},
        .tol = tolerance,
        .most = most,
    };
    ALD_TRY(ald_scratch(run, most, 1, sizeof *g->kernel.pivots, &g->kernel.pivots));
    ALD_TRY(ald_incomplete_cholesky_run(run, &g->kernel));
    return ald_kdr_target_factor(run, target, 1.0, tolerance, most, 0, &g->target);
}

/* beta. */
static ald_status regress(ald_run *run, regression *g)
{
    const int64_t n = g->rows->n, l = g->kernel.rank, m = g->target.m;
    double *a;
    ALD_TRY(ALD_SCRATCH(run, {&a, l, l}, {&g->beta, l, m}));
    ALD_TRY(ald_gram(run, ald_of(g->kernel.f, n, l), ald_at(a, l, l)));
    ald_add_ridge(g->penalty, ald_at(a, l, l));
    ALD_TRY(
        ald_product(run, ald_t(ald_of(g->kernel.f, n, l)), ald_of(g->target.f, n, m), ald_at(g->beta, l, m)));
    ALD_TRY(ald_cholesky(run, ald_at(a, l, l)));
    return ald_solve_cholesky(run, ald_of(a, l, l), ald_at(g->beta, l, m));
}

/* R (l x l), and alpha (l x m) from beta. */
static ald_status find_alpha(ald_run *run, const regression *g, double *r, double *alpha)
{
    const int64_t l = g->kernel.rank, m = g->target.m;
    for (int64_t k = 0; k < l; k++)
        for (int64_t c = 0; c < l; c++)
            r[k * l + c] = k <= c ? g->kernel.f[g->kernel.pivots[c] * l + k] : 0.0;
    memcpy(alpha, g->beta, (size_t)(l * m) * sizeof *alpha);
    return ald_solve_triangular(run, ald_of(r, l, l), ald_at(alpha, l, m));
}

static ald_status make_e(ald_run *run, regression *g)
{
    const int64_t l = g->kernel.rank, m = g->target.m, p = g->rows->p;
    double *r, *alpha, *scaled;
    ALD_TRY(ald_scratch_reals(run, l, m * p, &g->e));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&r, l, l}, {&alpha, l, m}, {&scaled, l, m * p}));
    ALD_TRY(find_alpha(run, g, r, alpha));
    for (int64_t c = 0; c < l; c++) {
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK * (double)(m * p)));
        for (int64_t a = 0; a < m; a++)
            for (int64_t j = 0; j < p; j++)
                scaled[(c * m + a) * p + j] = alpha[c * m + a] * g->rows->rows[g->kernel.pivots[c] * p + j];
    }
    ALD_TRY(ald_product(run, ald_of(r, l, l), ald_of(scaled, l, m * p), ald_at(g->e, l, m * p)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* s^2 grad h_a(x_i) of `count` rows from i0 on, as the rows of `gradients` (count m x p); `fitted`: count x
 * m. */
static ald_status block_gradients(ald_run *run, const regression *g, int64_t i0, int64_t count,
                                  double *fitted, double *gradients)
{
    const int64_t l = g->kernel.rank, m = g->target.m, p = g->rows->p;
    const double *f = g->kernel.f + i0 * l;
    ALD_TRY(ald_product(run, ald_of(f, count, l), ald_of(g->e, l, m * p), ald_at(gradients, count, m * p)));
    ALD_TRY(ald_product(run, ald_of(f, count, l), ald_of(g->beta, l, m), ald_at(fitted, count, m)));
    for (int64_t i = 0; i < count; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(m * p)));
        for (int64_t a = 0; a < m; a++)
            for (int64_t j = 0; j < p; j++)
                gradients[(i * m + a) * p + j] -= fitted[i * m + a] * g->rows->rows[(i0 + i) * p + j];
    }
    return ALD_OK;
}

/* M (p x p, upper triangle). */
static ald_status sum_gradients(ald_run *run, const regression *g, double *matrix)
{
    const int64_t n = g->rows->n, m = g->target.m, p = g->rows->p;
    const double by = 1.0 / ((double)n * g->width * g->width * g->width * g->width);
    double *fitted, *gradients;
    ALD_TRY(ALD_SCRATCH(run, {&fitted, block_rows, m}, {&gradients, block_rows, m * p}));
    memset(matrix, 0, (size_t)(p * p) * sizeof *matrix);
    for (int64_t i0 = 0; i0 < n; i0 += block_rows) {
        const int64_t count = n - i0 < block_rows ? n - i0 : block_rows;
        ALD_TRY(block_gradients(run, g, i0, count, fitted, gradients));
        ALD_TRY(ald_gram_add(run, by, ald_of(gradients, count * m, p), 1.0, ald_at(matrix, p, p)));
        ALD_TRY(ald_progress(run, "summing gradients", (double)(i0 + count) / (double)n));
    }
    return ALD_OK;
}

static ald_status gkdr_describe(ald_run *run, const regression *g, ald_model *model)
{
    const double left = fmax(g->kernel.left, g->target.left);
    ALD_TRY(
        ald_model_set_printed(run, model, "alidade.resolved.kernel_rank", "%lld", (long long)g->kernel.rank));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.kernel_left", g->kernel.left));
    if (left > 0.5)
        ald_warn(run, ALD_RANK_REDUCED,
                 "`rank=%lld` leaves out %.1f %% of a kernel: raise `rank` or its width", (long long)g->rank,
                 100.0 * left);
    return ald_model_set_printed(run, model, "alidade.resolved.response_rank", "%lld",
                                 (long long)g->target.m);
}

static ald_status gkdr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_kdr_settings settings = ald_kdr_settings_of(run);
    ald_kdr_rows rows;
    ald_kdr_target target;
    regression g = {
        .rank = ald_setting_int(run, &rank_param),
        .rows = &rows,
        .penalty = (double)problem->n * ald_setting_real(run, &ridge_param),
    };
    double *matrix, *values, *directions;
    ALD_TRY(ald_kdr_rows_make(run, problem, &settings, model, &rows));
    ALD_TRY(ald_kdr_rows_width(run, &rows, &settings, 0.7, model, &g.width));
    ALD_TRY(ald_kdr_target_make(run, problem, &settings, 1.0, model, &target));
    ALD_TRY(factor(run, &g, &target));
    ALD_TRY(regress(run, &g));
    ALD_TRY(make_e(run, &g));
    ALD_TRY(ALD_SCRATCH(run, {&matrix, rows.p, rows.p}, {&values, problem->r, 1},
                        {&directions, problem->r, rows.p}));
    ALD_TRY(sum_gradients(run, &g, matrix));
    ALD_TRY(ald_eigen(run, ald_at(matrix, rows.p, rows.p), values, ald_at(directions, problem->r, rows.p)));
    ALD_TRY(gkdr_describe(run, &g, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", problem->r, values));
    return ald_kdr_rows_add(run, problem, &rows, directions, model);
}

const ald_method ald_method_gkdr = {
    .name = "gkdr",
    .title = "Gradient-based kernel dimension reduction",
    .synonyms = "gradient kdr, sufficient dimension reduction",
    .summary = "Directions in which kernel regressions of the target have their gradients; one eigenproblem.",
    .reference = "Fukumizu and Leng (2014)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .ignores_units = ald_kdr_ignores_units,
    .tables = (const ald_param_table[]){params, ald_kdr_params, NULL},
    .fit = gkdr_fit,
};
