#include "api/learn_shared.h"

#include "api/fit_moments.h"
#include "ranks/communicator.h"

#include <string.h>

/* Of the own rows; a rank without any has none (d 0). */
static ald_status sum_scores(ald_run *run, const ald_problem *problem, int64_t r, const double *z,
                             ald_moments *m)
{
    const ald_operator scores = {.x = ald_matrix_row_major(z, problem->n, r, r)};
    memset(m, 0, sizeof *m);
    return problem->n > 0 ? ald_moments_of_rows(run, &scores, problem->target, m) : ALD_OK;
}

ald_status ald_learn_shared(ald_run *run, const ald_problem *problem, int64_t r, const double *z,
                            ald_model *model)
{
    ald_moments m;
    ald_status status = ALD_OK;
    ALD_TRY(ald_all_agree(run, sum_scores(run, problem, r, z, &m)));
    ALD_TRY(ald_moments_unite(run, &run->scratch, &m));
    if (ald_rank(run) == 0) status = ald_learn_score_moments(run, &m, model);
    return ald_all_agree(run, status);
}
