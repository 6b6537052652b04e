/* Partial least squares regression (PLS2; PLS1 for one response).
 *
 * With Z_1 = Z the prepared X and Y_1 = Y the centred target (responses, or dummies of classes, or labels),
 * component a is
 *
 *   w       = the leading left singular vector of Z_a'Y_a      the unit w that maximises |Y_a'Z_a w|
 *   t       = Z_a w
 *   p       = Z_a't / t't
 *   q       = Y_a't / t't
 *   Z_{a+1} = Z_a - t p'
 *   Y_{a+1} = Y_a - t q'
 *
 * The rotations give the scores from the data as they are, and `components` is R':
 *
 *   R = W (P'W)^-1,   T = Z R
 *
 *   nipals   deflates as written, Z implicitly (Z_a v = Z v - T (P'v)); w by power iteration. Three passes
 *            over X per component.
 *   ikpls    deflates S = Z'Y only (Dayal and MacGregor 1997): r_a = w - sum_j (p_j'w) r_j, and both t't and
 *            p come from Z'Z r_a, which is one pass over X, or a product with Z'Z, formed once, where that is
 *            less work and Z'Z is well conditioned.
 *
 * Both give the same numbers in exact arithmetic; the singular vector of S comes from the smaller of S'S and
 * S S'.
 *
 * Cost of ikpls with m responses:
 *
 *   by products with X   2 n d m + r (4 n d + d m min(d, m)) operations,   memory n m + d (3 r + m)
 *   by Z'Z               n d^2 + 2 r d^2 operations,                       memory d^2 more
 *
 * Edge cases: there are no more directions than min(n - 1, d), nor once Z_a'Y_a has come down to rounding
 * (1e-13 of its start, or that of the means), nor once a score is rounding (t't up to max(n, d) eps of what
 * its rotation could give): asking for more is refused with the number there is.
 *
 * Reference: Wold (1975); Dayal and MacGregor (1997). */
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/tall.h"
#include "math/linalg/vector.h"
#include "math/operator/all_rows.h"
#include "math/solvers/subspace.h"
#include "methods/engines/problem.h"
#include "methods/gaps/gaps.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const algorithms[] = {"ikpls", "nipals", NULL};
enum { algorithm_ikpls, algorithm_nipals };

static const ald_param algorithm_param =
    ALD_CHOICE_PARAM("algorithm", "ikpls", algorithms,
                     "nipals is the classical iteration, ikpls a faster way to the same result");
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-13", 1e-16, "nipals: change of a weight vector at which its iteration stops");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("20000", "nipals: at most this many iterations for one weight vector");

static const ald_param *const params[] = {
    &algorithm_param,
    &tol_param,
    &max_iter_param,
    NULL,
};

/* Vectors are kept as rows: w, p, c and rotations are r x d, q is r x responses. */
typedef struct pls {
    const ald_problem *problem;
    int64_t n, d, r, m; /* m responses */
    int64_t rows;       /* all of them; X may have a part, n */
    double *y;          /* n x m; deflated by nipals */
    double *s;          /* d x m: Z_a'Y_a */
    double *weights, *loadings, *rotations, *y_loadings;
    double *share;         /* r: part of |Y|^2 explained */
    double *squares;       /* r: t't */
    double y_norm, s_norm; /* |Y|_F^2 and |S|_F at the start */
    double noise;          /* |S|_F up to this is rounding */
    double largest;        /* of |Z r|^2 / |r|^2 so far: below the largest eigenvalue of Z'Z */
    double *scatter;       /* d x d, or NULL: products with X */
    double *scores;        /* nipals: n x r */
} pls;

/* out = m v for a vector v. */
static ald_status times_vector(ald_run *run, ald_view m, const double *v, double *out)
{
    return ald_product(run, m, ald_of(v, m.cols, 1), ald_at(out, m.rows, 1));
}

static ald_view cross_product(const pls *p)
{
    return ald_of(p->s, p->d, p->m);
}

static ald_status leading_by_iteration(ald_run *run, const pls *p, double *w)
{
    const double tol = ald_setting_real(run, &tol_param);
    const int64_t most = ald_setting_int(run, &max_iter_param);
    double change;
    ALD_TRY(ald_leading_by_iteration(run, cross_product(p), tol, most, w, &change));
    if (change > 0.0)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "the weights of nipals still changed by %.1e after %lld iterations (tol %.1e): raise "
                 "`max_iter` or use `algorithm=ikpls`",
                 change, (long long)most, tol);
    return ALD_OK;
}

