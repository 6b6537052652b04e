/* Intervals, at 95 %, for n predicted rows.
 *
 * Accuracy p of classes, by Wilson (1927), with z = 1.96: (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 +
 * z^2/n). It is wider than nothing where no row or every row is wrong.
 *
 * Everything else by the jackknife over G groups of rows: with v the figure and v_g that without group g,
 *     s^2 = (G - 1)/G sum_g (v_g - mean v_g)^2,   v -+ t(G - 1) s,
 * within what the figure can be. The groups are random and of equal size, and rows of one group of the data
 * are in one of them; G is 20, fewer where rows are few, or where figures of many labels take long. */
#include "show/report/figures.h"

#include "base/numbers/distributions.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "math/operator/entry.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_groups = 20, general_figures = 16, figures_of_one = 12 };

const ald_metric_facts *ald_metric_named(const char *name, ald_target_kind kind, ald_metric_facts *facts)
{
    facts->size = sizeof *facts;
    for (int i = 0; ald_metric_at(i, facts); i++)
        if (facts->kind == kind && strcmp(facts->name, name) == 0) return facts;
    *facts = (ald_metric_facts){
        .size = sizeof *facts,
        .name = name,
        .title = name,
        .least = -INFINITY,
        .most = INFINITY,
    };
    facts->larger_is_better = ald_metric_larger_is_better(name);
    return facts;
}

ald_metric_facts ald_report_metric(const ald_report_job *job)
{
    const char *name = job->outputs > 1 ? "r2" : "rmse";
    ald_metric_facts facts;
    if (job->kind == ALD_TARGET_CLASSES) name = "accuracy";
    if (job->kind == ALD_TARGET_LABELS) name = "macro_auc";
    return *ald_metric_named(name, job->kind, &facts);
}

/* Rows that can be judged, copied out one below the other. */
typedef struct judged_rows {
    int64_t n;
    const int64_t *rows; /* n: their numbers in the job */
    double *predicted;   /* n x outputs */
    double *scores;      /* n x n_classes, or NULL */
    ald_target y;
} judged_rows;

static int is_whole(const double *values, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (!isfinite(values[j])) return 0;
    return 1;
}

static ald_status find_rows(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                            judged_rows *found)
{
    int64_t *rows;
    ALD_TRY(ald_scratch(run, p->count, 1, sizeof *rows, &rows));
    found->rows = rows;
    found->n = 0;
    for (int64_t i = p->from; i < p->from + p->count; i++)
        if (is_whole(job->measured + i * job->outputs, job->outputs) &&
            is_whole(p->predicted + i * job->outputs, job->outputs) &&
            (!p->class_scores || is_whole(p->class_scores + i * job->n_classes, job->n_classes)))
            rows[found->n++] = i;
    return ALD_OK;
}

static ald_status copy_target(ald_run *run, const ald_report_job *job, judged_rows *rows)
{
    double *values;
    int32_t *classes;
    rows->y = (ald_target){.kind = job->kind, .rows = rows->n, .n_classes = job->n_classes};
    ALD_TRY(ald_scratch_reals(run, rows->n, job->outputs, &values));
    ALD_TRY(ald_scratch(run, rows->n, 1, sizeof *classes, &classes));
    for (int64_t i = 0; i < rows->n; i++) {
        const double *measured = job->measured + rows->rows[i] * job->outputs;
        memcpy(values + i * job->outputs, measured, (size_t)job->outputs * sizeof *values);
        classes[i] = job->kind == ALD_TARGET_CLASSES ? (int32_t)measured[0] : 0;
    }
    rows->y.classes = classes;
    rows->y.values = ald_matrix_row_major(values, rows->n, job->outputs, job->outputs);
    return ALD_OK;
}

