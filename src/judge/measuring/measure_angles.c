/* ald_model_angles, ald_subspace_angles: principal angles between the spans of columns A (m x r) and B
 * (m x s).
 *
 * With orthonormal bases P and Q (by singular values, those up to 1e-10 of the first left out), Q of the
 * smaller one, the cosines are the singular values of P'Q and the sines those of Q - P P'Q; of an angle the
 * one of the two that is smaller tells more (Bjorck and Golub 1973).
 *
 *   raw         A, B: the directions W, V in the units of the columns, d x r and d x s
 *   covariance  A, B: the scores of rows about their means, times the roots of the weights, so that
 *               A'B = n W'SV with S the covariance of the rows; or, from kept statistics, the columns of
 *               the root D^1/2 E' of the Gram matrix [W V]'S[W V] = E D E', which are as far from each
 *               other. Angles from there are exact to 1e-8.
 *
 * Cost: (r + s)^2 times d or n, and a projection of the rows; from statistics d^2 (r + s). */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "judge/evaluate/explained.h"
#include "judge/measuring/directions.h"
#include "judge/measuring/measure_explained.h"
#include "math/linalg/linalg.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <string.h>

/* m x cols, row major. */
typedef struct columns {
    int64_t m, cols;
    double *values;
} columns;

/* An orthonormal basis, in place of the columns. */
static ald_status orthonormalize(ald_run *run, columns *a)
{
    const int64_t p = a->m < a->cols ? a->m : a->cols;
    double *u, *s, *vt;
    int64_t rank = 0;
    ALD_TRY(ALD_SCRATCH(run, {&u, a->m, p}, {&s, p, 1}, {&vt, p, a->cols}));
    ALD_TRY(ald_svd(run, ald_at(a->values, a->m, a->cols), ald_at(u, a->m, p), s, ald_at(vt, p, a->cols)));
    while (rank < p && s[rank] > 1e-10 * s[0] && s[rank] > 0.0) rank++;
    for (int64_t i = 0; i < a->m; i++)
        for (int64_t k = 0; k < rank; k++) a->values[i * rank + k] = u[i * p + k];
    a->cols = rank;
    return ALD_OK;
}

/* The singular values of a (m x k, destroyed), m >= k. */
static ald_status singular_values(ald_run *run, int64_t m, int64_t k, double *a, double *values)
{
    double *u, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&u, m, k}, {&vt, k, k}));
    return ald_svd(run, ald_at(a, m, k), ald_at(u, m, k), values, ald_at(vt, k, k));
}

/* The k angles between two bases, q the smaller, in rising order. */
static ald_status find_angles(ald_run *run, const columns *p, const columns *q, double *angles)
{
    const int64_t m = p->m, k = q->cols;
    double *inner, *rest, *copy, *cosines, *sines;
    ALD_TRY(ALD_SCRATCH(run, {&inner, p->cols, k}, {&copy, p->cols, k}, {&rest, m, k}, {&cosines, k, 1},
                        {&sines, k, 1}));
    ALD_TRY(ald_product(run, ald_t(ald_of(p->values, m, p->cols)), ald_of(q->values, m, k),
                        ald_at(inner, p->cols, k)));
    memcpy(copy, inner, (size_t)(p->cols * k) * sizeof *copy);
    memcpy(rest, q->values, (size_t)(m * k) * sizeof *rest);
    ALD_TRY(ald_product_add(run, -1.0, ald_of(p->values, m, p->cols), ald_of(inner, p->cols, k), 1.0,
                            ald_at(rest, m, k)));
    ALD_TRY(singular_values(run, p->cols, k, copy, cosines));
    ALD_TRY(singular_values(run, m, k, rest, sines));
    for (int64_t i = 0; i < k; i++) {
        const double sine = fmin(sines[k - 1 - i], 1.0), cosine = fmin(cosines[i], 1.0);
        angles[i] = sine < cosine ? asin(sine) : acos(cosine);
    }
    return ALD_OK;
}

static ald_status angles_between(ald_run *run, columns a, columns b, double *angles, int64_t *count)
{
    ALD_TRY(orthonormalize(run, &a));
    ALD_TRY(orthonormalize(run, &b));
    *count = a.cols < b.cols ? a.cols : b.cols;
    if (*count == 0) return ALD_OK;
    return a.cols < b.cols ? find_angles(run, &b, &a, angles) : find_angles(run, &a, &b, angles);
}

