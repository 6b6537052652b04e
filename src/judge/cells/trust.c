#include "judge/cells/trust.h"

#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "math/linalg/plain.h"
#include "math/solvers/pivot.h"

#include <math.h>

static int inverts_scatter(const ald_run *run)
{
    return ald_settings_method(run->settings)->inverse == ALD_INVERTS_SCATTER;
}

/* A, with no more of a ridge than there is: of ridge_rel the part that goes by the mean eigenvalue instead of
 * the largest, and sir's without its factor n. */
static void add_ridge(const ald_run *run, int64_t d, double *a)
{
    double trace = 0.0;
    for (int64_t j = 0; j < d; j++) trace += a[j * d + j];
    const double ridge =
        ald_settings_real_with(run->settings, ALD_PARAM_IS_RIDGE, 0.0) +
        ald_settings_real_with(run->settings, ALD_PARAM_IS_RIDGE_REL, 0.0) * trace / (double)d;
    ald_add_ridge(ridge, ald_at(a, d, d));
}

ald_status ald_trust_problem(ald_run *run, const ald_moments *m, const ald_problem *problem, int *trusted)
{
    const int64_t d = m->d;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const double *inverse = problem->x.inverse_scale;
    double *a;
    double pivot;
    *trusted = 1;
    if (!inverts_scatter(run)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, d, d, &a));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            a[i * d + j] = m->scatter[i * d + j] * (inverse ? inverse[i] * inverse[j] : 1.0);
    add_ridge(run, d, a);
    ALD_TRY(ald_smallest_pivot(run, d, a, &pivot));
    ald_arena_release(&run->scratch, mark);
    *trusted = pivot >= ALD_TRUST;
    return ALD_OK;
}

ald_status ald_trust_model(ald_run *run, const ald_problem *problem, const ald_model *model, int *trusted)
{
    const int64_t r = ald_model_component_count(model), d = problem->d;
    const double *w = ald_model_reals(model, "components", r, d);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *z;
    double smallest = INFINITY, largest = 0.0;
    *trusted = 1;
    if (inverts_scatter(run)) return ALD_OK;
    ALD_TRY(ald_project_problem(run, problem, model, &z));
    for (int64_t k = 0; k < r; k++) {
        double score = 0.0, length = 0.0;
        for (int64_t i = 0; i < problem->n; i++) score += z[i * r + k] * z[i * r + k];
        for (int64_t j = 0; j < d; j++) length += w[k * d + j] * w[k * d + j];
        smallest = fmin(smallest, score / length);
        largest = fmax(largest, score / length);
    }
    ald_arena_release(&run->scratch, mark);
    *trusted = smallest >= ALD_TRUST * largest;
    return ALD_OK;
}
