/* Figures of classes, from the confusion matrix K (K_tp rows of class t predicted as p, n in all, C classes)
 * or from probabilities p. Undefined ones are NaN.
 *
 *   accuracy            sum_t K_tt / n
 *   balanced accuracy   mean of K_tt / K_t. over the classes that occur
 *   mean one-vs-rest    mean over classes of the accuracy of separating it from the rest: each wrong row is
 *                       wrong twice, so 1 - 2 (1 - accuracy) / C
 *
 *   sensitivity   K_11 / K_1.   of the second of two classes; of more the mean over the classes that occur
 *   specificity   K_00 / K_0.   of the first of two; of more the mean over classes c of
 *                               (n - K_c. - K_.c + K_cc) / (n - K_c.)
 *   mcc           (n tr K - sum_c K_c. K_.c) / sqrt((n^2 - sum_c K_.c^2) (n^2 - sum_c K_c.^2))
 *                 (Gorodkin 2004); 0 where one class is predicted throughout
 *   log loss      mean of -log p of the true class, p at least 2.2e-16 (as scikit-learn)
 *   brier         mean of sum_c (p_c - [c is true])^2, of two classes half of that */
#include "judge/evaluate/scores.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Row sums, column sums and diagonal of K, c numbers each, for many classes. */
typedef struct class_counts {
    int64_t c;
    int64_t *rows, *predicted, *right;
} class_counts;

static ald_status count_classes(ald_run *run, const ald_judged *j, class_counts *counts)
{
    const int64_t c = j->q;
    counts->c = c;
    ALD_TRY(ald_scratch_clear(run, 3, c, sizeof *counts->rows, &counts->rows));
    counts->predicted = counts->rows + c;
    counts->right = counts->predicted + c;
    for (int64_t i = 0; i < j->y->rows; i++) {
        const int64_t t = j->y->classes[i], p = (int64_t)j->prediction[i];
        counts->rows[t]++;
        counts->predicted[p]++;
        counts->right[t] += p == t;
    }
    return ALD_OK;
}

static int64_t all_rows(const class_counts *counts)
{
    int64_t n = 0;
    for (int64_t c = 0; c < counts->c; c++) n += counts->rows[c];
    return n;
}

static double accuracy_of(const class_counts *counts)
{
    const int64_t rows = all_rows(counts);
    int64_t right = 0;
    for (int64_t c = 0; c < counts->c; c++) right += counts->right[c];
    return rows > 0 ? (double)right / (double)rows : (double)NAN;
}

/* `present`: classes that occur in the truth. */
static double balanced_accuracy_of(const class_counts *counts, int64_t *present)
{
    double sum = 0.0;
    *present = 0;
    for (int64_t t = 0; t < counts->c; t++) {
        if (counts->rows[t] == 0) continue;
        sum += (double)counts->right[t] / (double)counts->rows[t];
        ++*present;
    }
    return *present ? sum / (double)*present : (double)NAN;
}

/* NaN where there is no row to be found, or to be left alone. */
static double sensitivity_of(const class_counts *counts)
{
    int64_t present;
    if (counts->c != 2) return balanced_accuracy_of(counts, &present);
    return counts->rows[1] > 0 ? (double)counts->right[1] / (double)counts->rows[1] : (double)NAN;
}

static double specificity_of(const class_counts *counts)
{
    const int64_t n = all_rows(counts);
    double sum = 0.0;
    int64_t defined = 0;
    if (counts->c == 2)
        return counts->rows[0] > 0 ? (double)counts->right[0] / (double)counts->rows[0] : (double)NAN;
    for (int64_t c = 0; c < counts->c; c++) {
        const int64_t others = n - counts->rows[c], wrongly = counts->predicted[c] - counts->right[c];
        if (others == 0) continue;
        sum += (double)(others - wrongly) / (double)others;
        defined++;
    }
    return defined > 0 ? sum / (double)defined : (double)NAN;
}

/* NaN where all rows are of one class. */
static double mcc_of(const class_counts *counts)
{
    const double n = (double)all_rows(counts);
    double right = 0.0, both = 0.0, predicted = 0.0, rows = 0.0;
    for (int64_t c = 0; c < counts->c; c++) {
        const double p = (double)counts->predicted[c], t = (double)counts->rows[c];
        right += (double)counts->right[c];
        both += p * t;
        predicted += p * p;
        rows += t * t;
    }
    if (!(n * n - rows > 0.0)) return (double)NAN;
    if (!(n * n - predicted > 0.0)) return 0.0;
    return (n * right - both) / sqrt((n * n - predicted) * (n * n - rows));
}

/* Probabilities of classes, n x c row major; a class beyond them has none. */
static double log_loss_of(int64_t n, const int32_t *truth, int64_t c, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double own = truth[i] < c ? p[i * c + truth[i]] : 0.0;
        sum -= log(fmin(fmax(own, DBL_EPSILON), 1.0 - DBL_EPSILON));
    }
    return sum / (double)n;
}

static double brier_of(int64_t n, const int32_t *truth, int64_t c, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += truth[i] < c ? 0.0 : 1.0;
        for (int64_t k = 0; k < c; k++) sum += pow(p[i * c + k] - (k == truth[i] ? 1.0 : 0.0), 2);
    }
    return sum / (double)n / (c == 2 ? 2.0 : 1.0);
}

/* The largest and the second largest of a row, and where the largest is. */
typedef struct leaders {
    int64_t where;
    double first, second;
} leaders;