/* One side: a model, or known directions that are taken like those of a model. */
typedef struct side {
    const ald_model *model; /* NULL: `like` prepares the rows, and the directions are known */
    const ald_model *like;
    int64_t r, d;
    double *directions; /* r x d */
} side;

static ald_status by_columns(ald_run *run, const side *s, columns *out)
{
    *out = (columns){.m = s->d, .cols = s->r};
    ALD_TRY(ald_scratch_reals(run, s->d, s->r, &out->values));
    ald_transpose(s->r, s->d, s->directions, out->values);
    return ALD_OK;
}

/* The scores of the rows of x, n x r. */
static ald_status score_rows(ald_run *run, const side *s, const ald_matrix *x, double *z)
{
    double *turned;
    ald_operator rows;
    if (x->rows == 0) return ALD_OK;
    if (s->model) return ald_map_rows(run, s->model, x, z);
    ALD_TRY(ald_scratch_reals(run, s->d, s->r, &turned));
    ALD_TRY(ald_prepare_like(run, s->like, x, NULL, &rows));
    rows.inverse_scale = NULL;
    ald_transpose(s->r, s->d, s->directions, turned);
    return ald_operator_apply(run, &rows, ald_of(turned, s->d, s->r), ald_at(z, x->rows, s->r));
}

/* Scores about their means, times the roots of the weights; none elsewhere. */
static ald_status by_rows(ald_run *run, const side *s, const ald_measured *m, const double *w, columns *out)
{
    const int64_t n = ald_rows_total(&m->rows), r = s->r;
    double *mean, *part;
    *out = (columns){.cols = r};
    ald_status status = ALD_SCRATCH(run, {&part, m->x->rows, r}, {&mean, r, 1});
    if (status >= 0) status = score_rows(run, s, m->x, part);
    ALD_TRY(ald_measured_agree(run, m, status));
    ALD_TRY(ald_measured_collect(run, m, r, part, &out->values));
    if (m->elsewhere) return ALD_OK;
    out->m = n;
    ald_weighted_means(n, r, out->values, w, mean);
    for (int64_t i = 0; i < n * r; i++)
        out->values[i] = (out->values[i] - mean[i % r]) * (w ? sqrt(w[i / r]) : 1.0);
    return ALD_OK;
}

/* What is asked for: both kinds of angles, into arrays of the caller's, by rows where there are some. */
typedef struct question {
    const ald_matrix *x; /* NULL: none */
    const ald_target *y;
    double *raw, *covariance;
    ald_angles_result found;
} question;

/* The scores of both sides, and the angles between them. */
static ald_status compare_scores(ald_run *run, const side *a, const side *b, question *asked)
{
    const double *w = NULL;
    ald_measured m;
    columns p, q;
    ALD_TRY(ald_measured_begin(run, a->like, asked->x, asked->y, &m));
    ald_status status = ald_scaled_weights(run, m.weights, &w);
    ALD_TRY(ald_measured_agree(run, &m, status));
    ALD_TRY(by_rows(run, a, &m, w, &p));
    ALD_TRY(by_rows(run, b, &m, w, &q));
    asked->found.source = ALD_COVARIANCE_ROWS;
    if (!m.elsewhere) status = angles_between(run, p, q, asked->covariance, &asked->found.covariance_count);
    return ald_measured_agree(run, &m, status);
}

/* The root of [W V]'S[W V], cut into its two parts. */
static ald_status by_statistics(ald_run *run, const side *a, const side *b, const double *scatter, columns *p,
                                columns *q)
{
    const int64_t d = a->d, k = a->r + b->r;
    double *both, *product, *gram, *values, *vectors;
    ALD_TRY(
        ALD_SCRATCH(run, {&both, k, d}, {&product, k, d}, {&gram, k, k}, {&values, k, 1}, {&vectors, k, k}));
    *p = (columns){.m = k, .cols = a->r};
    *q = (columns){.m = k, .cols = b->r};
    ALD_TRY(ALD_SCRATCH(run, {&p->values, k, a->r}, {&q->values, k, b->r}));
    memcpy(both, a->directions, (size_t)(a->r * d) * sizeof *both);
    memcpy(both + a->r * d, b->directions, (size_t)(b->r * d) * sizeof *both);
    ALD_TRY(ald_product(run, ald_of(both, k, d), ald_of(scatter, d, d), ald_at(product, k, d)));
    ALD_TRY(ald_product(run, ald_of(product, k, d), ald_t(ald_of(both, k, d)), ald_at(gram, k, k)));
    ALD_TRY(ald_eigen(run, ald_at(gram, k, k), values, ald_at(vectors, k, k)));
    for (int64_t i = 0; i < k * k; i++) {
        const double entry = sqrt(fmax(values[i / k], 0.0)) * vectors[i];
        if (i % k < a->r)
            p->values[i / k * a->r + i % k] = entry;
        else
            q->values[i / k * b->r + i % k - a->r] = entry;
    }
    return ALD_OK;
}

