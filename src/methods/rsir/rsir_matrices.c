/* The matrices of rsir in the coordinates in which they are simplest.
 *
 * Coordinates: the columns of X, or where these are more than the rows an orthonormal basis of the row
 * space (from the n x n products of rows), p of them; nothing larger than min(n, d) squared. In them, for l
 * labelled rows of n, S and Q over all n rows (their common divisor plays no part):
 *
 *   Sigma = covariance of the labelled rows                                        divisor l
 *   Gamma = covariance of their means within slices                                divisor l
 *   S     = sum_i D_i (x_i - m)(x_i - m)' / sum D,   m = sum_i D_i x_i / sum D
 *   Q     = X'L X / sum D = sum_ij W_ij (x_i - x_j)(x_i - x_j)' / (2 sum D)
 *
 * and whitened, q of them:
 *
 *   T'(Sigma + ridge I) T = I
 *   T'S T = diag(Lt)
 *   Gt    = T'Gamma T
 *   Qt    = T'Q T
 *
 * Edge cases: a singular Sigma (eigenvalues below 1e-10 of the largest) without a ridge gets one of 1e-4 of
 * its largest eigenvalue: unlabelled rows then count also where no labelled row varies. Coordinates in
 * which S is 0 (below 1e-10 of the largest Lt) are dropped. */
#include "methods/rsir/rsir_matrices.h"

#include "base/settings/common_params.h"
#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "math/graph/graph_params.h"
#include "math/linalg/linalg.h"

#include <math.h>

/* The parameters of rsir, and their values. */

static const char *const graphs[] = {"knn", "full", "epsilon", NULL};

static const ald_param eta_param = ALD_REAL_PARAM(
    "eta", "1", 0, 1e9,
    "how much neighbours should stay together; unless set, 10 when labelled rows are fewer than columns",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_PENALTY | ALD_PARAM_CHOSEN_UNLESS_GIVEN);
static const ald_param graph_param =
    ALD_CHOICE_PARAM("graph", "knn", graphs, "which rows are neighbours: the nearest, all, or within radius");
static const ald_param n_neighbors_param =
    ALD_INT_PARAM("n_neighbors", "5", 1, 1e9, "knn: neighbours of a row", .grid = "5,10,20",
                  .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_IS_NEIGHBORS);
static const ald_param heat_width_param = ALD_REAL_PARAM(
    "heat_width", "0", 0, ALD_NO_LIMIT,
    "knn, full: weights are exp(-d^2 / heat_width); 0: the mean d^2 of neighbours, the median of all pairs");
static const ald_param n_starts_param = ALD_INT_PARAM(
    "n_starts", "1", 1, 1000, "number of starts: the first from eigenvectors, the others at random");
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-07", 1e-15, "conjugate gradient: stop when the gradient is this small");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("2000", "conjugate gradient: at most this many steps");

static const ald_param ridge_param =
    ALD_RIDGE_PARAM("0", 0, "added to the diagonal of the covariance of the labelled rows");
static const ald_param ridge_rel_param = ALD_RIDGE_REL_PARAM(
    "0", "the same as a part of its largest eigenvalue; the two are added. Where both are 0 and the "
         "covariance is singular, 1e-4 is taken");

const ald_param *const ald_rsir_params[] = {
    &eta_param,
    &graph_param,
    &n_neighbors_param,
    &ald_radius_param,
    &heat_width_param,
    &n_starts_param,
    &tol_param,
    &max_iter_param,
    &ridge_param,
    &ridge_rel_param,
    NULL,
};

ald_rsir_settings ald_rsir_settings_of(const ald_run *run)
{
    return (ald_rsir_settings){
        .eta = ald_setting_real(run, &eta_param),
        .eta_given = ald_setting_given(run, &eta_param),
        .graph = (ald_rsir_graph)ald_setting_choice(run, &graph_param),
        .n_neighbors = ald_setting_int(run, &n_neighbors_param),
        .radius = ald_setting_real(run, &ald_radius_param),
        .heat_width = ald_setting_real(run, &heat_width_param),
        .n_starts = ald_setting_int(run, &n_starts_param),
        .tol = ald_setting_real(run, &tol_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
        .ridge = ald_setting_real(run, &ridge_param),
        .ridge_rel = ald_setting_real(run, &ridge_rel_param),
        .seed = ald_seed(run),
    };
}

static const double smallest_kept = 1e-10, own_ridge = 1e-4;

static ald_status too_large(ald_run *run, const ald_problem *problem)
{
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "%s stores square matrices whose order is the smaller of the numbers of rows and columns, at most "
        "%d; here are %lld rows and %lld columns: reduce the columns first (pca)",
        ald_settings_method(run->settings)->name, ALD_SQUARE_ORDER, (long long)problem->n,
        (long long)problem->d);
}

