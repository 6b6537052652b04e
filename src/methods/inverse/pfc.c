/* Principal fitted components.
 *
 * The inverse regression x = mean + Gamma beta f(y) + error, fitted by likelihood. F (n x q, centred): powers
 * of the standardised response, 1 to `degree`, or indicators of slices or classes (slices.h); P_F projects on
 * its span. With
 *
 *   Fit = X'P_F X / n,   Res = Sigma - Fit
 *
 *   error=unstructured   Fit w = lambda Sigma w,                        W'Sigma W = I
 *   error=isotropic      the leading eigenvectors of Fit,               W'W = I
 *   error=diagonal       W = Delta^(-1/2) V, V those of Delta^(-1/2) Fit Delta^(-1/2); Delta = the diagonal
 *                        of the covariance of what k fitted directions leave, from that of Res until
 *                        ln|Delta| moves by less than 1e-12; scores of variance 1
 *
 * (unstructured with slices is sir, isotropic is pca of the fitted values.) The likelihood of k directions is
 *
 *   L_k = -(n d / 2)(1 + ln 2 pi) - (n / 2) D_k
 *   D_k = ln|Sigma| + sum_{i<=k} ln(1 - lambda_i),   d ln((tr Sigma - sum_{i<=k} l_i) / d),   ln|Delta|
 *
 * and 2 (L_K - L_k), K = min(d, q), is asymptotically chi-square with (q - k)(d - k) degrees of freedom where
 * k are enough: `likelihood` has L_0, L_k and L_K, which `alidade dimension` compares (likelihood.h). Beside
 * those of the error, d (d + 1) / 2, 1 or d, there are d + k (d - k) + k q parameters. A singular Sigma has
 * no likelihood, and then no tests.
 *
 * With H an orthonormal basis of F all of it follows from C = X'H / sqrt(n), d x q, since Fit = C C'.
 *
 * Cost: n d q, whitening for error=unstructured (whiten.h), d q^2 and q^3 a step for diagonal; memory d q,
 * and d^2 for the whitening. Sparse X stays sparse.
 *
 * Edge cases: at most min(d, q) directions. A response with fewer distinct values than powers has a smaller
 * q.
 *
 * Reference: Cook (2007), Cook and Forzani (2008). */
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/slices.h"
#include "methods/inverse/likelihood.h"

#include <math.h>
#include <string.h>

static const char *const bases[] = {"polynomial", "slices", NULL};
enum { basis_polynomial };
static const char *const errors[] = {"unstructured", "isotropic", "diagonal", NULL};
enum { error_unstructured, error_isotropic, error_diagonal };

static const ald_param basis_param =
    ALD_CHOICE_PARAM("basis", "polynomial", bases,
                     "what x is regressed on: powers of the response, or slices of it; classes: themselves");
static const ald_param degree_param =
    ALD_INT_PARAM("degree", "3", 1, 20, "polynomial: the highest power", .simpler = ALD_SIMPLER_SMALLER);
static const ald_param error_param =
    ALD_CHOICE_PARAM("error", "unstructured", errors,
                     "covariance of what the regression leaves of x: any, equal variances, or a diagonal");

static const ald_param *const params[] = {
    &basis_param,
    &degree_param,
    &error_param,
    NULL,
};

typedef struct fitted {
    const ald_problem *problem;
    int error;
    int64_t d, q; /* columns; rank of F */
    double n;     /* the sum of the weights */
    double *c;    /* X'H / sqrt(n), d x q */
    ald_whitening w;
    double trace;      /* of Sigma */
    double *variances; /* d: its diagonal */
} fitted;

/* `most` leading directions of a structure, with k of them fitted. */
typedef struct found {
    int64_t k, most;
    double *values, *vectors; /* most, falling; most x d */
    double deviance;          /* D_k; NaN where it is not there */
} found;

