#include "verify/shared/soft_check.h"

#include <math.h>
#include <stdlib.h>

/* The mean squared error of the responses. */
static double error_of(const prepared *p, const double *w)
{
    double predicted[n * q], sum = 0.0;
    soft_predictions(p, w, predicted);
    for (int i = 0; i < n * p->m; i++) sum += pow(predicted[i] - p->raw[i], 2.0) / n;
    return sum;
}

/* The objective is that of the components, and less than where it began. Ends of long descents are no
 * stationary points here, as W grows without bound; check_metric_learning.py has one that is. */
static void verify_mlkr(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d);
    const double told = strtod(ald_model_text(model, "alidade.resolved.objective"), NULL);
    double constant = 0.0;
    for (int i = 0; i < n * p->m; i++) constant += p->y[i] * p->y[i] / n;
    assert_close(error_of(p, w), told, 1e-9 * told);
    assert_true(told < 0.9 * constant);
    check_uncorrelated(model, p);
}

const verifier verifier_mlkr = {
    .verify = verify_mlkr,
    .always = "max_iter=12",
    .fixed = "max_iter=3",
    .brief = "max_iter=5",
    .is_slow = 1,
    .tolerance = 1e-6,
};
