/* From scores of training and test rows to a cell: the predictor is fitted, applied and measured, each step
 * timed where there is a clock. */
#include "judge/cells/judging.h"

#include "base/core/model.h"
#include "base/core/text.h"
#include "fit/fitting/fit.h"
#include "judge/cells/folds.h"
#include "judge/measuring/measure_predictions.h"
#include "math/operator/entry.h"
#include "methods/predict/affine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ald_judging_clock(const ald_judging *j)
{
    return j->plan->clock ? j->plan->clock() : 0.0;
}

/* The message is cut between characters, as it goes into JSON. */
void ald_cell_fail(ald_cell *cell, ald_status status, const char *message)
{
    cell->status = status;
    size_t length = 0;
    for (int step;
         message[length] && (step = ald_utf8_sequence(message + length, strlen(message + length))) > 0;) {
        if (length + (size_t)step >= sizeof cell->message) break;
        length += (size_t)step;
    }
    memcpy(cell->message, message, length);
    cell->message[length] = '\0';
    for (int k = 0; k < ALD_MOST_METRICS; k++) cell->metrics[k] = NAN;
}

ald_cell ald_cell_blank(const ald_judging *j, int64_t dims)
{
    const ald_cell_plan *plan = j->plan;
    ald_cell cell = {.dims = dims};
    for (int k = 0; plan->scores && k < plan->n_dims; k++)
        if (plan->dims[k] == dims) cell.scores = plan->scores[k];
    for (int k = 0; k < ALD_MOST_METRICS; k++) cell.metrics[k] = NAN;
    cell.fit_seconds = cell.apply_seconds = j->plan->clock ? 0.0 : (double)NAN;
    return cell;
}

const ald_target *ald_judging_target(const ald_judging *j)
{
    return j->train ? &j->train->y : &j->plan->fold->y;
}

ald_status ald_judging_train(ald_run *run, const ald_judging *j, const ald_subset **train)
{
    *train = j->train;
    return j->train ? ALD_OK : ald_fold_train(run, j->plan->fold, train);
}

static double weight_of(const ald_target *y, int64_t i)
{
    if (y->labelled && !y->labelled[i]) return 0.0;
    return y->weights ? y->weights[i] : 1.0;
}

void ald_target_means(const ald_target *y, int64_t q, double *means)
{
    double total = 0.0;
    memset(means, 0, (size_t)q * sizeof *means);
    for (int64_t i = 0; i < y->rows; i++) {
        const double w = weight_of(y, i);
        if (!(w > 0.0)) continue;
        total += w;
        if (y->kind == ALD_TARGET_CLASSES)
            means[y->classes[i]] += w;
        else
            for (int64_t k = 0; k < q; k++) means[k] += w * ald_matrix_at(&y->values, i, k);
    }
    for (int64_t k = 0; k < q; k++) means[k] /= total;
}

/* Scores of the classes are sorted for auc, and summed for two others: only where one of these is asked for.
 */
static int wants_scores(const ald_judging *j)
{
    return !j->plan->only_metric || j->test->y.kind != ALD_TARGET_CLASSES || j->plan->metric->needs_scores;
}

/* The first metrics of the list are those for all responses or labels together, in the order of
 * ald_metric_list. */
ald_status ald_judge_prediction(ald_run *run, const ald_judging *j, const ald_answer *answer, ald_cell *cell)
{
    const ald_target *y = &j->test->y, *learned = ald_judging_target(j);
    const int64_t q = ald_target_outputs(y), columns = y->kind == ALD_TARGET_CLASSES ? 1 : q;
    ald_score scores[ALD_MOST_METRICS] = {ALD_SCORE_INIT};
    ald_score_options options = ALD_SCORE_OPTIONS_INIT;
    ald_score_list list = {.scores = scores};
    ald_error error;
    ald_run inner;
    double *means;
    ald_metric_list(ald_metrics_of(y), &list.capacity);
    ALD_TRY(ald_scratch_reals(run, q, 1, &means));
    if (y->kind == ALD_TARGET_REAL) { /* Q2 alone needs them */
        ald_target_means(learned, q, means);
        options.means = means;
    }
    if (wants_scores(j)) {
        options.scores = answer->scores;
        options.n_scores = answer->n_scores;
        options.probabilities = answer->probabilities;
    }
    ald_run_inside(&inner, run, &error);
    const ald_status status =
        ald_run_end(&inner, ald_score_run(&inner, y, answer->prediction, columns, &options, &list));
    if (status < 0) {
        ald_cell_fail(cell, status, error.message);
        return ALD_OK;
    }
    for (int k = 0; k < list.capacity; k++) cell->metrics[k] = scores[k].value;
    const ald_score *chosen = &scores[j->plan->metric->number];
    if (isnan(chosen->value))
        snprintf(cell->message, sizeof cell->message, "%s %s", chosen->name, chosen->note);
    return ALD_OK;
}

