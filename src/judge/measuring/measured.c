/* The rows that are measured: checked against the model, projected, and gathered where they are divided. */
#include "judge/measuring/measured.h"

#include "base/core/known_rows.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "judge/measuring/measure_explained.h"

ald_measured ald_measured_here(const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    return (ald_measured){.model = model, .x = x, .y = y, .weights = y, .rows = {.x = *x}};
}

/* What can be said of a part by itself; it may be without rows. */
static ald_status check_part(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    if (y && y->weights)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "rows of which the others are elsewhere are measured without weights");
    if (x->rows == 0) return ALD_OK;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_finite(run, x, "X"));
    return ald_check_columns(run, model, x);
}

ald_status ald_measured_begin(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y,
                              ald_measured *m)
{
    const ald_all_rows *all = ald_portion_of_all(run, x);
    *m = ald_measured_here(model, x, y);
    if (!all) return ald_check_rows_and_target(run, model, x, y);
    m->rows.all = all;
    m->elsewhere = !ald_is_first(all);
    m->weights = NULL;
    if (m->elsewhere) m->y = NULL;
    ald_status status = check_part(run, model, x, y);
    if (status >= 0) status = ald_check_row_count(run, all->rows);
    if (status >= 0 && m->y && m->y->kind != ALD_TARGET_NONE) status = ald_check_truth(run, m->y, all->rows);
    return ald_measured_agree(run, m, status);
}

ald_status ald_measured_end(ald_run *run, const ald_matrix *x, ald_status status)
{
    const ald_all_rows *all = x ? ald_portion_of_all(run, x) : NULL;
    return all ? all->end(run, status) : status;
}

ald_status ald_measured_agree(ald_run *run, const ald_measured *m, ald_status status)
{
    return ald_rows_agree(run, &m->rows, status);
}

ald_status ald_measured_prepare(ald_run *run, const ald_measured *m, ald_operator *prepared)
{
    *prepared = m->rows;
    if (m->x->rows == 0) return ALD_OK;
    ALD_TRY(ald_prepare_like(run, m->model, m->x, NULL, prepared));
    prepared->all = m->rows.all;
    return ALD_OK;
}

ald_status ald_measured_scores(ald_run *run, const ald_measured *m, double **z)
{
    ald_status status = ald_scratch_reals(run, m->x->rows, ald_model_component_count(m->model), z);
    if (status >= 0 && m->x->rows > 0) status = ald_map_rows(run, m->model, m->x, *z);
    return ald_measured_agree(run, m, status);
}

ald_status ald_measured_collect(ald_run *run, const ald_measured *m, int64_t r, double *part, double **all)
{
    *all = part;
    return m->rows.all ? m->rows.all->collect(run, part, m->x->rows * r, all) : ALD_OK;
}
