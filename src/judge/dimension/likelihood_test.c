/* Tests of "k directions are enough" for methods that maximise a likelihood, from the array `likelihood` of
 * their models, 3 x 2: log-likelihood L and number of parameters P of no direction, of those of the model,
 * and of all there are. With n the sum of the weights,
 *
 *   2 (L_all - L_k)   is asymptotically chi-square with P_all - P_k degrees of freedom if k are enough
 *   AIC = -2 L_k + 2 P_k,   BIC = -2 L_k + P_k ln n
 *
 * k rises from 0 until the p-value is above the level; the criteria take the k of the least. */
#include "base/core/model.h"
#include "base/numbers/distributions.h"
#include "judge/dimension/dimension.h"
#include "judge/splitting/subset.h"

#include <math.h>

enum { of_none, of_found, of_all };

typedef struct fit {
    double loglik, parameters;
} fit;

static fit fit_of(const ald_dimension_task *task, int64_t k)
{
    const double *l = ald_model_reals(task->models[k > 0 ? k - 1 : 0], "likelihood", 3, 2);
    const int row = k > 0 ? of_found : of_none;
    return l ? (fit){l[2 * row], l[2 * row + 1]} : (fit){NAN, NAN};
}

static double weight_of_rows(const ald_dimension_task *task)
{
    double sum = 0.0;
    for (int64_t i = 0; i < task->x->rows; i++) sum += task->y->weights ? task->y->weights[i] : 1.0;
    return sum;
}

void ald_choose_by_chi_square(const ald_dimension_task *task, const ald_dimension_row *rows,
                              ald_dimension_choice *choice)
{
    choice->by_chi_square = task->count;
    for (int64_t k = task->count - 1; k >= 0; k--)
        if (rows[k].chi_square_p > task->level) choice->by_chi_square = k;
}

static void choose_by_criteria(const ald_dimension_task *task, const ald_dimension_row *rows,
                               ald_dimension_choice *choice)
{
    double aic = choice->none_aic, bic = choice->none_bic;
    choice->by_aic = choice->by_bic = 0;
    for (int64_t k = 0; k < task->count; k++) {
        if (rows[k].aic < aic) choice->by_aic = k + 1;
        if (rows[k].bic < bic) choice->by_bic = k + 1;
        aic = fmin(aic, rows[k].aic);
        bic = fmin(bic, rows[k].bic);
    }
}

ald_status ald_test_likelihood(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                               ald_dimension_choice *choice, int *found)
{
    const double *l = ald_model_reals(task->models[0], "likelihood", 3, 2);
    const double n = weight_of_rows(task);
    (void)run;
    *found = l != NULL;
    if (!l) return ALD_OK;
    const fit all = {l[2 * of_all], l[2 * of_all + 1]}, none = fit_of(task, 0);
    choice->none_loglik = none.loglik;
    choice->none_aic = 2.0 * (none.parameters - none.loglik);
    choice->none_bic = none.parameters * log(n) - 2.0 * none.loglik;
    for (int64_t k = 0; k < task->count; k++) {
        const fit before = fit_of(task, k), own = fit_of(task, k + 1);
        rows[k].loglik = own.loglik;
        rows[k].aic = 2.0 * (own.parameters - own.loglik);
        rows[k].bic = own.parameters * log(n) - 2.0 * own.loglik;
        rows[k].freedom = all.parameters - before.parameters;
        rows[k].chi_square = fmax(2.0 * (all.loglik - before.loglik), 0.0);
        rows[k].chi_square_p = ald_chi_square_tail(rows[k].chi_square, rows[k].freedom);
    }
    ald_choose_by_chi_square(task, rows, choice);
    choose_by_criteria(task, rows, choice);
    return ALD_OK;
}
