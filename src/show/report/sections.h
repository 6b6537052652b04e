/* The keys of the data of a page, a few at a time, as page/FORMAT.md lists them. Each computes what it needs
 * and writes it; null where there is none. */
#ifndef ALD_REPORT_SECTIONS_H
#define ALD_REPORT_SECTIONS_H

#include "show/report/report_job.h"

typedef ald_status (*ald_section)(ald_run *run, ald_report_job *job, ald_page *page);

/* sections.c: all of a model, in the order below. */
ald_status ald_sections_write(ald_run *run, ald_report_job *job, ald_page *page);
/* "regression" and so on; metric, metric_title, better. */
const char *ald_task_name(ald_target_kind kind);
void ald_page_metric(ald_page *page, const ald_metric_facts *metric);

/* target_section.c: task, target_name, responses, classes, method, method_title. */
ald_status ald_section_target(ald_run *run, ald_report_job *job, ald_page *page);
/* headline_section.c: headline, figures. */
ald_status ald_section_headline(ald_run *run, ald_report_job *job, ald_page *page);
/* row_section.c: rows, components, scores, response, predicted, ..., certainty, outliers. */
ald_status ald_section_rows(ald_run *run, ald_report_job *job, ald_page *page);
/* density_section.c: density. */
ald_status ald_section_density(ald_run *run, ald_report_job *job, ald_page *page);
/* column_section.c: columns, column_values, weights, loadings, deviations, coefficients, importance,
 * stability. */
ald_status ald_section_columns(ald_run *run, ald_report_job *job, ald_page *page);
/* permutation_section.c: permutation. */
ald_status ald_section_permutation(ald_run *run, ald_report_job *job, ald_page *page);
/* choice_section.c: curve, spectrum, certificate, tune. */
ald_status ald_section_choice(ald_run *run, ald_report_job *job, ald_page *page);
/* origin_section.c: settings, resolved, preparation, files, commands, warnings. */
ald_status ald_section_origin(ald_run *run, ald_report_job *job, ald_page *page);

/* origin_section.c: files, commands. */
void ald_page_files(ald_page *page, const ald_report_options *options, const ald_dataset *data,
                    const ald_dataset *test);

/* comparison_section.c: headline, task and compare of a comparison. `data` may be NULL. */
ald_status ald_section_comparison(ald_run *run, const ald_comparison *comparison, const ald_dataset *data,
                                  ald_page *page);

#endif
