/* The sequential chi-square test of sir (Li 1991, theorem 5.1).
 *
 * With n rows, H slices, p the rank of the covariance of X and l_1 >= l_2 >= ... the eigenvalues of sir,
 * under "k directions are enough" and x normal,
 *
 *   n (l_{k+1} + ... + l_p)   is asymptotically chi-square with (p - k)(H - k - 1) degrees of freedom,
 *
 * (n (p - k) times the mean of the p - k smallest). k rises from 0 until the p-value is above the level. For
 * x that is not normal the statistic is a weighted sum of chi-squares instead, and the permutation test is to
 * be preferred. It needs n well above p, plain rows without weights, and no ridge. p is counted on columns of
 * deviation 1, eigenvalues above 1e-10 of the largest. */
#include "base/numbers/distributions.h"
#include "base/numbers/number.h"
#include "base/settings/limits.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/prepare_x.h"
#include "judge/dimension/dimension.h"
#include "judge/measuring/directions.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sir_facts {
    int64_t n, p, slices, count;
    const double *values; /* count eigenvalues */
} sir_facts;

/* Why the test is not for this fit; "" if it is. */
static void why_not(const ald_dimension_task *task, char *reason, size_t size)
{
    const ald_settings *s = task->settings;
    reason[0] = '\0';
    if (!task->method->chi_square)
        snprintf(reason, size, "the chi-square test applies to sir only");
    else if (ald_settings_real_with(s, ALD_PARAM_IS_RIDGE, 0.0) > 0.0 ||
             ald_settings_real_with(s, ALD_PARAM_IS_RIDGE_REL, 0.0) > 0.0)
        snprintf(reason, size, "with a ridge the eigenvalues are not chi-square");
    else if (task->y->weights)
        snprintf(reason, size, "the chi-square test applies to rows without weights");
    else if (task->x->cols > ALD_CHI_SQUARE_COLUMNS)
        snprintf(reason, size, "there is no chi-square test beyond %d columns", ALD_CHI_SQUARE_COLUMNS);
}

/* The rank of the columns, each divided by its deviation. */
static ald_status count_rank(ald_run *run, const ald_dimension_task *task, int64_t *rank)
{
    const int64_t d = task->x->cols;
    ald_operator rows = {.x = *task->x};
    double *mean, *inverse, *scatter, *values;
    ALD_TRY(ald_prepare_rows_alone(run, task->settings, &rows));
    ALD_TRY(ALD_SCRATCH(run, {&mean, d, 1}, {&inverse, d, 1}, {&scatter, d, d}, {&values, d, 1}));
    ALD_TRY(
        ald_column_statistics(run, &rows, NULL, (ald_column_moments){.mean = mean, .deviation = inverse}));
    for (int64_t j = 0; j < d; j++) inverse[j] = inverse[j] > 1e-14 * fabs(mean[j]) ? 1.0 / inverse[j] : 0.0;
    rows.mean = mean;
    rows.inverse_scale = inverse;
    ALD_TRY(ald_operator_scatter(run, &rows, ald_at(scatter, d, d)));
    ALD_TRY(ald_eigenvalues(run, ald_at(scatter, d, d), d, values));
    for (*rank = 0; *rank < d && values[*rank] > 1e-10 * values[0];) ++*rank;
    return ALD_OK;
}

static int64_t count_slices(const ald_model *model)
{
    const char *text = ald_model_text(model, "alidade.resolved.slices");
    double value = 0.0;
    return text && ald_parse_real(text, strlen(text), &value) ? (int64_t)value : 0;
}

static void fill(const ald_dimension_task *task, const sir_facts *f, ald_dimension_row *rows,
                 ald_dimension_choice *choice)
{
    for (int64_t k = 0; k < task->count; k++) {
        const double freedom = (double)((f->p - k) * (f->slices - k - 1));
        double sum = 0.0;
        if (k >= f->p || k + 1 >= f->slices) break;
        for (int64_t j = f->count - 1; j >= k; j--) sum += f->values[j];
        rows[k].chi_square = (double)f->n * sum;
        rows[k].freedom = freedom;
        rows[k].chi_square_p = ald_chi_square_tail(rows[k].chi_square, freedom);
        if (choice->by_chi_square < 0 && rows[k].chi_square_p > task->level) choice->by_chi_square = k;
    }
    if (choice->by_chi_square < 0) choice->by_chi_square = task->count;
}

/* All the eigenvalues there are: n_components = 0. */
static ald_status test(ald_run *run, const ald_dimension_task *task, const ald_settings *settings,
                       ald_model **model, ald_dimension_row *rows, ald_dimension_choice *choice)
{
    sir_facts f = {.n = task->x->rows};
    ALD_TRY(count_rank(run, task, &f.p));
    if (f.n <= f.p + 1) {
        snprintf(choice->chi_square, sizeof choice->chi_square,
                 "the chi-square test needs more rows (%lld) than distinct columns (%lld)", (long long)f.n,
                 (long long)f.p);
        return ALD_OK;
    }
    ALD_TRY(ald_fit_inside(run, settings, task->x, task->y, model, run->error));
    f.slices = count_slices(*model);
    f.values = ald_model_spectrum(*model, &f.count);
    fill(task, &f, rows, choice);
    return ALD_OK;
}

ald_status ald_test_chi_square(ald_run *run, const ald_dimension_task *task, ald_dimension_row *rows,
                               ald_dimension_choice *choice)
{
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    why_not(task, choice->chi_square, sizeof choice->chi_square);
    if (choice->chi_square[0]) return ALD_OK;
    ALD_TRY(ald_refit_settings(run, task->settings, 0, &settings));
    const ald_status status = test(run, task, settings, &model, rows, choice);
    ald_model_free(model);
    ald_settings_free(settings);
    return status;
}
