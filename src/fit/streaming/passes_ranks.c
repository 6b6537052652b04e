#include "fit/streaming/passes_ranks.h"

#include "base/ranks/communicator.h"
#include "cluster/sharing/share_sums.h"
#include "cluster/sharing/unite_moments.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/fit_moments.h"

#include <string.h>

ald_status ald_passes_share(ald_run *run, const ald_collection *c, ald_all_rows *shared)
{
    const double *w = c->target.weights;
    double weight = 0.0;
    for (int64_t i = 0; i < c->n; i++) weight += w ? w[i] : 1.0;
    return ald_share_sums(run, c->n, weight, shared);
}

/* For this rank's rows; a rank without any has none (d 0). */
static ald_status sum_scores(ald_run *run, const ald_problem *problem, int64_t r, const double *z,
                             ald_moments *m)
{
    const ald_operator scores = {.x = ald_matrix_row_major(z, problem->n, r, r)};
    memset(m, 0, sizeof *m);
    return problem->n > 0 ? ald_moments_of_rows(run, &scores, problem->target, m) : ALD_OK;
}

ald_status ald_passes_learn(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = ald_model_component_count(model);
    ald_status status = ALD_OK;
    ald_moments m;
    double *z;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    ALD_TRY(ald_score_problem(run, problem, model, r, &z));
    ALD_TRY(ald_all_agree(run, sum_scores(run, problem, r, z, &m)));
    ALD_TRY(ald_moments_unite(run, &run->scratch, &m));
    if (ald_rank(run) == 0) status = ald_learn_score_moments(run, &m, model);
    return ald_all_agree(run, status);
}