/* Powers of the standardised response, centred, rows times the roots of the weights; n x degree. */
static ald_status write_powers(ald_run *run, const ald_problem *problem, int64_t degree, double *powers)
{
    const int64_t n = problem->n;
    const double *w = problem->weights;
    double mean = 0.0, square = 0.0;
    double *y;
    int64_t q;
    ALD_TRY(ald_target_numbers(run, problem->target, &y, &q));
    for (int64_t i = 0; i < n; i++) mean += (w ? w[i] : 1.0) * (y[i] / problem->total);
    for (int64_t i = 0; i < n; i++) square = fmax(square, fabs(y[i] - mean));
    if (!(square > 0.0) || !isfinite(square)) return ald_no_direction(run, problem);
    const double unit = square;
    square = 0.0;
    for (int64_t i = 0; i < n; i++)
        square += (w ? w[i] : 1.0) * pow((y[i] - mean) / unit, 2.0) / problem->total;
    for (int64_t k = 0; k < degree; k++) {
        double centre = 0.0;
        for (int64_t i = 0; i < n; i++) {
            powers[i * degree + k] = pow((y[i] - mean) / unit / sqrt(square), (double)k + 1.0);
            centre += (w ? w[i] : 1.0) * powers[i * degree + k] / problem->total;
        }
        for (int64_t i = 0; i < n; i++)
            powers[i * degree + k] = (w ? sqrt(w[i]) : 1.0) * (powers[i * degree + k] - centre);
    }
    return ALD_OK;
}

/* h (n x q): an orthonormal basis of the powers, by their singular vectors above 1e-10 of the first. */
static ald_status powers_basis(ald_run *run, fitted *f, double **h)
{
    const int64_t n = f->problem->n, degree = ald_least(ald_setting_int(run, &degree_param), n);
    double *powers, *left, *sizes, *right;
    ALD_TRY(ALD_SCRATCH(run, {&powers, n, degree}, {&left, n, degree}, {&sizes, degree, 1},
                        {&right, degree, degree}, {h, n, degree}));
    ALD_TRY(write_powers(run, f->problem, degree, powers));
    ALD_TRY(ald_svd(run, ald_at(powers, n, degree), ald_at(left, n, degree), sizes,
                    ald_at(right, degree, degree)));
    while (f->q < degree && sizes[f->q] > 1e-10 * sizes[0]) f->q++;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < f->q; k++) (*h)[i * f->q + k] = left[i * degree + k];
    return ALD_OK;
}

/* The same of slices: their indicators, one of which the centred X makes superfluous. */
static ald_status slices_basis(ald_run *run, fitted *f, ald_model *model, double **h, int64_t *columns)
{
    const ald_problem *problem = f->problem;
    ald_slices slices;
    ALD_TRY(ald_problem_slices(run, problem, ald_slices_asked(run), model, &slices));
    ALD_TRY(ald_scratch_zeros(run, problem->n, slices.count, h));
    for (int64_t i = 0; i < problem->n; i++) {
        const double weight = problem->weights ? problem->weights[i] : 1.0;
        (*h)[i * slices.count + slices.of[i]] = sqrt(weight / slices.weight[slices.of[i]]);
    }
    *columns = slices.count;
    f->q = slices.count - 1;
    return ALD_OK;
}

/* C, of as many columns as there are of h; a superfluous one changes nothing of C C'. */
static ald_status make_fit(ald_run *run, fitted *f, ald_model *model, int64_t *columns)
{
    const ald_problem *problem = f->problem;
    const int powers =
        problem->target->kind == ALD_TARGET_REAL && ald_setting_choice(run, &basis_param) == basis_polynomial;
    double *h;
    ALD_TRY(powers ? powers_basis(run, f, &h) : slices_basis(run, f, model, &h, columns));
    if (powers) *columns = f->q;
    ALD_TRY(ald_scratch_reals(run, f->d, *columns, &f->c));
    ALD_TRY(ald_operator_apply_transposed(run, &problem->x, ald_of(h, problem->n, *columns),
                                          ald_at(f->c, f->d, *columns)));
    ald_scale(1.0 / sqrt(f->n), ald_at(f->c, f->d, *columns));
    return ALD_OK;
}

/* The variances of the prepared columns. */
static ald_status measure(ald_run *run, fitted *f)
{
    const ald_operator *x = &f->problem->x;
    const ald_operator plain = {.x = x->x, .row_shift = x->row_shift, .row_factor = x->row_factor};
    double *mean;
    ALD_TRY(ALD_SCRATCH(run, {&mean, f->d, 1}, {&f->variances, f->d, 1}));
    ALD_TRY(ald_column_statistics(run, &plain, f->problem->weights,
                                  (ald_column_moments){.mean = mean, .deviation = f->variances}));
    for (int64_t j = 0; j < f->d; j++) {
        f->variances[j] = pow(f->variances[j] * (x->inverse_scale ? x->inverse_scale[j] : 1.0), 2.0);
        f->trace += f->variances[j];
    }
    return ALD_OK;
}