/* d > n: Z Z' = E l E', rows E sqrt(l) and directions back = E'Z / sqrt(l). */
static ald_status reduce_columns(ald_run *run, const ald_problem *problem, ald_rsir_matrices *m)
{
    const int64_t n = m->n, d = m->d;
    double *values, *vectors, *rows, *columns;
    ALD_TRY(ALD_SCRATCH(run, {&values, n, 1}, {&vectors, n, n}, {&rows, n, n}));
    ALD_TRY(ald_operator_gram(run, &problem->x, ald_at(rows, n, n)));
    ALD_TRY(ald_eigen(run, ald_at(rows, n, n), values, ald_at(vectors, n, n)));
    for (m->p = 0; m->p < n && values[m->p] > smallest_kept * values[0];) m->p++;
    const int64_t p = m->p;
    ald_transpose(p, n, vectors, rows);
    ALD_TRY(ald_scratch_reals(run, d, p, &columns));
    ALD_TRY(ald_operator_apply_transposed(run, &problem->x, ald_of(rows, n, p), ald_at(columns, d, p)));
    ALD_TRY(ald_scratch_reals(run, p, d, &m->back));
    for (int64_t a = 0; a < p; a++) {
        const double length = sqrt(values[a]);
        for (int64_t j = 0; j < d; j++) m->back[a * d + j] = columns[j * p + a] / length;
        for (int64_t i = 0; i < n; i++) rows[i * p + a] *= length;
    }
    m->z = (ald_operator){.x = ald_matrix_row_major(rows, n, p, p)};
    return ALD_OK;
}

static ald_status choose_coordinates(ald_run *run, const ald_problem *problem, ald_rsir_matrices *m)
{
    const int64_t order = problem->d < problem->n ? problem->d : problem->n;
    *m = (ald_rsir_matrices){.z = problem->x, .n = problem->n, .d = problem->d, .p = problem->d};
    if (order > ALD_SQUARE_ORDER) return too_large(run, problem);
    return problem->d > problem->n ? reduce_columns(run, problem, m) : ALD_OK;
}

/* z centred by the mean with weights w (n, any sum), rows times the roots of w. */
static ald_status weigh_rows(ald_run *run, const ald_rsir_matrices *m, const double *w, ald_operator *z)
{
    double *mean, *scaled, *roots;
    double sum = 0.0;
    ALD_TRY(ALD_SCRATCH(run, {&mean, m->p, 1}, {&scaled, m->n, 1}, {&roots, m->n, 1}));
    for (int64_t i = 0; i < m->n; i++) sum += w[i];
    for (int64_t i = 0; i < m->n; i++) {
        scaled[i] = w[i] / sum * (double)m->n;
        roots[i] = sqrt(w[i]);
    }
    *z = m->z;
    ALD_TRY(ald_column_statistics(run, &m->z, scaled, (ald_column_moments){.mean = mean}));
    z->mean = mean;
    z->row_weight = roots;
    return ALD_OK;
}

/* The labelled rows of z, centred by themselves; the others are rows of 0. */
static ald_status labelled_operator(ald_run *run, const ald_labelled *labelled, const ald_rsir_matrices *m,
                                    ald_operator *z)
{
    double *mask;
    *z = m->z;
    if (labelled->others_count == 0) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, m->n, 1, &mask));
    for (int64_t i = 0; i < labelled->count; i++) mask[labelled->which[i]] = 1.0;
    return weigh_rows(run, m, mask, z);
}

