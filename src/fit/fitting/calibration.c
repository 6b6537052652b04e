/* What a model knows about its errors on rows that it was not fitted on, and what follows for new rows.
 *
 * s are the predicted scores of a row: its responses, the scores of its labels, or those of its classes. The
 * errors of a row with a known target y are
 *
 *   numbers, labels   e_j = |y_j - s_j|      per response or label; a label is 0 or 1
 *   classes           e   = -s_c             c the class of the row
 *
 * With m errors in rising order, e(1) <= ... <= e(m), and a level L,
 *
 *   k = ceil((m + 1) L),
 *
 * the error of a new row is at most e(k) with probability L or more, if all m + 1 rows come in random order
 * (Vovk, Gammerman and Shafer 2005; Lei, G'Sell, Rinaldo, Tibshirani and Wasserman 2018). Hence
 *
 *   numbers   s_j - e(k) <= y_j <= s_j + e(k)
 *   labels    the set of those v in {0, 1} with |v - s_j| <= e(k)
 *   classes   the set of those c with s_c >= -e(k)
 *
 * That is exact for rows that one fit has not seen. Errors by folds are those of fits with fewer rows than
 * the model has, and so a little too large; the probability is then about L (Barber, Candes, Ramdas and
 * Tibshirani 2021, where the fits of the folds are kept, prove 1 - 2 (1 - L)). The rows of an update are
 * predicted before they are added; one of a class that the model did not know has the largest error there
 * is. k > m needs more errors: m >= L / (1 - L).
 *
 * Rows of weight 0 are no rows; other weights do not count here. Cost: O(m log m) per column. */
#include "fit/fitting/calibration.h"
#include "fit/prepare/check.h"

#include "base/core/error.h"
#include "base/core/known_rows.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "base/settings/limits.h"
#include "fit/fitting/map_rows.h"
#include "math/operator/entry.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char errors_name[] = ALD_CALIBRATION "errors";

static int64_t columns_of(const ald_prediction_shape *shape)
{
    return shape->kind == ALD_TARGET_CLASSES ? 1 : shape->scores;
}

static int counts(const ald_target *y, int64_t i)
{
    return (!y->labelled || y->labelled[i]) && (!y->weights || y->weights[i] > 0.0);
}

static ald_status class_errors(ald_run *run, int64_t classes, const ald_target *y, const double *scores,
                               double *errors, int64_t *rows)
{
    for (int64_t i = 0; i < y->rows; i++) {
        if (!counts(y, i)) continue;
        if (y->classes[i] < 0)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld has a class that the model does not know: leave it out",
                            (long long)ald_target_row_number(run, y, i));
        errors[(*rows)++] = y->classes[i] < classes ? -scores[i * classes + y->classes[i]] : DBL_MAX;
    }
    return ALD_OK;
}

ald_status ald_calibration_measure(ald_run *run, const ald_prediction_shape *shape, const ald_target *y,
                                   const double *scores, double *errors, int64_t *rows)
{
    const int64_t q = shape->scores;
    double *truth;
    int64_t columns;
    *rows = 0;
    if (shape->kind == ALD_TARGET_CLASSES) return class_errors(run, q, y, scores, errors, rows);
    ALD_TRY(ald_refuse_events(run, y, "have no intervals, as what is predicted is a risk, not a time"));
    ALD_TRY(ald_target_numbers(run, y, &truth, &columns));
    if (columns != q)
        return ald_fail(run->error, ALD_ERROR_DATA, "the target is not of the kind the model was fitted on");
    for (int64_t i = 0; i < y->rows; i++) {
        if (!counts(y, i)) continue;
        for (int64_t j = 0; j < q; j++) errors[*rows * q + j] = fabs(truth[i * q + j] - scores[i * q + j]);
        ++*rows;
    }
    return ALD_OK;
}

