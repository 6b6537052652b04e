/* Row preparations, for spectra above all. A row x of d columns, which are taken as equally spaced in the
 * order of the file:
 *
 *   snv       (x - m) / s,  m the mean of the row, s its standard deviation with divisor d - 1 (Barnes,
 *             Dhanoa and Lister, Applied Spectroscopy 43, 1989). A row that does not vary becomes 0.
 *   detrend   x - P P'x,  the columns of P orthonormal polynomials of degree 0 .. p in the column number.
 *   msc       (x - a) / b,  (a, b) by least squares of x = a + b r, r the mean training row after the steps
 *             before it (Geladi, MacDougall and Martens, Applied Spectroscopy 39, 1985). A row with b = 0,
 *             which has nothing of r, only loses a.
 *   savgol    the polynomial of degree p fitted by least squares to the w columns about each column, or its
 *             derivative of order m per column, at that column (Savitzky and Golay, Analytical Chemistry 36,
 *             1964). The first and the last (w - 1) / 2 columns take the polynomial of the first and the last
 *             w columns: no value outside is made up.
 *
 * With p_k orthonormal on the w points of the window, the value at point i of a window y is
 *
 *   sum_j H_ij y_j,   H_ij = sum_k p_k^(m)(i) p_k(j).
 *
 * Orthonormal polynomials are Gram's, by Forsythe's recurrence (J. SIAM 5, 1957) on n points t_i that lie
 * symmetric about 0, and their derivatives of order m by differentiating it m times; |p_k|^2 sums over the
 * points:
 *
 *   t_i         = (2 i - n + 1) / (n - 1),   i = 0 .. n - 1
 *   p_0         = 1
 *   p_{k+1}     = t p_k - b_k p_{k-1},       b_k = |p_k|^2 / |p_{k-1}|^2
 *   p_{k+1}^(m) = t p_k^(m) + m p_k^(m-1) - b_k p_{k-1}^(m)
 *   d/du        = 2 / (n - 1) d/dt,          u the number of the point
 *
 * Cost: O(d) per row and step, O(d w) for savgol, O(d p) for detrend, O(n p m) for the polynomials. */
#include "fit/prepare/row_plan.h"

#include "math/operator/entry.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double point(int64_t n, int64_t i)
{
    return n > 1 ? (double)(2 * i - n + 1) / (double)(n - 1) : 0.0;
}

static double square_length(int64_t n, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += p[i] * p[i];
    return sum;
}

/* p_{k+1}^(m) from p_k^(m), p_{k-1}^(m) (NULL: 0) and p_k^(m-1) (NULL: m is 0). */
static void advance(int64_t n, int64_t m, double b, const double *now, const double *before,
                    const double *lower, double *next)
{
    for (int64_t i = 0; i < n; i++) {
        next[i] = point(n, i) * now[i];
        if (lower) next[i] += (double)m * lower[i];
        if (before) next[i] -= b * before[i];
    }
}

/* values ((degree + 1) x n): P_0 .. P_degree at n points (degree < n), each of length 1. derivatives (of the
 * same shape; NULL: not wanted): the derivative of that order with respect to the number of the point. */
static ald_status make_polynomials(ald_run *run, int64_t n, int64_t degree, int64_t order, double *values,
                                   double *derivatives)
{
    const int64_t orders = order + 1, count = degree + 1;
    const double slope = n > 1 ? 2.0 / (double)(n - 1) : 1.0;
    double *p, *square;
    ALD_TRY(ALD_SCRATCH(run, {&p, orders * count, n}, {&square, count, 1}));
    memset(p, 0, (size_t)(orders * count * n) * sizeof *p);
    for (int64_t i = 0; i < n; i++) p[i] = 1.0;
    square[0] = (double)n;
    for (int64_t k = 0; k < degree; k++) {
        const double b = k > 0 ? square[k] / square[k - 1] : 0.0;
        for (int64_t m = 0; m < orders; m++) {
            double *own = p + m * count * n;
            advance(n, m, b, own + k * n, k > 0 ? own + (k - 1) * n : NULL,
                    m > 0 ? own - count * n + k * n : NULL, own + (k + 1) * n);
        }
        square[k + 1] = square_length(n, p + (k + 1) * n);
    }
    for (int64_t at = 0; at < count * n; at++) {
        const double length = sqrt(square[at / n]);
        values[at] = p[at] / length;
        if (derivatives) derivatives[at] = p[order * count * n + at] * pow(slope, (double)order) / length;
    }
    return ALD_OK;
}

/* A step with the tables that it needs. */
typedef struct ready_step {
    ald_row_step step;
    int64_t d;
    double *table;           /* savgol: H, w x w; detrend: P', (degree + 1) x d */
    double *room;            /* savgol: the row before */
    const double *reference; /* msc: d */
} ready_step;

static double mean_of(int64_t d, const double *row)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d; j++) sum += row[j];
    return sum / (double)d;
}

