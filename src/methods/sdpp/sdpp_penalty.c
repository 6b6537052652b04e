/* J(W) + lambda Omega(W) in the columns of X, Omega = sum |W_jk| (l1) or sum_j |W_j.| (l21), by proximal
 * gradient:
 *
 *   W+ = prox(W - G/L),   prox shrinks entries (rows) by lambda / L and makes small ones exactly 0,
 *
 * L raised until J(W+) <= J + <G, W+ - W> + L/2 |W+ - W|^2 and let fall again, so that the sum never rises.
 * It starts at the unpenalised W, where lambda Omega is penalty_weight J(0). l21 does not depend on a
 * rotation of W, l1 does: its W is left as it is found. */
#include "methods/sdpp/sdpp_terms.h"

#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/quadratic.h"
#include "methods/sdpp/sdpp_starts.h"

#include <math.h>
#include <string.h>

typedef struct proximal {
    ald_objective objective;
    int64_t d, r;
    int by_rows; /* l21 */
    double lambda, lipschitz;
    double value; /* J at w */
    double *w, *g, *next, *next_g;
} proximal;

static double row_length(const double *row, int64_t r)
{
    return ald_norm(r, row);
}

static double omega(const proximal *s, const double *w)
{
    double sum = 0.0;
    for (int64_t j = 0; j < s->d; j++) {
        if (s->by_rows) sum += row_length(w + j * s->r, s->r);
        for (int64_t k = 0; !s->by_rows && k < s->r; k++) sum += fabs(w[j * s->r + k]);
    }
    return sum;
}

static void shrink(const proximal *s, double by, double *w)
{
    for (int64_t j = 0; j < s->d; j++) {
        double *row = w + j * s->r;
        const double length = s->by_rows ? row_length(row, s->r) : 0.0;
        for (int64_t k = 0; k < s->r; k++)
            if (s->by_rows)
                row[k] = length > by ? row[k] * (1.0 - by / length) : 0.0;
            else
                row[k] = copysign(fmax(fabs(row[k]) - by, 0.0), row[k]);
    }
}

/* next, its J and gradient; 1 in *ok when the bound by L holds. */
static ald_status try_step(ald_run *run, proximal *s, double *value, double *square, int *ok)
{
    const int64_t count = s->d * s->r;
    double slope = 0.0;
    for (int64_t i = 0; i < count; i++) s->next[i] = s->w[i] - s->g[i] / s->lipschitz;
    shrink(s, s->lambda / s->lipschitz, s->next);
    ALD_TRY(s->objective.place(run, s->objective.self, s->next, s->r, 1));
    ALD_TRY(s->objective.gradient(run, s->objective.self, value, s->next_g));
    *square = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double step = s->next[i] - s->w[i];
        slope += s->g[i] * step;
        *square += step * step;
    }
    const double bound = s->value + slope + 0.5 * s->lipschitz * *square;
    *ok = *value <= bound + 1e-12 * fabs(s->value);
    return ALD_OK;
}

static void swap(double **a, double **b)
{
    double *const c = *a;
    *a = *b;
    *b = c;
}

static ald_status sdpp_penalty_iterate(ald_run *run, proximal *s, double tol, int64_t max_iter,
                                       int64_t *iterations)
{
    double square = INFINITY, value;
    ALD_TRY(s->objective.place(run, s->objective.self, s->w, s->r, 1));
    ALD_TRY(s->objective.gradient(run, s->objective.self, &s->value, s->g));
    for (*iterations = 0; *iterations < max_iter; ++*iterations) {
        int ok = 0;
        while (!ok) {
            ALD_TRY(try_step(run, s, &value, &square, &ok));
            if (!ok) s->lipschitz *= 2.0;
        }
        s->value = value;
        swap(&s->w, &s->next);
        swap(&s->g, &s->next_g);
        const double size = ald_dot(s->d * s->r, s->w, s->w);
        if (square <= tol * tol * size || size == 0.0) break;
        s->lipschitz *= 0.8;
        ALD_TRY(ald_progress(run, "penalty", (double)*iterations / (double)max_iter));
    }
    return ALD_OK;
}

