/* Curvature: the linear fit follows from the moments that the first part of the rows has; the others receive
 * its means and slope, each sums its own rows about them, and the sums are added up. */
#include "fit/streaming/earlier_passes.h"

#include "data/encode/dataset.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/collect.h"
#include "math/operator/all_rows.h"
#include "methods/moments/curved.h"

#include <string.h>

typedef struct curving {
    ald_curving about;
    const ald_row_plan *plan;
    double *sums; /* a part: 1 + d x d, the squares of the residuals and the curvature */
} curving;

static ald_status add_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const curving *c = work;
    const int64_t d = block->x.cols;
    ald_operator rows = {.x = block->x};
    double *sums = c->sums + part * (1 + d * d);
    (void)number;
    ALD_TRY(ald_prepare_rows(run, c->plan, &rows));
    return ald_curved_add(run, &rows, &block->target, &c->about, sums + 1, sums);
}

/* means (d), the mean of the response and the slope (d) behind each other. */
static ald_status fit_line(ald_run *run, const ald_moments *total, double *line)
{
    const int64_t d = total->d;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_problem problem;
    ald_target target;
    ALD_TRY(ald_moments_check_size(run, total));
    ALD_TRY(ald_moments_problem(run, total, &target, &problem));
    memcpy(line, total->mean, (size_t)d * sizeof *line);
    line[d] = total->y_mean[0];
    ALD_TRY(ald_settings_method(run->settings)->curvature->slope(run, &problem, line + d + 1));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The sums of the rows that are read here, in the first of them. */
static ald_status sum_own(ald_run *run, const ald_blocks *blocks, int parts, curving *c, const ald_step *step)
{
    const int64_t count = 1 + blocks->survey->x.cols * blocks->survey->x.cols;
    const ald_piece sums = {c->sums, parts * count * (int64_t)sizeof *c->sums, ALD_OWN};
    const ald_partial partial = {.input = step->input, .pieces = &sums, .n_pieces = 1};
    ald_pass_state state = ald_pass_state_of(blocks->survey->checkpoint, step->name, partial);
    const ald_blocks again = {
        .path = blocks->path,
        .options = blocks->options,
        .survey = blocks->survey,
        .visit = add_block,
        .work = c,
        .state = state.checkpoint ? &state : NULL,
    };
    ALD_TRY(ald_blocks_read(run, &again, parts));
    for (int part = 1; part < parts; part++)
        for (int64_t i = 0; i < count; i++) c->sums[i] += c->sums[part * count + i];
    return ALD_OK;
}

/* Those of all rows, unless an earlier run has left them for the same line. */
static ald_status sum_all(ald_run *run, const ald_blocks *blocks, int parts, ald_logbook *book, curving *c,
                          uint64_t line)
{
    const int64_t count = 1 + blocks->survey->x.cols * blocks->survey->x.cols;
    const ald_piece sums = {c->sums, count * (int64_t)sizeof *c->sums, ALD_ALIKE};
    const ald_step step = {.name = "curvature", .input = line, .pieces = &sums, .n_pieces = 1};
    int found;
    ALD_TRY(ald_recall(run, book, &step, &found));
    if (found) return ALD_OK;
    ALD_TRY(sum_own(run, blocks, parts, c, &step));
    ALD_TRY(ald_all_rows_sum(run, blocks->survey->all, c->sums, count));
    return ald_log_step(run, book, &step);
}

ald_status ald_curve_file(ald_run *run, const ald_blocks *blocks, int parts, const ald_row_plan *plan,
                          ald_logbook *book, ald_moments *total)
{
    const ald_curvature *curvature = ald_settings_method(run->settings)->curvature;
    const ald_all_rows *all = blocks->survey->all;
    const int64_t d = blocks->survey->x.cols, count = 1 + d * d;
    curving c = {.plan = plan};
    double *line = NULL;
    if (!curvature || !curvature->of_residuals(run)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, 2 * d + 1, 1, &line));
    ALD_TRY(ald_scratch_zeros(run, parts, count, &c.sums));
    if (ald_is_first(all)) ALD_TRY(fit_line(run, total, line));
    ALD_TRY(ald_all_rows_settle(run, all, line, (2 * d + 1) * (int64_t)sizeof *line));
    c.about = (ald_curving){line, line[d], line + d + 1};
    ALD_TRY(sum_all(run, blocks, parts, book, &c, ald_hash_reals(1, line, 2 * d + 1)));
    total->curved_squares = c.sums[0];
    total->curved = c.sums + 1;
    return ALD_OK;
}

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
    ALD_TRY(ald_scratch_reals(run, learned, d, &references));
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
