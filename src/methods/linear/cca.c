/* Canonical correlation analysis, the side of X: the pencil of engines/pencil.h with
 *
 *   H = Yc (Yc'Yc)^(-1/2),   Yc the centred target
 *   lambda = the squared canonical correlation
 *
 * The root is of the pseudo-inverse (eigenvalues of Yc'Yc, its columns at length 1, up to 1e-12 of the
 * first are left out), so constant, repeated or complementary labels do no harm. On dummies of classes it
 * equals lda, whose H is used there: the centred dummies span all of it but the constant, which centred X
 * does not see.
 *
 * Cost: pencil.h with k responses, and n k^2 + k^3 for the root.
 *
 * Edge cases: at most as many directions as the rank of Yc.
 *
 * Reference: Hotelling (1936). */
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "methods/engines/pencil.h"

#include <math.h>

/* Column j of y (n x q) divided by `size`, unless that is 0; gives the sum of its squares. */
static double divide_column(int64_t n, int64_t q, double *y, int64_t j, double size)
{
    double square = 0.0;
    for (int64_t i = 0; i < n && size > 0.0; i++) {
        y[i * q + j] /= size;
        square += y[i * q + j] * y[i * q + j];
    }
    return square;
}

/* Columns of length 1: the units of the responses do not matter, none is lost for being small. */
static ald_status bring_to_length(ald_run *run, const ald_problem *problem, int64_t q, double *y)
{
    const int64_t n = problem->n;
    double *size;
    ALD_TRY(ald_scratch_zeros(run, q, 1, &size));
    for (int64_t j = 0; j < q; j++) {
        ALD_TRY(ald_ask_after(run, 5.0 * ALD_VALUE_WORK * (double)n));
        for (int64_t i = 0; i < n; i++) size[j] = fmax(size[j], fabs(y[i * q + j]));
    }
    ALD_TRY(ald_rows_largest(run, &problem->x, size, q));
    for (int64_t j = 0; j < q; j++) {
        ALD_TRY(ald_ask_after(run, 5.0 * ALD_VALUE_WORK * (double)n));
        size[j] = divide_column(n, q, y, j, size[j]);
    }
    ALD_TRY(ald_rows_sum(run, &problem->x, size, q));
    for (int64_t j = 0; j < q; j++) divide_column(n, q, y, j, sqrt(size[j]));
    return ALD_OK;
}

/* h (n x p) = Yc V L^(-1/2): the same H H' as with the symmetric root, in p = rank(Yc) columns. */
static ald_status whiten(ald_run *run, const ald_problem *problem, int64_t q, double *y, double **h,
                         int64_t *p)
{
    const int64_t n = problem->n;
    double *gram, *values, *rows;
    ALD_TRY(bring_to_length(run, problem, q, y));
    ALD_TRY(ALD_SCRATCH(run, {&gram, q, q}, {&values, q, 1}, {&rows, q, q}));
    ALD_TRY(ald_gram(run, ald_of(y, n, q), ald_at(gram, q, q)));
    ALD_TRY(ald_rows_sum(run, &problem->x, gram, q * q));
    ALD_TRY(ald_eigen(run, ald_at(gram, q, q), values, ald_at(rows, q, q)));
    ALD_TRY(ald_rows_settle(run, &problem->x, values, q * (int64_t)sizeof *values));
    ALD_TRY(ald_rows_settle(run, &problem->x, rows, q * q * (int64_t)sizeof *rows));
    for (*p = 0; *p < q && values[*p] > 1e-12 * values[0]; ++*p)
        for (int64_t j = 0; j < q; j++) rows[*p * q + j] /= sqrt(values[*p]);
    ALD_TRY(ald_scratch_reals(run, n, *p, h));
    return ald_product(run, ald_of(y, n, q), ald_t(ald_of(rows, *p, q)), ald_at(*h, n, *p));
}

static ald_status cca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_pencil pencil = {
        .ridge_unit = 1.0,
        .unit = 1.0,
        .limit = "the rank of the centred target, or of the data",
    };
    double *y;
    int64_t q;
    if (problem->target->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_pencil_of_classes(run, problem, &pencil));
        return ald_pencil_fit(run, problem, &pencil, model);
    }
    ALD_TRY(ald_problem_responses(run, problem, &y, &q));
    ALD_TRY(whiten(run, problem, q, y, &pencil.h, &pencil.k));
    return ald_pencil_fit(run, problem, &pencil, model);
}

const ald_method ald_method_cca = {
    .name = "cca",
    .title = "Canonical correlation analysis",
    .synonyms = "canonical variates, cancor, canonical discriminant analysis",
    .summary = "Directions whose scores correlate most with some combination of the responses.",
    .reference = "Hotelling (1936); Sun, Ceran and Ye (2010) for the two-stage solver",
    ALD_PENCIL_METHOD(ALD_CAN_CLASSES | ALD_CAN_REAL | ALD_CAN_RESPONSES | ALD_CAN_LABELS),
    .tables = (const ald_param_table[]){ald_pencil_params, NULL},
    .fit = cca_fit,
};
