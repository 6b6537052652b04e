/* Principal Hessian directions.
 *
 * On whitened rows u_i (whiten.h; p columns),
 *
 *   M = (1/n) sum_i r_i u_i u_i' = E diag(lambda) E'
 *   B = T E,   the directions of the lambda of largest modulus,   B'(Sigma + ridge I) B = I
 *
 *   variant=response   r = y - mean
 *   variant=residual   r = y - mean - U U'(y - mean) / n          what the linear fit leaves (with a ridge:
 *                                                                 ridge regression)
 *
 * For normal rows M is the mean Hessian of E(y|x) by Stein's lemma: the directions along which the response
 * curves most. The residual form does not mistake a skewed column with a linear effect for a curved one.
 *
 * Cost beside the whitening: 2 n p^2 + 4 p^3; memory n p + 2 p^2. From statistics (streamed) M = T'C T / n
 * with C = sum r (x - m)(x - m)', d^2 numbers; only that of variant=response is a sum that can be kept
 * (moments/curved.h).
 *
 * Edge cases: at most p directions, the rank of the covariance. A response that the columns fit exactly
 * (always so for d >= n - 1 without a ridge) leaves no residual, which is refused. A linear response has no
 * curvature: its eigenvalues are noise.
 *
 * Reference: Li (1992). */
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"
#include "methods/engines/whiten.h"
#include "methods/moments/moments.h"

#include <math.h>
#include <string.h>

static const char *const variants[] = {"residual", "response", NULL};
enum { variant_residual, variant_response };

static const ald_param variant_param =
    ALD_CHOICE_PARAM("variant", "residual", variants,
                     "curvature of the residuals of the linear fit, or of the response itself");

static const ald_param *const params[] = {
    &variant_param,
    NULL,
};

enum { block_rows = 256 };

/* Divides r by a power of two about as large, so that nothing overflows or vanishes when squared; gives it.
 */
static double take_unit(int64_t n, double *r)
{
    double largest = 0.0;
    int power;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(r[i]));
    frexp(largest, &power);
    const double unit = ldexp(1.0, power < 1000 ? power : 1000);
    for (int64_t i = 0; i < n; i++) r[i] /= unit;
    return unit;
}

static ald_status no_residual(ald_run *run, double rows, int64_t rank)
{
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "the columns fit the response exactly (%.0f rows, rank %lld), so no residual is left to find "
        "curvature in: use `variant=response`, or set `ridge` or `ridge_rel`",
        rows, (long long)rank);
}

/* r (n) loses U U'r / n. */
static ald_status take_linear_fit(ald_run *run, const ald_whitening *w, double *r)
{
    const double before = ald_dot(w->n, r, r);
    double *slope;
    ALD_TRY(ald_scratch_reals(run, w->p, 1, &slope));
    ALD_TRY(ald_product_add(run, 1.0 / (double)w->n, ald_t(ald_of(w->rows, w->n, w->p)), ald_of(r, w->n, 1),
                            0.0, ald_at(slope, w->p, 1)));
    ALD_TRY(ald_product_add(run, -1.0, ald_of(w->rows, w->n, w->p), ald_of(slope, w->p, 1), 1.0,
                            ald_at(r, w->n, 1)));
    return ald_dot(w->n, r, r) > 1e-20 * before ? ALD_OK : no_residual(run, (double)w->n, w->p);
}

/* m (p x p) = U' diag(r) U / n, by blocks of rows. */
static ald_status weighted_products(ald_run *run, const ald_whitening *w, const double *r, double *m)
{
    const int64_t p = w->p;
    double *block;
    ALD_TRY(ald_scratch_reals(run, block_rows, p, &block));
    memset(m, 0, (size_t)(p * p) * sizeof *m);
    for (int64_t begin = 0; begin < w->n; begin += block_rows) {
        const int64_t rows = w->n - begin < block_rows ? w->n - begin : block_rows;
        const double *u = w->rows + begin * p;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t a = 0; a < p; a++) block[i * p + a] = r[begin + i] * u[i * p + a];
        ALD_TRY(ald_product_add(run, 1.0 / (double)w->n, ald_t(ald_of(u, rows, p)), ald_of(block, rows, p),
                                1.0, ald_at(m, p, p)));
        ALD_TRY(ald_progress(run, "finding curvature", (double)(begin + rows) / (double)w->n));
    }
    return ALD_OK;
}

