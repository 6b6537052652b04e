#include "show/report/report_job.h"
#include "show/report/sections.h"

#include <stdio.h>
#include <string.h>

/* The dataset that has the target. */
static const ald_dataset *with_target(const ald_report_job *job)
{
    return job->data->target.kind == job->kind ? job->data : job->test;
}

static void write_response(ald_page *page, const ald_dataset *rows, int64_t index)
{
    const char *name = ald_dataset_response_name(rows, index);
    char numbered[32], unit[200] = "";
    size_t begins;
    snprintf(numbered, sizeof numbered, "y%lld", (long long)index + 1);
    const size_t length = name ? ald_name_unit(name, &begins) : 0;
    if (length > 0 && length < sizeof unit) memcpy(unit, name + begins, length);
    ald_page_open(page, '{');
    ald_page_text_of(page, "name", name ? name : numbered);
    ald_page_text_of(page, "unit", *unit ? unit : NULL);
    ald_page_close(page, '}');
}

static void write_classes(ald_page *page, const ald_report_job *job, const ald_target *y)
{
    char numbered[32];
    ald_page_open_of(page, "classes", '[');
    for (int64_t c = 0; c < job->n_classes; c++) {
        snprintf(numbered, sizeof numbered, "%lld", (long long)c + 1);
        ald_page_string(page, y->names ? y->names[c] : numbered);
    }
    ald_page_close(page, ']');
}

ald_status ald_section_target(ald_run *run, ald_report_job *job, ald_page *page)
{
    const ald_dataset *rows = with_target(job);
    const int classes = job->kind == ALD_TARGET_CLASSES;
    const ald_method *method = ald_method_find(ald_model_method(job->model));
    (void)run;
    ald_page_text_of(page, "task", ald_task_name(job->kind));
    ald_page_text_of(page, "target_name", classes ? ald_dataset_response_name(rows, 0) : NULL);
    ald_page_open_of(page, "responses", '[');
    for (int64_t i = 0; !classes && i < job->outputs; i++) write_response(page, rows, i);
    ald_page_close(page, ']');
    write_classes(page, job, rows ? &rows->target : NULL);
    ald_page_text_of(page, "method", ald_model_method(job->model));
    ald_page_text_of(page, "method_title", method ? ald_method_title(method) : ald_model_method(job->model));
    return ald_page_status(page);
}