/* values (most, falling) and unit vectors (most x rows) of a a', a rows x columns. */
static ald_status leading(ald_run *run, ald_view a, int64_t most, double *values, double *vectors)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t k = ald_least(a.rows, a.cols);
    double *copy, *u, *sizes, *vt;
    ALD_TRY(ALD_SCRATCH(run, {&copy, a.rows, a.cols}, {&u, a.rows, k}, {&sizes, k, 1}, {&vt, k, a.cols}));
    memcpy(copy, a.data, (size_t)(a.rows * a.cols) * sizeof *copy);
    ALD_TRY(ald_svd(run, ald_at(copy, a.rows, a.cols), ald_at(u, a.rows, k), sizes, ald_at(vt, k, a.cols)));
    for (int64_t i = 0; i < most; i++) {
        values[i] = sizes[i] * sizes[i];
        for (int64_t j = 0; j < a.rows; j++) vectors[i * a.rows + j] = u[j * k + i];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* error=diagonal: the directions of the scaled fit, and the roots of Delta (d). */
static ald_status solve_diagonal(ald_run *run, const fitted *f, ald_view c, double *root, found *g)
{
    double *scaled;
    double before = INFINITY;
    ALD_TRY(ald_scratch_reals(run, c.rows, c.cols, &scaled));
    for (int64_t j = 0; j < f->d; j++)
        root[j] =
            sqrt(fmax(f->variances[j] - ald_dot(c.cols, c.data + j * c.cols, c.data + j * c.cols), 0.0));
    for (int step = 0; step < 10000; step++) {
        g->deviance = 0.0;
        for (int64_t j = 0; j < f->d; j++) {
            if (!(root[j] > 1e-8 * sqrt(f->variances[j])))
                return ald_fail(
                    run->error, ALD_ERROR_DATA,
                    "column %lld does not vary beside the fit: `error=diagonal` has no solution; leave it "
                    "out, or use another `error`",
                    (long long)j + 1);
            g->deviance += 2.0 * log(root[j]);
            for (int64_t i = 0; i < c.cols; i++) scaled[j * c.cols + i] = c.data[j * c.cols + i] / root[j];
        }
        ALD_TRY(leading(run, ald_of(scaled, c.rows, c.cols), g->most, g->values, g->vectors));
        if (fabs(g->deviance - before) < 1e-12) break;
        before = g->deviance;
        for (int64_t j = 0; j < f->d; j++) {
            double fit = 0.0;
            for (int64_t i = 0; i < g->k; i++) fit += g->values[i] * pow(g->vectors[i * f->d + j], 2.0);
            root[j] = sqrt(fmax(f->variances[j] - root[j] * root[j] * fit, 0.0));
        }
    }
    return ALD_OK;
}

/* The leading directions of the structure that was asked for. */
static ald_status solve(ald_run *run, const fitted *f, ald_view c, found *g)
{
    const int64_t p = f->w.p;
    double *inner, *own;
    if (f->error == error_diagonal) {
        ALD_TRY(ald_scratch_reals(run, f->d, 1, &own));
        ALD_TRY(solve_diagonal(run, f, c, own, g));
        for (int64_t i = 0; i < g->most * f->d; i++) g->vectors[i] /= own[i % f->d];
        return ALD_OK;
    }
    g->deviance = 0.0;
    if (f->error == error_isotropic) {
        double left = f->trace;
        ALD_TRY(leading(run, c, g->most, g->values, g->vectors));
        for (int64_t i = 0; i < g->k; i++) left -= g->values[i];
        g->deviance = (double)f->d * log(left / (double)f->d);
        return ALD_OK;
    }
    ALD_TRY(ALD_SCRATCH(run, {&inner, p, c.cols}, {&own, g->most, p}));
    ALD_TRY(ald_product(run, ald_of(f->w.transform, p, f->d), c, ald_at(inner, p, c.cols)));
    ALD_TRY(leading(run, ald_of(inner, p, c.cols), g->most, g->values, own));
    g->deviance = ald_whiten_log_det(&f->w);
    for (int64_t i = 0; i < g->k; i++) g->deviance += log1p(-fmin(g->values[i], 1.0));
    return ald_product(run, ald_of(own, g->most, p), ald_of(f->w.transform, p, f->d),
                       ald_at(g->vectors, g->most, f->d));
}

static double count_parameters(const fitted *f, int64_t k)
{
    const double error[] = {0.5 * (double)f->d * (double)(f->d + 1), 1.0, (double)f->d};
    return (double)(f->d + k * (f->d - k) + k * f->q) + error[f->error];
}

/* Beside `found`, the deviance of none and of `most`, all there are. */
static ald_status describe(ald_run *run, const fitted *f, ald_view c, const found *g, int64_t most,
                           ald_model *model)
{
    found other = {.k = 0, .most = most};
    double deviance[2];
    ALD_TRY(ALD_SCRATCH(run, {&other.values, most, 1}, {&other.vectors, most, f->d}));
    for (int all = 0; all < 2; all++) {
        other.k = all ? most : 0;
        ALD_TRY(solve(run, f, c, &other));
        deviance[all] = other.deviance;
    }
    const double half = -0.5 * f->n;
    const ald_likelihood likelihood = {
        .none = {half * deviance[0], count_parameters(f, 0)},
        .found = {half * g->deviance, count_parameters(f, g->k)},
        .all = {half * deviance[1], count_parameters(f, most)},
    };
    return ald_add_likelihood(run, f->problem, &likelihood, model);
}

/* error=diagonal: scores of variance 1. */
static ald_status normalise(ald_run *run, const ald_problem *problem, double *vectors)
{
    double *scores, *columns;
    ALD_TRY(ALD_SCRATCH(run, {&scores, problem->n, problem->r}, {&columns, problem->d, problem->r}));
    ald_transpose(problem->r, problem->d, vectors, columns);
    ALD_TRY(ald_operator_apply(run, &problem->x, ald_of(columns, problem->d, problem->r),
                               ald_at(scores, problem->n, problem->r)));
    for (int64_t k = 0; k < problem->r; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < problem->n; i++)
            square += pow(scores[i * problem->r + k], 2.0) / problem->total;
        for (int64_t j = 0; square > 0.0 && j < problem->d; j++) vectors[k * problem->d + j] /= sqrt(square);
    }
    return ALD_OK;
}

