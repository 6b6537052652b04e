/* Kernel partial least squares (Rosipal and Trejo).
 *
 * Component after component, with K the centred kernel and Y the centred responses (dummies of classes), z
 * and t of unit length until they do not change, the definition is
 *
 *   z  = K t,   t = Y Y'z
 *   K <- (I - z z') K (I - z z')
 *   Y <- Y - z z'Y
 *
 * and new rows are mapped by K_new T (Z'K T)^-1. That is pls in the space of engines/kernel_space.h with
 * scores of unit length, found there without iteration and without deflating K: with S the coordinates of
 * Phi'Y,
 *
 *   c  = the leading eigenvector of S'G S
 *   w  = S c
 *   a  = w less its part along the scores before (twice), scaled to unit score length
 *   S <- S - (Q a) y',   y = S'G a        which is Y'z
 *
 * Directions a are conjugate, <scores_i, scores_j> = delta_ij, and the scores of the training rows are Z
 * itself. `explained_response_ratio` is the part of |Y|^2 that each component explains.
 *
 * Cost: that of the space and r (q + 2) products with Q.
 *
 * Edge cases: nothing is left once S'G S is down to 1e-13 of its start, or a score is rounding: asking for
 * more is refused with the number there is.
 *
 * Reference: Rosipal and Trejo (2001). */
#include "methods/engines/engine_params.h"
#include "methods/engines/kernel_space.h"

#include "base/settings/common_params.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/solvers/lanczos.h"

#include <float.h>
#include <math.h>

enum { few_responses = 500 }; /* up to which a square of their number is formed */

/* Directions and Q times them as rows, r x order. */
typedef struct kpls {
    ald_kernel_space space;
    int64_t order, q, r;
    double *s, *gs; /* order x q: S and G S */
    double *a, *qa; /* r x order */
    double *share;
    double start, y_norm; /* leading eigenvalue of S'G S at the start; |Y|^2 */
} kpls;

/* a'G v for direction i and v with Qv: (Q a)'v dual; primal G is the identity. */
static const double *weight_of(const kpls *p, int64_t i)
{
    return (p->space.dual ? p->qa : p->a) + i * p->order;
}

