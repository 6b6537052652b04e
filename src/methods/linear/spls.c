/* Sparse partial least squares: pls whose weights have few features each.
 *
 * With Z_1 = Z the prepared X and Y_1 = Y the centred target (responses, dummies of classes, labels),
 * component a is found from M = Z_a'Y_a and its leading singular pair u, v by repeating
 *
 *   u <- soft(M v, threshold) / |.|,     soft(x, c) = sign(x) max(|x| - c, 0)
 *   v <- M'u / |.|
 *
 * until u moves by less than 1e-13; the threshold is the (k + 1)-th largest modulus of M v, so that at
 * most k entries of u are left, fewer where moduli are equal; k = n_features, one number or one for each
 * component. Then, as in pls,
 *
 *   t       = Z_a u
 *   p       = Z_a't / t't
 *   q       = Y_a't / t't
 *   Z_{a+1} = Z_a - t p'
 *   Y_{a+1} = Y_a - t q'
 *
 * `weights` are the u, and `components` R' = (U'P)^-1 U' gives the scores T = Z R. With k = d it is pls.
 *
 * Only M is deflated, by M <- M - t't p q', and t't and p come from Z'Z r, r the rotation: one pass over X
 * a component. Cost: 2 n d m + r (4 n d + steps 4 d m) operations with m responses, memory n m + d (3 r +
 * m).
 *
 * Edge cases: there are no more components than min(n - 1, d), nor once M or a score has come down to
 * rounding; where all moduli are equal nothing passes the threshold, which is refused.
 *
 * Reference: Le Cao, Rossouw, Robert-Granie and Besse (2008). */
#include "base/numbers/select.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/solvers/subspace.h"
#include "methods/engines/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_steps = 10000 };

static const ald_param n_features_param =
    ALD_INTS_PARAM("n_features", "10", 1, 1e9,
                   "at most this many features with a weight in each component; a list has a number for each "
                   "component",
                   .grid = "5,10,20,50", .simpler = ALD_SIMPLER_SMALLER);

static const ald_param *const params[] = {&n_features_param, NULL};

/* Vectors are kept as rows: weights, loadings and rotations are r x d. */
typedef struct spls {
    const ald_problem *problem;
    int64_t n, d, r, m;
    double *y;     /* n x m */
    double *cross; /* M, d x m */
    double *weights, *loadings, *rotations, *y_loadings, *share, *squares;
    double y_norm, noise, largest;
    double *u, *v, *moduli; /* d, m, d */
} spls;

/* u <- soft(M v) / |.| with at most k entries; its length before. */
static ald_status threshold(ald_run *run, const spls *s, int64_t k, double *u)
{
    const int64_t d = s->d;
    double cut = 0.0;
    ALD_TRY(ald_product(run, ald_of(s->cross, d, s->m), ald_of(s->v, s->m, 1), ald_at(u, d, 1)));
    for (int64_t j = 0; j < d; j++) s->moduli[j] = fabs(u[j]);
    if (k < d) {
        ald_select(d, s->moduli, d - 1 - k);
        cut = s->moduli[d - 1 - k];
    }
    for (int64_t j = 0; j < d; j++) u[j] = copysign(fmax(fabs(u[j]) - cut, 0.0), u[j]);
    if (ald_normalise(d, u) > 0.0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "the features relate to the target all alike, so that none is among the %lld first: raise "
        "`n_features`",
        (long long)k);
}

/* The weights of component a. */
static ald_status find_weights(ald_run *run, const spls *s, int64_t a, double *w)
{
    const int64_t d = s->d, m = s->m, k = ald_setting_int_at(run, &n_features_param, a);
    ALD_TRY(ald_leading_by_eigen(run, ald_of(s->cross, d, m), w));
    for (int step = 0; step < most_steps; step++) {
        double moved = 0.0;
        ALD_TRY(ald_product(run, ald_t(ald_of(s->cross, d, m)), ald_of(w, d, 1), ald_at(s->v, m, 1)));
        ald_normalise(m, s->v);
        ALD_TRY(threshold(run, s, k, s->u));
        for (int64_t j = 0; j < d; j++) moved = fmax(moved, fabs(s->u[j] - w[j]));
        memcpy(w, s->u, (size_t)d * sizeof *w);
        if (moved < 1e-13 || (m == 1 && step > 0)) return ALD_OK;
    }
    ald_warn(run, ALD_NOT_CONVERGED, "the weights of a component still moved after %d steps", most_steps);
    return ALD_OK;
}

static ald_status used_up(ald_run *run, const spls *s, int64_t found)
{
    if (found == 0) return ald_no_direction(run, s->problem);
    return ald_too_many_components(run, s->problem, found,
                                   "after them nothing of the target is left that X explains");
}

