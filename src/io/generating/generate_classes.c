/* Gaussian data in many dimensions with five classes or five labels. */
#include "io/generating/generate.h"

#include <math.h>
#include <stdlib.h>

/* Five vectors from N(0, I/d): the class means, or the weights of the label scores. */
ald_status ald_share_means(ald_run *run, ald_recipe *recipe)
{
    double *means;
    ald_random random;
    ALD_TRY(ald_scratch_reals(run, ALD_SYN_CLASSES, recipe->d, &means));
    ald_random_seed(&random, recipe->seed, 0);
    const double deviation = 1.0 / sqrt((double)recipe->d);
    for (int64_t i = 0; i < ALD_SYN_CLASSES * recipe->d; i++)
        means[i] = deviation * ald_random_normal(&random);
    recipe->shared = means;
    return ALD_OK;
}

void ald_row_classes(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    const int64_t class = ald_random_below(random, ALD_SYN_CLASSES);
    const double *mean = recipe->shared + class * recipe->d;
    for (int64_t j = 0; j < recipe->d; j++) x[j] = mean[j] + ald_random_normal(random);
    *y = (double)(class + 1);
}

/* The target columns hold the scores until all rows are there. */
void ald_row_scores(const ald_recipe *recipe, ald_random *random, double *x, double *y)
{
    for (int64_t j = 0; j < recipe->d; j++) x[j] = ald_random_normal(random);
    for (int64_t k = 0; k < ALD_SYN_CLASSES; k++) {
        const double *weights = recipe->shared + k * recipe->d;
        double score = 0.0;
        for (int64_t j = 0; j < recipe->d; j++) score += weights[j] * x[j];
        y[k] = score + recipe->noise * ald_random_normal(random);
    }
}

static int compare_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The label is on in the 30 % of rows with the largest scores, rounded; equal scores do not come up. */
ald_status ald_finish_labels(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    const int64_t n = table->rows, on = (3 * n + 5) / 10;
    double *scores;
    ALD_TRY(ald_scratch_reals(run, n, 1, &scores));
    for (int64_t k = 0; k < ALD_SYN_CLASSES; k++) {
        double *column = table->cells + recipe->d + k;
        for (int64_t i = 0; i < n; i++) scores[i] = column[i * table->cols];
        qsort(scores, (size_t)n, sizeof *scores, compare_falling);
        const double threshold = on > 0 ? scores[on - 1] : INFINITY;
        for (int64_t i = 0; i < n; i++)
            column[i * table->cols] = column[i * table->cols] >= threshold ? 1.0 : 0.0;
    }
    return ALD_OK;
}
