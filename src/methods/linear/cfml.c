/* Closed-form metric learning.
 *
 * With tau = x_i - x_j, let M_S and M_D be the means of tau tau' over the pairs i != j of equal and of
 * different class. The directions are the top eigenvectors of
 *
 *   version=2   (M_D - M_S) w = lambda (M_S + rho I) w,     W'(M_S + rho I) W = I
 *   version=1   (M_D - M_S) w = lambda w,                   W'W = I
 *
 *   rho = ridge + ridge_rel lambda_1(M_S)
 *
 * `eigenvalues` are the lambda; they may be negative. For classes of equal size the first C - 1 directions
 * of version 2 without ridge are Fisher's.
 *
 * The pairs are never listed. With S_c the scatter of class c about its mean, T the total scatter and n_c
 * the size of class c,
 *
 *   A   = sum_c n_c S_c
 *   M_S = 2 A / sum_c n_c (n_c - 1)
 *   M_D = (2 n T - 2 A) / (n^2 - sum_c n_c^2)
 *
 * Everything is done in the k eigenvectors of T of positive eigenvalue (k the rank of Z; no row sees what
 * is outside), where T = Lambda. Two routes lead there, with N the class size of each row and m_c the class
 * means:
 *
 *   direct   d x d:   T = Z'Z = V Lambda V',   A = V'(Z'N Z - sum_c n_c^2 m_c m_c') V
 *            2 n d^2 + 4 d^3 operations, memory 3 d^2. A loses the digits of (distance of the means)^2 over
 *            the variance within. From statistics (streamed, updated) T and the S_c are there.
 *   dual     n x n:   Z Z' = U Lambda U',   A = Gram matrix of U Lambda^(1/2) centred by class (row times
 *            sqrt(n_c)),   V = Z'U Lambda^(-1/2)
 *            d n^2 + 6 n^3 operations, memory 3 n^2; nothing is d x d.
 *   auto     the smaller of the two. An order above 10000 is refused.
 *
 * Then generalized.h on k x k matrices: 5 k^3. Sparse X is only multiplied with.
 *
 * Edge cases: at most k directions, more are refused with that number. If every class has one row there is
 * no M_S: refused. M_S is singular when n - C < d, and then version 2 needs the ridge; with both ridges 0
 * that is an error which says so.
 *
 * Reference: Alipanahi, Biggs and Ghodsi (2008). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "methods/engines/pencil.h"
#include "methods/engines/row_space.h"
#include "methods/moments/moments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const solvers[] = {"auto", "direct", "dual", NULL};
enum { solver_auto, solver_direct, solver_dual };

static const ald_param version_param = ALD_INT_PARAM(
    "version", "2", 1, 2,
    "2: pairs of different class are far apart relative to those of equal class, a metric; 1: the "
    "difference of the two is large, orthonormal directions");
static const ald_param ridge_param = ALD_RIDGE_PARAM("0", 0, "version 2: added to the diagonal of M_S");
static const ald_param ridge_rel_param =
    ALD_RIDGE_REL_PARAM("1e-08", "version 2: the same as a part of the largest eigenvalue of M_S");
static const ald_param solver_param =
    ALD_SOLVER_PARAM(solvers, "how: by the d x d scatter or by the n x n one");

static const ald_param *const params[] = {
    &version_param, &ridge_param, &ridge_rel_param, &solver_param, NULL,
};

typedef struct cfml {
    const ald_problem *problem;
    int64_t n, d, r, k;
    double total; /* rows of the data */
    int64_t n_classes;
    double *sizes;        /* of the classes */
    double equal, differ; /* ordered pairs i != j of equal and of different class */
    int dual;
    ald_row_space space;
    double *a; /* k x k */
} cfml;

static ald_status count_pairs(ald_run *run, cfml *c)
{
    const ald_target *y = c->problem->target;
    double squares = 0.0;
    c->n_classes = y->n_classes;
    ALD_TRY(ald_scratch_zeros(run, c->n_classes, 1, &c->sizes));
    const ald_moments *m = c->problem->moments;
    for (int64_t i = 0; !m && i < c->n; i++) c->sizes[y->classes[i]] += 1.0;
    for (int64_t k = 0; k < c->n_classes; k++) {
        if (m) c->sizes[k] = m->count[k];
        squares += c->sizes[k] * c->sizes[k];
    }
    c->equal = squares - c->total;
    c->differ = c->total * c->total - squares;
    if (c->equal > 0.0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "every class has only one row, so there are no pairs of equal class: cfml needs a class with two");
}

