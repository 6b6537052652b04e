/* Which figures belong to which kind of target, in the order in which they are listed, and the notes on those
 * that are undefined (NaN).
 *
 * Responses, column j, e the truth less the prediction, sd with divisor n - 1:
 *
 *   rmse = sqrt(mean e^2)                    bias = -mean e
 *   mae  = mean |e|                          sep  = sqrt(sum (e - mean e)^2 / (n - 1))
 *   r2   = 1 - sum e^2 / sum (y - mean y)^2  rpd  = sd(y) / sep
 *   q2   = r2 about the mean of the training rows
 *
 * Times with events (survival.h), the prediction a risk:
 *
 *   concordance   the share of the pairs with t_i < t_j, or equal times and only i died, i died, in which i
 *                 has the larger risk; ties 1/2 (Harrell)
 *
 * Labels, with P rows that have the label and N that have not, tp, fp, fn as usual:
 *
 *   auc     the share of pairs (one of each) that the score orders rightly, ties counting half:
 *           (sum of the midranks of the P - P (P + 1) / 2) / (P N); undefined for P = 0 or N = 0; n log n
 *   f1      2 tp / (2 tp + fp + fn); undefined where the label neither occurs nor is predicted
 *   macro   mean over the labels where it is defined
 *   micro   all labels in one list */
#include "judge/evaluate/scores.h"

#include "base/numbers/ordering.h"
#include "math/operator/survival.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <stdio.h>

void ald_score_add(ald_score_list *list, const char *name, const char *of, double value, const char *note)
{
    if (list->count < list->capacity) {
        ald_score *score = &list->scores[list->count];
        snprintf(score->name, sizeof score->name, "%s", name);
        snprintf(score->of, sizeof score->of, "%s", of);
        snprintf(score->note, sizeof score->note, "%s", note);
        score->value = value;
    }
    list->count++;
}

/* The name of response or label j, "y3" where it has none. */
static const char *column_name(const ald_target *y, int64_t j, char *number, size_t size)
{
    if (y->names && y->names[j]) return y->names[j];
    snprintf(number, size, "y%lld", (long long)j + 1);
    return number;
}

/* Prediction less truth, of row i and response j. */
static double error_at(const ald_judged *d, int64_t i, int64_t j)
{
    return d->prediction[i * d->q + j] - d->truth[i * d->q + j];
}

static double residual_squares(const ald_judged *d, int64_t j)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->y->rows; i++) sum += error_at(d, i, j) * error_at(d, i, j);
    return sum;
}

static double mean_truth(const ald_judged *d, int64_t j)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->y->rows; i++) sum += d->truth[i * d->q + j];
    return sum / (double)d->y->rows;
}

static double squares_about(const ald_judged *d, int64_t j, double centre)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->y->rows; i++) sum += pow(d->truth[i * d->q + j] - centre, 2);
    return sum;
}

static double rmse(const ald_judged *d, int64_t j)
{
    return sqrt(residual_squares(d, j) / (double)d->y->rows);
}

static double mae(const ald_judged *d, int64_t j)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->y->rows; i++) sum += fabs(error_at(d, i, j));
    return sum / (double)d->y->rows;
}

static double r2(const ald_judged *d, int64_t j)
{
    const double total = squares_about(d, j, mean_truth(d, j));
    return total > 0.0 ? 1.0 - residual_squares(d, j) / total : NAN;
}

static double bias(const ald_judged *d, int64_t j)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->y->rows; i++) sum += error_at(d, i, j);
    return sum / (double)d->y->rows;
}

static double sep(const ald_judged *d, int64_t j)
{
    const int64_t n = d->y->rows;
    const double mean = bias(d, j);
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += pow(error_at(d, i, j) - mean, 2);
    return n > 1 ? sqrt(sum / (double)(n - 1)) : (double)NAN;
}

static double rpd(const ald_judged *d, int64_t j)
{
    const double errors = sep(d, j), total = squares_about(d, j, mean_truth(d, j));
    return total > 0.0 && errors > 0.0 ? sqrt(total / (double)(d->y->rows - 1)) / errors : (double)NAN;
}

/* The score of responses first to last - 1 together. */
static double q2(const ald_judged *d, int64_t first, int64_t last)
{
    double missed = 0.0, total = 0.0;
    for (int64_t j = first; j < last; j++) {
        missed += residual_squares(d, j);
        total += squares_about(d, j, d->means ? d->means[j] : mean_truth(d, j));
    }
    return total > 0.0 ? 1.0 - missed / total : (double)NAN;
}

