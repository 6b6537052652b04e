/* ald_dataset_survey and ald_fit_stream: two readings of a file in blocks, or more where it has many columns.
 */
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/options.h"
#include "cluster/divided/divided_methods.h"
#include "cluster/sharing/share_sums.h"
#include "data/encode/dataset.h"
#include "fit/checkpoints/pass_state.h"
#include "fit/checkpoints/steps.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/fit_moments.h"
#include "fit/fitting/spread.h"
#include "fit/from_files/fit_divided.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/collect.h"
#include "fit/streaming/earlier_passes.h"
#include "fit/streaming/passes.h"
#include "fit/streaming/row_store.h"
#include "fit/streaming/row_summary.h"
#include "io/reading/stream.h"
#include "math/device/held.h"
#include "math/operator/all_rows.h"
#include "methods/engines/slices.h"
#include "methods/gaps/gaps.h"

#include <math.h>
#include <string.h>

ald_status ald_dataset_survey(ald_context *context, const char *path, const ald_load_options *options,
                              ald_dataset **survey, int64_t *rows, ald_error *error)
{
    ald_load_options whole;
    ald_run run;
    if (survey) *survey = NULL;
    if (rows) *rows = 0;
    ALD_GIVEN(error, context, path, survey, rows);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, options, &whole));
    ald_run_begin(&run, context, error);
    ald_status status = ald_dataset_new(&run, survey);
    if (status >= 0) status = ald_share_begin(&run, *survey);
    if (status >= 0) status = ald_stream_survey(&run, path, &whole, *survey, rows);
    status = ald_share_end(&run, status);
    if (status < 0) {
        ald_dataset_free(*survey);
        *survey = NULL;
    }
    return ald_run_end(&run, status);
}

/* What the rows of a block are read like. */
static ald_status describe_survey(ald_run *run, const ald_dataset *survey, ald_model *names)
{
    const ald_target *y = &survey->target;
    const int classes = y->kind == ALD_TARGET_CLASSES;
    ALD_TRY(ald_model_set_printed(run, names, "alidade.n_features", "%lld", (long long)survey->x.cols));
    if (survey->schema) ALD_TRY(ald_model_set_text(run, names, "alidade.schema", survey->schema));
    if (survey->feature_names)
        ALD_TRY(ald_model_set_names(run, names, "alidade.feature_names",
                                    (const char *const *)survey->feature_names, survey->x.cols));
    if (y->names && y->kind != ALD_TARGET_NONE)
        ALD_TRY(ald_model_set_names(run, names, classes ? "alidade.class_names" : "alidade.response_names",
                                    y->names, classes ? y->n_classes : y->values.cols));
    if (classes && survey->response_names)
        ALD_TRY(ald_model_set_names(run, names, "alidade.response_names",
                                    (const char *const *)survey->response_names, 1));
    return ALD_OK;
}

/* What the parts have summed, each for itself. */
typedef struct summing {
    ald_arena *memory;  /* a part */
    ald_moments *total; /* a part; d is 0 before its first block */
    double *edges;      /* of the slices that a real response falls into; NULL: none */
    int64_t slices;
    const ald_dataset *survey;
    const ald_row_plan *plan;
    ald_logbook *book; /* of the passes beside that of the sums; NULL: none */
    int parts;
} summing;

static ald_status add_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const summing *s = work;
    ald_operator rows = {.x = block->x};
    ald_target target = block->target;
    ald_moments change;
    (void)number;
    ALD_TRY(ald_prepare_rows(run, s->plan, &rows));
    if (s->edges) ALD_TRY(ald_slice_target(run, s->edges, s->slices, &block->target, &target));
    const double d = (double)rows.x.cols;
    const struct ald_held *before = run->call.held;
    ALD_TRY(ald_card_hold_block(run, &rows.x, d * (double)s->survey->stands_for, d));
    const ald_status status = ald_sum_rows(run, &rows, &target, &change);
    ald_card_release(run, before);
    ALD_TRY(status);
    return ald_moments_add(run, &s->memory[part], &change, &s->total[part]);
}

static ald_status put_moments(ald_run *run, ald_moments *m, ald_record_file *f)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    const ald_moments_outline o = ald_moments_outline_of(m);
    ald_moments_slots(m, slots);
    ALD_TRY(ald_record_file_put(run, f, "moments", &o, sizeof o));
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++)
        if (*slots[i].array)
            ALD_TRY(ald_record_file_put(run, f, "array", *slots[i].array,
                                        slots[i].count * (int64_t)sizeof(double)));
    return ALD_OK;
}

static ald_status put_sums(ald_run *run, void *work, ald_record_file *file)
{
    const summing *s = work;
    ALD_TRY(ald_record_file_put(run, file, "parts", &s->parts, sizeof s->parts));
    for (int p = 0; p < s->parts; p++) ALD_TRY(put_moments(run, &s->total[p], file));
    return ALD_OK;
}