/* out (q x k) = S'G S v. */
static ald_status apply_cross(ald_run *run, void *self, const double *v, int64_t k, double *out)
{
    kpls *p = self;
    const int64_t n = p->order, q = p->q;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *gu;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, k}, {&gu, n, k}));
    ALD_TRY(ald_product(run, ald_of(p->s, n, q), ald_of(v, q, k), ald_at(u, n, k)));
    ALD_TRY(ald_kernel_space_inner(run, &p->space, u, k, gu));
    ALD_TRY(ald_product(run, ald_t(ald_of(p->s, n, q)), ald_of(gu, n, k), ald_at(out, q, k)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The same for many responses, by products: no square of their number is formed. */
static ald_status leading_of_many(ald_run *run, kpls *p, double *w, double *value)
{
    ald_lanczos task = {
        .apply = apply_cross,
        .self = p,
        .n = p->q,
        .wanted = 1,
        .tol = 1e-12,
        .max_products = 3000,
        .seed = ald_seed(run),
        .stage = "extracting components",
        .values = value,
    };
    ALD_TRY(ald_lanczos_solve(run, &task));
    return ald_product(run, ald_of(p->s, p->order, p->q), ald_of(task.vectors, p->q, 1),
                       ald_at(w, p->order, 1));
}

/* w = S c for the leading c; its eigenvalue. */
static ald_status leading(ald_run *run, kpls *p, double *w, double *value)
{
    const int64_t q = p->q, n = p->order;
    double *m, *c;
    if (q > few_responses) return leading_of_many(run, p, w, value);
    ALD_TRY(ALD_SCRATCH(run, {&m, q, q}, {&c, q, 1}));
    ALD_TRY(ald_kernel_space_inner(run, &p->space, p->s, q, p->gs));
    ALD_TRY(ald_product(run, ald_t(ald_of(p->s, n, q)), ald_of(p->gs, n, q), ald_at(m, q, q)));
    ALD_TRY(ald_eigen(run, ald_at(m, q, q), value, ald_at(c, 1, q)));
    return ald_product(run, ald_of(p->s, n, q), ald_of(c, q, 1), ald_at(w, n, 1));
}

/* a and Q a <- less what lies along the scores before, twice; then to unit score length. 0 if nothing is
 * left. */
static int make_conjugate(const kpls *p, int64_t k, double *a, double *qa)
{
    const int64_t n = p->order;
    const double before = ald_dot(n, p->space.dual ? qa : a, qa);
    for (int twice = 0; twice < 2; twice++)
        for (int64_t i = 0; i < k; i++) {
            const double along = ald_dot(n, weight_of(p, i), qa);
            for (int64_t j = 0; j < n; j++) {
                a[j] -= along * p->a[i * n + j];
                qa[j] -= along * p->qa[i * n + j];
            }
        }
    const double square = ald_dot(n, p->space.dual ? qa : a, qa);
    if (!(square > (double)n * DBL_EPSILON * before) || !(square > 0.0)) return 0;
    for (int64_t j = 0; j < n; j++) {
        a[j] /= sqrt(square);
        qa[j] /= sqrt(square);
    }
    return 1;
}

static ald_status exhausted(ald_run *run, const kpls *p, int64_t found)
{
    if (found > 0)
        return ald_too_many_components(run, p->space.problem, found,
                                       "after them nothing of the target is left that the kernel explains");
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "nothing in X varies together with the target: kpls has no direction");
}

static ald_status component(ald_run *run, kpls *p, int64_t k)
{
    const int64_t n = p->order, q = p->q;
    double *a = p->a + k * n, *qa = p->qa + k * n, *y;
    double value;
    ALD_TRY(ald_scratch_reals(run, q, 1, &y));
    ALD_TRY(leading(run, p, a, &value));
    if (k == 0) p->start = value;
    if (!(value > 1e-13 * p->start)) return exhausted(run, p, k);
    ALD_TRY(ald_kernel_space_apply(run, &p->space, a, 1, qa));
    if (!make_conjugate(p, k, a, qa)) return exhausted(run, p, k);
    ALD_TRY(ald_product(run, ald_t(ald_of(p->s, n, q)), ald_of(weight_of(p, k), n, 1), ald_at(y, q, 1)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < q; c++) p->s[i * q + c] -= qa[i] * y[c];
    p->share[k] = ald_dot(q, y, y) / p->y_norm;
    return ALD_OK;
}

static ald_status kpls_start(ald_run *run, const ald_problem *problem, ald_model *model, kpls *p)
{
    double *y;
    p->r = problem->r;
    ALD_TRY(ald_problem_responses(run, problem, &y, &p->q));
    p->y_norm = ald_dot(problem->n * p->q, y, y);
    ALD_TRY(ald_kernel_space_make(run, problem, model, y, p->q, ALD_KERNEL_SPACE_SQUARE, &p->space));
    p->order = p->space.order;
    p->s = p->space.b;
    return ALD_SCRATCH(run, {&p->gs, p->order, p->q}, {&p->a, p->r, p->order}, {&p->qa, p->r, p->order},
                       {&p->share, p->r, 1});
}

static ald_status kpls_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    kpls p = {0};
    double *columns;
    if (problem->r > problem->n - 1) return ald_too_many_components(run, problem, problem->n - 1, "rows - 1");
    ALD_TRY(kpls_start(run, problem, model, &p));
    for (int64_t k = 0; k < p.r; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(component(run, &p, k));
        ald_arena_release(&run->scratch, mark);
        ALD_TRY(ald_progress(run, "extracting components", (double)(k + 1) / (double)p.r));
    }
    ALD_TRY(ald_scratch_reals(run, p.order, p.r, &columns));
    ald_transpose(p.r, p.order, p.a, columns);
    ALD_TRY(ald_kernel_space_finish(run, &p.space, p.r, columns, model));
    return ald_model_add_vector(run, model, "explained_response_ratio", p.r, p.share);
}

const ald_method ald_method_kpls = {
    .name = "kpls",
    .title = "Kernel partial least squares",
    .synonyms = "kernel pls, nonlinear pls, rbf-pls",
    .summary =
        "Curved directions whose scores vary most together with the target, found one after the other.",
    .reference = "Rosipal and Trejo (2001)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_CAN_DISTRIBUTE | ALD_IS_NESTED,
    .relation = ALD_BY_RESPONSE,
    .bounds = ALD_BY_ROWS,
    .turning = ALD_TURNED_DISTANCES,
    .tables = (const ald_param_table[]){ald_kernel_params, ald_features_params, NULL},
    .fit = kpls_fit,
};