/* Column j of the errors in rising order, then every (rows / kept)-th of them, back in its place. */
static ald_status sort_column(ald_run *run, const ald_calibration *c, int64_t kept, int64_t j, double *values)
{
    double *column;
    ALD_TRY(ald_scratch_reals(run, c->rows, 1, &column));
    for (int64_t i = 0; i < c->rows; i++) {
        column[i] = values[i * c->columns + j];
        if (!isfinite(column[i]))
            return ald_fail(run->error, ALD_ERROR_DATA, "the predictions of these rows are not finite");
    }
    ald_sort_reals(c->rows, column);
    for (int64_t i = 0; i < kept; i++)
        values[i * c->columns + j] = column[(2 * i + 1) * c->rows / (2 * kept)];
    return ALD_OK;
}

ald_status ald_calibration_store(ald_run *run, ald_calibration *errors, double *values, ald_model *model)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t kept = ald_least(errors->rows, ALD_MOST_ERRORS);
    if (errors->rows < 1)
        return ald_fail(run->error, ALD_ERROR_DATA, "no row has a target: there is no error to measure");
    for (int64_t j = 0; j < errors->columns; j++) ALD_TRY(sort_column(run, errors, kept, j, values));
    ald_arena_release(&run->scratch, mark);
    errors->rows = kept;
    errors->errors = values;
    return ald_model_add_matrix(run, model, errors_name, kept, errors->columns, values);
}

static int is_rising(const ald_calibration *c)
{
    for (int64_t i = 0; i < c->rows * c->columns; i++)
        if (!isfinite(c->errors[i]) || (i >= c->columns && c->errors[i] < c->errors[i - c->columns]))
            return 0;
    return 1;
}

ald_status ald_calibration_load(ald_run *run, const ald_model *model, ald_calibration *calibration)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_array array;
    *calibration = (ald_calibration){0};
    if (!ald_model_array(model, errors_name, &array)) return ALD_OK;
    ald_model_prediction_shape(model, &shape);
    if (array.type != ALD_ARRAY_F64 || array.dims != 2 || array.shape[0] < 1 || shape.scores < 1 ||
        array.shape[1] != columns_of(&shape))
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the errors that the model keeps have a wrong shape");
    *calibration = (ald_calibration){array.shape[0], array.shape[1], array.data};
    if (!is_rising(calibration))
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the errors that the model keeps are not in order");
    return ALD_OK;
}

int64_t ald_model_calibration_count(const ald_model *model)
{
    ald_array array;
    return model && ald_model_array(model, errors_name, &array) && array.dims == 2 ? array.shape[0] : 0;
}

/* Which rows the errors are of: those of before, and all that updates added. */
static ald_status note_update(ald_run *run, const ald_model *old, int64_t added, ald_model *model)
{
    static const char key[] = "alidade.calibration", and[] = ", and ";
    const char *text = ald_model_text(old, key), *known = text ? text : "rows";
    const char *joint = strstr(known, and);
    const size_t length = joint ? (size_t)(joint - known) : strlen(known);
    const char *count = joint ? joint + strlen(and) : "";
    int64_t before;
    if (ald_parse_int(count, strcspn(count, " "), &before) && before >= 0 && before <= INT64_MAX - added)
        added += before;
    return ald_model_set_printed(run, model, key, "%.*s%s%lld rows of updates", (int)length, known, and,
                                 (long long)added);
}

ald_status ald_calibration_continue(ald_run *run, const ald_model *old, const ald_matrix *x,
                                    const ald_target *y, ald_model *model)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_calibration before, all;
    double *scores, *values;
    int64_t added;
    ALD_TRY(ald_calibration_load(run, old, &before));
    if (before.rows == 0) return ALD_OK;
    ald_model_prediction_shape(old, &shape);
    ALD_TRY(
        ALD_SCRATCH(run, {&scores, x->rows, shape.scores}, {&values, before.rows + x->rows, before.columns}));
    memcpy(values, before.errors, (size_t)(before.rows * before.columns) * sizeof *values);
    ALD_TRY(ald_predict_scores_inside(run, old, x, scores));
    ALD_TRY(ald_calibration_measure(run, &shape, y, scores, values + before.rows * before.columns, &added));
    all = (ald_calibration){.rows = before.rows + added, .columns = before.columns};
    ALD_TRY(ald_calibration_store(run, &all, values, model));
    return note_update(run, old, added, model);
}