/* Products of sizes up to here do not overflow, and the file can hold the arrays. */
static int can_be(const ald_moments_outline *o, const ald_record_file *f)
{
    const int64_t most = 1 << 20, left = (f->size - f->place) / (int64_t)sizeof(double);
    return o->d >= 0 && o->d < most && o->d <= left && o->k >= 0 && o->k < most && o->k <= 8 * left &&
           o->patterns >= 0 && o->patterns < most && o->patterns <= left && o->kind >= 0 &&
           o->kind <= ALD_TARGET_LABELS;
}

static ald_status take_moments(ald_run *run, const summing *s, ald_arena *arena, ald_record_file *f,
                               ald_moments *m)
{
    ald_moments_slot slots[ALD_MOMENTS_SLOTS];
    ald_moments_outline o;
    ald_moments wanted;
    const ald_operator none = {.x = {.cols = s->survey->x.cols}};
    ald_target target = s->survey->target;
    if (s->edges) target = (ald_target){.kind = ALD_TARGET_CLASSES, .n_classes = (int32_t)s->slices};
    ald_moments_begin(&none, &target, &wanted);
    ALD_TRY(ald_record_file_take(run, f, "moments", &o, sizeof o));
    if (!can_be(&o, f)) return ald_record_file_damaged(run, f);
    *m = ald_moments_of_outline(&o);
    ald_moments_slots(m, slots);
    for (int i = 0; i < ALD_MOMENTS_SLOTS; i++) {
        const int64_t bytes = slots[i].count * (int64_t)sizeof(double);
        if (!(o.arrays >> i & 1)) continue;
        if (bytes > f->size - f->place) return ald_record_file_damaged(run, f);
        *slots[i].array = ald_arena_get(arena, slots[i].count, 1, sizeof(double));
        if (!*slots[i].array) return ald_out_of_memory(run, slots[i].count, 1, sizeof(double));
        ALD_TRY(ald_record_file_take(run, f, "array", *slots[i].array, bytes));
    }
    return o.d == 0 || ald_moments_can_be(run, m, &wanted) ? ALD_OK : ald_record_file_damaged(run, f);
}

/* Sums of more threads than there are now are added up. */
static ald_status take_sums(ald_run *run, void *work, ald_record_file *file)
{
    const summing *s = work;
    int count;
    ALD_TRY(ald_record_file_take(run, file, "parts", &count, sizeof count));
    for (int p = 0; p < count; p++) {
        ald_arena *arena = &s->memory[p % s->parts];
        ald_moments found;
        ALD_TRY(take_moments(run, s, arena, file, &found));
        ALD_TRY(found.d > 0 ? ald_moments_add(run, arena, &found, &s->total[p % s->parts]) : ALD_OK);
    }
    return ALD_OK;
}

/* Sums of the blocks that are read here, in the memory of part 0. They are saved from time to time, and where
 * another pass needs them. */
static ald_status sum_own(ald_run *run, const ald_blocks *blocks, int parts, summing *s)
{
    const int another = ald_settings_method(run->settings)->curvature != NULL;
    ald_pass_state state = ald_pass_state_of(blocks->survey->checkpoint, "moments", (ald_partial){0});
    ald_blocks rest = *blocks;
    state.ending = "";
    state.put = put_sums;
    state.take = take_sums;
    state.work = s;
    rest.state = state.checkpoint ? &state : NULL;
    ALD_TRY(ald_blocks_read(run, &rest, parts));
    ALD_TRY(ald_pass_state_end(run, &state, another));
    for (int part = 1; part < parts; part++)
        if (s->total[part].d > 0) ALD_TRY(ald_moments_add(run, s->memory, &s->total[part], &s->total[0]));
    return ALD_OK;
}

static ald_status check_sums(ald_run *run, const ald_blocks *blocks, const ald_moments *total)
{
    if (total->mean && total->n >= 2.0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has fewer than two rows%s", blocks->path,
                    blocks->survey->target.weights ? " of a weight above 0" : "");
}

/* Sums of all blocks, in the first part of the rows. */
static ald_status sum_moments(ald_run *run, const ald_blocks *blocks, int parts, summing *s)
{
    const ald_all_rows *all = blocks->survey->all;
    s->parts = parts;
    ALD_TRY(sum_own(run, blocks, parts, s));
    if (all) ALD_TRY(all->unite(run, s->memory, s->total));
    if (ald_is_first(all)) ALD_TRY(check_sums(run, blocks, s->total));
    return ald_curve_file(run, blocks, parts, s->plan, s->book, s->total);
}

