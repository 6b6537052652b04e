/* ald_dataset_survey and ald_fit_stream: two readings of a file in blocks. */
#include "data/stream.h"
#include "api/check.h"
#include "api/fit.h"
#include "api/moments.h"
#include "api/prepare.h"
#include "data/dataset.h"

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

static ald_status check_block(ald_run *run, const ald_dataset *block, const ald_dataset *survey)
{
    const ald_target *y = &block->target;
    ALD_TRY(ald_check_matrix(run, &block->x, "X"));
    ALD_TRY(ald_check_finite(run, &block->x, "X"));
    if (y->kind != survey->target.kind)
        return ald_fail(run->error, ALD_ERROR_DATA, "a part of the file has no target like the rest");
    if (y->kind != ALD_TARGET_NONE) ALD_TRY(ald_check_truth(run, y, block->x.rows));
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "some rows have no target: leave them out (--unlabelled-rows drop)");
    return ALD_OK;
}

/* total += the moments of a block. What is left of the work on it goes with the scratch. */
static ald_status add_block(ald_run *run, const ald_dataset *block, const ald_dataset *survey, ald_arena *memory,
                            ald_moments *total)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_operator rows = {.x = block->x};
    ald_moments change, sum;
    ALD_TRY(check_block(run, block, survey));
    ALD_TRY(ald_prepare_rows(run, ald_settings_text(run->settings, "row_scale"), &rows));
    ALD_TRY(ald_moments_of_rows(run, &rows, &block->target, &change));
    if (total->n > 0.0) {
        ALD_TRY(ald_moments_combine(run, total, &change, 1, &sum));
        ALD_TRY(ald_moments_copy(run, memory, &sum, total));
    } else
        ALD_TRY(ald_moments_copy(run, memory, &change, total));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static ald_status read_block(ald_run *run, ald_stream *stream, const ald_load_options *like, const ald_dataset *survey,
                             ald_arena *memory, ald_moments *total, int *got)
{
    ald_dataset *block;
    ald_table table;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_dataset_new(run, &block));
    ald_status status = ald_stream_next(run, stream, &block->memory, &table, got);
    if (status >= 0 && *got) status = ald_dataset_from_table(run, &table, like, block);
    if (status >= 0 && *got) status = add_block(run, block, survey, memory, total);
    ald_dataset_free(block);
    ald_arena_release(&run->scratch, mark);
    return status;
}

static ald_status sum_moments(ald_run *run, const char *path, const ald_load_options *like, const ald_dataset *survey,
                              ald_arena *memory, ald_moments *total)
{
    ald_stream *stream;
    int got = 1;
    ALD_TRY(ald_stream_open(run, path, like, &stream));
    ald_status status = ALD_OK;
    while (status >= 0 && got) status = read_block(run, stream, like, survey, memory, total, &got);
    ald_stream_close(stream);
    return status;
}

static ald_status fit_stream(ald_run *run, const char *path, const ald_load_options *options, const ald_dataset *survey,
                             ald_model *names, ald_model *model)
{
    const ald_method *method = ald_settings_method(run->settings);
    ald_load_options like = *options;
    ald_moments total = {0};
    ald_arena memory;
    ALD_TRY(ald_check_target(run, &survey->target, survey->x.rows, method));
    ALD_TRY(ald_check_moments(run, method, &survey->target));
    ALD_TRY(describe_survey(run, survey, names));
    like.like = names;
    ald_arena_init(&memory, &run->context->allocator);
    ald_status status = sum_moments(run, path, &like, survey, &memory, &total);
    if (status >= 0 && total.n < 2.0) status = ald_fail(run->error, ALD_ERROR_DATA, "%s has fewer than two rows", path);
    if (status >= 0) status = ald_fit_moments(run, &total, names, model);
    ald_arena_free(&memory);
    return status;
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
