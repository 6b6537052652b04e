#include "fit/streaming/references.h"

#include "base/ranks/communicator.h"
#include "fit/streaming/collect.h"

#include <string.h>

/* The mean row after the steps before learning step k. */
static ald_status learn_one(ald_run *run, ald_collection *c, int k, const ald_row_plan *plan,
                            double *reference)
{
    const int64_t d = c->survey->x.cols;
    c->plan = ald_row_plan_before(plan, k);
    ald_status status = ald_collect(run, c);
    if (status >= 0 && !c->mean)
        status = ald_fail(run->error, ALD_ERROR_DATA, "%s has no row of a weight above 0", c->path);
    if (status >= 0) {
        memcpy(reference, c->mean, (size_t)d * sizeof *reference);
        status = ald_row_plan_check_reference(run, d, reference);
    }
    ald_collection_free(c);
    return status;
}

ald_status ald_learn_references(ald_run *run, const char *path, const ald_load_options *like,
                                const ald_dataset *survey, ald_logbook *book, ald_row_plan *plan)
{
    const int64_t d = survey->x.cols;
    const int learned = ald_row_steps_learned(&plan->steps);
    double *references;
    ALD_TRY(ald_row_plan_check(run, plan, &survey->x));
    if (!learned) return ALD_OK;
    ALD_TRY(ald_all_agree(run, ald_scratch_reals(run, learned, d, &references)));
    plan->references = references;
    for (int k = 0; k < learned; k++) {
        ald_collection c = {.path = path, .like = like, .survey = survey, .columns = 1, .number = k + 1};
        const ald_piece mean = {references + k * d, d * (int64_t)sizeof *references, ALD_ALIKE};
        const ald_step step = {.name = "mean row", .pieces = &mean, .n_pieces = 1};
        int found;
        ALD_TRY(ald_recall(run, book, &step, &found));
        if (found) continue;
        ALD_TRY(learn_one(run, &c, k, plan, references + k * d));
        ALD_TRY(ald_log_step(run, book, &step));
    }
    return ALD_OK;
}
