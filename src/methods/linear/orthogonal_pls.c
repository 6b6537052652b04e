/* Orthogonal projections to latent structures (O-PLS; O2-PLS for several responses): what of X predicts the
 * target in one component each, and apart from it what varies in X without the target.
 *
 * With Z the prepared X and Y the centred target (responses, dummies of classes, labels), W_p the left
 * singular vectors of Z'Y above 1e-10 of the first, the first a = min(rank, r, n_predictive where > 0) of
 * them, and E = Z at first, r - a times
 *
 *   T   = E W_p
 *   w_o = the leading left singular vector of (E - T W_p')'T
 *   t   = E w_o,     p = E't / t't,     E <- E - t p'
 *
 * Then the predictive scores are E W_p, after all removals. `components` are the maps from the rows of Z to
 * these, in their order, and then to the t of the orthogonal components:
 *
 *   t_j = Z r_j,     r_j = w_j - sum_{i < j} (p_i'w_j) r_i
 *   E W_p = Z (W_p - sum_j r_j p_j'W_p)
 *
 * `weights` are W_p and the w_o; `loadings` E'T (T'T)^-1 and the p. With one response t_j'y = 0, and the
 * first
 *
 * Cost: one pass for Z'Y, and two passes over X for each orthogonal component; n (r + m) + 4 r d numbers.
 *
 * Edge cases: once nothing of E varies together with T but along W_p, there are no more components.
 *
 * Reference: Trygg and Wold (2002); Trygg (2002). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/solvers/subspace.h"
#include "methods/engines/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ald_param n_predictive_param =
    ALD_INT_PARAM("n_predictive", "0", 0, 1e9,
                  "predictive components; 0: as many as the rank of X'Y, at most "
                  "n_components",
                  .traits = ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {&n_predictive_param, NULL};

/* Vectors over columns are kept as rows: r x d. */
typedef struct orthogonal {
    const ald_problem *problem;
    int64_t n, d, r, m, a;
    double *y;                              /* n x m */
    double *weights, *loadings, *rotations; /* predictive, then orthogonal */
    double *predictive;                     /* T, n x a */
    double *scores;                         /* (r - a) x n: the t_o */
    double *size;                           /* r - a: t't */
    double total;                           /* |Z W_p|^2 at first */
} orthogonal;

/* The first directions, W_p. */
static ald_status predictive_weights(ald_run *run, orthogonal *o)
{
    const int64_t n = o->n, d = o->d, m = o->m, asked = ald_setting_int(run, &n_predictive_param),
                  p = d < m ? d : m;
    double *cross, *u, *s, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&cross, d, m}, {&u, d, p}, {&s, p, 1}, {&vt, p, m}));
    ALD_TRY(ald_operator_apply_transposed(run, &o->problem->x, ald_of(o->y, n, m), ald_at(cross, d, m)));
    const double noise = sqrt(ald_rounding_of_means(&o->problem->x) * ald_dot(n * m, o->y, o->y));
    ALD_TRY(ald_svd(run, ald_at(cross, d, m), ald_at(u, d, p), s, ald_at(vt, p, m)));
    while (o->a < p && o->a < o->r && s[o->a] > fmax(1e-10 * s[0], noise)) o->a++;
    if (asked > 0 && asked < o->a) o->a = asked;
    for (int64_t c = 0; c < o->a; c++)
        for (int64_t j = 0; j < d; j++) o->weights[c * d + j] = u[j * p + c];
    return o->a > 0 ? ALD_OK : ald_no_direction(run, o->problem);
}

/* T = E W_p less t p'W_p of the orthogonal component j. */
static void take_off(const orthogonal *o, int64_t j)
{
    const double *load = o->loadings + (o->a + j) * o->d, *t = o->scores + j * o->n;
    for (int64_t c = 0; c < o->a; c++) {
        const double along = ald_dot(o->d, load, o->weights + c * o->d);
        for (int64_t i = 0; i < o->n; i++) o->predictive[i * o->a + c] -= t[i] * along;
    }
}

