/* Likelihood acquired directions.
 *
 * The rows are normal inside each slice of the target (slices.h; classes are slices), with a mean and a
 * covariance of its own, and k directions carry all that differs between slices. On whitened rows (whiten.h,
 * no ridge; p columns), with f_h the share of slice h and Delta_h the covariance inside it (over n_h),
 *
 *   maximise  f(C) = 1/2 ln|C'C| - 1/2 sum_h f_h ln|C'Delta_h C|      over the spans of C (p x k)
 *   gradient       = -sum_h f_h Delta_h C (C'Delta_h C)^-1            where C'C = I, along the manifold
 *
 * by conjugate gradient on the Grassmann manifold (optimize/grassmann.h) from the directions of sir, save and
 * dr, the best of the three ends. B = T C, B'Sigma B = I, turned so that the covariance between slices is
 * diagonal, descending (`eigenvalues`). f has the gain of k directions over none: f = 0 for k = 0, and for
 * k = p it is -1/2 sum f_h ln|Delta_h|. With n rows, d columns and H slices
 *
 *   loglik      = -(n d / 2)(1 + ln 2 pi) - n/2 ln|Sigma| + n f
 *   parameters  = d + (H - 1) k + k (d - k) + (H - 1) k (k + 1) / 2 + d (d + 1) / 2
 *
 * which `alidade dimension` compares (`likelihood`, ald_add_likelihood). A singular Sigma has no likelihood.
 *
 * Cost beside the whitening: n p^2, H p^3 and per step 2 H p^2 k operations, a trial of the line search
 * H k^3; memory n p + H p^2. Sparse X stays sparse where d <= n; streams, ranks and updates have a scatter
 * for each slice (slice_moments.h).
 *
 * Edge cases: a singular Delta_h is refused, since f has no bound there; a slice needs more than p rows.
 *
 * Reference: Cook and Forzani (2009). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "math/optimize/grassmann.h"
#include "methods/inverse/likelihood.h"
#include "methods/moments/slice_moments.h"

#include <math.h>
#include <string.h>

static const ald_param n_slices_param = ALD_INT_PARAM(
    "n_slices", "5", 2, 1e6, "number of slices of a real response, each with more rows than X has columns",
    .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_SLICES);
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-08", 1e-15, "stops when the gradient is below this part of its terms");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("1000", "at most this many steps from each start");

static const ald_param *const params[] = {
    &n_slices_param,
    &tol_param,
    &max_iter_param,
    NULL,
};

enum { start_sir, start_save, start_dr, n_starts };

typedef struct lad {
    int64_t p, k, count; /* columns, directions, slices */
    double *share;       /* f_h, count */
    double *inside;      /* Delta_h, count x p x p */
    double *between;     /* sum f_h m_h m_h', p x p */
    double *spread;      /* sum f_h (I - Delta_h)^2, upper triangle, p x p */
    double *seconds;     /* sum f_h (S_h - I)^2, S_h = Delta_h + m_h m_h', upper triangle, p x p */
    double all;          /* f of all directions */
    ald_geodesic_form *forms;
    double *tall, *other;      /* p x k */
    double *m, *slope, *small; /* k x k */
} lad;

/* value = ln|m|, and inverse = m^-1 (k x k); m is destroyed. */
static ald_status log_and_inverse(ald_run *run, int64_t k, double *m, double *value, double *inverse)
{
    ald_make_identity(ald_at(inverse, k, k));
    ALD_TRY(ald_cholesky(run, ald_at(m, k, k)));
    *value = 0.0;
    for (int64_t a = 0; a < k; a++) *value += 2.0 * log(m[a * k + a]);
    return ald_solve_cholesky(run, ald_of(m, k, k), ald_at(inverse, k, k));
}

static ald_view inside_of(const lad *f, int64_t h)
{
    return ald_of(f->inside + h * f->p * f->p, f->p, f->p);
}

/* -f, its gradient, and the sum of the lengths of its terms. */
static ald_status gradient(ald_run *run, void *self, const double *a, double *value, double *g, double *size)
{
    lad *f = self;
    const int64_t p = f->p, k = f->k;
    const ald_area product = ald_at(f->tall, p, k), term = ald_at(f->other, p, k);
    *value = *size = 0.0;
    memset(g, 0, (size_t)(p * k) * sizeof *g);
    for (int64_t h = 0; h < f->count; h++) {
        double log_of_det;
        ALD_TRY(ald_product(run, inside_of(f, h), ald_of(a, p, k), product));
        ALD_TRY(ald_product(run, ald_t(ald_of(a, p, k)), ald_read(product), ald_at(f->m, k, k)));
        ALD_TRY(log_and_inverse(run, k, f->m, &log_of_det, f->small));
        ALD_TRY(ald_product(run, ald_read(product), ald_of(f->small, k, k), term));
        *value += 0.5 * f->share[h] * log_of_det;
        *size += f->share[h] * ald_norm(p * k, f->other);
        ald_add_times(p * k, f->share[h], f->other, g);
    }
    return ALD_OK;
}

