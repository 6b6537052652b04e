/* The headline of the page: one sentence with the figure of merit, its interval and the baselines. */
#include "show/report/figures.h"
#include "show/report/sections.h"

#include <math.h>
#include <string.h>

static ald_status name_target(ald_run *run, const ald_report_job *job, ald_text *text)
{
    const ald_dataset *rows = job->data->target.kind == job->kind ? job->data : job->test;
    const char *name = ald_dataset_response_name(rows, 0);
    if (job->kind == ALD_TARGET_LABELS)
        return ald_text_print(run, text, "%lld labels", (long long)job->outputs);
    if (job->outputs > 1) return ald_text_print(run, text, "%lld responses", (long long)job->outputs);
    return ald_text_print(run, text, "%s", name && *name ? name : "the target");
}

/* Which rows the figure is of. */
static ald_status name_rows(ald_run *run, const ald_report_job *job, ald_text *text)
{
    const ald_judged_rows *j = &job->judged;
    const long long n = (long long)j->headline.n;
    if (strcmp(j->source, "test") == 0)
        return ald_text_print(run, text, " on %lld test rows that the model had not seen", n);
    if (strcmp(j->source, "training") == 0)
        return ald_text_print(run, text,
                              " on the %lld row%s it was fitted on: a training figure, which is optimistic",
                              n, n == 1 ? "" : "s");
    ALD_TRY(ald_text_print(
        run, text, " on %lld rows together, each predicted by a %s that had not seen it (%s", n,
        j->chosen_anew ? "choice and a fit" : "fit", j->splits ? j->splits : "cross-validation"));
    if (isfinite(j->fold_mean)) {
        char mean[ALD_SHORT_NUMBER];
        ald_short_number(j->fold_mean, (j->headline.high - j->headline.low) / 4.0, mean);
        ALD_TRY(ald_text_print(run, text, "; the mean over them is %s", mean));
    }
    return ald_text_add(run, text, ")", 1);
}

static ald_status name_baselines(ald_run *run, const ald_report_job *job, ald_text *text)
{
    const ald_judged_rows *j = &job->judged;
    char figure[ALD_FIGURE_TEXT];
    for (int i = 0; i < j->n_baselines; i++) {
        const ald_figure *f = &j->baselines[i].figure;
        ald_short_number(f->value, (f->high - f->low) / 4.0, figure);
        ALD_TRY(ald_text_print(run, text, "%s%s: %s", i ? "; " : ". For comparison, ", j->baselines[i].name,
                               figure));
    }
    return ald_text_add(run, text, ".", 1);
}

/* In a sentence short words do. */
static const char *metric_words(const ald_report_job *job)
{
    if (job->kind == ALD_TARGET_LABELS) return "mean AUC of the labels";
    if (job->kind == ALD_TARGET_REAL && job->outputs > 1) return "mean share of their variance explained";
    return job->judged.metric.title;
}

/* Why there is no figure. */
static const char *nothing_judged(const ald_report_job *job)
{
    if (job->times)
        return "Times with events are not judged here: the concordance of the predicted risks is a figure of "
               "evaluate and compare.";
    return job->kind == ALD_TARGET_NONE ? "The data have no target, so nothing is predicted."
                                        : "There is no prediction of the target to judge it by.";
}

static ald_status write_sentence(ald_run *run, const ald_report_job *job, ald_text *text)
{
    const ald_judged_rows *j = &job->judged;
    const ald_method *method = ald_method_find(ald_model_method(job->model));
    const char *title = method ? ald_method_title(method) : ald_model_method(job->model);
    char figure[ALD_FIGURE_TEXT];
    ALD_TRY(ald_text_print(run, text, "%s with %lld component%s", title, (long long)job->r,
                           job->r == 1 ? "" : "s"));
    if (!j->source || !isfinite(j->headline.value))
        return ald_text_print(run, text, " of %lld rows and %lld columns. %s", (long long)job->total,
                              (long long)job->d, nothing_judged(job));
    ALD_TRY(ald_text_print(run, text, " predicts "));
    ALD_TRY(name_target(run, job, text));
    ald_figure_text(&j->headline, figure);
    ALD_TRY(ald_text_print(run, text, ": %s %s", metric_words(job), figure));
    ALD_TRY(name_rows(run, job, text));
    return name_baselines(run, job, text);
}

static void write_figure(ald_page *page, const ald_figure *figure)
{
    ald_page_real_of(page, "value", figure->value);
    ald_page_real_of(page, "low", figure->low);
    ald_page_real_of(page, "high", figure->high);
}

static void write_baselines(ald_page *page, const ald_judged_rows *j)
{
    ald_page_open_of(page, "baselines", '[');
    for (int i = 0; i < j->n_baselines; i++) {
        ald_page_open(page, '{');
        ald_page_text_of(page, "name", j->baselines[i].name);
        write_figure(page, &j->baselines[i].figure);
        ald_page_close(page, '}');
    }
    ald_page_close(page, ']');
}

static void write_figures(ald_page *page, const ald_judged_rows *j)
{
    ald_page_open_of(page, "figures", '[');
    for (int i = 0; i < j->n_figures; i++) {
        ald_metric_facts facts = ALD_METRIC_FACTS_INIT;
        const ald_score *score = &j->figures[i];
        ald_page_open(page, '{');
        ald_page_text_of(page, "name", score->name);
        ald_page_text_of(page, "title", ald_metric_named(score->name, j->metric.kind, &facts)->title);
        ald_page_text_of(page, "of", score->of);
        ald_page_real_of(page, "value", score->value);
        ald_page_real_of(page, "error", j->errors[i]);
        ald_page_close(page, '}');
    }
    ald_page_close(page, ']');
}

ald_status ald_section_headline(ald_run *run, ald_report_job *job, ald_page *page)
{
    const ald_judged_rows *j = &job->judged;
    ald_text sentence;
    ald_text_init(&sentence, &run->scratch);
    ALD_TRY(write_sentence(run, job, &sentence));
    ald_page_open_of(page, "headline", '{');
    ald_page_text_of(page, "sentence", sentence.data);
    ald_page_metric(page, &j->metric);
    write_figure(page, &j->headline);
    ald_page_real_of(page, "level", 0.95);
    ald_page_whole_of(page, "n", j->headline.n);
    ald_page_text_of(page, "source", j->source);
    ald_page_real_of(page, "training", j->training.value);
    write_baselines(page, j);
    ald_page_close(page, '}');
    write_figures(page, j);
    return ald_page_status(page);
}