/* Nothing is left of S, or w lies in the span of the weights before it, to which it is orthogonal in exact
 * arithmetic: what is left of it is rounding, and is taken off. */
static int is_used_up(const pls *p, int64_t a, double *w)
{
    const double norm = ald_normalise(p->d, w);
    if (ald_norm(p->d * p->m, p->s) <= p->noise || norm == 0.0) return 1;
    for (int twice = 0; twice < 2; twice++)
        for (int64_t j = 0; j < a; j++) {
            const double along = ald_dot(p->d, p->weights + j * p->d, w);
            ald_add_times(p->d, -along, p->weights + j * p->d, w);
        }
    return ald_normalise(p->d, w) < 1e-3;
}

static ald_status exhausted(ald_run *run, const pls *p, int64_t found)
{
    if (found == 0) return ald_no_direction(run, p->problem);
    return ald_too_many_components(run, p->problem, found,
                                   "after them nothing of the target is left that X explains");
}

static ald_status check_weights(ald_run *run, const pls *p, int64_t a, double *w)
{
    int over = is_used_up(p, a, w);
    ALD_TRY(ald_rows_settle(run, &p->problem->x, &over, (int64_t)sizeof over));
    return over ? exhausted(run, p, a) : ALD_OK;
}

/* t't of a score that is rounding: X has no such direction. */
static int is_rounding(pls *p, double tt, const double *rotation)
{
    const double length = ald_dot(p->d, rotation, rotation),
                 larger = (double)(p->rows > p->d ? p->rows : p->d);
    if (tt > p->largest * length) p->largest = tt / length;
    return !(tt > larger * DBL_EPSILON * p->largest * length);
}

static ald_status check_score(ald_run *run, pls *p, int64_t a, double tt)
{
    int over = is_rounding(p, tt, p->rotations + a * p->d);
    ALD_TRY(ald_rows_settle(run, &p->problem->x, &over, (int64_t)sizeof over));
    return over ? exhausted(run, p, a) : ALD_OK;
}

/* Z'Z v. */
static ald_status normal_product(ald_run *run, const pls *p, const double *v, double *out)
{
    if (p->scatter) return times_vector(run, ald_of(p->scatter, p->d, p->d), v, out);
    return ald_operator_normal(run, &p->problem->x, ald_of(v, p->d, 1), ald_at(out, p->d, 1));
}

/* Row a of R' = (W'P)^-1 W': P'W is upper triangular with a unit diagonal, so each follows from those before
 * it. */
static void rotation_from_weights(pls *p, int64_t a)
{
    const double *w = p->weights + a * p->d;
    double *rotation = p->rotations + a * p->d;
    memcpy(rotation, w, (size_t)p->d * sizeof *rotation);
    for (int64_t j = 0; j < a; j++) {
        const double along = ald_dot(p->d, p->loadings + j * p->d, w);
        ald_add_times(p->d, -along, p->rotations + j * p->d, rotation);
    }
}

static ald_status ikpls_component(ald_run *run, pls *p, int64_t a)
{
    const int64_t d = p->d, m = p->m;
    double *w = p->weights + a * d, *load = p->loadings + a * d, *rotation = p->rotations + a * d,
           *q = p->y_loadings + a * m;
    ALD_TRY(ald_leading_by_eigen(run, cross_product(p), w));
    ALD_TRY(check_weights(run, p, a, w));
    rotation_from_weights(p, a);
    ALD_TRY(normal_product(run, p, rotation, load));
    const double tt = ald_dot(d, rotation, load);
    ALD_TRY(check_score(run, p, a, tt));
    ALD_TRY(times_vector(run, ald_t(cross_product(p)), rotation, q));
    for (int64_t i = 0; i < d; i++) load[i] /= tt;
    for (int64_t k = 0; k < m; k++) q[k] /= tt;
    for (int64_t i = 0; i < d; i++)
        for (int64_t k = 0; k < m; k++) p->s[i * m + k] -= tt * load[i] * q[k];
    p->squares[a] = tt;
    p->share[a] = tt * ald_dot(m, q, q) / p->y_norm;
    return ALD_OK;
}

/* Forming Z'Z costs d flops per entry, a pass over X a component about 8 bytes per entry at a twentieth of
 * that speed. But it squares the condition number: only a Z'Z that is far from singular (pivots of its
 * Cholesky factor, at a unit diagonal) is used. */