static ald_status no_errors(ald_run *run, const ald_model *model)
{
    const char *predictor = ald_model_text(model, "alidade.predictor.kind"),
               *schema = ald_model_text(model, "alidade.schema");
    if ((predictor && strcmp(predictor, "cox") == 0) || (schema && strstr(schema, "\"event\":true")))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "what the model predicts is a risk, which has no intervals");
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "the model does not know its errors on rows that it has not seen: calibrate it "
                    "(`ald_calibrate`)");
}

/* e(k) of each column. */
ald_status ald_calibration_at(ald_run *run, const ald_model *model, double level, const double **at)
{
    ald_calibration c;
    ALD_TRY(ald_calibration_load(run, model, &c));
    if (!(level > 0.0 && level < 1.0))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`level` is %g, but it must be above 0 and below 1",
                        level);
    if (c.rows == 0) return no_errors(run, model);
    const double k = ceil(((double)c.rows + 1.0) * level - 1e-9);
    if (k > (double)c.rows)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "a level of %g needs the errors of %.0f rows, but the model keeps those of %lld",
                        level, ceil(level / (1.0 - level) - 1e-9), (long long)c.rows);
    *at = c.errors + ((int64_t)fmax(k, 1.0) - 1) * c.columns;
    return ALD_OK;
}

static ald_status check_kind(ald_run *run, const ald_prediction_shape *shape, int numbers)
{
    if (shape->scores < 1)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    if ((shape->kind == ALD_TARGET_REAL) == numbers) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "%s",
                    numbers ? "intervals are for numbers: for classes and labels there are sets "
                              "(`ald_predict_sets`)"
                            : "sets are for classes and labels: for numbers there are intervals "
                              "(`ald_predict_intervals`)");
}

typedef struct wanted {
    double level;
    double *low, *high;
    unsigned char *sets;
} wanted;

static unsigned char label_set(double score, double error)
{
    return (unsigned char)((fabs(score) <= error ? 1 : 0) + (fabs(1.0 - score) <= error ? 2 : 0));
}

static void fill(const ald_prediction_shape *shape, const wanted *w, const double *at, int64_t count,
                 const double *scores)
{
    for (int64_t e = 0; e < count; e++) {
        const double error = at[shape->kind == ALD_TARGET_CLASSES ? 0 : e % shape->scores];
        if (shape->kind == ALD_TARGET_REAL) {
            w->low[e] = scores[e] - error;
            w->high[e] = scores[e] + error;
        } else {
            w->sets[e] =
                shape->kind == ALD_TARGET_CLASSES ? scores[e] >= -error : label_set(scores[e], error);
        }
    }
}

static ald_status predict_with(ald_run *run, const ald_model *model, const ald_matrix *x, const wanted *w)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const double *at = NULL;
    double *scores;
    ald_model_prediction_shape(model, &shape);
    ALD_TRY(check_kind(run, &shape, w->low != NULL));
    ALD_TRY(ald_calibration_at(run, model, w->level, &at));
    ALD_TRY(ald_scratch_reals(run, x->rows, shape.scores, &scores));
    ALD_TRY(ald_predict_scores_inside(run, model, x, scores));
    fill(&shape, w, at, x->rows * shape.scores, scores);
    return ALD_OK;
}

ald_status ald_predict_intervals(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 double level, double *low, double *high, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, x, low, high);
    ald_run_begin(&run, context, error);
    return ald_run_end(&run,
                       predict_with(&run, model, x, &(wanted){.level = level, .low = low, .high = high}));
}

ald_status ald_predict_sets(ald_context *context, const ald_model *model, const ald_matrix *x, double level,
                            unsigned char *sets, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, x, sets);
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, predict_with(&run, model, x, &(wanted){.level = level, .sets = sets}));
}
