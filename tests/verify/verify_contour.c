#include "verify/shared/whitened_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double turned(double lambda)
{
    return -lambda;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All pairs, their differences sorted. */
static void verify_contour(const ald_model *model, const prepared *p)
{
    enum { all = n * (n - 1) / 2 };
    whitened w;
    double m[d * d] = {0}, differences[all], row[d];
    int count = 0, pairs = 0;
    whiten_by_loops(p, &w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) differences[count++] = fabs(p->raw[i] - p->raw[j]);
    qsort(differences, all, sizeof *differences, rising);
    const double c = differences[(int)(0.1 * (all - 1))];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            if (fabs(p->raw[i] - p->raw[j]) > c) continue;
            for (int a = 0; a < w.rank; a++) row[a] = w.rows[i * w.rank + a] - w.rows[j * w.rank + a];
            add_product(w.rank, 1.0, row, row, m);
            pairs++;
        }
    for (int k = 0; k < w.rank * w.rank; k++) m[k] /= pairs;
    assert_int_equal(strtol(ald_model_text(model, "alidade.resolved.pairs"), NULL, 10), pairs);
    assert_close(strtod(ald_model_text(model, "alidade.resolved.difference"), NULL), c, 0.0);
    verify_whitened(model, &w, m, turned);
}

const verifier verifier_contour = {.verify = verify_contour, .variants = {"fraction=0.1", NULL}};