static ald_status add_component(ald_run *run, spls *s, int64_t a)
{
    const int64_t d = s->d, m = s->m;
    double *w = s->weights + a * d, *load = s->loadings + a * d, *rotation = s->rotations + a * d,
           *q = s->y_loadings + a * m;
    if (ald_norm(d * m, s->cross) <= s->noise) return used_up(run, s, a);
    ALD_TRY(find_weights(run, s, a, w));
    memcpy(rotation, w, (size_t)d * sizeof *rotation);
    for (int64_t j = 0; j < a; j++)
        ald_add_times(d, -ald_dot(d, s->loadings + j * d, w), s->rotations + j * d, rotation);
    ALD_TRY(ald_operator_normal(run, &s->problem->x, ald_of(rotation, d, 1), ald_at(load, d, 1)));
    const double tt = ald_dot(d, rotation, load), length = ald_dot(d, rotation, rotation);
    s->largest = fmax(s->largest, tt / length);
    if (!(tt > fmax((double)s->n, (double)d) * DBL_EPSILON * s->largest * length)) return used_up(run, s, a);
    ALD_TRY(ald_product(run, ald_t(ald_of(s->cross, d, m)), ald_of(rotation, d, 1), ald_at(q, m, 1)));
    ald_scale(1.0 / tt, ald_at(load, 1, d));
    ald_scale(1.0 / tt, ald_at(q, 1, m));
    for (int64_t j = 0; j < d; j++) ald_add_times(m, -tt * load[j], q, s->cross + j * m);
    s->squares[a] = tt;
    s->share[a] = tt * ald_dot(m, q, q) / s->y_norm;
    return ALD_OK;
}

static ald_status spls_start(ald_run *run, const ald_problem *problem, spls *s)
{
    const int64_t n = problem->n, d = problem->d, r = problem->r;
    *s = (spls){.problem = problem, .n = n, .d = d, .r = r};
    ALD_TRY(ald_problem_responses(run, problem, &s->y, &s->m));
    ALD_TRY(ALD_SCRATCH(run, {&s->cross, d, s->m}, {&s->weights, r, d}, {&s->loadings, r, d},
                        {&s->rotations, r, d}, {&s->y_loadings, r, s->m}, {&s->share, r, 1},
                        {&s->squares, r, 1}, {&s->u, d, 1}, {&s->v, s->m, 1}, {&s->moduli, d, 1}));
    ALD_TRY(
        ald_operator_apply_transposed(run, &problem->x, ald_of(s->y, n, s->m), ald_at(s->cross, d, s->m)));
    s->y_norm = ald_dot(n * s->m, s->y, s->y);
    s->noise =
        fmax(1e-13 * ald_norm(d * s->m, s->cross), sqrt(ald_rounding_of_means(&problem->x) * s->y_norm));
    return ALD_OK;
}

static ald_status check_numbers(ald_run *run, const ald_problem *problem)
{
    const int64_t most = problem->n - 1 < problem->d ? problem->n - 1 : problem->d,
                  numbers = ald_setting_ints(run, &n_features_param);
    if (problem->r == 0) return ald_no_own_rule(run);
    if (problem->r > most)
        return ald_too_many_components(run, problem, most, "the smaller of rows - 1 and columns");
    if (numbers > problem->r)
        ald_log(run, ALD_LOG_INFO,
                "`n_features` has %lld numbers; the first %lld count, one for each component",
                (long long)numbers, (long long)problem->r);
    if (numbers == 1 || numbers >= problem->r) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "`n_features` has %lld numbers, but there are %lld components: give one number for all, or "
        "one for each",
        (long long)numbers, (long long)problem->r);
}

static ald_status spls_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    spls s;
    double *sign;
    ALD_TRY(check_numbers(run, problem));
    ALD_TRY(spls_start(run, problem, &s));
    for (int64_t a = 0; a < s.r; a++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(add_component(run, &s, a));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "extracting components", (double)(a + 1) / (double)s.r));
    }
    ALD_TRY(ald_scratch_reals(run, s.r, 1, &sign));
    ALD_TRY(ald_add_components(run, problem, s.r, s.rotations, sign, model));
    ald_scale_rows(sign, ald_at(s.weights, s.r, s.d));
    ald_scale_rows(sign, ald_at(s.loadings, s.r, s.d));
    ald_scale_rows(sign, ald_at(s.y_loadings, s.r, s.m));
    ALD_TRY(ald_model_add_matrix(run, model, "weights", s.r, s.d, s.weights));
    ALD_TRY(ald_model_add_matrix(run, model, "loadings", s.r, s.d, s.loadings));
    ALD_TRY(ald_model_add_matrix(run, model, "response_loadings", s.r, s.m, s.y_loadings));
    ALD_TRY(ald_model_add_vector(run, model, "explained_response_ratio", s.r, s.share));
    return ald_add_score_variances(run, problem, s.r, s.squares, model);
}

const ald_method ald_method_spls = {
    .name = "spls",
    .title = "Sparse partial least squares",
    .synonyms = "sparse pls, spls-da, splsda, sparse pls-da, mixomics",
    .summary = "Directions of few features each, whose scores vary most together with the target.",
    .reference = "Le Cao, Rossouw, Robert-Granie and Besse (2008)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR | ALD_CAN_REBUILD,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = spls_fit,
};
