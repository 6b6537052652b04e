/* ald_report and ald_report_comparison: what is known, as one page. */
#include "base/core/context.h"
#include "base/core/error.h"
#include "base/settings/options.h"
#include "show/report/page.h"
#include "show/report/sections.h"

#include <string.h>

static void write_head(ald_page *page, const char *kind, const char *title)
{
    ald_page_open(page, '{');
    ald_page_whole_of(page, "format", 1);
    ald_page_text_of(page, "kind", kind);
    ald_page_text_of(page, "title", title);
    ald_page_open_of(page, "made_by", '{');
    ald_page_text_of(page, "program", "alidade");
    ald_page_text_of(page, "version", ald_version());
    ald_page_close(page, '}');
}

static ald_status finish(ald_run *run, ald_page *page, const char *title, char **html)
{
    ald_text text;
    ald_page_close(page, '}');
    ALD_TRY(ald_page_status(page));
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_page_assemble(run, title, &page->text, &text));
    return ald_text_hand_out(run, &text, html);
}

static ald_status make_title(ald_run *run, const ald_report_options *options, const char *what,
                             const char **title)
{
    const char *path = options->data_path, *slash = path ? strrchr(path, '/') : NULL;
    ald_text text;
    *title = options->title;
    if (options->title) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%s", what));
    if (path && strcmp(path, "-") != 0)
        ALD_TRY(ald_text_print(run, &text, " of %s", slash ? slash + 1 : path));
    *title = text.data;
    return ALD_OK;
}

static ald_status check_rows(ald_run *run, const ald_report_job *job, const ald_dataset *rows,
                             const char *name)
{
    const int64_t d = ald_model_feature_count(job->model);
    if (!rows) return ALD_OK;
    if (rows->x.cols != d)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`%s` has %lld columns, but the model was fitted on %lld: load it like the model",
                        name, (long long)rows->x.cols, (long long)d);
    if (rows->x.rows == 0) return ald_fail(run->error, ALD_ERROR_DATA, "`%s` has no rows", name);
    return ALD_OK;
}

static ald_status check_options(ald_run *run, const ald_report_options *options)
{
    if (options->folds == 1 || options->folds < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`folds` is %lld; it must be 2 or more (0 stands for the usual number)",
                        (long long)options->folds);
    return ALD_OK;
}

static ald_status write_model_page(ald_run *run, ald_report_job *job, char **html)
{
    ald_page page;
    ALD_TRY(check_options(run, &job->options));
    ALD_TRY(check_rows(run, job, job->data, "data"));
    ALD_TRY(check_rows(run, job, job->test, "test"));
    if (!job->options.groups) job->options.groups = job->data->groups;
    ALD_TRY(make_title(run, &job->options, ald_model_method(job->model), &job->title));
    ALD_TRY(ald_progress(run, "reading the model", -1.0));
    ALD_TRY(ald_report_prepare(run, job));
    ALD_TRY(ald_report_judge(run, job));
    ald_page_begin(&page, run);
    write_head(&page, job->options.tuning ? "tune" : "model", job->title);
    ald_page_null_of(&page, "compare");
    ALD_TRY(ald_sections_write(run, job, &page));
    return finish(run, &page, job->title, html);
}

/* The caller's wish to stop is kept: calls inside that have just ended hear it too, and go by it no more. */
typedef struct listener {
    const ald_context *caller;
    int stopped;
} listener;

static int listen(void *user, const char *stage, double done)
{
    listener *l = user;
    if (!l->stopped) l->stopped = l->caller->progress(l->caller->progress_user, stage, done);
    return l->stopped;
}

ald_status ald_report(ald_context *context, const ald_model *model, const ald_dataset *data,
                      const ald_dataset *test, const ald_report_options *options, char **html,
                      ald_error *error)
{
    ald_run run;
    ald_report_job job = {.model = model, .data = data, .test = test};
    if (html) *html = NULL;
    ALD_GIVEN(error, context, model, data, html);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_report_options, options, &job.options));
    listener l = {.caller = context};
    ALD_TRY(ald_context_with_progress(context, context->progress ? listen : NULL, &l, &job.context, error));
    ald_run_begin(&run, job.context, error);
    const ald_status status = ald_run_end(&run, write_model_page(&run, &job, html));
    ald_context_free(job.context);
    return status;
}

/* What a page of a comparison has nothing to say of. */
static void write_absent(ald_page *page)
{
    static const char *const nulls[] = {
        "figures",  "target_name", "method",       "method_title",     "rows",          "components",
        "scores",   "response",    "predicted",    "predicted_source", "probabilities", "probabilities_are",
        "outliers", "density",     "columns",      "columns_n",        "columns_axis",  "column_values",
        "weights",  "loadings",    "coefficients", "importance",       "stability",     "curve",
        "spectrum", "certificate", "tune",         "deviations",       "certainty",     "permutation",
    };
    static const char *const empty[] = {
        "responses", "classes", "settings", "resolved", "preparation",
    };
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++) ald_page_null_of(page, nulls[i]);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        ald_page_open_of(page, empty[i], '[');
        ald_page_close(page, ']');
    }
}

static ald_status write_comparison_page(ald_run *run, const ald_comparison *comparison,
                                        const ald_dataset *data, const ald_report_options *options,
                                        char **html)
{
    const char *title;
    ald_page page;
    ALD_TRY(make_title(run, options, "Comparison", &title));
    ald_page_begin(&page, run);
    write_head(&page, "compare", title);
    ALD_TRY(ald_section_comparison(run, comparison, data, &page));
    ald_page_text_of(&page, "task", data ? ald_task_name(data->target.kind) : "none");
    write_absent(&page);
    ald_page_key(&page, "warnings");
    ald_page_open(&page, '[');
    if (ald_comparison_cut(comparison)) ald_page_string(&page, ald_comparison_cut(comparison));
    ald_page_close(&page, ']');
    ald_page_files(&page, options, data, NULL);
    return finish(run, &page, title, html);
}

ald_status ald_report_comparison(ald_context *context, const ald_comparison *comparison,
                                 const ald_dataset *data, const ald_report_options *options, char **html,
                                 ald_error *error)
{
    ald_run run;
    ald_report_options whole;
    if (html) *html = NULL;
    ALD_GIVEN(error, context, comparison, html);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_report_options, options, &whole));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, write_comparison_page(&run, comparison, data, &whole, html));
}
