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
#include "math/linalg/tall.h"
#include "math/operator/all_rows.h"
#include "methods/engines/pencil.h"

#include <math.h>

/* What columns are divided by before they are squared: 1 for sizes whose squares can be summed. */
static ald_status choose_units(ald_run *run, const ald_problem *problem, int64_t q, double *y)
{
    double *size;
    int extreme = 0;
    ALD_TRY(ald_scratch_reals(run, q, 1, &size));
    ALD_TRY(ald_tall_largest(run, problem->n, q, y, size));
    ALD_TRY(ald_rows_largest(run, &problem->x, size, q));
    for (int64_t j = 0; j < q; j++) extreme |= !ald_peak_is_plain(size[j]);
    return extreme ? ald_tall_divide(run, problem->n, q, size, y) : ALD_OK;
}

/* m (q x p) with H = Yc m = Yc D V L^(-1/2): the same H H' as with the symmetric root, in p = rank(Yc)
 * columns. D brings columns to length 1: the units of the responses do not matter, none is lost for being
 * small. */
static ald_status find_root(ald_run *run, const ald_problem *problem, int64_t q, const double *y, double *m,
                            int64_t *p)
{
    double *gram, *values, *rows, *length;
    ALD_TRY(ALD_SCRATCH(run, {&gram, q, q}, {&values, q, 1}, {&rows, q, q}, {&length, q, 1}));
    ALD_TRY(ald_tall_cross(run, ald_of(y, problem->n, q), q, y, gram));
    ALD_TRY(ald_rows_sum(run, &problem->x, gram, q * q));
    for (int64_t j = 0; j < q; j++) length[j] = gram[j * q + j] > 0.0 ? sqrt(gram[j * q + j]) : 1.0;
    for (int64_t e = 0; e < q * q; e++) gram[e] /= length[e / q] * length[e % q];
    ALD_TRY(ald_eigen(run, ald_at(gram, q, q), values, ald_at(rows, q, q)));
    ALD_TRY(ald_rows_settle(run, &problem->x, values, q * (int64_t)sizeof *values));
    ALD_TRY(ald_rows_settle(run, &problem->x, rows, q * q * (int64_t)sizeof *rows));
    *p = 0;
    while (*p < q && values[*p] > 1e-12 * values[0]) ++*p;
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = 0; k < *p; k++) m[j * *p + k] = rows[k * q + j] / (sqrt(values[k]) * length[j]);
    return ALD_OK;
}

static ald_status cca_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_pencil pencil = {
        .ridge_unit = 1.0,
        .unit = 1.0,
        .limit = "the rank of the centred target, or of the data",
    };
    double *y, *m;
    int64_t q;
    if (problem->target->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_pencil_of_classes(run, problem, &pencil));
        return ald_pencil_fit(run, problem, &pencil, model);
    }
    ALD_TRY(ald_problem_responses(run, problem, &y, &q));
    ALD_TRY(ald_scratch_reals(run, q, q, &m));
    ALD_TRY(choose_units(run, problem, q, y));
    ALD_TRY(find_root(run, problem, q, y, m, &pencil.k));
    pencil.h = y;
    pencil.q = q;
    pencil.mix = m;
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