/* a (d x d) += factor D s D, D the scaling of the columns. */
static void add_scaled(const cfml *c, double factor, const double *s, double *a)
{
    const double *scale = c->problem->x.inverse_scale;
    for (int64_t i = 0; i < c->d; i++)
        for (int64_t j = 0; j < c->d; j++)
            a[i * c->d + j] += factor * (scale ? scale[i] * scale[j] : 1.0) * s[i * c->d + j];
}

/* The eigenvectors of T; from statistics T is there. */
static ald_status decompose(ald_run *run, cfml *c)
{
    double *matrix = NULL;
    if (c->problem->moments) {
        ALD_TRY(ald_scratch_zeros(run, c->d, c->d, &matrix));
        add_scaled(c, 1.0, c->problem->moments->scatter, matrix);
    }
    ALD_TRY(ald_row_space_find(run, c->problem, &c->problem->x, c->dual, matrix, &c->space));
    c->k = c->space.k;
    return ALD_OK;
}

/* means (n_classes x cols) of the rows of each class, from sums. */
static void divide_by_sizes(const cfml *c, int64_t cols, double *sums)
{
    for (int64_t k = 0; k < c->n_classes; k++)
        for (int64_t j = 0; c->sizes[k] > 0.0 && j < cols; j++) sums[k * cols + j] /= c->sizes[k];
}

/* A by the coordinates of the rows, centred by class. */
static ald_status within_dual(ald_run *run, cfml *c)
{
    const int64_t n = c->n, k = c->k;
    const int32_t *classes = c->problem->target->classes;
    double *t, *means;
    ALD_TRY(ald_scratch_reals(run, n, k, &t));
    ALD_TRY(ald_scratch_zeros(run, c->n_classes, k, &means));
    ALD_TRY(ald_row_space_rows(run, &c->space, t));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++) means[classes[i] * k + j] += t[i * k + j];
    divide_by_sizes(c, k, means);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            t[i * k + j] = sqrt(c->sizes[classes[i]]) * (t[i * k + j] - means[classes[i] * k + j]);
    return ald_gram(run, ald_of(t, n, k), ald_at(c->a, k, k));
}

/* Rows n_c m_c (n_classes x d) of the prepared X: sums of the rows of each class. */
static ald_status class_sums(ald_run *run, const cfml *c, double *sums)
{
    double *dummies, *columns;
    int64_t count;
    ALD_TRY(ald_target_numbers(run, c->problem->target, &dummies, &count));
    ALD_TRY(ald_scratch_reals(run, c->d, count, &columns));
    ALD_TRY(ald_operator_apply_transposed(run, &c->problem->x, ald_of(dummies, c->n, count),
                                          ald_at(columns, c->d, count)));
    ald_transpose(c->d, count, columns, sums);
    return ALD_OK;
}

/* sum_c n_c S_c (d x d) by the scatter of the rows times the roots of their class sizes. */
static ald_status sum_of_rows(ald_run *run, const cfml *c, double *scatter)
{
    const int64_t d = c->d;
    ald_operator z = c->problem->x;
    double *roots, *sums;
    ALD_TRY(ALD_SCRATCH(run, {&roots, c->n, 1}, {&sums, c->n_classes, d}));
    for (int64_t i = 0; i < c->n; i++) roots[i] = sqrt(c->sizes[c->problem->target->classes[i]]);
    z.row_weight = roots;
    ALD_TRY(ald_operator_scatter(run, &z, ald_at(scatter, d, d)));
    ALD_TRY(class_sums(run, c, sums));
    return ald_product_add(run, -1.0, ald_t(ald_of(sums, c->n_classes, d)), ald_of(sums, c->n_classes, d),
                           1.0, ald_at(scatter, d, d));
}

static ald_status sum_of_moments(const cfml *c, double *scatter)
{
    memset(scatter, 0, (size_t)(c->d * c->d) * sizeof *scatter);
    for (int64_t k = 0; k < c->n_classes; k++)
        add_scaled(c, c->sizes[k], c->problem->moments->within + k * c->d * c->d, scatter);
    return ALD_OK;
}