static ald_status line(ald_run *run, void *self, const ald_geodesic *at)
{
    lad *f = self;
    const int64_t p = f->p, k = f->k;
    for (int64_t h = 0; h < f->count; h++) {
        ALD_TRY(ald_product(run, inside_of(f, h), ald_of(at->x, p, k), ald_at(f->tall, p, k)));
        ALD_TRY(ald_product(run, inside_of(f, h), ald_of(at->u, p, k), ald_at(f->other, p, k)));
        ALD_TRY(ald_geodesic_form_set(run, at, f->tall, f->other, &f->forms[h]));
    }
    return ALD_OK;
}

/* d ln|M| = tr(M^-1 dM). */
static ald_status along(ald_run *run, void *self, const ald_geodesic *at, double *value, double *slope)
{
    lad *f = self;
    *value = *slope = 0.0;
    for (int64_t h = 0; h < f->count; h++) {
        double log_of_det;
        ald_geodesic_form_at(at, &f->forms[h], f->m, f->slope);
        ALD_TRY(log_and_inverse(run, f->k, f->m, &log_of_det, f->small));
        *value += 0.5 * f->share[h] * log_of_det;
        *slope += 0.5 * f->share[h] * ald_dot(f->k * f->k, f->small, f->slope);
    }
    return ALD_OK;
}

/* ln|Delta_h| into f of all directions; a singular one is refused. */
static ald_status add_determinant(ald_run *run, lad *f, const ald_slice_moments *slice)
{
    static const double smallest = 1e-10;
    const int64_t p = f->p;
    double *copy, *values;
    ALD_TRY(ALD_SCRATCH(run, {&copy, p, p}, {&values, p, 1}));
    memcpy(copy, slice->covariance, (size_t)(p * p) * sizeof *copy);
    ALD_TRY(ald_eigenvalues(run, ald_at(copy, p, p), p, values));
    if (!(values[p - 1] > smallest * values[0]))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the covariance inside slice %lld of %lld (%.3g of the rows) is singular, so lad has "
            "no likelihood: every slice or class needs more rows than X has independent columns (%lld); "
            "lower `n_slices`, leave out columns or small classes, or use dr",
            (long long)slice->number + 1, (long long)f->count, slice->share, (long long)p);
    for (int64_t a = 0; a < p; a++) f->all -= 0.5 * slice->share * log(values[a]);
    return ALD_OK;
}