static ald_status new_proximal(ald_run *run, const ald_objective *objective, int64_t r, const double *w,
                               int by_rows, proximal *s)
{
    double **const matrices[] = {&s->w, &s->g, &s->next, &s->next_g};
    *s = (proximal){
        .objective = *objective,
        .d = objective->p,
        .r = r,
        .by_rows = by_rows,
    };
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        ALD_TRY(ald_scratch_reals(run, s->d, r, matrices[i]));
    memcpy(s->w, w, (size_t)(s->d * r) * sizeof *w);
    return ALD_OK;
}

/* W to U S of its SVD, without touching rows that are 0. */
static ald_status sdpp_penalty_turn(ald_run *run, int64_t d, int64_t r, double *w)
{
    double *gram, *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&gram, r, r}, {&vectors, r, r}, {&values, r, 1}));
    ALD_TRY(ald_product(run, ald_t(ald_of(w, d, r)), ald_of(w, d, r), ald_at(gram, r, r)));
    ALD_TRY(ald_eigen(run, ald_at(gram, r, r), values, ald_at(vectors, r, r)));
    return ald_multiply(run, ald_at(w, d, r), ald_t(ald_of(vectors, r, r)));
}

static ald_status sdpp_penalty_describe(ald_run *run, const proximal *s, int64_t iterations, int64_t max_iter,
                                        ald_model *model, ald_sdpp_result *result)
{
    int64_t kept = 0;
    for (int64_t j = 0; j < s->d; j++) kept += row_length(result->w + j * s->r, s->r) > 0.0;
    for (int64_t k = 0; k < s->r; k++) {
        result->lengths[k] = 0.0;
        for (int64_t j = 0; j < s->d; j++)
            result->lengths[k] += result->w[j * s->r + k] * result->w[j * s->r + k];
    }
    if (iterations == max_iter)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "the penalised problem was stopped after %lld iterations: raise `max_iter`",
                 (long long)iterations);
    if (kept == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "no feature is left with this `penalty_weight`: lower it");
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.features_kept", "%lld", (long long)kept));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.penalty_iterations", "%lld",
                                  (long long)iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.penalty_lambda", s->lambda));
    ALD_TRY(
        ald_model_set_real(run, model, "alidade.resolved.penalty_value", s->lambda * omega(s, result->w)));
    return ald_model_set_real(run, model, "alidade.resolved.objective", s->value);
}

/* J in the columns of X, by the rows and pairs that are here. */
typedef struct here {
    ald_basis plain;
    ald_stress raw;
} here;

static ald_status objective_here(ald_run *run, const ald_sdpp_solving *s, const ald_operator *z, here *h,
                                 ald_objective *objective)
{
    ALD_TRY(ald_basis_plain(run, z, 0, &h->plain));
    h->raw = s->stress;
    h->raw.basis = &h->plain;
    ALD_TRY(ald_stress_prepare(run, &h->raw, s->r, 1));
    *objective = ald_stress_objective(&h->raw);
    return ALD_OK;
}

/* Where the pairs are elsewhere J is known in the coordinates of the basis only. The differences of pairs lie
 * in the span of M, whose columns are orthogonal, M'M = D: z_i - z_j = N tau with N = M D^-1 and tau the
 * difference of coordinates. So |W'(z_i - z_j)| = |(N'W)'tau|, and with x = N'W, K(x) the criterion in
 * coordinates with its ridge |M x|^2 = |M N'W|^2,
 *
 *   J(W) = K(x) + ridge (|W|^2 - |M x|^2),   gradient N K'(x) + 2 ridge (W - M x).
 */
typedef struct columns_of_x {
    ald_objective inner; /* J and the ridge, in the p coordinates of the basis */
    const ald_basis *basis;
    double ridge;
    int64_t r;
    double *w, *along; /* d x r: where it is, and its part in the span of M */
    double *x, *g;     /* p x r: coordinates, and the gradient there */
} columns_of_x;

/* Room for W of r columns. The basis has its matrix M, or the diagonal of it. */
static ald_status columns_new(ald_run *run, const ald_objective *inner, const ald_basis *basis, double ridge,
                              int64_t r, columns_of_x *c)
{
    const int64_t d = basis->d, p = basis->p;
    *c = (columns_of_x){.inner = *inner, .basis = basis, .ridge = ridge, .r = r};
    return ALD_SCRATCH(run, {&c->w, d, r}, {&c->along, d, r}, {&c->x, p, r}, {&c->g, p, r});
}