static ald_status form_scatter(ald_run *run, pls *p)
{
    const int64_t d = p->d;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scatter;
    double pivot;
    if (p->problem->x.x.storage != ALD_DENSE || p->problem->x.source) return ALD_OK;
    if (d > ALD_SQUARE_ORDER || (double)d > 30.0 * (double)p->r) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, d, &scatter));
    ALD_TRY(ald_operator_scatter(run, &p->problem->x, ald_at(scatter, d, d)));
    ALD_TRY(ald_smallest_pivot(run, d, scatter, &pivot));
    if (pivot > 1e-3)
        p->scatter = scatter;
    else
        ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* out (cols) -= m (cols columns, count rows)' c, with c = base v: what the components found so far explain.
 */
static void subtract_explained(int64_t count, const double *coefficients, int64_t cols, const double *rows,
                               double *out)
{
    for (int64_t j = 0; j < count; j++) ald_add_times(cols, -coefficients[j], rows + j * cols, out);
}

/* out (m) = Y't over all rows. */
static ald_status responses_along(ald_run *run, const pls *p, const double *t, double *out)
{
    ALD_TRY(times_vector(run, ald_t(ald_of(p->y, p->n, p->m)), t, out));
    return ald_rows_sum(run, &p->problem->x, out, p->m);
}

/* S = Z_a'Y. */
static ald_status nipals_cross(ald_run *run, const pls *p, int64_t a, double *along)
{
    const int64_t d = p->d, m = p->m;
    ALD_TRY(ald_operator_apply_transposed(run, &p->problem->x, ald_of(p->y, p->n, m), ald_at(p->s, d, m)));
    for (int64_t j = 0; j < a; j++) {
        ALD_TRY(responses_along(run, p, p->scores + j * p->n, along));
        for (int64_t i = 0; i < d; i++)
            for (int64_t k = 0; k < m; k++) p->s[i * m + k] -= p->loadings[j * d + i] * along[k];
    }
    return ALD_OK;
}

/* t = Z_a w. */
static ald_status nipals_score(ald_run *run, const pls *p, int64_t a, const double *w, double *along,
                               double *t)
{
    const ald_operator *z = &p->problem->x;
    ALD_TRY(ald_operator_apply(run, z, ald_of(w, p->d, 1), ald_at(t, p->n, 1)));
    for (int64_t j = 0; j < a; j++) along[j] = ald_dot(p->d, p->loadings + j * p->d, w);
    ALD_TRY(ald_rows_settle(run, z, along, a * (int64_t)sizeof *along));
    subtract_explained(a, along, p->n, p->scores, t);
    return ALD_OK;
}

/* load = Z_a't. */
static ald_status nipals_loading(ald_run *run, const pls *p, int64_t a, const double *t, double *along,
                                 double *load)
{
    const ald_operator *z = &p->problem->x;
    ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(t, p->n, 1), ald_at(load, p->d, 1)));
    for (int64_t j = 0; j < a; j++) along[j] = ald_dot(p->n, p->scores + j * p->n, t);
    ALD_TRY(ald_rows_sum(run, z, along, a));
    subtract_explained(a, along, p->d, p->loadings, load);
    return ALD_OK;
}

static ald_status nipals_component(ald_run *run, pls *p, int64_t a)
{
    const int64_t n = p->n, d = p->d, m = p->m;
    double *w = p->weights + a * d, *load = p->loadings + a * d, *q = p->y_loadings + a * m,
           *t = p->scores + a * n, *along;
    ALD_TRY(ald_scratch_reals(run, p->r, m, &along));
    ALD_TRY(nipals_cross(run, p, a, along));
    ALD_TRY(leading_by_iteration(run, p, w));
    ALD_TRY(check_weights(run, p, a, w));
    ALD_TRY(nipals_score(run, p, a, w, along, t));
    double tt = ald_dot(n, t, t);
    ALD_TRY(ald_rows_sum(run, &p->problem->x, &tt, 1));
    rotation_from_weights(p, a);
    ALD_TRY(check_score(run, p, a, tt));
    ALD_TRY(nipals_loading(run, p, a, t, along, load));
    ALD_TRY(responses_along(run, p, t, q));
    for (int64_t i = 0; i < d; i++) load[i] /= tt;
    for (int64_t k = 0; k < m; k++) q[k] /= tt;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < m; k++) p->y[i * m + k] -= t[i] * q[k];
    p->squares[a] = tt;
    p->share[a] = tt * ald_dot(m, q, q) / p->y_norm;
    return ALD_OK;
}

static ald_status extract(ald_run *run, pls *p)
{
    const int nipals = ald_setting_choice(run, &algorithm_param) == algorithm_nipals;
    if (nipals)
        ALD_TRY(ald_scratch_reals(run, p->r, p->n, &p->scores));
    else
        ALD_TRY(form_scatter(run, p));
    for (int64_t a = 0; a < p->r; a++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY((nipals ? nipals_component : ikpls_component)(run, p, a));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "extracting components", (double)(a + 1) / (double)p->r));
    }
    return ALD_OK;
}

