#include "show/report/sections.h"

const char *ald_task_name(ald_target_kind kind)
{
    static const char *const tasks[] = {
        [ALD_TARGET_NONE] = "none",
        [ALD_TARGET_CLASSES] = "classification",
        [ALD_TARGET_REAL] = "regression",
        [ALD_TARGET_LABELS] = "multilabel",
    };
    return tasks[kind];
}

void ald_page_metric(ald_page *page, const ald_metric_facts *metric)
{
    ald_page_text_of(page, "metric", metric->name);
    ald_page_text_of(page, "metric_title", metric->title);
    ald_page_text_of(page, "better", metric->larger_is_better == 1 ? "higher" : "lower");
}

ald_status ald_sections_write(ald_run *run, ald_report_job *job, ald_page *page)
{
    static const ald_section sections[] = {
        ald_section_headline, ald_section_target,      ald_section_rows,   ald_section_density,
        ald_section_columns,  ald_section_permutation, ald_section_choice, ald_section_origin,
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) ALD_TRY(sections[i](run, job, page));
    return ald_page_status(page);
}