static ald_status pfc_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = problem->r;
    fitted f = {
        .problem = problem,
        .error = ald_setting_choice(run, &error_param),
        .d = problem->d,
        .n = problem->total,
    };
    found g = {.k = r, .most = r};
    ald_problem any = *problem; /* how many there are is said once, of both bounds */
    int64_t columns = 0;
    any.r = 1;
    if (f.error == error_unstructured) ALD_TRY(ald_whiten_plain(run, &any, model, &f.w));
    ALD_TRY(measure(run, &f));
    ALD_TRY(make_fit(run, &f, model, &columns));
    const ald_view c = ald_of(f.c, f.d, columns);
    const int64_t most = ald_least(f.q, f.error == error_unstructured ? f.w.p : f.d);
    if (r > most)
        return ald_too_many_components(run, problem, most, "the columns of X, or of what it is regressed on");
    ALD_TRY(ALD_SCRATCH(run, {&g.values, r, 1}, {&g.vectors, r, f.d}));
    ALD_TRY(solve(run, &f, c, &g));
    if (!(g.values[0] > 0.0)) return ald_no_direction(run, problem);
    if (f.error == error_diagonal) ALD_TRY(normalise(run, problem, g.vectors));
    ALD_TRY(describe(run, &f, c, &g, most, model));
    ALD_TRY(ald_add_components(run, problem, r, g.vectors, NULL, model));
    return ald_model_add_vector(run, model, "eigenvalues", r, g.values);
}

/* The columns of F: classes or slices less one, or powers. */
static int64_t pfc_bound(const ald_settings *settings, const ald_target *y)
{
    if (y->kind == ALD_TARGET_CLASSES) return y->n_classes - 1;
    if (ald_settings_int_of(settings, &basis_param) == basis_polynomial)
        return ald_settings_int_of(settings, &degree_param);
    return (int64_t)ald_settings_real_with(settings, ALD_PARAM_IS_SLICES, 2.0) - 1;
}

static int pfc_ignores_units(const ald_settings *settings)
{
    return ald_settings_int_of(settings, &error_param) != error_isotropic;
}

const ald_method ald_method_pfc = {
    .name = "pfc",
    .title = "Principal fitted components",
    .synonyms = "likelihood-based sufficient dimension reduction, ldr",
    .summary =
        "Directions of an inverse regression of x on functions of the target, by likelihood, with its tests.",
    .reference = "Cook (2007), Cook and Forzani (2008)",
    .capabilities = ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS |
                    ALD_IS_LINEAR,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS | ALD_BY_TARGET,
    .bound = pfc_bound,
    .ignores_units = pfc_ignores_units,
    .inverse = ALD_INVERTS_SCATTER,
    .tables = (const ald_param_table[]){params, ald_slices_params, NULL},
    .fit = pfc_fit,
};