static ald_status pls_start(ald_run *run, const ald_problem *problem, pls *p)
{
    double *squares;
    memset(p, 0, sizeof *p);
    p->problem = problem;
    p->n = problem->n;
    p->rows = ald_rows_total(&problem->x);
    p->d = problem->d;
    p->r = problem->r;
    ALD_TRY(ald_problem_responses(run, problem, &p->y, &p->m));
    ALD_TRY(ALD_SCRATCH(run, {&p->s, p->d, p->m}, {&p->weights, p->r, p->d}, {&p->loadings, p->r, p->d},
                        {&p->rotations, p->r, p->d}, {&p->y_loadings, p->r, p->m}, {&p->share, p->r, 1},
                        {&p->squares, p->r, 1}, {&squares, p->m, 1}));
    ALD_TRY(
        ald_operator_apply_transposed(run, &problem->x, ald_of(p->y, p->n, p->m), ald_at(p->s, p->d, p->m)));
    ALD_TRY(ald_tall_squares(run, p->n, p->m, p->y, squares));
    for (int64_t j = 0; j < p->m; j++) p->y_norm += squares[j];
    ALD_TRY(ald_rows_sum(run, &problem->x, &p->y_norm, 1));
    p->s_norm = ald_norm(p->d * p->m, p->s);
    p->noise = fmax(1e-13 * p->s_norm, sqrt(ald_rounding_of_means(&problem->x) * p->y_norm));
    return ALD_OK;
}

static ald_status add_results(ald_run *run, pls *p, ald_model *model)
{
    double *sign;
    ALD_TRY(ald_scratch_reals(run, p->r, 1, &sign));
    ALD_TRY(ald_add_components(run, p->problem, p->r, p->rotations, sign, model));
    ald_scale_rows(sign, ald_at(p->weights, p->r, p->d));
    ald_scale_rows(sign, ald_at(p->loadings, p->r, p->d));
    ald_scale_rows(sign, ald_at(p->y_loadings, p->r, p->m));
    ALD_TRY(ald_model_add_matrix(run, model, "weights", p->r, p->d, p->weights));
    ALD_TRY(ald_model_add_matrix(run, model, "loadings", p->r, p->d, p->loadings));
    ALD_TRY(ald_model_add_matrix(run, model, "response_loadings", p->r, p->m, p->y_loadings));
    ALD_TRY(ald_model_add_vector(run, model, "explained_response_ratio", p->r, p->share));
    ALD_TRY(ald_add_score_variances(run, p->problem, p->r, p->squares, model));
    const char *kernels = p->scatter ? "ikpls by X'X" : "ikpls by products with X";
    return ald_model_set_text(run, model, "alidade.resolved.solver", p->scores ? "nipals" : kernels);
}

/* Cells of X are missing: over those that are there. */
static ald_status fit_with_gaps(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_gaps gaps = {0};
    double *y;
    int64_t m;
    ALD_TRY(ald_problem_responses(run, problem, &y, &m));
    ALD_TRY(ald_gaps_solve(run, problem, y, m, &gaps));
    ALD_TRY(ald_gaps_add(run, problem, m, &gaps, model));
    ALD_TRY(ald_model_add_matrix(run, model, "response_loadings", problem->r, m, gaps.y_loadings));
    return ald_model_add_vector(run, model, "explained_response_ratio", problem->r, gaps.y_share);
}

static ald_status pls_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t n = ald_rows_total(&problem->x), most = n - 1 < problem->d ? n - 1 : problem->d;
    pls p;
    if (problem->gappy) return fit_with_gaps(run, problem, model);
    if (problem->r > most)
        return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    ALD_TRY(pls_start(run, problem, &p));
    ALD_TRY(extract(run, &p));
    return add_results(run, &p, model);
}

const ald_method ald_method_pls = {
    .name = "pls",
    .title = "Partial least squares",
    .synonyms = "pls-da, plsda, partial least squares discriminant analysis, pls regression, plsr, pls1, "
                "pls2, projection to latent structures, simpls, nipals",
    .summary = "Directions whose scores vary most together with the target, found one after the other.",
    .reference = "Wold (1975); Dayal and MacGregor (1997)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS |
                    ALD_IS_NESTED | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .shares_products = 1,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, ald_gaps_params, NULL},
    .fit = pls_fit,
};