/* rows->rows and rows->n are set: the rest. */
static ald_status copy_rows(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                            judged_rows *rows)
{
    const int64_t k = job->n_classes;
    rows->scores = NULL;
    ALD_TRY(copy_target(run, job, rows));
    ALD_TRY(ald_scratch_reals(run, rows->n, job->outputs, &rows->predicted));
    if (p->class_scores) ALD_TRY(ald_scratch_reals(run, rows->n, k, &rows->scores));
    for (int64_t i = 0; i < rows->n; i++) {
        memcpy(rows->predicted + i * job->outputs, p->predicted + rows->rows[i] * job->outputs,
               (size_t)job->outputs * sizeof(double));
        if (rows->scores)
            memcpy(rows->scores + i * k, p->class_scores + rows->rows[i] * k, (size_t)k * sizeof(double));
    }
    return ALD_OK;
}

static ald_status score(ald_run *run, const ald_report_job *job, const judged_rows *rows, ald_score **scores,
                        int *count)
{
    const int capacity = general_figures + figures_of_one * (int)ald_least(job->outputs, 1000);
    const ald_score_options options = {
        .size = sizeof options,
        .scores = rows->scores,
        .n_scores = rows->scores ? job->n_classes : 0,
        .probabilities = job->judged.probabilities,
    };
    ALD_TRY(ald_scratch(run, capacity, 1, sizeof **scores, scores));
    (*scores)->size = sizeof **scores;
    ALD_TRY(ald_score_predictions_with(job->context, &rows->y, rows->predicted, job->outputs, &options,
                                       *scores, capacity, count, run->error));
    *count = *count < capacity ? *count : capacity;
    return ALD_OK;
}

/* The job's metric of these rows; NaN where it is not defined. */
static ald_status value_of(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                           const int64_t *which, int64_t n, double *value)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    judged_rows rows = {.rows = which, .n = n};
    ald_score *scores;
    int count;
    ALD_TRY(copy_rows(run, job, p, &rows));
    ALD_TRY(score(run, job, &rows, &scores, &count));
    *value = NAN;
    for (int i = count - 1; i >= 0; i--)
        if (!*scores[i].of && strcmp(scores[i].name, job->judged.metric.name) == 0) *value = scores[i].value;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static void wilson(ald_figure *figure)
{
    const double n = (double)figure->n, p = figure->value, z2 = 1.96 * 1.96;
    const double middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n),
                 half = sqrt(z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))) / (1.0 + z2 / n);
    figure->low = fmax(middle - half, 0.0);
    figure->high = fmin(middle + half, 1.0);
}

static int64_t count_groups(const ald_report_job *job, int64_t n)
{
    const double work = (double)n * (double)job->outputs;
    int64_t groups = most_groups;
    if (job->kind == ALD_TARGET_LABELS && work > 2e5) groups = work > 5e6 ? 5 : 10;
    return ald_least(groups, n);
}

/* What must not be divided, numbered from 0 to *count - 1: the groups of the rows, else the rows themselves.
 */
static ald_status number_wholes(ald_run *run, const ald_report_job *job, const int64_t *rows, int64_t n,
                                int64_t *numbers, int64_t *count)
{
    const int64_t *groups = job->options.groups;
    int64_t different = 0;
    int64_t *sorted;
    *count = n;
    for (int64_t i = 0; i < n; i++) numbers[i] = i;
    if (!groups || n == 0 || rows[n - 1] >= job->n_data) return ALD_OK; /* test rows have none */
    ALD_TRY(ald_scratch(run, n, 1, sizeof *sorted, &sorted));
    for (int64_t i = 0; i < n; i++) sorted[i] = groups[rows[i]];
    ald_sort_whole(n, sorted);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[different - 1]) sorted[different++] = sorted[i];
    for (int64_t i = 0; i < n; i++) {
        const int64_t *place =
            bsearch(&groups[rows[i]], sorted, (size_t)different, sizeof *sorted, ald_compare_whole);
        numbers[i] = place - sorted;
    }
    *count = different;
    return ALD_OK;
}

