#include "verify/shared/whitened_check.h"

#include <math.h>
#include <string.h>

static double modulus(double lambda)
{
    return fabs(lambda);
}

/* mean r z z', r what least squares on z leaves of y. */
static void verify_phd(const ald_model *model, const prepared *p)
{
    whitened w;
    double m[d * d] = {0}, residual[n];
    whiten_by_loops(p, &w);
    memcpy(residual, p->y, sizeof residual);
    for (int a = 0; a < w.rank; a++) {
        double slope = 0.0;
        for (int i = 0; i < n; i++) slope += w.rows[i * w.rank + a] * p->y[i] / n;
        for (int i = 0; i < n; i++) residual[i] -= slope * w.rows[i * w.rank + a];
    }
    for (int i = 0; i < n; i++)
        add_product(w.rank, residual[i] / n, w.rows + i * w.rank, w.rows + i * w.rank, m);
    verify_whitened(model, &w, m, modulus);
}

const verifier verifier_phd = {.verify = verify_phd, .variants = {"variant=residual", NULL}};