/* One pass for the response, which all of it must be there to cut. */
static ald_status find_slices(ald_run *run, ald_collection *c, ald_model *model, summing *s)
{
    ald_problem problem = {0};
    ald_slices slices;
    ALD_TRY(ald_collect(run, c));
    problem.n = c->n;
    problem.target = &c->target;
    ALD_TRY(ald_problem_weigh(run, c->target.weights, &problem));
    ALD_TRY(ald_problem_slices(run, &problem, ald_slices_asked(run), model, &slices));
    s->edges = slices.edges;
    s->slices = slices.count;
    return ALD_OK;
}

static ald_status slice_file(ald_run *run, const ald_blocks *blocks, ald_model *model, summing *s)
{
    ald_collection c = {
        .path = blocks->path,
        .like = blocks->options,
        .survey = blocks->survey,
        .logbook = s->book,
        .gather = 1,
    };
    if (!ald_takes_slices(run, &blocks->survey->target)) return ALD_OK;
    const ald_status status = find_slices(run, &c, model, s);
    ald_collection_free(&c);
    return status;
}

static ald_status note_unlike(ald_run *run, const ald_dataset *survey, const ald_moments *total)
{
    double *deviations;
    if (survey->x.storage != ALD_DENSE) return ALD_OK;
    run->feature_names = (const char *const *)survey->feature_names;
    ALD_TRY(ald_scratch_reals(run, total->d, 1, &deviations));
    for (int64_t j = 0; j < total->d; j++)
        deviations[j] = sqrt(fmax(total->scatter[j * total->d + j], 0.0) / total->weight);
    ald_note_unlike_deviations(run, total->d, deviations);
    ald_arena_drop(&run->scratch, deviations);
    return ALD_OK;
}

/* In the first part of the rows. */
static ald_status fit_total(ald_run *run, const ald_blocks *blocks, ald_moments *total, ald_model *model)
{
    if (!ald_is_first(blocks->survey->all)) return ALD_OK;
    ALD_TRY(note_unlike(run, blocks->survey, total));
    return ald_fit_moments(run, total, blocks->options->like, model);
}

static ald_status fit_sums(ald_run *run, const char *path, const ald_load_options *like,
                           const ald_dataset *survey, const ald_row_plan *plan, ald_logbook *book,
                           ald_model *model)
{
    const int parts = ald_blocks_parts(run);
    summing s = {.plan = plan, .survey = survey, .book = book};
    const ald_blocks blocks = {
        .path = path,
        .options = like,
        .survey = survey,
        .visit = add_block,
        .work = &s,
    };
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s.memory, &s.memory));
    ALD_TRY(ald_scratch_clear(run, parts, 1, sizeof *s.total, &s.total));
    for (int i = 0; i < parts; i++) ald_arena_init(&s.memory[i], run->call.allocator);
    ald_status status = slice_file(run, &blocks, model, &s);
    if (status >= 0) status = sum_moments(run, &blocks, parts, &s);
    for (int i = 1; i < parts; i++) ald_arena_free(&s.memory[i]);
    s.total->edges = s.edges;
    if (status >= 0) status = fit_total(run, &blocks, s.total, model);
    ald_arena_free(s.memory);
    return status;
}

/* As if all its rows had the weight 1: those that have one need not be in a survey. */
static ald_status check_survey(ald_run *run, const ald_dataset *survey, const ald_method *method)
{
    ald_target target = survey->target;
    double *ones;
    ALD_TRY(ald_scratch_reals(run, survey->x.rows, 1, &ones));
    for (int64_t i = 0; i < survey->x.rows; i++) ones[i] = 1.0;
    if (target.weights) target.weights = ones;
    return ald_check_target(run, &target, survey->x.rows, method);
}

/* First of all: what else is said of rows that are read in blocks would lead nowhere. */
static ald_status check_shares(ald_run *run, const ald_method *method, const ald_dataset *survey)
{
    ALD_TRY(ald_share_check(run, survey));
    if (!survey->all || method->capabilities & ALD_CAN_DISTRIBUTE) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s cannot divide its rows among ranks: fit it in one process", method->name);
}

static ald_status check_passes(ald_run *run, const ald_method *method, const ald_dataset *survey, int passes)
{
    if (!survey->all || !passes || method->shares_products) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "%s divides its rows among ranks up to %lld columns, and this file has %lld: fit it in one process",
        method->name, (long long)run->context->most_square, (long long)survey->x.cols);
}

/* About what the sums and the solution take: rows are not kept at their cost. */
static void make_room(ald_run *run, const ald_dataset *survey, int passes, int statistics)
{
    const double d = (double)survey->x.cols, n = (double)survey->stands_for;
    const double squares = (statistics ? 4.0 : 1.0) * (double)(ald_blocks_parts(run) + 6);
    ald_row_store_yield(run, survey, sizeof(double) * (passes ? 100.0 * (n + d) : squares * d * d));
}