static void snv(const ready_step *s, double *row)
{
    const int64_t d = s->d;
    const double mean = mean_of(d, row);
    double square = 0.0, largest = 0.0;
    for (int64_t j = 0; j < d; j++) {
        largest = fmax(largest, fabs(row[j]));
        row[j] -= mean;
        square += row[j] * row[j];
    }
    const double deviation = d > 1 ? sqrt(square / (double)(d - 1)) : 0.0;
    const int constant = !(deviation > 8.0 * DBL_EPSILON * largest);
    for (int64_t j = 0; j < d; j++) row[j] = constant ? 0.0 : row[j] / deviation;
}

static void msc(const ready_step *s, double *row)
{
    const int64_t d = s->d;
    const double *r = s->reference;
    const double mean = mean_of(d, row), centre = mean_of(d, r);
    double cross = 0.0, square = 0.0, own = 0.0;
    for (int64_t j = 0; j < d; j++) {
        cross += (row[j] - mean) * (r[j] - centre);
        square += (r[j] - centre) * (r[j] - centre);
        own += (row[j] - mean) * (row[j] - mean);
    }
    const int apart = !(fabs(cross) > 8.0 * DBL_EPSILON * sqrt(square * own));
    const double slope = apart ? 0.0 : cross / square, offset = mean - slope * centre;
    for (int64_t j = 0; j < d; j++) row[j] = (row[j] - offset) / (apart ? 1.0 : slope);
}

static void detrend(const ready_step *s, double *row)
{
    const int64_t d = s->d;
    for (int64_t k = 0; k <= s->step.degree; k++) {
        const double *p = s->table + k * d;
        double along = 0.0;
        for (int64_t j = 0; j < d; j++) along += p[j] * row[j];
        for (int64_t j = 0; j < d; j++) row[j] -= along * p[j];
    }
}

/* The place in its window of each column: in the middle but at the ends. */
static void savgol(const ready_step *s, double *row)
{
    const int64_t d = s->d, w = s->step.window, half = w / 2;
    memcpy(s->room, row, (size_t)d * sizeof *row);
    for (int64_t j = 0; j < d; j++) {
        int64_t first = j - half;
        if (first < 0) first = 0;
        if (first > d - w) first = d - w;
        const double *h = s->table + (j - first) * w, *y = s->room + first;
        double sum = 0.0;
        for (int64_t i = 0; i < w; i++) sum += h[i] * y[i];
        row[j] = sum;
    }
}

static ald_status make_filter(ald_run *run, const ald_row_step *step, double **table)
{
    const int64_t w = step->window, count = step->degree + 1;
    double *p, *slope;
    ALD_TRY(ALD_SCRATCH(run, {&p, count, w}, {&slope, count, w}, {table, w, w}));
    ALD_TRY(make_polynomials(run, w, step->degree, step->derivative, p, slope));
    memset(*table, 0, (size_t)(w * w) * sizeof **table);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < w; i++)
            for (int64_t j = 0; j < w; j++) (*table)[i * w + j] += slope[k * w + i] * p[k * w + j];
    return ALD_OK;
}

ald_status ald_row_step_table(ald_run *run, const ald_row_step *step, int64_t d, double **table)
{
    *table = NULL;
    if (step->kind == ALD_ROW_SAVGOL) return make_filter(run, step, table);
    if (step->kind != ALD_ROW_DETREND) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, step->degree + 1, d, table));
    return make_polynomials(run, d, step->degree, 0, *table, NULL);
}

static ald_status make_ready(ald_run *run, const ald_row_step *step, int64_t d, const double *reference,
                             ready_step *s)
{
    *s = (ready_step){.step = *step, .d = d, .reference = reference};
    if (step->kind == ALD_ROW_SAVGOL) ALD_TRY(ald_scratch_reals(run, d, 1, &s->room));
    return ald_row_step_table(run, step, d, &s->table);
}

static ald_status do_step(ald_run *run, const ald_row_step *step, const double *reference, int64_t n,
                          int64_t d, double *rows)
{
    static void (*const act[])(const ready_step *, double *) = {
        [ALD_ROW_SNV] = snv,
        [ALD_ROW_MSC] = msc,
        [ALD_ROW_DETREND] = detrend,
        [ALD_ROW_SAVGOL] = savgol,
    };
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ready_step s;
    ALD_TRY(make_ready(run, step, d, reference, &s));
    for (int64_t i = 0; i < n; i++) act[step->kind](&s, rows + i * d);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_row_plan ald_row_plan_of(const ald_settings *settings)
{
    const ald_common_settings common = ald_common_settings_of(settings);
    return (ald_row_plan){.scale = common.row_scale, .steps = common.rows};
}

ald_row_plan ald_row_plan_before(const ald_row_plan *plan, int k)
{
    ald_row_plan before = {.references = plan->references};
    for (int i = 0; i < plan->steps.count; i++) {
        if (plan->steps.step[i].kind == ALD_ROW_MSC && k-- == 0) break;
        before.steps.step[before.steps.count++] = plan->steps.step[i];
    }
    return before;
}

ald_status ald_row_plan_check(ald_run *run, const ald_row_plan *plan, const ald_matrix *x)
{
    if (plan->steps.count == 0) return ALD_OK;
    if (x->storage != ALD_DENSE)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`rows` prepares rows whose columns have an order, such as spectra, but X is sparse: "
                        "leave `rows` at none");
    for (int k = 0; k < plan->steps.count; k++) {
        const ald_row_step *step = &plan->steps.step[k];
        if (step->window > x->cols)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "`rows`: a savgol window of %lld columns is wider than the %lld columns of X",
                            (long long)step->window, (long long)x->cols);
        if (step->degree >= x->cols)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "`rows`: detrend of degree %lld needs more than the %lld columns of X",
                            (long long)step->degree, (long long)x->cols);
    }
    return ALD_OK;
}