static ald_status resolve_ridge(ald_run *run, const ald_rsir_settings *settings, int64_t rank, double largest,
                                ald_model *model, ald_rsir_matrices *m)
{
    m->ridge = settings->ridge + settings->ridge_rel * largest;
    if (m->ridge == 0.0 && rank < m->p) {
        m->ridge = own_ridge * largest;
        ALD_TRY(ald_model_set_printed(
            run, model, "alidade.resolved.ridge_reason",
            "the covariance of the labelled rows has rank %lld, so ridge_rel=%g is used", (long long)rank,
            own_ridge));
    }
    if (!isfinite(m->ridge))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`ridge` + `ridge_rel` times the largest eigenvalue (%g) overflows", largest);
    return m->ridge > 0.0 ? ald_model_set_real(run, model, "alidade.resolved.ridge", m->ridge) : ALD_OK;
}

/* T' from the eigenvectors of Sigma. */
static ald_status whiten(ald_run *run, const ald_operator *z, const ald_rsir_settings *settings, double rows,
                         ald_model *model, ald_rsir_matrices *m)
{
    const int64_t p = m->p;
    double *sigma, *values;
    int64_t rank = 0;
    ALD_TRY(ALD_SCRATCH(run, {&sigma, p, p}, {&m->t, p, p}, {&values, p, 1}));
    ALD_TRY(ald_operator_scatter(run, z, ald_at(sigma, p, p)));
    for (int64_t i = 0; i < p * p; i++) sigma[i] /= rows;
    ALD_TRY(ald_eigen(run, ald_at(sigma, p, p), values, ald_at(m->t, p, p)));
    if (!(values[0] > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "all columns are constant in the labelled rows: there is no direction to find");
    if (!isfinite(values[0])) return ald_too_large(run);
    while (rank < p && values[rank] > smallest_kept * values[0]) rank++;
    ALD_TRY(resolve_ridge(run, settings, rank, values[0], model, m));
    for (int64_t a = 0; a < p; a++) {
        const double size = sqrt(fmax(values[a], 0.0) + m->ridge);
        for (int64_t j = 0; j < p; j++) m->t[a * p + j] /= size;
    }
    m->q = p;
    return ald_model_set_printed(run, model, "alidade.resolved.rank", "%lld",
                                 (long long)(m->ridge > 0.0 ? p : rank));
}

/* Gt = C C' with C = T'Z'H / sqrt(l), H the indicators of slices over the roots of their sizes. */
static ald_status whiten_slices(ald_run *run, const ald_operator *z, const ald_labelled *labelled,
                                const ald_slices *slices, ald_rsir_matrices *m)
{
    const int64_t n = m->n, p = m->p, k = slices->count, q = m->q;
    double *h, *b, *c;
    ALD_TRY(ald_scratch_zeros(run, n, k, &h));
    ALD_TRY(ALD_SCRATCH(run, {&b, p, k}, {&c, q, k}, {&m->gamma, q, q}));
    for (int64_t i = 0; i < labelled->count; i++) {
        const int32_t slice = slices->of[i];
        h[labelled->which[i] * k + slice] = 1.0 / sqrt(slices->weight[slice] * (double)labelled->count);
    }
    ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(h, n, k), ald_at(b, p, k)));
    ALD_TRY(ald_product(run, ald_of(m->t, q, p), ald_of(b, p, k), ald_at(c, q, k)));
    return ald_product(run, ald_of(c, q, k), ald_t(ald_of(c, q, k)), ald_at(m->gamma, q, q));
}

ald_status ald_rsir_whiten(ald_run *run, const ald_problem *problem, const ald_rsir_settings *settings,
                           const ald_labelled *labelled, const ald_slices *slices, ald_model *model,
                           ald_rsir_matrices *m)
{
    ald_operator z;
    ALD_TRY(choose_coordinates(run, problem, m));
    ALD_TRY(labelled_operator(run, labelled, m, &z));
    ALD_TRY(whiten(run, &z, settings, (double)labelled->count, model, m));
    ALD_TRY(ald_progress(run, "covariances", -1.0));
    return whiten_slices(run, &z, labelled, slices, m);
}

