/* Whitened rows by the eigenvectors of the smaller of Z'Z and Z Z' (whiten.h has the formulas). */
#include "methods/engines/whiten.h"

#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/engine_params.h"

#include <math.h>
#include <string.h>

const ald_param *const ald_whiten_params[] = {
    &ald_covariance_ridge_param,
    &ald_ridge_rel_param,
    NULL,
};

static const double smallest_kept = 1e-10;

/* Eigenvalues of Sigma and unit vectors as rows: of Z'Z/n, or of Z Z'/n when that is smaller. */
typedef struct spectrum {
    int by_rows;
    int64_t order;
    double *values, *vectors;
} spectrum;

static ald_status decompose(ald_run *run, const ald_problem *problem, spectrum *s)
{
    double *square;
    s->by_rows = problem->d > problem->n;
    s->order = s->by_rows ? problem->n : problem->d;
    ALD_TRY(ALD_SCRATCH(run, {&s->values, s->order, 1}, {&s->vectors, s->order, s->order}));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, s->order, s->order, &square));
    ALD_TRY(s->by_rows ? ald_operator_gram(run, &problem->x, ald_at(square, s->order, s->order))
                       : ald_operator_scatter(run, &problem->x, ald_at(square, s->order, s->order)));
    ALD_TRY(ald_progress(run, "whitening", -1.0));
    for (int64_t i = 0; i < s->order * s->order; i++) square[i] /= problem->total;
    ALD_TRY(ald_eigen(run, ald_at(square, s->order, s->order), s->values,
                      ald_at(s->vectors, s->order, s->order)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status count_kept(ald_run *run, const spectrum *s, int64_t *kept)
{
    if (!(s->values[0] > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "all columns are constant: there is no direction to find");
    *kept = 0;
    while (*kept < s->order && s->values[*kept] > smallest_kept * s->values[0]) ++*kept;
    return ALD_OK;
}

static ald_status check_kept(ald_run *run, const ald_problem *problem, int ridged, double ridge,
                             const ald_whitening *w)
{
    if (problem->r > w->p)
        return ald_too_many_components(run, problem, w->p, "the rank of the covariance of X");
    if (w->p < problem->d && !(ridge > 0.0))
        ald_warn(
            run, ALD_RANK_REDUCED,
            "the covariance of X is singular: its rank is %lld (eigenvalues below %g of "
            "the largest are taken as 0), and only directions within that subspace are found: %sleave out "
            "redundant columns, or use `scale=standard` if columns differ much in size",
            (long long)w->p, smallest_kept, ridged ? "set `ridge` or `ridge_rel`, " : "");
    return ALD_OK;
}

static ald_status from_columns(ald_run *run, const ald_problem *problem, const spectrum *s, double ridge,
                               ald_whitening *w)
{
    double *t;
    for (int64_t a = 0; a < w->p; a++) {
        const double size = sqrt(s->values[a] + ridge);
        for (int64_t j = 0; j < w->d; j++) w->transform[a * w->d + j] = s->vectors[a * w->d + j] / size;
    }
    if (!w->rows) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, w->d, w->p, &t));
    ald_transpose(w->p, w->d, w->transform, t);
    return ald_operator_apply(run, &problem->x, ald_of(t, w->d, w->p), ald_at(w->rows, w->n, w->p));
}

/* Left vectors e give v = Z'e / sqrt(n l) and Z v = sqrt(n l) e. */
static ald_status from_rows(ald_run *run, const ald_problem *problem, const spectrum *s, double ridge,
                            ald_whitening *w)
{
    double *t;
    ALD_TRY(ald_scratch_reals(run, w->d, w->p, &t));
    ald_transpose(w->p, w->n, s->vectors, w->rows);
    ALD_TRY(
        ald_operator_apply_transposed(run, &problem->x, ald_of(w->rows, w->n, w->p), ald_at(t, w->d, w->p)));
    ald_transpose(w->d, w->p, t, w->transform);
    for (int64_t a = 0; a < w->p; a++) {
        const double length = sqrt(problem->total * s->values[a]), size = sqrt(s->values[a] + ridge);
        for (int64_t j = 0; j < w->d; j++) w->transform[a * w->d + j] /= length * size;
        for (int64_t i = 0; i < w->n; i++) w->rows[i * w->p + a] *= length / size;
    }
    return ALD_OK;
}

static double ridge_asked(const ald_run *run, double largest)
{
    return ald_setting_real(run, &ald_covariance_ridge_param) +
           ald_setting_real(run, &ald_ridge_rel_param) * largest;
}

/* The eigenvalues, the ridge (`ridged` 0: none), and how many of them are kept. */
static ald_status measure(ald_run *run, const ald_problem *problem, int ridged, spectrum *s, double *ridge,
                          int64_t *kept)
{
    ALD_TRY(decompose(run, problem, s));
    *ridge = ridged ? ridge_asked(run, s->values[0]) : 0.0;
    if (!isfinite(*ridge))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`ridge` + `ridge_rel` times the largest eigenvalue (%g) overflows", s->values[0]);
    return count_kept(run, s, kept);
}

ald_status ald_whiten_slope(ald_run *run, const ald_problem *problem, double *slope)
{
    const int64_t n = problem->n, d = problem->d;
    double *y, *cross;
    double ridge;
    int64_t q, kept;
    spectrum s;
    ALD_TRY(measure(run, problem, 1, &s, &ridge, &kept));
    ALD_TRY(ald_problem_responses(run, problem, &y, &q));
    ALD_TRY(ald_scratch_reals(run, d, 1, &cross));
    ALD_TRY(ald_operator_apply_transposed(run, &problem->x, ald_of(y, n, 1), ald_at(cross, d, 1)));
    memset(slope, 0, (size_t)d * sizeof *slope);
    for (int64_t a = 0; a < kept; a++) {
        const double *v = s.vectors + a * d;
        ald_add_times(d, ald_dot(d, v, cross) / ((s.values[a] + ridge) * problem->total), v, slope);
    }
    const double *scale = problem->x.inverse_scale;
    for (int64_t j = 0; scale && j < d; j++) slope[j] *= scale[j];
    return ALD_OK;
}

static ald_status whiten(ald_run *run, const ald_problem *problem, int ridged, ald_model *model,
                         ald_whitening *w)
{
    spectrum s;
    double ridge;
    w->n = problem->n;
    w->d = problem->d;
    ALD_TRY(measure(run, problem, ridged, &s, &ridge, &w->p));
    ALD_TRY(check_kept(run, problem, ridged, ridge, w));
    ALD_TRY(ALD_SCRATCH(run, {&w->transform, w->p, w->d}, {&w->share, w->p, 1}));
    w->rows = NULL;
    if (problem->x.x.storage == ALD_DENSE || s.by_rows) ALD_TRY(ald_scratch_reals(run, w->n, w->p, &w->rows));
    for (int64_t a = 0; a < w->p; a++) w->share[a] = s.values[a] / (s.values[a] + ridge);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(s.by_rows ? from_rows(run, problem, &s, ridge, w) : from_columns(run, problem, &s, ridge, w));
    ald_arena_release(&run->scratch, mark);
    if (ridge > 0.0) ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.ridge", ridge));
    return ald_model_set_printed(run, model, "alidade.resolved.rank", "%lld", (long long)w->p);
}

ald_status ald_whiten(ald_run *run, const ald_problem *problem, ald_model *model, ald_whitening *w)
{
    return whiten(run, problem, 1, model, w);
}

ald_status ald_whiten_plain(ald_run *run, const ald_problem *problem, ald_model *model, ald_whitening *w)
{
    return whiten(run, problem, 0, model, w);
}

ald_status ald_add_whitened(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                            const double *values, const double *vectors, ald_model *model)
{
    double *components;
    ALD_TRY(ald_scratch_reals(run, problem->r, w->d, &components));
    ALD_TRY(ald_product(run, ald_of(vectors, problem->r, w->p), ald_of(w->transform, w->p, w->d),
                        ald_at(components, problem->r, w->d)));
    ALD_TRY(ald_add_components(run, problem, problem->r, components, NULL, model));
    return ald_model_add_vector(run, model, "eigenvalues", problem->r, values);
}

ald_status ald_whiten_square(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                             const double *s, double *m)
{
    const int64_t d = w->d, p = w->p;
    const double *scale = problem->x.inverse_scale;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *own, *half;
    ALD_TRY(ALD_SCRATCH(run, {&own, p, d}, {&half, p, d}));
    for (int64_t i = 0; i < p * d; i++) own[i] = w->transform[i] * (scale ? scale[i % d] : 1.0);
    ALD_TRY(ald_product(run, ald_of(own, p, d), ald_of(s, d, d), ald_at(half, p, d)));
    ALD_TRY(ald_product(run, ald_of(half, p, d), ald_t(ald_of(own, p, d)), ald_at(m, p, p)));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