/* groups[i] is that of rows[i], from 0 to *count - 1. */
static ald_status draw_groups(ald_run *run, const ald_report_job *job, const int64_t *rows, int64_t n,
                              int64_t **groups, int64_t *count)
{
    int64_t wholes;
    int64_t *order;
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **groups, groups));
    ALD_TRY(number_wholes(run, job, rows, n, *groups, &wholes));
    *count = count_groups(job, wholes);
    ALD_TRY(ald_scratch(run, wholes, 1, sizeof *order, &order));
    ald_random_seed(&random, job->options.seed, 1);
    ald_random_permutation(&random, wholes, order);
    for (int64_t i = 0; i < n; i++) (*groups)[i] = order[(*groups)[i]] % *count;
    return ALD_OK;
}

/* The standard error by the values without each of the groups, `step` apart. */
static double spread_of(const double *values, int64_t step, int64_t groups)
{
    double mean = 0.0, sum = 0.0;
    for (int64_t g = 0; g < groups; g++) mean += values[g * step] / (double)groups;
    for (int64_t g = 0; g < groups; g++) sum += (values[g * step] - mean) * (values[g * step] - mean);
    return sqrt((double)(groups - 1) / (double)groups * sum);
}

/* kept: the rows that are not in group g; how many. */
static int64_t leave_out(const int64_t *groups, int64_t g, const int64_t *rows, int64_t n, int64_t *kept)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (groups[i] != g) kept[count++] = rows[i];
    return count;
}

static ald_status jackknife(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                            const int64_t *rows, ald_figure *figure)
{
    const int64_t n = figure->n;
    double values[most_groups];
    int64_t *groups, *kept;
    int64_t count;
    ALD_TRY(draw_groups(run, job, rows, n, &groups, &count));
    if (count < 2) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *kept, &kept));
    for (int64_t g = 0; g < count; g++)
        ALD_TRY(value_of(run, job, p, kept, leave_out(groups, g, rows, n, kept), &values[g]));
    const double half = sqrt(ald_f_quantile(0.05, 1.0, (double)(count - 1))) * spread_of(values, 1, count);
    figure->low = fmax(figure->value - half, job->judged.metric.least);
    figure->high = fmin(figure->value + half, job->judged.metric.most);
    return ALD_OK;
}

ald_status ald_report_figure(ald_run *run, const ald_report_job *job, const ald_predictions *predictions,
                             int intervals, ald_figure *figure)
{
    judged_rows found;
    *figure = (ald_figure){NAN, NAN, NAN, 0};
    if (!job->measured) return ALD_OK;
    ALD_TRY(find_rows(run, job, predictions, &found));
    figure->n = found.n;
    if (found.n == 0) return ALD_OK;
    ALD_TRY(value_of(run, job, predictions, found.rows, found.n, &figure->value));
    if (!isfinite(figure->value) || !intervals) return ALD_OK;
    if (job->kind == ALD_TARGET_CLASSES) {
        wilson(figure);
        return ALD_OK;
    }
    return jackknife(run, job, predictions, found.rows, figure);
}

/* values[i]: figure i of `which` rows; NaN where other figures come of them than of all. */
static ald_status values_of(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                            const judged_rows *which, const ald_score *all, int count, double *values)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    judged_rows rows = *which;
    ald_score *scores;
    int found;
    ALD_TRY(copy_rows(run, job, p, &rows));
    rows.y.names = which->y.names;
    ALD_TRY(score(run, job, &rows, &scores, &found));
    for (int i = 0; i < count; i++) {
        const int same =
            i < found && strcmp(scores[i].name, all[i].name) == 0 && strcmp(scores[i].of, all[i].of) == 0;
        values[i] = same ? scores[i].value : (double)NAN;
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* Many labels take long: their figures are shown without. */
static ald_status find_errors(ald_run *run, const ald_report_job *job, const ald_predictions *p,
                              const judged_rows *rows, const ald_score *all, int count, double *errors)
{
    double *values;
    int64_t *groups, *kept;
    int64_t n_groups;
    for (int i = 0; i < count; i++) errors[i] = NAN;
    if (job->kind == ALD_TARGET_LABELS && (double)rows->n * (double)job->outputs > 2e5) return ALD_OK;
    ALD_TRY(draw_groups(run, job, rows->rows, rows->n, &groups, &n_groups));
    if (n_groups < 2) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, n_groups, count, &values));
    ALD_TRY(ald_scratch(run, rows->n, 1, sizeof *kept, &kept));
    for (int64_t g = 0; g < n_groups; g++) {
        const judged_rows part = {
            .rows = kept,
            .n = leave_out(groups, g, rows->rows, rows->n, kept),
            .y.names = rows->y.names,
        };
        ALD_TRY(values_of(run, job, p, &part, all, count, values + g * count));
    }
    for (int i = 0; i < count; i++) errors[i] = spread_of(values + i, count, n_groups);
    return ALD_OK;
}