typedef struct response_metric {
    const char *name;
    double (*of_column)(const ald_judged *judged, int64_t j);
    const char *undefined; /* why it may be NaN */
} response_metric;

static const char constant[] = "undefined: the response does not vary in these rows";
static const response_metric response_metrics[] = {
    {"rmse", rmse, ""},
    {"r2", r2, constant},
    {"mae", mae, ""},
    {"rmsecv", rmse, ""},
    {"bias", bias, ""},
    {"sep", sep, "undefined: there is one row only"},
    {"rpd", rpd, "undefined: the response or the errors do not vary in these rows"},
};
enum { response_metric_count = sizeof response_metrics / sizeof *response_metrics, pooled_metric = 3 };

/* The mean over the responses; rmsecv is of all of them together. */
static double mean_metric(int number, const ald_judged *judged)
{
    const int64_t q = judged->q;
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++)
        sum += number == pooled_metric ? residual_squares(judged, j)
                                       : response_metrics[number].of_column(judged, j);
    return number == pooled_metric ? sqrt(sum / (double)(judged->y->rows * q)) : sum / (double)q;
}

static void add_response(ald_score_list *list, int number, const char *of, double value)
{
    const response_metric *m = &response_metrics[number];
    if (number == pooled_metric && list->one_part) return;
    ald_score_add(list, m->name, of, value, isnan(value) ? m->undefined : "");
}

/* The scores of responses first to last - 1. */
static void add_q2(ald_score_list *list, const ald_judged *judged, const char *of, int64_t first,
                   int64_t last)
{
    static const char own[] = "about the mean of these rows: that of the training rows is not known";
    const double value = q2(judged, first, last);
    const char *defined = judged->means ? "" : own;
    ald_score_add(list, "q2", of, value, isnan(value) ? constant : defined);
}

/* The mean over the responses first, then each. */
static void score_responses(ald_score_list *list, const ald_judged *judged)
{
    const int64_t q = judged->q;
    char number[32];
    for (int k = 0; k < response_metric_count; k++) add_response(list, k, "", mean_metric(k, judged));
    add_q2(list, judged, "", 0, q);
    for (int64_t j = 0; q > 1 && j < q; j++) {
        const char *of = column_name(judged->y, j, number, sizeof number);
        for (int k = 0; k < response_metric_count; k++)
            add_response(list, k, of, response_metrics[k].of_column(judged, j));
        add_q2(list, judged, of, j, j + 1);
    }
}

/* Over all pairs of an entry of a and one of b, both increasing: those with the smaller in b count 1, ties
 * 1/2. */
static double count_above(int64_t n_a, const uint64_t *a, int64_t n_b, const uint64_t *b)
{
    double sum = 0.0;
    int64_t below = 0, upto = 0;
    for (int64_t i = 0; i < n_a; i++) {
        while (below < n_b && b[below] < a[i]) below++;
        while (upto < n_b && b[upto] <= a[i]) upto++;
        sum += 0.5 * (double)(below + upto);
    }
    return sum;
}

ald_status ald_metric_auc(ald_run *run, const ald_binary *list, double *auc)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = list->n;
    int64_t yes = 0, no = 0;
    uint64_t *keys, *spare; /* those of yes from the front, those of no from the back */
    ALD_TRY(ald_scratch(run, n, 1, sizeof *keys, &keys));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *spare, &spare));
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = ald_real_key(list->scores[i * list->stride]);
        if (list->truth[i * list->stride] > 0.5)
            keys[yes++] = key;
        else
            keys[n - ++no] = key;
    }
    ald_sort_keys(yes, keys, spare);
    ald_sort_keys(no, keys + yes, spare);
    *auc = yes && no ? count_above(yes, keys, no, keys + yes) / ((double)yes * (double)no) : (double)NAN;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static double f1_of(const ald_binary *list)
{
    int64_t both = 0, either = 0; /* tp, and 2 tp + fp + fn */
    for (int64_t i = 0; i < list->n; i++) {
        const int yes = list->truth[i * list->stride] > 0.5;
        const int said = ald_decide_label(list->scores[i * list->stride]);
        both += yes && said;
        either += yes + said;
    }
    return either > 0 ? 2.0 * (double)both / (double)either : (double)NAN;
}

