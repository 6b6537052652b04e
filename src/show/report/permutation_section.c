/* What the figure loses when a column is shuffled: the values of one column change places among the rows, all
 * else stays, and the model predicts again. With f the figure of the predictions as they are and f_1 .. f_R
 * those after R shuffles,
 *
 *   loss_s = f - f_s   (f_s - f where smaller is better),   mean -+ t(R - 1) sd / sqrt(R)
 *
 * (Breiman, Machine Learning 45, 2001). The rows are the test rows if they have a target, otherwise those of
 * the fit. At most 50 columns, the leading ones, where all of it takes a few seconds; else it is left out. */
#include "base/numbers/distributions.h"
#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "math/operator/entry.h"
#include "show/report/figures.h"
#include "show/report/sections.h"

#include <math.h>

enum { repeats = 10, most_shuffled = 50 };
#define MOST_WORK 2e9 /* products for all shuffles */

typedef struct shuffling {
    const ald_report_job *job;
    int of_test;
    int64_t n;
    double *x;                        /* n x d */
    double *predicted, *class_scores; /* of all rows of the job */
    double *column;                   /* n */
    int64_t *order;                   /* n */
    double own;
} shuffling;

static ald_predictions rows_of(const shuffling *s)
{
    return (ald_predictions){
        .from = s->of_test ? s->job->n_data : 0,
        .count = s->n,
        .predicted = s->predicted,
        .class_scores = s->class_scores,
    };
}

static ald_status judge(ald_run *run, const shuffling *s, double *value)
{
    const ald_report_job *job = s->job;
    const ald_predictions p = rows_of(s);
    const ald_matrix x = ald_matrix_row_major(s->x, s->n, job->d, job->d);
    ald_figure figure;
    ALD_TRY(ald_predict(job->context, job->model, &x, s->predicted + p.from * job->outputs, run->error));
    if (s->class_scores)
        ALD_TRY(ald_predict_scores(job->context, job->model, &x, s->class_scores + p.from * job->n_classes,
                                   run->error));
    ALD_TRY(ald_report_figure(run, job, &p, 0, &figure));
    *value = figure.value;
    return ALD_OK;
}

static ald_status shuffle_column(ald_run *run, const shuffling *s, int64_t j, ald_random *random,
                                 ald_figure *loss)
{
    const int64_t d = s->job->d;
    const double sign = s->job->judged.metric.larger_is_better == 1 ? 1.0 : -1.0;
    double sum = 0.0, squares = 0.0;
    ald_status status = ALD_OK;
    for (int64_t i = 0; i < s->n; i++) s->column[i] = s->x[i * d + j];
    for (int t = 0; t < repeats && status >= 0; t++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        double value;
        for (int64_t i = 0; i < s->n; i++) s->order[i] = i;
        ald_random_permutation(random, s->n, s->order);
        for (int64_t i = 0; i < s->n; i++) s->x[i * d + j] = s->column[s->order[i]];
        status = judge(run, s, &value);
        ald_arena_release(&run->scratch, mark);
        if (status < 0) break;
        sum += sign * (s->own - value);
        squares += (s->own - value) * (s->own - value);
    }
    for (int64_t i = 0; i < s->n; i++) s->x[i * d + j] = s->column[i];
    const double mean = sum / repeats, variance = fmax(0.0, squares - repeats * mean * mean) / (repeats - 1),
                 half = sqrt(ald_f_quantile(0.05, 1.0, repeats - 1.0) * variance / repeats);
    *loss = (ald_figure){mean, mean - half, mean + half, s->n};
    return status;
}

static ald_status begin(ald_run *run, shuffling *s)
{
    const ald_report_job *job = s->job;
    const ald_dataset *rows = s->of_test ? job->test : job->data;
    s->n = rows->x.rows;
    ALD_TRY(ALD_SCRATCH(run, {&s->x, s->n, job->d}, {&s->column, s->n, 1},
                        {&s->predicted, job->total, job->outputs}));
    ALD_TRY(ald_scratch(run, s->n, 1, sizeof *s->order, &s->order));
    if (job->n_classes > 0) ALD_TRY(ald_scratch_reals(run, job->total, job->n_classes, &s->class_scores));
    for (int64_t i = 0; i < s->n * job->d; i++) s->x[i] = ald_matrix_at(&rows->x, i / job->d, i % job->d);
    return judge(run, s, &s->own);
}

static ald_status write_losses(ald_run *run, shuffling *s, ald_page *page)
{
    const ald_report_job *job = s->job;
    const int64_t count = ald_least(job->n_columns, most_shuffled);
    ald_random random;
    int64_t *order;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *order, &order));
    ALD_TRY(ald_order_by_importance(run, job, order));
    ald_random_seed(&random, job->options.seed, 7);
    for (int64_t k = 0; k < count; k++) {
        ald_figure loss;
        ALD_TRY(shuffle_column(run, s, order[k], &random, &loss));
        ald_page_open(page, '{');
        ald_page_text_of(page, "name", job->column_names[order[k]]);
        ald_page_real_of(page, "value", loss.value);
        ald_page_real_of(page, "low", loss.low);
        ald_page_real_of(page, "high", loss.high);
        ald_page_close(page, '}');
    }
    return ALD_OK;
}

/* The model's own predictor, and few enough products. */
static int is_wanted(const shuffling *s)
{
    const ald_report_job *job = s->job;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const double n = (double)(s->of_test ? job->n_test : job->n_data),
                 columns = (double)ald_least(job->n_columns, most_shuffled);
    return !job->options.quick && job->judged.source && ald_model_prediction_shape(job->model, &shape) &&
           shape.kind == job->kind && shape.columns == job->outputs &&
           repeats * columns * n * (double)job->d * (double)(job->r + 1) < MOST_WORK;
}

ald_status ald_section_permutation(ald_run *run, ald_report_job *job, ald_page *page)
{
    shuffling s = {.job = job, .of_test = job->test && job->test->target.kind == job->kind};
    int have = 0;
    if (job->kind != ALD_TARGET_NONE && is_wanted(&s))
        ALD_TRY(ald_report_optional(run, NULL, NULL, begin(run, &s), &have));
    if (!ald_page_open_if(page, "permutation", have && isfinite(s.own), '{')) return ald_page_status(page);
    ald_page_text_of(page, "of", s.of_test ? "test" : "training");
    ald_page_whole_of(page, "repeats", repeats);
    ald_page_open_of(page, "columns", '[');
    ALD_TRY(write_losses(run, &s, page));
    ald_page_close(page, ']');
    ald_page_close(page, '}');
    return ald_page_status(page);
}
