#include "methods/inverse/likelihood.h"

#include "math/linalg/vector.h"

#include <math.h>

ald_status ald_add_likelihood(ald_run *run, const ald_problem *problem, const ald_likelihood *l,
                              ald_model *model)
{
    const double pi = acos(-1.0),
                 constant = -0.5 * problem->total * (double)problem->d * (1.0 + log(2.0 * pi));
    const double table[] = {
        constant + l->none.loglik, l->none.parameters,       constant + l->found.loglik,
        l->found.parameters,       constant + l->all.loglik, l->all.parameters,
    };
    for (int i = 0; i < 6; i += 2)
        if (!isfinite(table[i])) return ALD_OK;
    ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.loglik", table[2]));
    return ald_model_add_matrix(run, model, "likelihood", 3, 2, table);
}

double ald_whiten_log_det(const ald_whitening *w)
{
    double sum = w->p < w->d ? NAN : 0.0;
    for (int64_t a = 0; a < w->p; a++)
        sum -= log(ald_dot(w->d, w->transform + a * w->d, w->transform + a * w->d));
    return sum;
}
