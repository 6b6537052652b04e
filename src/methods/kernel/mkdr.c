/* Manifold kernel dimension reduction.
 *
 * The rows are embedded as V Omega^(1/2), V (n x M) the smoothest functions on their neighbourhood graph
 * (embedding.h):
 *
 *   minimise f(Omega) = Tr[Ky (V Omega V' + ridge I)^-1]   over Omega >= 0, tr Omega = 1
 *
 * with Ky the centred kernel of the targets: what is left of the targets once the embedding is known. Rows
 * without a target are rows of V that f does not see, but the graph does. f is convex; with G = V'V (of the
 * labelled rows), C = V'Ky V and e = ridge, everything is M x M (Woodbury):
 *
 *   f      = (tr Ky - tr(Omega (e I + G Omega)^-1 C)) / e
 *   grad f = -(e I + G Omega)^-1 C (e I + Omega G)^-1
 *
 * Solution: accelerated projected gradient with restarts; a projection is an eigendecomposition and the
 * projection of the eigenvalues onto the simplex. The gap of Frank and Wolfe says when to stop and
 * certifies the result:
 *
 *   f(Omega) - f* <= <grad f, Omega> - lambda_min(grad f)
 *
 * The embedding is made of the leading eigenvectors of Omega. New rows have no place in it.
 *
 * Cost: the graph, Lanczos for V, then O(M^3) per step.
 *
 * Reference: Nilsson, Sha and Jordan (2007). */
#include "base/settings/settings.h"
#include "math/graph/graph_params.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/embedding.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ald_param ridge_param =
    ALD_REAL_PARAM("ridge", "0.01", 1e-12, 1e12, "added to the kernel of the embedding (n times epsilon)",
                   .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RIDGE);
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-06", 1e-12, "stop when the value is this close to the minimum, as a part of it");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("20000", "at most this many steps");
static const ald_param response_width_param = ALD_REAL_PARAM(
    "response_width", "0", 0, ALD_NO_LIMIT, "width of the rbf kernel; 0: half the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO);

static const ald_param *const params[] = {
    &ridge_param, &tol_param, &max_iter_param, &response_width_param, NULL,
};

typedef struct residue {
    int64_t m;
    double ridge, trace; /* e, tr Ky */
    double *g, *c;       /* m x m */
    double *a, *inverse, *work;
} residue;

/* inverse (m x m) of a general a, which is destroyed: by its singular values, none of which is 0 here. */
static ald_status invert(ald_run *run, int64_t m, double *a, double *inverse)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *u, *s, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&u, m, m}, {&s, m, 1}, {&vt, m, m}));
    ALD_TRY(ald_svd(run, ald_at(a, m, m), ald_at(u, m, m), s, ald_at(vt, m, m)));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) u[i * m + j] /= s[j];
    ALD_TRY(ald_product(run, ald_t(ald_of(vt, m, m)), ald_t(ald_of(u, m, m)), ald_at(inverse, m, m)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* f and its gradient at omega (both m x m, symmetric). */
static ald_status gradient(ald_run *run, const residue *f, const double *omega, double *value, double *g)
{
    const int64_t m = f->m;
    ALD_TRY(ald_product(run, ald_of(f->g, m, m), ald_of(omega, m, m), ald_at(f->a, m, m)));
    ald_add_ridge(f->ridge, ald_at(f->a, m, m));
    ALD_TRY(invert(run, m, f->a, f->inverse));
    ALD_TRY(ald_product(run, ald_of(f->inverse, m, m), ald_of(f->c, m, m), ald_at(f->work, m, m)));
    *value = (f->trace - ald_dot(m * m, omega, f->work)) / f->ridge; /* omega is symmetric */
    ALD_TRY(ald_product_add(run, -1.0, ald_of(f->work, m, m), ald_t(ald_of(f->inverse, m, m)), 0.0,
                            ald_at(g, m, m)));
    ald_symmetrise(ald_at(g, m, m));
    return ALD_OK;
}

/* G and C from the labelled rows of V and the factor f (l x k) of Ky. */
static ald_status make_residue(ald_run *run, const ald_labelled *labelled, const ald_graph_basis *basis,
                               const double *factor, int64_t k, residue *f)
{
    const int64_t m = basis->m, l = labelled->count;
    double **const squares[] = {&f->g, &f->c, &f->a, &f->inverse, &f->work}, *rows, *b;
    *f = (residue){
        .m = m,
        .ridge = ald_setting_real(run, &ridge_param),
        .trace = ald_dot(l * k, factor, factor),
    };
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        ALD_TRY(ald_scratch_reals(run, m, m, squares[i]));
    ALD_TRY(ALD_SCRATCH(run, {&rows, l, m}, {&b, m, k}));
    for (int64_t i = 0; i < l; i++)
        memcpy(rows + i * m, basis->v + labelled->which[i] * m, (size_t)m * sizeof *rows);
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, l, m)), ald_of(rows, l, m), ald_at(f->g, m, m)));
    ALD_TRY(ald_product(run, ald_t(ald_of(rows, l, m)), ald_of(factor, l, k), ald_at(b, m, k)));
    return ald_product(run, ald_of(b, m, k), ald_t(ald_of(b, m, k)), ald_at(f->c, m, m));
}