static ald_status within_direct(ald_run *run, cfml *c)
{
    const int64_t d = c->d, k = c->k;
    double *scatter, *half;
    ALD_TRY(ALD_SCRATCH(run, {&scatter, d, d}, {&half, k, d}));
    ALD_TRY(c->problem->moments ? sum_of_moments(c, scatter) : sum_of_rows(run, c, scatter));
    ALD_TRY(ald_product(run, ald_of(c->space.vectors, k, d), ald_of(scatter, d, d), ald_at(half, k, d)));
    return ald_product(run, ald_of(half, k, d), ald_t(ald_of(c->space.vectors, k, d)), ald_at(c->a, k, k));
}

/* similar <- M_S and a <- M_D - M_S in the k coordinates, both triangles. */
static ald_status pair_means(ald_run *run, cfml *c, double **similar)
{
    const int64_t k = c->k;
    ALD_TRY(ALD_SCRATCH(run, {&c->a, k, k}, {similar, k, k}));
    ALD_TRY(c->dual ? within_dual(run, c) : within_direct(run, c));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = i; j < k; j++) {
            const double a = c->a[i * k + j], total = i == j ? c->total * c->space.values[i] : 0.0;
            const double same = 2.0 * a / c->equal, other = 2.0 * (total - a) / c->differ;
            (*similar)[i * k + j] = (*similar)[j * k + i] = same;
            c->a[i * k + j] = c->a[j * k + i] = other - same;
        }
    return ALD_OK;
}

/* The values (r) and coordinates (k x r) of the directions, in the problem that is solved. */
static ald_status cfml_solve(ald_run *run, cfml *c, ald_model *model, ald_generalized *problem)
{
    char singular[256];
    double *similar;
    ALD_TRY(pair_means(run, c, &similar));
    snprintf(singular, sizeof singular,
             "M_S, the mean over pairs of equal class, is singular (there are too few rows for %lld columns, "
             "or columns that do not vary within classes): raise `ridge` or `ridge_rel`, or use `version=1`",
             (long long)c->d);
    *problem = (ald_generalized){
        .k = c->k,
        .r = c->r,
        .a = c->a,
        .b = ald_setting_int(run, &version_param) == 2 ? similar : NULL,
        .ridge = ald_setting_real(run, &ridge_param),
        .ridge_rel = ald_setting_real(run, &ridge_rel_param),
        .singular = singular,
    };
    ALD_TRY(ald_generalized_solve(run, problem));
    if (!problem->b) return ALD_OK;
    return ald_model_set_real(run, model, "alidade.resolved.ridge", problem->rho);
}

static void choose_route(const ald_run *run, cfml *c)
{
    const int solver = ald_setting_choice(run, &solver_param);
    const int dual = solver == solver_dual || (solver == solver_auto && c->d > c->n);
    c->dual = dual && !c->problem->moments;
}

static ald_status cfml_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    cfml c = {
        .problem = problem,
        .n = problem->n,
        .d = problem->d,
        .r = problem->r,
        .total = problem->total,
    };
    ald_generalized solved;
    double *components;
    choose_route(run, &c);
    ALD_TRY(count_pairs(run, &c));
    ALD_TRY(decompose(run, &c));
    ALD_TRY(ald_scratch_reals(run, c.r, c.d, &components));
    ALD_TRY(cfml_solve(run, &c, model, &solved));
    ALD_TRY(ald_row_space_back(run, &c.space, c.r, solved.w, components));
    ALD_TRY(ald_add_components(run, problem, c.r, components, NULL, model));
    ALD_TRY(ald_model_add_vector(run, model, "eigenvalues", c.r, solved.values));
    return ald_model_set_text(run, model, "alidade.resolved.solver", c.dual ? "dual" : "direct");
}

const ald_method ald_method_cfml = {
    .name = "cfml",
    .title = "Closed-form metric learning",
    .synonyms = "metric learning, mahalanobis metric",
    .summary =
        "Directions along which pairs of different class are far apart and pairs of one class are near.",
    .reference = "Alipanahi, Biggs and Ghodsi (2008)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_SPARSE | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE |
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,
    .class_scatters = 1,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_OTHER,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, NULL},
    .fit = cfml_fit,
};