static void divide_by_lengths(const columns_of_x *c, double *x)
{
    for (int64_t i = 0; i < c->basis->p * c->r; i++) {
        const double length = c->basis->lengths[i / c->r];
        x[i] = length > 0.0 ? x[i] / length : 0.0; /* 0: a column that does not vary */
    }
}

/* x = M'w, p x r. */
static ald_status transpose_apply(ald_run *run, const ald_basis *b, const double *w, int64_t r, double *x)
{
    if (b->matrix)
        return ald_product(run, ald_t(ald_of(b->matrix, b->d, b->p)), ald_of(w, b->d, r), ald_at(x, b->p, r));
    for (int64_t i = 0; i < b->d * r; i++) x[i] = b->diagonal[i / r] * w[i];
    return ALD_OK;
}

static ald_status place_columns(ald_run *run, void *self, const double *w, int64_t r, int64_t groups)
{
    columns_of_x *c = self;
    const ald_basis *b = c->basis;
    (void)groups;
    memcpy(c->w, w, (size_t)(b->d * r) * sizeof *w);
    ALD_TRY(transpose_apply(run, b, w, r, c->x));
    divide_by_lengths(c, c->x);
    ALD_TRY(ald_basis_directions(run, b, c->x, r, c->along));
    return c->inner.place(run, c->inner.self, c->x, r, 1);
}

static ald_status gradient_of_columns(ald_run *run, void *self, double *values, double *g)
{
    columns_of_x *c = self;
    const int64_t count = c->basis->d * c->r;
    ALD_TRY(c->inner.gradient(run, c->inner.self, values, c->g));
    divide_by_lengths(c, c->g);
    ALD_TRY(ald_basis_directions(run, c->basis, c->g, c->r, g));
    values[0] += c->ridge * (ald_dot(count, c->w, c->w) - ald_dot(count, c->along, c->along));
    for (int64_t i = 0; i < count; i++) g[i] += 2.0 * c->ridge * (c->w[i] - c->along[i]);
    return ALD_OK;
}

/* It can be placed and has a gradient, one point at a time; it does not search. */
static ald_objective columns_objective(columns_of_x *columns)
{
    return (ald_objective){
        .p = columns->basis->d,
        .self = columns,
        .place = place_columns,
        .gradient = gradient_of_columns,
    };
}

/* The same where they are elsewhere. */
static ald_status objective_remote(ald_run *run, ald_sdpp_solving *s, columns_of_x *columns,
                                   ald_objective *objective)
{
    const ald_objective inner =
        s->stress.sums ? ald_quadratic_objective(&s->quadratic) : ald_stress_objective(&s->stress);
    ALD_TRY(columns_new(run, &inner, &s->basis, s->stress.ridge, s->r, columns));
    *objective = columns_objective(columns);
    return ALD_OK;
}

ald_status ald_sdpp_penalise(ald_run *run, const ald_sdpp_settings *settings, ald_sdpp_solving *of,
                             const ald_operator *z, ald_sdpp_result *result)
{
    const double weight = settings->penalty_weight;
    const int64_t max_iter = 10 * settings->max_iter, r = of->r;
    int64_t iterations;
    ald_objective objective;
    columns_of_x columns;
    here rows;
    proximal s;
    if (settings->penalty == ALD_SDPP_NO_PENALTY || weight == 0.0) return ALD_OK;
    ALD_TRY(ald_stress_is_remote(&of->stress) ? objective_remote(run, of, &columns, &objective)
                                              : objective_here(run, of, z, &rows, &objective));
    ALD_TRY(new_proximal(run, &objective, r, result->w, settings->penalty == ALD_SDPP_L21, &s));
    s.lambda = weight * of->at_zero / omega(&s, s.w);
    s.lipschitz = 1.0 / ald_dot(s.d * r, s.w, s.w) * of->at_zero;
    ALD_TRY(sdpp_penalty_iterate(run, &s, settings->tol, max_iter, &iterations));
    memcpy(result->w, s.w, (size_t)(s.d * r) * sizeof *s.w);
    if (s.by_rows) ALD_TRY(sdpp_penalty_turn(run, s.d, r, result->w));
    return sdpp_penalty_describe(run, &s, iterations, max_iter, of->model, result);
}