/* The search over the Omega; `value` and `gap` are at `now`. */
typedef struct state {
    const residue *f;
    int64_t m, size;
    double tol; /* stop when the gap is at most tol times |f| */
    int64_t max_iter, iterations;
    int converged;
    double value, gap;
    double *now, *y, *next, *g, *g_next; /* m x m */
    double *values, *vectors, *work;     /* m, m x m twice */
    double lipschitz, t;
    double least; /* gap so far, and for how many steps it has not become smaller */
    int64_t idle;
} state;

static ald_status new_state(ald_run *run, const residue *f, state *s)
{
    const int64_t m = f->m;
    *s = (state){
        .f = f,
        .m = m,
        .size = m * m,
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
        .t = 1.0,
        .least = INFINITY,
    };
    return ALD_SCRATCH(run, {&s->now, m, m}, {&s->y, m, m}, {&s->next, m, m}, {&s->g, m, m},
                       {&s->g_next, m, m}, {&s->vectors, m, m}, {&s->work, m, m}, {&s->values, m, 1});
}

/* The nearest numbers >= 0 of sum 1 to the descending values. */
static void onto_simplex(int64_t m, double *values)
{
    double sum = 0.0, shift = 0.0;
    for (int64_t k = 0; k < m; k++) {
        sum += values[k];
        const double candidate = (sum - 1.0) / (double)(k + 1);
        if (values[k] > candidate) shift = candidate;
    }
    for (int64_t k = 0; k < m; k++) values[k] = fmax(values[k] - shift, 0.0);
}

/* next = the projection of y - g / lipschitz. */
static ald_status project(ald_run *run, state *s)
{
    const int64_t m = s->m;
    for (int64_t i = 0; i < s->size; i++) s->work[i] = s->y[i] - s->g[i] / s->lipschitz;
    ALD_TRY(ald_eigen(run, ald_at(s->work, m, m), s->values, ald_at(s->vectors, m, m)));
    onto_simplex(m, s->values);
    for (int64_t k = 0; k < m; k++)
        for (int64_t i = 0; i < m; i++) s->work[k * m + i] = s->values[k] * s->vectors[k * m + i];
    return ald_product(run, ald_t(ald_of(s->work, m, m)), ald_of(s->vectors, m, m), ald_at(s->next, m, m));
}

/* A step from y; the Lipschitz constant L grows until the quadratic model is an upper bound. Near the minimum
 * the values differ by their rounding only, and the gradients decide: f is convex, so f(next) <= f(y) +
 * <G(next), next - y>, and the bound holds when <G(next) - G(y), next - y> <= L/2 |next - y|^2. */
static ald_status step(ald_run *run, state *s)
{
    double at_y, value;
    ALD_TRY(gradient(run, s->f, s->y, &at_y, s->g));
    for (int tries = 0; tries < 100; tries++) {
        double inner = 0.0, square = 0.0, bend = 0.0;
        ALD_TRY(project(run, s));
        ALD_TRY(gradient(run, s->f, s->next, &value, s->g_next));
        for (int64_t i = 0; i < s->size; i++) {
            const double move = s->next[i] - s->y[i];
            inner += s->g[i] * move;
            square += move * move;
            bend += (s->g_next[i] - s->g[i]) * move;
        }
        const double model = at_y + inner + 0.5 * s->lipschitz * square;
        if (value <= model + 16.0 * DBL_EPSILON * fabs(at_y) || bend <= 0.5 * s->lipschitz * square) break;
        s->lipschitz *= 2.0;
    }
    s->value = value;
    return ALD_OK;
}

