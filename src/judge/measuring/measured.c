#include "judge/measuring/measured.h"

#include "base/ranks/communicator.h"
#include "base/ranks/exchange.h"
#include "cluster/sharing/known_rows.h"
#include "cluster/sharing/share_sums.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "judge/measuring/measure_explained.h"

ald_measured ald_measured_here(const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    return (ald_measured){.model = model, .x = x, .y = y, .rows = x->rows};
}

/* What this rank can tell by itself; a rank may be without rows. */
static ald_status check_own(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    if (y && y->weights)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "rows divided among ranks are measured without weights");
    if (x->rows == 0) return ALD_OK;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    return ald_check_columns(run, model, x);
}

ald_status ald_measured_begin(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y,
                              ald_measured *m)
{
    *m = ald_measured_here(model, x, y);
    if (!ald_is_portion(run, x)) return ald_check_rows_and_target(run, model, x, y);
    ALD_TRY(ald_all_agree(run, check_own(run, model, x, y)));
    ALD_TRY(ald_share_sums(run, x->rows, (double)x->rows, &m->sums));
    m->shared = &m->sums;
    m->rows = m->sums.rows;
    m->elsewhere = ald_rank(run) > 0;
    if (m->elsewhere) m->y = NULL;
    ald_status status = ald_check_row_count(run, m->rows);
    if (status >= 0 && m->y && m->y->kind != ALD_TARGET_NONE) status = ald_check_truth(run, m->y, m->rows);
    return ald_all_agree(run, status);
}

ald_status ald_measured_end(ald_run *run, const ald_matrix *x, ald_status status)
{
    return x && ald_is_portion(run, x) ? ald_all_end(run, status) : status;
}

ald_status ald_measured_agree(ald_run *run, const ald_measured *m, ald_status status)
{
    return m->shared ? m->shared->agree(run, status) : status;
}

ald_status ald_measured_scores(ald_run *run, const ald_measured *m, double **z)
{
    ald_status status = ald_scratch_reals(run, m->x->rows, ald_model_component_count(m->model), z);
    if (status >= 0 && m->x->rows > 0) status = ald_map_rows(run, m->model, m->x, *z);
    return ald_measured_agree(run, m, status);
}

/* Everything is for rank 0, which gets it in the order of the ranks. */
ald_status ald_measured_gather(ald_run *run, const ald_measured *m, int64_t r, const double *own,
                               double **all)
{
    const int ranks = ald_rank_count(run);
    ald_gathered got;
    int64_t *begin;
    const ald_status status = ald_scratch(run, ranks + 1, 1, sizeof *begin, &begin);
    for (int k = 0; status >= 0 && k <= ranks; k++) begin[k] = k ? m->x->rows * r * (int64_t)sizeof *own : 0;
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, own, begin, &got));
    *all = m->elsewhere ? NULL : (void *)got.bytes;
    return ALD_OK;
}