/* The share of single labels predicted correctly. */
static double label_accuracy(const ald_binary *all)
{
    int64_t right = 0;
    for (int64_t i = 0; i < all->n; i++) right += (all->truth[i] > 0.5) == ald_decide_label(all->scores[i]);
    return (double)right / (double)all->n;
}

/* The mean of those that are defined, with a note on the others. */
static void add_macro(ald_score_list *list, const char *name, int64_t q, const double *values,
                      const char *why)
{
    char note[sizeof list->scores->note] = "";
    double sum = 0.0;
    int64_t defined = 0;
    for (int64_t j = 0; j < q; j++) {
        if (isnan(values[j])) continue;
        sum += values[j];
        defined++;
    }
    if (defined == 0)
        snprintf(note, sizeof note, "undefined: every label %s", why);
    else if (defined < q)
        snprintf(note, sizeof note, "over %lld of %lld labels; in the others the label %s",
                 (long long)defined, (long long)q, why);
    ald_score_add(list, name, "", defined ? sum / (double)defined : (double)NAN, note);
}

static ald_status score_labels(ald_run *run, const ald_judged *judged, ald_score_list *list)
{
    static const char alike[] = "is all 0 or all 1", unused[] = "is all 0 and never predicted";
    const ald_target *y = judged->y;
    const int64_t q = judged->q;
    const double *truth = judged->truth, *prediction = judged->prediction;
    const ald_binary all = {y->rows * q, 1, truth, prediction};
    double *auc, *f1;
    double micro_auc;
    char number[32];
    ALD_TRY(ALD_SCRATCH(run, {&auc, q, 1}, {&f1, q, 1}));
    ALD_TRY(ald_metric_auc(run, &all, &micro_auc));
    const double micro_f1 = f1_of(&all);
    for (int64_t j = 0; j < q; j++) {
        const ald_binary one = {y->rows, q, truth + j, prediction + j};
        ALD_TRY(ald_metric_auc(run, &one, &auc[j]));
        f1[j] = f1_of(&one);
    }
    ald_score_add(list, "accuracy", "", label_accuracy(&all), "");
    add_macro(list, "macro_auc", q, auc, alike);
    ald_score_add(list, "micro_auc", "", micro_auc,
                  isnan(micro_auc) ? "undefined: all labels are 0 or all are 1" : "");
    add_macro(list, "macro_f1", q, f1, unused);
    ald_score_add(list, "micro_f1", "", micro_f1,
                  isnan(micro_f1) ? "undefined: all labels are 0, none predicted" : "");
    for (int64_t j = 0; j < q; j++) {
        const char *of = column_name(y, j, number, sizeof number);
        ald_score_add(list, "auc", of, auc[j], isnan(auc[j]) ? "undefined: the label is all 0 or all 1" : "");
        ald_score_add(list, "f1", of, f1[j],
                      isnan(f1[j]) ? "undefined: the label is all 0, never predicted" : "");
    }
    return ALD_OK;
}

/* Harrell's index, over the pairs of which it is known who died first: deaths times n operations. */
static ald_status score_survival(ald_run *run, const ald_judged *judged, ald_score_list *list)
{
    const ald_target *y = judged->y;
    const double *risk = judged->prediction;
    double pairs = 0.0, right = 0.0;
    ald_survival s;
    ALD_TRY(ald_survival_of(run, y, &s));
    for (int64_t i = 0; i < s.n; i++) {
        ALD_TRY(ald_ask_after(run, 2.0 * (double)s.n));
        for (int64_t j = 0; y->events[i] && j < s.n; j++) {
            if (!(s.times[i] < s.times[j]) && (s.times[i] > s.times[j] || y->events[j])) continue;
            pairs += 1.0;
            right += risk[i] > risk[j] ? 1.0 : 0.5 * (double)!(risk[i] < risk[j]);
        }
    }
    ald_score_add(list, "concordance", "", pairs > 0.0 ? right / pairs : (double)NAN,
                  pairs > 0.0 ? "" : "undefined: of no two rows is it known who died first");
    return ALD_OK;
}

ald_status ald_score_all(ald_run *run, const ald_judged *judged, ald_score_list *list)
{
    if (judged->y->kind == ALD_TARGET_CLASSES) return ald_score_classes(run, judged, list);
    if (judged->y->kind == ALD_TARGET_LABELS) return score_labels(run, judged, list);
    if (judged->y->events) return score_survival(run, judged, list);
    score_responses(list, judged);
    return ALD_OK;
}