/* <G, Omega> - lambda_min(G) at `next`, whose gradient is at hand. */
static ald_status find_gap(ald_run *run, state *s)
{
    s->gap = ald_dot(s->size, s->g_next, s->next);
    memcpy(s->work, s->g_next, (size_t)s->size * sizeof *s->work);
    ALD_TRY(ald_eigenvalues(run, ald_at(s->work, s->m, s->m), s->m, s->values));
    s->gap -= s->values[s->m - 1];
    s->idle = s->gap < 0.9 * s->least ? 0 : s->idle + 1;
    s->least = fmin(s->least, s->gap);
    /* As far as rounding allows is far enough. */
    s->converged = s->gap <= s->tol * fabs(s->value) || (s->idle > 300 && s->gap <= 1e-10 * fabs(s->value));
    return ALD_OK;
}

static void extrapolate(state *s)
{
    double uphill = 0.0;
    for (int64_t i = 0; i < s->size; i++) uphill += (s->y[i] - s->next[i]) * (s->next[i] - s->now[i]);
    const double t = uphill > 0.0 ? 1.0 : 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t)),
                 beta = uphill > 0.0 ? 0.0 : (s->t - 1.0) / t;
    for (int64_t i = 0; i < s->size; i++) {
        s->y[i] = s->next[i] + beta * (s->next[i] - s->now[i]);
        s->now[i] = s->next[i];
    }
    s->t = t;
    s->lipschitz *= 0.98; /* it may have become smaller on the way */
}

/* From I / m to the minimum, which `now` is then. */
static ald_status minimise(ald_run *run, state *s)
{
    memset(s->now, 0, (size_t)s->size * sizeof *s->now);
    for (int64_t i = 0; i < s->m; i++) s->now[i * s->m + i] = 1.0 / (double)s->m;
    memcpy(s->y, s->now, (size_t)s->size * sizeof *s->y);
    ALD_TRY(gradient(run, s->f, s->y, &s->value, s->g));
    s->lipschitz = ald_norm(s->size, s->g) + DBL_MIN;
    for (; s->iterations < s->max_iter && !s->converged; s->iterations++) {
        ALD_TRY(step(run, s));
        if (!isfinite(s->value))
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the values are too large or too small to be worked with");
        ALD_TRY(find_gap(run, s));
        extrapolate(s);
        ALD_TRY(ald_progress(run, "kernel of the embedding", (double)s->iterations / (double)s->max_iter));
    }
    return ALD_OK;
}

static ald_status report(ald_run *run, const state *s, ald_model *model)
{
    const double relative = s->gap / fabs(s->value);
    ALD_TRY(
        ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld", (long long)s->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", s->value));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.relative_gap", "%.1e", relative));
    if (!s->converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "stopped after %lld steps with a gap of %.1e of the value, above tol %.1e: raise `max_iter`",
                 (long long)s->iterations, relative, s->tol);
    return ALD_OK;
}

static ald_status mkdr_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_graph_basis basis;
    ald_labelled labelled;
    residue f;
    state s;
    double *factor;
    int64_t k;
    ALD_TRY(ald_labelled_find(run, problem, model, &labelled));
    ALD_TRY(ald_graph_basis_find(run, problem, 0, model, &basis));
    ALD_TRY(ald_target_factor(run, &labelled.target, 0.5, model, &factor, &k));
    ALD_TRY(make_residue(run, &labelled, &basis, factor, k, &f));
    ALD_TRY(new_state(run, &f, &s));
    ALD_TRY(minimise(run, &s));
    ALD_TRY(report(run, &s, model));
    return ald_add_embedding(run, problem, &basis, s.now, model);
}

const ald_method ald_method_mkdr = {
    .name = "mkdr",
    .title = "Manifold kernel dimension reduction",
    .synonyms = "manifold kdr, laplacian eigenmaps, manifold learning",
    .summary =
        "Places for the given rows, made of the smoothest functions on their graph, that explain the target.",
    .reference = "Nilsson, Sha and Jordan (2007)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS | ALD_CAN_SPARSE |
                    ALD_CAN_UNLABELLED,
    .bounds = ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .tables = (const ald_param_table[]){params, ald_embedding_params, ald_graph_params, NULL},
    .fit = mkdr_fit,
};
