/* ald_dataset_survey and ald_fit_stream: two readings of a file in blocks, or more where it has many columns. */
#include "data/stream.h"
#include "api/blocks.h"
#include "api/check.h"
#include "api/fit.h"
#include "api/moments.h"
#include "api/passes.h"
#include "api/prepare.h"
#include "data/dataset.h"

#include <string.h>

ald_status ald_dataset_survey(ald_context *context, const char *path, const ald_load_options *options,
                              ald_dataset **survey, int64_t *rows, ald_error *error)
{
    static const ald_load_options none;
    ald_run run;
    *survey = NULL;
    *rows = 0;
    ald_run_begin(&run, context, error);
    ald_status status = ald_dataset_new(&run, survey);
    if (status >= 0) status = ald_stream_survey(&run, path, options ? options : &none, *survey, rows);
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
        ALD_TRY(ald_model_set_names(run, names, "alidade.feature_names", (const char *const *)survey->feature_names,
                                    survey->x.cols));
    if (y->names && y->kind != ALD_TARGET_NONE)
        ALD_TRY(ald_model_set_names(run, names, classes ? "alidade.class_names" : "alidade.response_names", y->names,
                                    classes ? y->n_classes : y->values.cols));
    if (classes && survey->response_names)
        ALD_TRY(
            ald_model_set_names(run, names, "alidade.response_names", (const char *const *)survey->response_names, 1));
    return ALD_OK;
}

/* What the parts have summed, each for itself. */
typedef struct summing {
    ald_arena *memory;  /* a part */
    ald_moments *total; /* a part; d is 0 before its first block */
} summing;

/* Blocks without weight have no mean: their rows are counted. */
static ald_status add_moments(ald_run *run, ald_arena *memory, const ald_moments *change, ald_moments *total)
{
    const double rows = total->n;
    if (total->mean) return ald_moments_merge(run, memory, total, change, 1);
    ALD_TRY(ald_moments_copy(run, memory, change, total));
    total->n += rows;
    return ALD_OK;
}

static ald_status add_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const summing *s = work;
    ald_operator rows = {.x = block->x};
    ald_moments change;
    (void)number;
    ALD_TRY(ald_prepare_rows(run, ald_settings_text(run->settings, "row_scale"), &rows));
    ALD_TRY(ald_moments_of_rows(run, &rows, &block->target, &change));
    return add_moments(run, &s->memory[part], &change, &s->total[part]);
}

/* Sums of all blocks, in the memory of part 0. */
static ald_status sum_moments(ald_run *run, const ald_blocks *blocks, int parts, summing *s)
{
    ALD_TRY(ald_blocks_read(run, blocks, parts));
    for (int part = 1; part < parts; part++)
        if (s->total[part].d > 0) ALD_TRY(add_moments(run, s->memory, &s->total[part], &s->total[0]));
    return ALD_OK;
}

static ald_status fit_sums(ald_run *run, const char *path, const ald_load_options *like, const ald_dataset *survey,
                           ald_model *model)
{
    const int parts = ald_blocks_parts(run);
    summing s;
    const ald_blocks blocks = {path, like, survey, add_block, &s};
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s.memory, &s.memory));
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *s.total, &s.total));
    memset(s.total, 0, (size_t)parts * sizeof *s.total);
    for (int i = 0; i < parts; i++) ald_arena_init(&s.memory[i], &run->context->allocator);
    ald_status status = sum_moments(run, &blocks, parts, &s);
    for (int i = 1; i < parts; i++) ald_arena_free(&s.memory[i]);
    if (status >= 0 && s.total->n < 2.0)
        status = ald_fail(run->error, ALD_ERROR_DATA, "%s has fewer than two rows", path);
    if (status >= 0) status = ald_fit_moments(run, s.total, like->like, model);
    ald_arena_free(s.memory);
    return status;
}

static ald_status fit_stream(ald_run *run, const char *path, const ald_load_options *options, const ald_dataset *survey,
                             ald_model *names, ald_model *model)
{
    const ald_method *method = ald_settings_method(run->settings);
    ald_load_options like = *options;
    ALD_TRY(ald_check_target(run, &survey->target, survey->x.rows, method));
    ALD_TRY(ald_check_moments(run, method, &survey->target));
    ALD_TRY(describe_survey(run, survey, names));
    like.like = names;
    return survey->x.cols > ALD_MOMENTS_ORDER && !ald_setting_int(run, "keep_statistics")
               ? ald_fit_passes(run, path, &like, survey, model)
               : fit_sums(run, path, &like, survey, model);
}

ald_status ald_fit_stream(ald_context *context, const ald_settings *settings, const char *path,
                          const ald_load_options *options, const ald_dataset *survey, ald_model **model,
                          ald_error *error)
{
    static const ald_load_options none;
    ald_run run;
    ald_model *names = NULL;
    ald_status status = ald_fit_begin(&run, context, settings, error, model);
    if (status >= 0) status = ald_model_new(&run, &names);
    if (status >= 0) status = fit_stream(&run, path, options ? options : &none, survey, names, *model);
    ald_model_free(names);
    return ald_fit_end(&run, status, model);
}