static ald_status add_slice(ald_run *run, const ald_whitening *w, const ald_slice_moments *slice, void *self)
{
    lad *f = self;
    const int64_t p = w->p;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_area v = ald_at(slice->covariance, p, p);
    ALD_TRY(add_determinant(run, f, slice));
    f->share[slice->number] = slice->share;
    memcpy(f->inside + slice->number * p * p, slice->covariance, (size_t)(p * p) * sizeof *f->inside);
    ald_add_ridge(-1.0, v);
    ALD_TRY(ald_gram_add(run, slice->share, ald_read(v), 1.0, ald_at(f->spread, p, p)));
    for (int64_t a = 0; a < p; a++) {
        ald_add_times(p, slice->mean[a], slice->mean, slice->covariance + a * p);
        ald_add_times(p, slice->share * slice->mean[a], slice->mean, f->between + a * p);
    }
    ALD_TRY(ald_gram_add(run, slice->share, ald_read(v), 1.0, ald_at(f->seconds, p, p)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status lad_prepare(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                              const ald_slices *slices, lad *f)
{
    const int64_t p = w->p, k = problem->r;
    *f = (lad){.p = p, .k = k, .count = slices->count};
    ALD_TRY(ALD_SCRATCH(run, {&f->share, f->count, 1}, {&f->inside, f->count * p, p}, {&f->tall, p, k},
                        {&f->other, p, k}, {&f->m, k, k}, {&f->slope, k, k}, {&f->small, k, k}));
    ALD_TRY(ald_scratch_zeros(run, p, p, &f->between));
    ALD_TRY(ald_scratch_zeros(run, p, p, &f->spread));
    ALD_TRY(ald_scratch_zeros(run, p, p, &f->seconds));
    ALD_TRY(ald_scratch(run, f->count, 1, sizeof *f->forms, &f->forms));
    for (int64_t h = 0; h < f->count; h++) ALD_TRY(ald_geodesic_form_new(run, k, &f->forms[h]));
    return ald_visit_slices(run, problem, w, slices, add_slice, f);
}

/* a (p x k): the directions of sir (with a trace of save's, as it has no more than slices less one), of save
 * or of dr. */
static ald_status lad_start(ald_run *run, const lad *f, int which, double *a)
{
    const int64_t p = f->p, k = f->k;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *matrix, *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&matrix, p, p}, {&values, k, 1}, {&vectors, k, p}));
    memcpy(matrix, which == start_dr ? f->seconds : f->spread, (size_t)(p * p) * sizeof *matrix);
    if (which == start_sir) {
        ald_scale(1e-6, ald_at(matrix, p, p));
        ald_add_times(p * p, 1.0, f->between, matrix);
    }
    if (which == start_dr) {
        ALD_TRY(ald_gram_add(run, 1.0, ald_of(f->between, p, p), 1.0, ald_at(matrix, p, p)));
        ald_add_times(p * p, ald_trace(p, f->between), f->between, matrix);
    }
    ALD_TRY(ald_eigen(run, ald_at(matrix, p, p), values, ald_at(vectors, k, p)));
    ald_transpose(k, p, vectors, a);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* a (p x k): the lowest end of the starts, of those within 1e-9 the first. */
static ald_status lad_minimise(ald_run *run, lad *f, double *a, ald_grassmann *best)
{
    const ald_grassmann_objective objective = {f->p, f->k, f, gradient, line, along};
    double *trial;
    ALD_TRY(ald_scratch_reals(run, f->p, f->k, &trial));
    for (int start = 0; start < n_starts; start++) {
        ald_grassmann task = {
            .objective = &objective,
            .tol = ald_setting_real(run, &tol_param),
            .max_iter = ald_setting_int(run, &max_iter_param),
            .stage = "conjugate gradient",
            .begun = (double)start / n_starts,
            .share = 1.0 / n_starts,
        };
        ALD_TRY(lad_start(run, f, start, trial));
        ALD_TRY(ald_grassmann_minimise(run, &task, trial));
        if (start > 0 && !(task.value < best->value - 1e-9 * fabs(task.value))) continue;
        *best = task;
        memcpy(a, trial, (size_t)(f->p * f->k) * sizeof *a);
    }
    best->objective = NULL;
    return ALD_OK;
}

/* rows (k x p) = a' turned so that rows between rows' is diagonal, `values` (k). */
static ald_status lad_turn(ald_run *run, const lad *f, const double *a, double *rows, double *values)
{
    const int64_t p = f->p, k = f->k;
    const ald_view columns = ald_of(a, p, k);
    double *vectors;
    ALD_TRY(ald_scratch_reals(run, k, k, &vectors));
    ALD_TRY(ald_product(run, ald_of(f->between, p, p), columns, ald_at(f->tall, p, k)));
    ALD_TRY(ald_product(run, ald_t(columns), ald_of(f->tall, p, k), ald_at(f->m, k, k)));
    ALD_TRY(ald_eigen(run, ald_at(f->m, k, k), values, ald_at(vectors, k, k)));
    for (int64_t i = 0; i < k; i++) values[i] = fmax(values[i], 0.0);
    return ald_product(run, ald_of(vectors, k, k), ald_t(columns), ald_at(rows, k, p));
}

static double count_parameters(double d, double k, double slices)
{
    return d + (slices - 1.0) * k + k * (d - k) + 0.5 * (slices - 1.0) * k * (k + 1.0) + 0.5 * d * (d + 1.0);
}

static ald_status lad_describe(ald_run *run, const ald_problem *problem, const ald_whitening *w, const lad *f,
                               const ald_grassmann *best, ald_model *model)
{
    const double d = (double)w->d, slices = (double)f->count, n = problem->total;
    const double none = -0.5 * n * ald_whiten_log_det(w);
    ALD_TRY(ald_model_set_printed(run, model, "alidade.resolved.iterations", "%lld",
                                  (long long)best->iterations));
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.objective", -best->value));
    if (!best->converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "stopped after %lld steps with a gradient of %.1e, above tol %.1e: raise `max_iter`",
                 (long long)best->iterations, best->gradient, best->tol);
    const ald_likelihood likelihood = {
        .none = {none, count_parameters(d, 0.0, slices)},
        .found = {none - n * best->value, count_parameters(d, (double)f->k, slices)},
        .all = {none + n * f->all, count_parameters(d, d, slices)},
    };
    return ald_add_likelihood(run, problem, &likelihood, model);
}

static ald_status lad_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    ald_slices slices;
    ald_grassmann best = {0};
    lad f;
    double *a, *rows, *values;
    ALD_TRY(ald_whiten_plain(run, problem, model, &w));
    ALD_TRY(ald_problem_slices(run, problem, ald_setting_int(run, &n_slices_param), model, &slices));
    ALD_TRY(lad_prepare(run, problem, &w, &slices, &f));
    ALD_TRY(ALD_SCRATCH(run, {&a, f.p, f.k}, {&rows, f.k, f.p}, {&values, f.k, 1}));
    ALD_TRY(lad_minimise(run, &f, a, &best));
    ALD_TRY(lad_turn(run, &f, a, rows, values));
    ALD_TRY(lad_describe(run, problem, &w, &f, &best, model));
    return ald_add_whitened(run, problem, &w, values, rows, model);
}

const ald_method ald_method_lad = {
    .name = "lad",
    .title = "Likelihood acquired directions",
    .synonyms = "likelihood-based sufficient dimension reduction, ldr",
    .summary = "Directions along which mean or spread of the rows change with the target, by likelihood.",
    .reference = "Cook and Forzani (2009)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_STREAM |
                    ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS | ALD_IS_LINEAR,
    .class_scatters = 1,
    .relation = ALD_BY_OBJECTIVE,
    .sense = ALD_IS_MAXIMISED,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .scale_free = 1,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = lad_fit,
};