ald_status ald_report_figures(ald_run *run, const ald_report_job *job, const ald_predictions *predictions,
                              ald_score **scores, double **errors, int *count)
{
    judged_rows rows;
    *count = 0;
    ALD_TRY(find_rows(run, job, predictions, &rows));
    if (rows.n == 0) return ALD_OK;
    ALD_TRY(copy_rows(run, job, predictions, &rows));
    rows.y.names = job->kind == ALD_TARGET_CLASSES ? NULL : job->data->target.names;
    ALD_TRY(score(run, job, &rows, scores, count));
    ALD_TRY(ald_scratch_reals(run, *count, 1, errors));
    return find_errors(run, job, predictions, &rows, *scores, *count, *errors);
}

/* Digits after the decimal point, so that two digits of the standard error are shown; -2: hundreds are the
 * last. */
static int count_digits(double value, double standard_error)
{
    const double size =
        standard_error > 0.0 && isfinite(standard_error) ? standard_error : fabs(value) / 100.0;
    if (!(size > 0.0)) return 1;
    return (int)fmin(fmax(1.0 - floor(log10(size)), -12.0), 12.0);
}

/* Without the C library's printing of reals, which knows the locale. */
void ald_short_number(double value, double standard_error, char text[ALD_SHORT_NUMBER])
{
    const int wanted = count_digits(value, standard_error), digits = wanted > 0 ? wanted : 0;
    const double unit = pow(10.0, digits), coarse = pow(10.0, digits - wanted),
                 scaled = rint(fabs(value) / coarse * unit) * coarse;
    char plain[ALD_REAL_TEXT_SIZE];
    if (!(scaled < 1e15)) {
        ald_format_real(value, plain);
        snprintf(text, ALD_SHORT_NUMBER, "%s", plain);
        return;
    }
    const int64_t base = (int64_t)unit;
    const int64_t whole = (int64_t)scaled;
    int64_t rest = whole % base;
    char behind[16] = "";
    for (int i = digits; i > 0; i--, rest /= 10) behind[i] = (char)('0' + rest % 10);
    if (digits > 0) behind[0] = '.';
    snprintf(text, ALD_SHORT_NUMBER, "%s%lld%s", value < 0.0 && whole > 0 ? "-" : "",
             (long long)(whole / base), behind);
}

void ald_figure_text(const ald_figure *figure, char text[ALD_FIGURE_TEXT])
{
    const double error = (figure->high - figure->low) / 4.0;
    char value[ALD_SHORT_NUMBER], low[ALD_SHORT_NUMBER], high[ALD_SHORT_NUMBER];
    ald_short_number(figure->value, error, value);
    ald_short_number(figure->low, error, low);
    ald_short_number(figure->high, error, high);
    if (isfinite(figure->low) && isfinite(figure->high))
        snprintf(text, ALD_FIGURE_TEXT, "%s (95\xc2\xa0%% interval %s to %s)", value, low, high);
    else
        snprintf(text, ALD_FIGURE_TEXT, "%s", value);
}