ald_status ald_row_plan_check_reference(ald_run *run, int64_t d, const double *reference)
{
    const double mean = mean_of(d, reference);
    double square = 0.0, largest = 0.0;
    for (int64_t j = 0; j < d; j++) {
        square += (reference[j] - mean) * (reference[j] - mean);
        largest = fmax(largest, fabs(reference[j]));
    }
    if (isfinite(square) && sqrt(square / (double)d) > 8.0 * DBL_EPSILON * largest) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "`rows`: msc compares rows with their mean, but the mean row is constant: leave out msc");
}

/* X as doubles, row after row. */
static ald_status copy_rows(ald_run *run, const ald_matrix *x, double **rows)
{
    ALD_TRY(ald_scratch_reals(run, x->rows, x->cols, rows));
    for (int64_t i = 0, at = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->cols; j++, at++) (*rows)[at] = ald_matrix_at(x, i, j);
    return ALD_OK;
}

/* The weighted mean row into `reference`. */
static ald_status learn_reference(ald_run *run, int64_t n, int64_t d, const double *rows,
                                  const double *weights, double *reference)
{
    double total = 0.0;
    memset(reference, 0, (size_t)d * sizeof *reference);
    for (int64_t i = 0; i < n; i++) {
        const double w = weights ? weights[i] : 1.0;
        if (!(w > 0.0)) continue;
        total += w;
        for (int64_t j = 0; j < d; j++) reference[j] += w / total * (rows[i * d + j] - reference[j]);
    }
    return ald_row_plan_check_reference(run, d, reference);
}

ald_status ald_row_plan_learn(ald_run *run, const ald_matrix *x, const double *weights, ald_row_plan *plan,
                              ald_matrix *prepared)
{
    const int64_t d = x->cols;
    const int learned = ald_row_steps_learned(&plan->steps);
    double *rows, *references = NULL;
    *prepared = *x;
    if (plan->steps.count == 0) return ALD_OK;
    ALD_TRY(ald_row_plan_check(run, plan, x));
    if (learned) ALD_TRY(ald_scratch_reals(run, learned, d, &references));
    ALD_TRY(copy_rows(run, x, &rows));
    plan->references = references;
    for (int k = 0; k < plan->steps.count; k++) {
        const int msc_step = plan->steps.step[k].kind == ALD_ROW_MSC;
        if (msc_step) ALD_TRY(learn_reference(run, x->rows, d, rows, weights, references));
        ALD_TRY(do_step(run, &plan->steps.step[k], references, x->rows, d, rows));
        if (msc_step) references += d;
    }
    *prepared = ald_matrix_row_major(rows, x->rows, d, d);
    return ALD_OK;
}

ald_status ald_row_plan_apply(ald_run *run, const ald_row_plan *plan, const ald_matrix *x,
                              ald_matrix *prepared)
{
    const int64_t d = x->cols;
    const double *reference = plan->references;
    double *rows;
    *prepared = *x;
    if (plan->steps.count == 0) return ALD_OK;
    ALD_TRY(ald_row_plan_check(run, plan, x));
    ALD_TRY(copy_rows(run, x, &rows));
    for (int k = 0; k < plan->steps.count; k++) {
        ALD_TRY(do_step(run, &plan->steps.step[k], reference, x->rows, d, rows));
        if (plan->steps.step[k].kind == ALD_ROW_MSC) reference += d;
    }
    *prepared = ald_matrix_row_major(rows, x->rows, d, d);
    return ALD_OK;
}

ald_status ald_row_plan_store(ald_run *run, const ald_row_plan *plan, int64_t d, ald_model *model)
{
    const int learned = ald_row_steps_learned(&plan->steps);
    if (!learned) return ALD_OK;
    return ald_model_add_matrix(run, model, "row_references", learned, d, plan->references);
}

ald_status ald_row_plan_load(ald_run *run, const ald_model *model, ald_row_plan *plan)
{
    const char *text = ald_model_text(model, "alidade.param.rows");
    ald_error wrong;
    *plan = (ald_row_plan){.scale = ald_model_row_scale(model)};
    if (!text) return ALD_OK;
    if (ald_row_steps_parse(text, &plan->steps, &wrong) < 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: unknown steps '%.60s'", text);
    const int learned = ald_row_steps_learned(&plan->steps);
    if (!learned) return ALD_OK;
    plan->references = ald_model_reals(model, "row_references", learned, ald_model_feature_count(model));
    if (plan->references) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_FORMAT, "damaged model: the mean rows of its steps are missing");
}
