/* A linear map and a linear predictor in one formula. With mean m, scale s, components C (r x d) and the
 * predictor z B + b of scores z (r x q):
 *
 *   y = ((x - m) / s) C'B + b = x W + w_0,   W = diag(1/s) C'B,   w_0 = b - m W.
 *
 * For gaussian and logistic, y is what the probabilities are made of: softmax(y) for classes, 1/(1 + exp(-y))
 * for labels.
 *
 * Where the rows went through linear steps first, x is M x of the row, and the formula of the row itself has
 * M'W: row j of it is W applied to what the steps make of the unit vector j. Cost d r q, and d^2 q with steps
 * (and the steps of d rows). */
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/row_steps.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "math/linalg/linalg.h"

#include <alidade/coefficients.h>
#include <string.h>

typedef struct formula {
    int64_t d, r, q;
    const double *components, *mean, *slopes, *offset;
} formula;

static int is_linear_predictor(const char *kind)
{
    static const char *const linear[] = {"linear", "ridge", "one-vs-rest", "gaussian", "logistic", "cox"};
    for (size_t i = 0; kind && i < sizeof linear / sizeof *linear; i++)
        if (strcmp(kind, linear[i]) == 0) return 1;
    return 0;
}

static int find_formula(const ald_model *model, formula *f)
{
    const char *map = ald_model_text(model, "alidade.map");
    ald_array intercept;
    *f = (formula){.d = ald_model_feature_count(model), .r = ald_model_component_count(model)};
    if (!map || strcmp(map, "linear") != 0 || !ald_model_array(model, "predictor/intercept", &intercept) ||
        intercept.dims != 1 || !is_linear_predictor(ald_model_text(model, "alidade.predictor.kind")))
        return 0;
    f->q = intercept.shape[0];
    f->components = ald_model_reals(model, "components", f->r, f->d);
    f->mean = ald_model_reals(model, "mean", f->d, -1);
    f->slopes = ald_model_reals(model, "predictor/coefficients", f->r, f->q);
    f->offset = ald_model_reals(model, "predictor/intercept", f->q, -1);
    return f->components && f->mean && f->slopes && f->offset;
}

int64_t ald_coefficients_count(const ald_model *model)
{
    formula f;
    return model && find_formula(model, &f) ? f.q : 0;
}

/* Whether rows are prepared, and whether linearly. */
static ald_status read_steps(ald_run *run, const ald_model *model, int *steps, int *prepared)
{
    const char *text = ald_model_text(model, "alidade.param.rows");
    ald_row_steps found = {0};
    if (text) ALD_TRY(ald_row_steps_parse(text, &found, run->error));
    *prepared = !ald_row_steps_linear(&found) || ald_model_row_scale(model) != ALD_ROWS_PLAIN;
    *steps = found.count > 0 && !*prepared;
    return ALD_OK;
}

/* values (d x q) <- M' values, block by block of unit vectors. */
static ald_status undo_steps(ald_run *run, const ald_model *model, const formula *f, double *values)
{
    enum { at_once = 256 };
    const int64_t d = f->d, q = f->q;
    double *units, *made;
    ALD_TRY(ALD_SCRATCH(run, {&units, at_once, d}, {&made, d, q}));
    for (int64_t first = 0; first < d; first += at_once) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const int64_t m = d - first < at_once ? d - first : at_once;
        memset(units, 0, (size_t)(m * d) * sizeof *units);
        for (int64_t i = 0; i < m; i++) units[i * d + first + i] = 1.0;
        const ald_matrix x = ald_matrix_row_major(units, m, d, d);
        ald_operator rows;
        ALD_TRY(ald_prepare_like(run, model, &x, NULL, &rows));
        rows.inverse_scale = NULL; /* it is in the values already */
        ALD_TRY(ald_operator_apply(run, &rows, ald_of(values, d, q), ald_at(made + first * q, m, q)));
        ald_arena_release(&run->scratch, mark);
    }
    memcpy(values, made, (size_t)(d * q) * sizeof *values);
    return ALD_OK;
}

static ald_status find_coefficients(ald_run *run, const ald_model *model, double *values, double *intercept,
                                    int *prepared)
{
    const double *scale = ald_model_reals(model, "scale", ald_model_feature_count(model), -1);
    int steps, unlike;
    formula f;
    if (!find_formula(model, &f))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the prediction of this model is not a linear formula in the columns: that requires "
                        "a linear method with `predictor=linear`, ridge, one-vs-rest, gaussian or logistic");
    ALD_TRY(read_steps(run, model, &steps, &unlike));
    ALD_TRY(ald_product(run, ald_t(ald_of(f.components, f.r, f.d)), ald_of(f.slopes, f.r, f.q),
                        ald_at(values, f.d, f.q)));
    memcpy(intercept, f.offset, (size_t)f.q * sizeof *intercept);
    for (int64_t i = 0; i < f.d * f.q; i++) {
        if (scale) values[i] /= scale[i / f.q];
        intercept[i % f.q] -= f.mean[i / f.q] * values[i];
    }
    if (prepared) *prepared = unlike;
    return steps ? undo_steps(run, model, &f, values) : ALD_OK;
}

ald_status ald_coefficients(ald_context *context, const ald_model *model, double *values, double *intercept,
                            int *prepared, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, values, intercept);
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = find_coefficients(&run, model, values, intercept, prepared);
    ald_threads_end();
    return ald_run_end(&run, status);
}