/* out (d x cols) = E'v, v n x cols, E = Z less the first `count` orthogonal components. */
static ald_status transposed_rest(ald_run *run, const orthogonal *o, int64_t count, const double *v,
                                  int64_t cols, double *out)
{
    ALD_TRY(
        ald_operator_apply_transposed(run, &o->problem->x, ald_of(v, o->n, cols), ald_at(out, o->d, cols)));
    for (int64_t j = 0; j < count; j++)
        for (int64_t c = 0; c < cols; c++) {
            const double *load = o->loadings + (o->a + j) * o->d;
            double along = 0.0;
            for (int64_t i = 0; i < o->n; i++) along += o->scores[j * o->n + i] * v[i * cols + c];
            for (int64_t k = 0; k < o->d; k++) out[k * cols + c] -= load[k] * along;
        }
    return ALD_OK;
}

/* w (d): the leading left singular vector of (E - T W_p')'T; *left: its length, as a part of |T|^2. */
static ald_status orthogonal_weight(ald_run *run, const orthogonal *o, int64_t count, double *w, double *left)
{
    const int64_t d = o->d, a = o->a;
    double *cross, *gram;
    ALD_TRY(ALD_SCRATCH(run, {&cross, d, a}, {&gram, a, a}));
    ALD_TRY(transposed_rest(run, o, count, o->predictive, a, cross));
    ALD_TRY(ald_gram(run, ald_of(o->predictive, o->n, a), ald_at(gram, a, a)));
    ALD_TRY(ald_product_add(run, -1.0, ald_t(ald_of(o->weights, a, d)), ald_of(gram, a, a), 1.0,
                            ald_at(cross, d, a)));
    *left = ald_norm(d * a, cross) / o->total;
    ALD_TRY(ald_leading_by_eigen(run, ald_of(cross, d, a), w));
    for (int twice = 0; twice < 2; twice++)
        for (int64_t c = 0; c < a + count; c++)
            ald_add_times(d, -ald_dot(d, o->weights + c * d, w), o->weights + c * d, w);
    ald_normalise(d, w);
    return ALD_OK;
}

static ald_status exhausted(ald_run *run, const orthogonal *o, int64_t found)
{
    return ald_too_many_components(run, o->problem, found,
                                   "nothing else of X varies together with the predictive scores");
}

static ald_status add_orthogonal(ald_run *run, orthogonal *o, int64_t j)
{
    const int64_t n = o->n, d = o->d, at = o->a + j;
    double *w = o->weights + at * d, *load = o->loadings + at * d, *rotation = o->rotations + at * d,
           *t = o->scores + j * n;
    double left;
    ALD_TRY(orthogonal_weight(run, o, j, w, &left));
    if (!(left > 1e-12)) return exhausted(run, o, at);
    memcpy(rotation, w, (size_t)d * sizeof *rotation);
    for (int64_t i = 0; i < j; i++)
        ald_add_times(d, -ald_dot(d, o->loadings + (o->a + i) * d, w), o->rotations + (o->a + i) * d,
                      rotation);
    ALD_TRY(ald_operator_apply(run, &o->problem->x, ald_of(rotation, d, 1), ald_at(t, n, 1)));
    o->size[j] = ald_dot(n, t, t);
    if (!(o->size[j] > 1e-20 * o->total)) return exhausted(run, o, at);
    ALD_TRY(transposed_rest(run, o, j, t, 1, load));
    ald_scale(1.0 / o->size[j], ald_at(load, 1, d));
    take_off(o, j);
    return ALD_OK;
}

