/* ald_model_export: a recipe of the model, then one of the writers. Checks come before writing, and an output
 * appears whole or not at all. */
#include "show/export/export.h"

#include "base/core/text.h"
#include "base/settings/options.h"

#include <string.h>

/* Options that not all formats have. */
enum { for_inputs = 1, for_table = 2, for_level = 4 };

static const struct format {
    const char *name;
    unsigned options;
    ald_status (*check)(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job);
    ald_status (*write)(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job);
} formats[] = {
    {"c", 0, ald_export_c_check, ald_export_c},
    {"onnx", for_inputs | for_level, ald_export_onnx_check, ald_export_onnx},
    {"sql", for_table | for_level, ald_export_sql_check, ald_export_sql},
    {"json", 0, ald_export_json_check, ald_export_json},
};
enum { n_formats = sizeof formats / sizeof *formats };

static const struct format *find_format(const char *name)
{
    for (int i = 0; name && i < n_formats; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

static ald_status choose_format(ald_run *run, const char *path, const ald_export_options *options,
                                const struct format **format)
{
    const char *ending = strrchr(path, '.'), *name = options->format;
    if (!name && ending && !strchr(ending, '/')) name = ending + 1;
    *format = find_format(name);
    if (*format) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s: models are exported as .c, .onnx, .sql or .json; give a name that ends so", path);
}

/* An option of other formats would change nothing, and is refused. */
static ald_status check_options(ald_run *run, const struct format *format, const ald_export_options *given)
{
    const struct {
        int given;
        unsigned option;
        const char *why;
    } list[] = {
        {given->inputs != NULL, for_inputs, "`inputs` is for ONNX"},
        {given->table != NULL, for_table, "`table` is for SQL"},
        {given->keep != NULL, for_table, "`keep` is for SQL"},
        {given->level != 0.0, for_level, "a level of intervals is for SQL and ONNX; C and JSON have any"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given && !(format->options & list[i].option))
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: leave it out with the format %s",
                            list[i].why, format->name);
    return ALD_OK;
}

static ald_status choose_parts(ald_run *run, const ald_model *model, ald_export_job *job)
{
    static const char *const words[] = {"both", "scores", "prediction", NULL};
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    int what;
    ALD_TRY(ald_choose_word(run, "what", words, job->options.what, &what));
    ald_model_prediction_shape(model, &shape);
    if (what == 2 && shape.columns == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    job->scores = what != 2;
    job->predictions = what != 1;
    return ALD_OK;
}

/* A large file is announced before it is there: all is written once to nowhere, and counted. */
static ald_status announce_size(ald_run *run, const struct format *format, const ald_model_recipe *recipe,
                                ald_export_job *job)
{
    const double many_numbers = 1e4, large = 1e6;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (recipe->numbers < many_numbers) return ALD_OK;
    job->pen = (ald_pen){.run = run};
    ALD_TRY(format->write(run, recipe, job));
    ald_arena_release(&run->scratch, mark);
    if (job->pen.written >= large)
        ald_log(run, ALD_LOG_INFO, "the file will have %.4g MB", job->pen.written / 1e6);
    return ALD_OK;
}

static ald_status write_file(ald_run *run, const ald_model *model, const char *path, ald_export_job *job,
                             ald_output **output)
{
    const struct format *format;
    ald_model_recipe recipe;
    ALD_TRY(choose_format(run, path, &job->options, &format));
    ALD_TRY(check_options(run, format, &job->options));
    ALD_TRY(choose_parts(run, model, job));
    ALD_TRY(ald_recipe_take(run, model, job->predictions, &recipe));
    ALD_TRY(format->check(run, &recipe, job));
    ALD_TRY(ald_recipe_take_digest(run, &recipe));
    ALD_TRY(announce_size(run, format, &recipe, job));
    ALD_TRY(ald_output_open(run, path, 0, output));
    job->pen = (ald_pen){.run = run, .output = *output};
    ALD_TRY(format->write(run, &recipe, job));
    return ald_output_commit(run, *output);
}

ald_status ald_model_export(ald_context *context, const ald_model *model, const char *path,
                            const ald_export_options *options, ald_error *error)
{
    ald_export_job job = {0};
    ald_output *output = NULL;
    ald_run run;
    ALD_GIVEN(error, context, model, path);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_export_options, options, &job.options));
    ald_run_begin(&run, context, error);
    const ald_status status = write_file(&run, model, path, &job, &output);
    ald_output_abandon(output);
    return ald_run_end(&run, status);
}

static ald_status try_format(ald_run *run, const ald_model *model, const struct format *format)
{
    const ald_export_job job = {.scores = 1, .predictions = 1};
    ald_model_recipe recipe;
    ALD_TRY(ald_recipe_take(run, model, 1, &recipe));
    return format->check(run, &recipe, &job);
}

ald_status ald_model_can_export(ald_context *context, const ald_model *model, const char *format,
                                ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, model, format);
    ald_run_begin(&run, context, error);
    const struct format *found = find_format(format);
    const ald_status status =
        found ? try_format(&run, model, found)
              : ald_fail(run.error, ALD_ERROR_ARGUMENT,
                         "`format` is %.20s, but it must be c, onnx, sql or json", format);
    return ald_run_end(&run, status);
}