static leaders leaders_of(int64_t c, const double *scores)
{
    leaders top = {-1, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < c; k++) {
        if (top.where < 0 || scores[k] > top.first) {
            top.second = top.first;
            top = (leaders){k, scores[k], top.second};
        } else if (scores[k] > top.second) {
            top.second = scores[k];
        }
    }
    return top;
}

/* What speaks for class k in a row: its score, or how far that is above the largest of the others. */
static double score_of(const leaders *top, const double *scores, int64_t k)
{
    if (!top) return scores[k];
    return scores[k] - (k == top->where ? top->second : top->first);
}

/* The auc of the second of two classes, of more the mean over the classes with rows inside and outside of
 * them: `defined` receives how many, NaN where there is none. By the probabilities; scores that are none
 * by how far they are above the largest of the others. */
static ald_status auc_of(ald_run *run, const ald_judged *j, int64_t *defined, double *auc)
{
    const int64_t n = j->y->rows, c = j->n_scores;
    const double *scores = j->scores;
    double *yes, *own;
    double sum = 0.0;
    leaders *top = NULL;
    ALD_TRY(ALD_SCRATCH(run, {&yes, n, 1}, {&own, n, 1}));
    if (!j->probabilities && c > 1) ALD_TRY(ald_scratch(run, n, 1, sizeof *top, &top));
    for (int64_t i = 0; top && i < n; i++) top[i] = leaders_of(c, scores + i * c);
    *defined = 0;
    for (int64_t k = c == 2 ? 1 : 0; k < c; k++) {
        double one;
        for (int64_t i = 0; i < n; i++) {
            yes[i] = j->y->classes[i] == k ? 1.0 : 0.0;
            own[i] = score_of(top ? &top[i] : NULL, scores + i * c, k);
        }
        ALD_TRY(ald_metric_auc(run, &(ald_binary){n, 1, yes, own}, &one));
        if (isnan(one)) continue;
        sum += one;
        ++*defined;
    }
    *auc = *defined > 0 ? sum / (double)*defined : (double)NAN;
    return ALD_OK;
}

enum { note_size = sizeof((ald_score *)0)->note };

/* "the positive class is yes": the second of two. */
static void note_positive(const ald_judged *j, char *note)
{
    note[0] = '\0';
    if (j->q == 2 && j->y->names && j->y->n_classes > 1 && j->y->names[1])
        snprintf(note, note_size, "the positive class is %.80s", j->y->names[1]);
    else if (j->q == 2)
        snprintf(note, note_size, "the positive class is the second");
    else
        snprintf(note, note_size, "the mean over the classes, each against the rest");
}

static void score_counts(const ald_judged *j, const class_counts *counts, ald_score_list *list)
{
    int64_t present;
    char note[note_size] = "";
    const double accuracy = accuracy_of(counts), balanced = balanced_accuracy_of(counts, &present);
    if (present < j->q)
        snprintf(note, sizeof note, "over the %lld of %lld classes that these rows have", (long long)present,
                 (long long)j->q);
    ald_score_add(list, "accuracy", "", accuracy, "");
    ald_score_add(list, "balanced_accuracy", "", balanced, note);
    ald_score_add(list, "mean_ovr_accuracy", "", 1.0 - 2.0 * (1.0 - accuracy) / (double)j->q, "");
}

static ald_status score_auc(ald_run *run, const ald_judged *j, ald_score_list *list)
{
    int64_t defined = 0;
    double auc = NAN;
    char note[note_size] = "undefined: there are no scores of the classes, only predictions";
    if (j->scores) {
        ALD_TRY(auc_of(run, j, &defined, &auc));
        note[0] = '\0';
        if (defined == 0)
            snprintf(note, sizeof note, "undefined: all rows are of one class");
        else if (j->n_scores > 2 && defined < j->n_scores)
            snprintf(note, sizeof note, "over the %lld of %lld classes that these rows have",
                     (long long)defined, (long long)j->n_scores);
    }
    ald_score_add(list, "auc", "", auc, note);
    return ALD_OK;
}

static void score_tables(const ald_judged *j, const class_counts *counts, ald_score_list *list)
{
    static const char none[] = "undefined: these rows have none of the positive class",
                      only[] = "undefined: these rows have only the positive class",
                      one[] = "undefined: all rows are of one class";
    const double found = sensitivity_of(counts), left = specificity_of(counts), mcc = mcc_of(counts);
    char note[note_size];
    note_positive(j, note);
    ald_score_add(list, "sensitivity", "", found, isnan(found) ? none : note);
    ald_score_add(list, "specificity", "", left, isnan(left) ? only : note);
    ald_score_add(list, "mcc", "", mcc, isnan(mcc) ? one : "");
}

static void score_probabilities(const ald_judged *j, ald_score_list *list)
{
    static const char none[] = "undefined: the predictor has no probabilities; gaussian, logistic and knn do";
    const int64_t n = j->y->rows, c = j->n_scores;
    const int known = j->scores && j->probabilities;
    const double loss = known ? log_loss_of(n, j->y->classes, c, j->scores) : (double)NAN,
                 brier = known ? brier_of(n, j->y->classes, c, j->scores) : (double)NAN;
    ald_score_add(list, "log_loss", "", loss, known ? "" : none);
    ald_score_add(list, "brier", "", brier, known ? "" : none);
}

ald_status ald_score_classes(ald_run *run, const ald_judged *j, ald_score_list *list)
{
    class_counts counts;
    ALD_TRY(count_classes(run, j, &counts));
    score_counts(j, &counts, list);
    ALD_TRY(score_auc(run, j, list));
    score_tables(j, &counts, list);
    score_probabilities(j, list);
    return ALD_OK;
}