/* Loadings E'T (T'T)^-1 and rotations W_p - sum_j r_j p_j'W_p of the predictive components. */
static ald_status finish_predictive(ald_run *run, orthogonal *o)
{
    const int64_t d = o->d, a = o->a;
    double *cross, *gram;
    ALD_TRY(ALD_SCRATCH(run, {&cross, d, a}, {&gram, a, a}));
    ALD_TRY(transposed_rest(run, o, o->r - a, o->predictive, a, cross));
    ALD_TRY(ald_gram(run, ald_of(o->predictive, o->n, a), ald_at(gram, a, a)));
    ald_transpose(d, a, cross, o->loadings);
    const ald_status status = ald_cholesky(run, ald_at(gram, a, a));
    if (status == ALD_ERROR_NUMERICAL) return exhausted(run, o, a - 1);
    ALD_TRY(status);
    ALD_TRY(ald_solve_cholesky(run, ald_of(gram, a, a), ald_at(o->loadings, a, d)));
    memcpy(o->rotations, o->weights, (size_t)(a * d) * sizeof *o->rotations);
    for (int64_t c = 0; c < a; c++)
        for (int64_t j = a; j < o->r; j++)
            ald_add_times(d, -ald_dot(d, o->loadings + j * d, o->weights + c * d), o->rotations + j * d,
                          o->rotations + c * d);
    return ALD_OK;
}

static ald_status orthogonal_start(ald_run *run, const ald_problem *problem, orthogonal *o)
{
    const int64_t n = problem->n, d = problem->d, r = problem->r;
    double *columns;
    *o = (orthogonal){.problem = problem, .n = n, .d = d, .r = r};
    ALD_TRY(ald_problem_responses(run, problem, &o->y, &o->m));
    ALD_TRY(ALD_SCRATCH(run, {&o->weights, r, d}, {&o->loadings, r, d}, {&o->rotations, r, d}));
    ALD_TRY(predictive_weights(run, o));
    ALD_TRY(ALD_SCRATCH(run, {&o->predictive, n, o->a}, {&o->scores, r - o->a, n}, {&o->size, r, 1},
                        {&columns, d, o->a}));
    ald_transpose(o->a, d, o->weights, columns);
    ALD_TRY(ald_operator_apply(run, &problem->x, ald_of(columns, d, o->a), ald_at(o->predictive, n, o->a)));
    o->total = ald_dot(n * o->a, o->predictive, o->predictive);
    return ALD_OK;
}

static ald_status orthogonal_pls_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t most = problem->n - 1 < problem->d ? problem->n - 1 : problem->d;
    orthogonal o;
    double *sign;
    if (problem->r == 0) return ald_no_own_rule(run);
    if (problem->r > most)
        return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    ALD_TRY(orthogonal_start(run, problem, &o));
    for (int64_t j = 0; j < o.r - o.a; j++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(add_orthogonal(run, &o, j));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "removing components", (double)(j + 1) / (double)(o.r - o.a)));
    }
    ALD_TRY(finish_predictive(run, &o));
    ALD_TRY(ald_scratch_reals(run, o.r, 1, &sign));
    ALD_TRY(ald_add_components(run, problem, o.r, o.rotations, sign, model));
    ald_scale_rows(sign, ald_at(o.weights, o.r, o.d));
    ald_scale_rows(sign, ald_at(o.loadings, o.r, o.d));
    ALD_TRY(ald_model_add_matrix(run, model, "weights", o.r, o.d, o.weights));
    ALD_TRY(ald_model_add_matrix(run, model, "loadings", o.r, o.d, o.loadings));
    return ald_model_set_printed(run, model, "alidade.resolved.n_predictive", "%lld", (long long)o.a);
}

const ald_method ald_method_orthogonal_pls = {
    .name = "orthogonal-pls",
    .title = "Orthogonal-PLS: projections to latent structures",
    .synonyms = "orthogonal pls, o-pls, o2-pls, o2pls, opls-da, oplsda, opls of metabolomics, ropls, "
                "orthogonal signal "
                "correction",
    .summary = "What of X predicts the target, and apart from it what varies in X without the target.",
    .reference = "Trygg and Wold (2002); Trygg (2002)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = orthogonal_pls_fit,
};