/* How a file is fitted. */
typedef struct manner {
    int divided, passes, statistics;
} manner;

/* Files beside that of the rows. */
static ald_status check_files(ald_run *run, const ald_load_options *options, int divided)
{
    const ald_method *method = ald_settings_method(run->settings);
    const int graph = divided && (method->capabilities & ALD_CAN_GRAPH);
    const struct {
        const char *name, *file;
    } files[] = {
        {"graph_file", graph ? NULL : options->graph_file},      {"distances_file", options->distances_file},
        {"response_kernel_file", options->response_kernel_file}, {"start_file", options->start_file},
        {"unlabelled_file", options->unlabelled_file},           {"event", options->event},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].file)
            return ald_fail(
                run->error, ALD_ERROR_UNSUPPORTED,
                "%s does not support `%s` when rows are read in blocks: leave it out, or load all rows",
                method->name, files[i].name);
    return ALD_OK;
}

/* Refuses what cannot be done, and describes the survey in `names`. */
static ald_status decide(ald_run *run, const ald_load_options *options, const ald_dataset *survey,
                         ald_model *names, manner *how)
{
    const ald_method *method = ald_settings_method(run->settings);
    how->divided = ald_method_divides(run);
    ALD_TRY(check_files(run, options, how->divided));
    ALD_TRY(check_shares(run, method, survey));
    ALD_TRY(ald_check_storage(run, &survey->x, method));
    ALD_TRY(check_survey(run, survey, method));
    if (ald_gaps_allowed(run))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "components from incomplete rows (`missing=nipals`) need all rows in memory: load "
                        "them, or fill the cells (`missing=mean`)");
    ALD_TRY(ald_check_row_order(run, run->settings, survey->categorical));
    ALD_TRY(how->divided ? ald_check_divided(run, survey) : ald_check_moments(run, method, &survey->target));
    how->statistics =
        ald_common_settings_of(run->settings).keep_statistics || method->class_scatters || method->curvature;
    how->passes = !how->divided && survey->x.cols > run->context->most_square && !how->statistics;
    ALD_TRY(check_passes(run, method, survey, how->passes));
    ALD_TRY(ald_check_spread(run, !how->passes && !how->divided));
    return describe_survey(run, survey, names);
}

/* By the way that was decided on. */
static ald_status fit_so(ald_run *run, const char *path, const ald_load_options *like,
                         const ald_dataset *survey, const manner *how, ald_logbook *book, ald_model **model)
{
    ald_row_plan plan = ald_row_plan_of(run->settings);
    ALD_TRY(ald_learn_references(run, path, like, survey, book, &plan));
    ALD_TRY(ald_row_plan_store(run, &plan, survey->x.cols, *model));
    if (how->divided) return ald_fit_divided(run, path, like, survey, &plan, model);
    return (how->passes ? ald_fit_passes : fit_sums)(run, path, like, survey, &plan, book, *model);
}

static ald_status fit_stream(ald_run *run, const char *path, const ald_load_options *options,
                             const ald_dataset *survey, ald_model *names, ald_model **model)
{
    ald_load_options like = *options;
    ald_logbook *book = NULL;
    manner how = {0};
    ald_status status = ald_all_rows_agree(run, survey->all, decide(run, options, survey, names, &how));
    if (status == ALD_ERROR_UNSUPPORTED) ald_checkpoint_forget(run, survey->checkpoint);
    ALD_TRY(status);
    like.like = names;
    like.with_weights = 1;
    like.unseen = "error"; /* the survey has seen them all */
    like.id = NULL;        /* blocks need no names */
    if (!how.divided) make_room(run, survey, how.passes, how.statistics);
    status = ald_steps_open(run, survey, &book);
    if (status >= 0) status = fit_so(run, path, &like, survey, &how, book, model);
    ald_steps_close(run, book);
    if (status >= 0 && *model) status = ald_model_set_text(run, *model, "alidade.streamed", "1");
    return status;
}

ald_status ald_fit_stream(ald_context *context, const ald_settings *settings, const char *path,
                          const ald_load_options *options, const ald_dataset *survey, ald_model **model,
                          ald_error *error)
{
    ald_load_options whole;
    ald_run run;
    ald_model *names = NULL;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, path, survey, model);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, options, &whole));
    ald_run_begin(&run, context, error);
    ald_status status = ald_fit_begin(&run, settings, model);
    if (status >= 0) status = ald_model_new(&run, &names);
    if (status >= 0) status = fit_stream(&run, path, &whole, survey, names, model);
    ald_model_free(names);
    if (status >= 0 && survey->all) status = survey->all->share(&run, model);
    return ald_fit_end(&run, ald_share_end(&run, status), model);
}