static ald_status first_columns(ald_run *run, const double *z, int64_t n, const ald_scored_rows *rows,
                                double **taken)
{
    ALD_TRY(ald_scratch_reals(run, n, rows->r, taken));
    for (int64_t i = 0; i < n; i++)
        memcpy(*taken + i * rows->r, z + i * rows->stride, (size_t)rows->r * sizeof **taken);
    return ALD_OK;
}

static ald_status learn_sums(ald_run *run, const ald_scored_rows *z, ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    ald_predictor_data data;
    ALD_TRY(ald_predictor_cut(run, z->summed, z->r, &data));
    return ald_predictor_fit(run, &options, &data, model);
}

static ald_status learn(ald_run *run, const ald_judging *j, const ald_scored_rows *z, ald_model *model)
{
    const ald_subset *rows;
    double *train;
    if (z->penalised) return z->penalised(run, z->path, model);
    if (z->summed) return learn_sums(run, z, model);
    ALD_TRY(ald_judging_train(run, j, &rows));
    ALD_TRY(first_columns(run, z->train, rows->x.rows, z, &train));
    return ald_predictor_learn(run, &rows->y, rows->y.weights, z->r, train, 0, model);
}

int64_t ald_target_outputs(const ald_target *y)
{
    return y->kind == ALD_TARGET_CLASSES ? y->n_classes : y->values.cols;
}

/* q scores of each of n rows; codes of classes where the predictor has no score per class. */
static void keep_scores(const ald_target *y, int64_t q, const double *scores, const double *prediction,
                        double *kept)
{
    const int64_t n = y->rows, outputs = ald_target_outputs(y);
    for (int64_t i = 0; i < n * outputs; i++)
        kept[i] = q == outputs ? scores[i] : (double)((int64_t)prediction[i / outputs] == i % outputs);
}

static ald_status score_test(ald_run *run, const ald_scored_rows *z, const ald_model *model, int64_t n,
                             int64_t q, double *scores)
{
    double *test;
    const ald_predictor *predictor = ald_predictor_of(model);
    if (z->test_rows) {
        ALD_TRY(ald_affine_apply_to(run, model, z->test_rows, q, scores));
        if (predictor->link) predictor->link(model, n, q, scores);
        return ALD_OK;
    }
    ALD_TRY(first_columns(run, z->test, n, z, &test));
    return predictor->apply(run, model, n, z->r, q, test, scores);
}

static ald_status apply(ald_run *run, const ald_judging *j, const ald_scored_rows *z, const ald_model *model,
                        double *kept, ald_answer *answer)
{
    const ald_predictor *predictor = ald_predictor_of(model);
    const int64_t n = j->test->x.rows, q = predictor->outputs(model, z->r);
    const int classes = j->test->y.kind == ALD_TARGET_CLASSES;
    double *scores, *codes;
    ALD_TRY(ald_scratch_reals(run, n, q, &scores));
    ALD_TRY(score_test(run, z, model, n, q, scores));
    *answer = (ald_answer){scores, scores, q, (predictor->probabilities & 1U << j->test->y.kind) != 0};
    if (classes) {
        ALD_TRY(ald_scratch_reals(run, n, 1, &codes));
        ald_decide(ALD_TARGET_CLASSES, n, q, scores, codes);
        answer->prediction = codes;
    }
    if (kept) keep_scores(&j->test->y, q, scores, answer->prediction, kept);
    return ALD_OK;
}

static ald_status predict(ald_run *run, const ald_judging *j, const ald_scored_rows *z, ald_model *model,
                          ald_answer *answer, ald_cell *cell)
{
    const double began = ald_judging_clock(j);
    ALD_TRY(learn(run, j, z, model));
    const double learned = ald_judging_clock(j);
    ALD_TRY(apply(run, j, z, model, cell->scores, answer));
    cell->fit_seconds += learned - began;
    cell->apply_seconds += ald_judging_clock(j) - learned;
    return ALD_OK;
}

/* The metrics stay. */
static void note_warning(ald_cell *cell, ald_status status, const char *message)
{
    ald_cell noted = *cell;
    ald_cell_fail(&noted, status, message);
    memcpy(noted.metrics, cell->metrics, sizeof noted.metrics);
    *cell = noted;
}

/* A run of its own, so that what goes wrong with the predictor stays in the cell. */
ald_status ald_judge_scores(ald_run *run, const ald_judging *j, const ald_scored_rows *z, ald_cell *cell)
{
    ald_run inner;
    ald_error error;
    ald_model *model = NULL;
    ald_answer answer;
    ald_status judged = ALD_OK;
    ald_run_inside(&inner, run, &error);
    inner.settings = j->settings;
    ald_status status = ald_model_new(&inner, &model);
    if (status >= 0) status = predict(&inner, j, z, model, &answer, cell);
    if (status >= 0) judged = ald_judge_prediction(run, j, &answer, cell);
    ald_model_free(model);
    status = ald_run_end(&inner, status);
    if (status < 0) ald_cell_fail(cell, status, error.message);
    if (status > 0 && cell->status == ALD_OK) note_warning(cell, status, error.message);
    return status == ALD_ERROR_CANCELLED ? ald_fail(run->error, status, "%s", error.message) : judged;
}
