/* ald_method_auto: the method that suits the target and the shape of a dataset, and why. */
#include "data/encode/dataset.h"

#include <stdio.h>

/* Why pls and not lda, which the classes call for. */
static const char *against_lda(const ald_dataset *dataset)
{
    if (dataset->target.n_classes <= 2)
        return "with two classes lda has a single direction, and pls as many as you request";
    if (dataset->x.storage != ALD_DENSE) return "lda would have to convert the sparse rows to dense";
    return "lda needs at least five rows for each column, and pls works with fewer";
}

/* lda where there are rows enough for its covariance and classes enough for two directions; else pls, which
 * always works. */
static const char *choose_by_data(const ald_dataset *dataset, char *reason, size_t size)
{
    const ald_target *y = &dataset->target;
    const long long n = (long long)(dataset->stands_for ? dataset->stands_for : dataset->x.rows),
                    d = (long long)dataset->x.cols;
    const int dense = dataset->x.storage == ALD_DENSE, classes = y->kind == ALD_TARGET_CLASSES;
    if (y->kind == ALD_TARGET_NONE) {
        snprintf(reason, size,
                 "pca: no target was named, so it finds the directions along which the rows differ most");
        return "pca";
    }
    if (classes && y->n_classes > 2 && dense && n >= 5 * d) {
        snprintf(reason, size,
                 "lda: it finds the directions that best separate the %lld classes, and %lld rows are enough "
                 "for %lld column%s",
                 (long long)y->n_classes, n, d, d == 1 ? "" : "s");
        return "lda";
    }
    if (classes)
        snprintf(
            reason, size,
            "pls: it finds directions that vary together with the classes; %s (%lld rows, %lld column%s)",
            against_lda(dataset), n, d, d == 1 ? "" : "s");
    else
        snprintf(reason, size,
                 "pls: it finds directions that vary together with the %s, and also works with few rows and "
                 "many columns (%lld rows, %lld column%s)",
                 y->kind == ALD_TARGET_REAL ? "target" : "labels", n, d, d == 1 ? "" : "s");
    return "pls";
}

const char *ald_method_auto(const ald_dataset *dataset, char *reason, size_t reason_size)
{
    char unwanted[300];
    if (!dataset) return NULL;
    return reason ? choose_by_data(dataset, reason, reason_size)
                  : choose_by_data(dataset, unwanted, sizeof unwanted);
}