static int same_rows(const ald_model *a, const ald_model *b)
{
    const char *one = ald_model_text(a, "alidade.param.row_scale"),
               *two = ald_model_text(b, "alidade.param.row_scale");
    return one && two && strcmp(one, two) == 0;
}

/* Kept by either of the models, whose rows must have been scaled alike; NULL: there are none. */
static const double *find_scatter(const side *a, const side *b)
{
    const ald_model *first = a->like, *second = b->model ? b->model : a->like;
    if (!same_rows(first, second)) return NULL;
    const double *own = ald_model_reals(first, "statistics/scatter", a->d, a->d);
    return own ? own : ald_model_reals(second, "statistics/scatter", a->d, a->d);
}

static ald_status compare_sides(ald_run *run, const side *a, const side *b, question *asked)
{
    const double *scatter = asked->x ? NULL : find_scatter(a, b);
    columns p, q;
    ALD_TRY(by_columns(run, a, &p));
    ALD_TRY(by_columns(run, b, &q));
    ALD_TRY(angles_between(run, p, q, asked->raw, &asked->found.raw_count));
    if (asked->x) return compare_scores(run, a, b, asked);
    if (!scatter) return ALD_OK;
    ALD_TRY(by_statistics(run, a, b, scatter, &p, &q));
    asked->found.source = ALD_COVARIANCE_STATISTICS;
    return angles_between(run, p, q, asked->covariance, &asked->found.covariance_count);
}

static ald_status side_of(ald_run *run, const ald_model *model, side *s)
{
    *s = (side){
        .model = model,
        .like = model,
        .r = ald_model_component_count(model),
        .d = ald_model_feature_count(model),
    };
    return ald_own_directions(run, model, s->r, s->d, &s->directions);
}

/* A model beside another one, or where that is NULL beside known directions. */
static ald_status compare(ald_run *run, const ald_model *model, const ald_model *other,
                          const ald_matrix *known, question *asked)
{
    side a, b;
    if (other) ALD_TRY(ald_check_same_features(run, model, other));
    ALD_TRY(side_of(run, model, &a));
    if (other) {
        ALD_TRY(side_of(run, other, &b));
    } else {
        b = (side){.like = model, .d = a.d, .r = known->rows};
        ALD_TRY(ald_known_directions(run, known, a.d, &b.directions));
    }
    return compare_sides(run, &a, &b, asked);
}

static ald_status answer(ald_context *context, const ald_model *model, const ald_model *other,
                         const ald_matrix *known, question *asked, ald_angles_result *result,
                         ald_error *error)
{
    ald_run run;
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_angles_result, result));
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    ald_status status = compare(&run, model, other, known, asked);
    status = ald_measured_end(&run, asked->x, status);
    ald_threads_end();
    if (status >= 0) ALD_OPTIONS_WRITE(ald_angles_result, &asked->found, result);
    return ald_run_end(&run, status);
}

ald_status ald_model_angles(ald_context *context, const ald_model *model, const ald_model *other,
                            const ald_matrix *x, const ald_target *y, double *raw, double *covariance,
                            ald_angles_result *result, ald_error *error)
{
    ALD_GIVEN(error, context, model, other, raw, covariance, result);
    question asked = {.x = x, .y = y, .raw = raw, .covariance = covariance};
    return answer(context, model, other, NULL, &asked, result, error);
}

ald_status ald_subspace_angles(ald_context *context, const ald_model *model, const ald_matrix *known,
                               const ald_matrix *x, const ald_target *y, double *raw, double *covariance,
                               ald_angles_result *result, ald_error *error)
{
    ALD_GIVEN(error, context, model, known, raw, covariance, result);
    question asked = {.x = x, .y = y, .raw = raw, .covariance = covariance};
    return answer(context, model, NULL, known, &asked, result, error);
}