/* out (q x q) = a s a', a q x p. */
static ald_status congruence(ald_run *run, int64_t q, int64_t p, const double *a, const double *s,
                             double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *half;
    ALD_TRY(ald_scratch_reals(run, q, p, &half));
    ALD_TRY(ald_product(run, ald_of(a, q, p), ald_of(s, p, p), ald_at(half, q, p)));
    ALD_TRY(ald_product(run, ald_of(half, q, p), ald_t(ald_of(a, q, p)), ald_at(out, q, q)));
    ald_symmetrise(ald_at(out, q, q));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Turns the coordinates so that S is diagonal; drops those in which it is 0. */
static ald_status rsir_matrices_turn(ald_run *run, const double *s, ald_rsir_matrices *m)
{
    const int64_t p = m->p, before = m->q;
    double *st, *e, *t, *gamma;
    ALD_TRY(ALD_SCRATCH(run, {&st, before, before}, {&e, before, before}, {&m->lt, before, 1}));
    ALD_TRY(congruence(run, before, p, m->t, s, st));
    ALD_TRY(ald_eigen(run, ald_at(st, before, before), m->lt, ald_at(e, before, before)));
    for (m->q = 0; m->q < before && m->lt[m->q] > smallest_kept * m->lt[0];) m->q++;
    if (m->q == 0)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the graph connects no rows that differ: raise `n_neighbors` or `radius`, or set `eta=0`");
    const int64_t q = m->q;
    ALD_TRY(ALD_SCRATCH(run, {&t, q, p}, {&gamma, q, q}));
    ALD_TRY(ald_product(run, ald_of(e, q, before), ald_of(m->t, before, p), ald_at(t, q, p)));
    ALD_TRY(congruence(run, q, before, e, m->gamma, gamma));
    m->t = t;
    m->gamma = gamma;
    return ALD_OK;
}

/* Qt = (Z T)'L (Z T) / sum D, some columns at a time. */
static ald_status quadratic(ald_run *run, const ald_laplacian *laplacian, const ald_operator *centred,
                            double sum, ald_rsir_matrices *m)
{
    enum { step = 256 };
    const int64_t n = m->n, p = m->p, q = m->q;
    double *columns, *u, *lu, *v;
    ALD_TRY(ald_scratch_reals(run, q, q, &m->quad));
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ALD_SCRATCH(run, {&columns, p, step}, {&u, n, step}, {&lu, n, step}, {&v, p, step}));
    for (int64_t j0 = 0; j0 < q; j0 += step) {
        const int64_t count = q - j0 < step ? q - j0 : step;
        for (int64_t a = 0; a < p; a++)
            for (int64_t j = 0; j < count; j++) columns[a * count + j] = m->t[(j0 + j) * p + a];
        ALD_TRY(ald_operator_apply(run, centred, ald_of(columns, p, count), ald_at(u, n, count)));
        ALD_TRY(ald_laplacian_apply(run, laplacian, u, count, lu));
        ALD_TRY(ald_operator_apply_transposed(run, centred, ald_of(lu, n, count), ald_at(v, p, count)));
        ALD_TRY(ald_product_add(run, 1.0 / sum, ald_of(m->t, q, p), ald_of(v, p, count), 0.0,
                                ald_area_block(ald_at(m->quad, q, q), 0, j0, q, count)));
        ALD_TRY(ald_progress(run, "graph", (double)(j0 + count) / (double)q));
    }
    ald_arena_release(&run->scratch, mark);
    ald_symmetrise(ald_at(m->quad, q, q));
    return ALD_OK;
}

ald_status ald_rsir_penalise(ald_run *run, const ald_laplacian *laplacian, const double *degree,
                             ald_rsir_matrices *m)
{
    ald_operator weighed;
    double *s;
    double sum = 0.0;
    for (int64_t i = 0; i < m->n; i++) sum += degree[i];
    if (!(sum > 0.0))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "no two rows are neighbours in the graph: raise `n_neighbors` or `radius`, or set `eta=0`");
    ALD_TRY(weigh_rows(run, m, degree, &weighed));
    ALD_TRY(ald_scratch_reals(run, m->p, m->p, &s));
    ALD_TRY(ald_operator_scatter(run, &weighed, ald_at(s, m->p, m->p)));
    for (int64_t i = 0; i < m->p * m->p; i++) s[i] /= sum;
    ALD_TRY(rsir_matrices_turn(run, s, m));
    ald_operator centred = weighed;
    centred.row_weight = NULL;
    return quadratic(run, laplacian, &centred, sum, m);
}