/* The r of largest modulus of p descending eigenpairs, from both ends inwards, to `values` and the rows of
 * `vectors`.
 */
static void take_by_modulus(int64_t p, int64_t r, const double *all, const double *rows, double *values,
                            double *vectors)
{
    for (int64_t k = 0, first = 0, last = p - 1; k < r; k++) {
        const int64_t taken = fabs(all[first]) >= fabs(all[last]) ? first++ : last--;
        values[k] = all[taken];
        memcpy(vectors + k * p, rows + taken * p, (size_t)p * sizeof *vectors);
    }
}

static int of_residuals(const ald_run *run)
{
    return ald_setting_choice(run, &variant_param) == variant_residual;
}

/* Residuals change with every row that is added. */
static ald_status check_moments(ald_run *run, ald_target_kind kind)
{
    (void)kind;
    if (!ald_common_settings_of(run->settings).keep_statistics || !of_residuals(run)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "phd cannot keep statistics of residuals, all of which change with every row: use "
                    "`variant=response`, or fit without `keep_statistics`");
}

/* m (p x p) = T'C T / n. */
static ald_status from_moments(ald_run *run, const ald_problem *problem, const ald_whitening *w, double *m)
{
    const ald_moments *sums = problem->moments;
    if (of_residuals(run) && !(sums->curved_squares > 1e-20 * sums->y_scatter[0]))
        return no_residual(run, sums->n, w->p);
    ALD_TRY(ald_whiten_square(run, problem, w, sums->curved, m));
    for (int64_t i = 0; i < w->p * w->p; i++) {
        m[i] /= sums->weight;
        if (!isfinite(m[i])) return ald_too_large(run);
    }
    return ALD_OK;
}

static ald_status from_rows(ald_run *run, const ald_problem *problem, const ald_whitening *w, double *m,
                            double *unit)
{
    double *r;
    int64_t q;
    ALD_TRY(ald_problem_responses(run, problem, &r, &q));
    *unit = take_unit(problem->n, r); /* M is linear in r */
    if (of_residuals(run)) ALD_TRY(take_linear_fit(run, w, r));
    return weighted_products(run, w, r, m);
}

static ald_status phd_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_whitening w;
    double *m, *all, *rows, *values, *vectors;
    double unit = 1.0;
    ALD_TRY(ald_whiten(run, problem, model, &w));
    ALD_TRY(ALD_SCRATCH(run, {&m, w.p, w.p}, {&all, w.p, 1}, {&rows, w.p, w.p}, {&values, problem->r, 1},
                        {&vectors, problem->r, w.p}));
    ALD_TRY(problem->moments ? from_moments(run, problem, &w, m) : from_rows(run, problem, &w, m, &unit));
    ALD_TRY(ald_eigen(run, ald_at(m, w.p, w.p), all, ald_at(rows, w.p, w.p)));
    take_by_modulus(w.p, problem->r, all, rows, values, vectors);
    for (int64_t k = 0; k < problem->r; k++) values[k] *= unit;
    return ald_add_whitened(run, problem, &w, values, vectors, model);
}

static const ald_curvature curvature = {of_residuals, ald_whiten_slope};

const ald_method ald_method_phd = {
    .name = "phd",
    .title = "Principal Hessian directions",
    .synonyms = "principal hessian directions, sufficient dimension reduction",
    .summary = "Directions along which the response curves most.",
    .reference = "Li (1992)",
    .capabilities = ALD_CAN_REAL | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE | ALD_CAN_MAP_NEW_ROWS |
                    ALD_IS_NESTED | ALD_IS_LINEAR,
    .curvature = &curvature,
    .check_moments = check_moments,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .scale_free = 1,
    .tables = (const ald_param_table[]){params, ald_whiten_params, NULL},
    .fit = phd_fit,
};
