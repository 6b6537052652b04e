/* The rows of the page: names, scores, targets, predictions and outlier statistics. */
#include "fit/fitting/calibration.h"
#include "judge/measuring/measure_outliers.h"
#include "math/operator/entry.h"
#include "show/report/sections.h"

#include <alidade/dimension.h>
#include <alidade/outliers.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CERTAINTY 0.9 /* of the intervals and sets in the page */

/* Column k of a matrix with `width` columns over all rows, as the page shows it. */
static ald_page_column over_rows(const ald_report_job *job, const double *values, int64_t width, int64_t k)
{
    return (ald_page_column){.values = values + k, .count = job->shown, .step = width, .rows = job->rows};
}

static int has_names(const ald_report_job *job)
{
    return job->data->row_names || (job->test && job->test->row_names);
}

static void write_names(ald_page *page, const ald_report_job *job)
{
    if (!ald_page_open_if(page, "names", has_names(job), '[')) return;
    for (int64_t i = 0; i < job->shown; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, job->rows[i], &row);
        const char *name = ald_dataset_row_name(rows, row);
        ald_page_string(page, name ? name : "");
    }
    ald_page_close(page, ']');
}

/* What the column of the names is called in the file; NULL where there is none, or several. */
static const char *names_column(const ald_report_job *job)
{
    return has_names(job) && ald_dataset_kept_count(job->data) == 1 ? ald_dataset_kept_name(job->data, 0)
                                                                    : NULL;
}

static void write_kept_column(ald_page *page, const ald_report_job *job, int64_t k)
{
    ald_page_open(page, '{');
    ald_page_text_of(page, "name", ald_dataset_kept_name(job->data, k));
    ald_page_open_of(page, "texts", '[');
    for (int64_t i = 0; i < job->shown; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, job->rows[i], &row);
        const char *text = ald_dataset_kept_text(rows, k, ald_dataset_file_row(rows, row));
        ald_page_string(page, text ? text : "");
    }
    ald_page_close(page, ']');
    ald_page_close(page, '}');
}

/* Several columns that name the rows, one by one: `names` has them joined. */
static void write_kept(ald_page *page, const ald_report_job *job)
{
    const int64_t count = ald_dataset_kept_count(job->data);
    const int alike = count >= 2 && (!job->test || ald_dataset_kept_count(job->test) == count);
    if (!ald_page_open_if(page, "kept", alike && has_names(job), '[')) return;
    for (int64_t k = 0; k < count; k++) write_kept_column(page, job, k);
    ald_page_close(page, ']');
}

static ald_status write_rows(ald_run *run, const ald_report_job *job, ald_page *page)
{
    int64_t *ids;
    unsigned char *part;
    ALD_TRY(ald_scratch(run, job->shown, 1, sizeof *ids, &ids));
    ALD_TRY(ald_scratch(run, job->shown, 1, sizeof *part, &part));
    for (int64_t i = 0; i < job->shown; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, job->rows[i], &row);
        ids[i] = ald_dataset_file_row(rows, row) + 1;
        part[i] = job->rows[i] >= job->n_data;
    }
    ald_page_open_of(page, "rows", '{');
    ald_page_whole_of(page, "n", job->total);
    ald_page_whole_of(page, "shown", job->shown);
    ald_page_key(page, "sampled");
    ald_page_bool(page, job->shown < job->total);
    write_names(page, job);
    ald_page_text_of(page, "names_column", names_column(job));
    write_kept(page, job);
    ald_page_key(page, "ids");
    ald_page_u32_list(page, ids, job->shown);
    ald_page_key(page, "part");
    ald_page_u8_list(page, part, job->shown);
    ald_page_whole_of(page, "n_training", job->n_data);
    ald_page_whole_of(page, "n_test", job->n_test);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

/* What component k adds to a share of the first ones. */
static double step_of(const double *shares, int64_t k)
{
    return k > 0 ? shares[k] - shares[k - 1] : shares[k];
}

static ald_status write_components(ald_run *run, const ald_report_job *job, ald_page *page)
{
    const ald_target *y = job->data->target.kind == ALD_TARGET_NONE ? NULL : &job->data->target;
    double *x_share, *y_share;
    int have;
    ALD_TRY(ALD_SCRATCH(run, {&x_share, job->r, 1}, {&y_share, job->r, 1}));
    for (int64_t k = 0; k < job->r; k++) x_share[k] = y_share[k] = NAN;
    const ald_status status =
        ald_explained(job->context, job->model, &job->data->x, y, x_share, y_share, run->error);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &have));
    for (int64_t k = 0; !have && k < job->r; k++) x_share[k] = y_share[k] = NAN;
    ald_page_open_of(page, "components", '[');
    for (int64_t k = 0; k < job->r; k++) {
        char name[32];
        snprintf(name, sizeof name, "z%lld", (long long)k + 1);
        ald_page_open(page, '{');
        ald_page_text_of(page, "name", name);
        ald_page_real_of(page, "explained_x", step_of(x_share, k));
        ald_page_real_of(page, "explained_y", step_of(y_share, k));
        ald_page_close(page, '}');
    }
    ald_page_close(page, ']');
    return ald_page_status(page);
}

/* Measured or predicted values: class codes, or a column per response or label. */
static void write_values(ald_page *page, const ald_report_job *job, const char *key, const double *values)
{
    if (!ald_page_open_if(page, key, values != NULL, '[')) return;
    for (int64_t k = 0; k < job->outputs; k++)
        if (job->kind == ALD_TARGET_CLASSES)
            ald_page_u16(page, over_rows(job, values, job->outputs, k));
        else
            ald_page_f32(page, over_rows(job, values, job->outputs, k));
    ald_page_close(page, ']');
}

static void write_predictions(ald_page *page, const ald_report_job *job)
{
    const ald_judged_rows *j = &job->judged;
    const int any = j->of_data || j->of_test, scores = any && j->class_scores;
    write_values(page, job, "response", job->measured);
    write_values(page, job, "predicted", any ? j->predicted : NULL);
    ald_page_open_of(page, "predicted_source", '{');
    ald_page_text_of(page, "training", j->of_data);
    ald_page_text_of(page, "test", j->of_test);
    ald_page_close(page, '}');
    if (ald_page_open_if(page, "probabilities", scores, '[')) {
        for (int64_t c = 0; c < job->n_classes; c++)
            ald_page_f32(page, over_rows(job, j->class_scores, job->n_classes, c));
        ald_page_close(page, ']');
    }
    const char *kind = j->probabilities ? "probabilities" : "scores";
    ald_page_text_of(page, "probabilities_are", scores ? kind : NULL);
}

static ald_status measure_outliers(ald_run *run, const ald_report_job *job, double *t2, double *q,
                                   ald_outlier_limits *limits)
{
    ALD_TRY(ald_outliers(job->context, job->model, &job->data->x, t2, q, limits, run->error));
    ald_limits_by_rows(job->n_data, q, limits);
    if (!job->test) return ALD_OK;
    return ald_outliers(job->context, job->model, &job->test->x, t2 + job->n_data, q + job->n_data, NULL,
                        run->error);
}

static ald_status write_outliers(ald_run *run, const ald_report_job *job, ald_page *page)
{
    ald_outlier_limits limits = ALD_OUTLIER_LIMITS_INIT;
    double *t2, *q;
    int have;
    ALD_TRY(ALD_SCRATCH(run, {&t2, job->total, 1}, {&q, job->total, 1}));
    ALD_TRY(ald_report_optional(run, NULL, NULL, measure_outliers(run, job, t2, q, &limits), &have));
    for (int64_t i = 0; job->r >= job->d && i < job->total; i++) q[i] = 0.0; /* else it would be rounding */
    if (!ald_page_open_if(page, "outliers", have, '{')) return ald_page_status(page);
    ald_page_key(page, "t2");
    ald_page_f32(page, over_rows(job, t2, 1, 0));
    ald_page_key(page, "q");
    ald_page_f32(page, over_rows(job, q, 1, 0));
    ald_page_real_of(page, "t2_limit", limits.t2_95);
    ald_page_real_of(page, "q_limit", limits.q_95);
    ald_page_real_of(page, "level", 0.95);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

/* The error that is not exceeded with the level, per response or for the classes; null where the model keeps
 * none, or too few of them. */
static ald_status write_certainty(ald_run *run, const ald_report_job *job, ald_page *page)
{
    ald_calibration kept;
    ALD_TRY(ald_calibration_load(run, job->model, &kept));
    const int64_t k = (int64_t)ceil((double)(kept.rows + 1) * CERTAINTY * (1.0 - 1e-12));
    const int enough = kept.rows > 0 && k <= kept.rows && kept.columns == job->outputs;
    if (!ald_page_open_if(page, "certainty", enough, '{')) return ald_page_status(page);
    ald_page_real_of(page, "level", CERTAINTY);
    ald_page_whole_of(page, "rows", kept.rows);
    ald_page_open_of(page, "errors", '[');
    for (int64_t j = 0; j < kept.columns; j++) ald_page_real(page, kept.errors[(k - 1) * kept.columns + j]);
    ald_page_close(page, ']');
    ald_page_close(page, '}');
    return ald_page_status(page);
}

ald_status ald_section_rows(ald_run *run, ald_report_job *job, ald_page *page)
{
    ALD_TRY(write_rows(run, job, page));
    ALD_TRY(write_components(run, job, page));
    ald_page_open_of(page, "scores", '[');
    for (int64_t k = 0; k < job->r; k++) ald_page_f64(page, over_rows(job, job->z, job->r, k));
    ald_page_close(page, ']');
    write_predictions(page, job);
    ALD_TRY(write_certainty(run, job, page));
    return write_outliers(run, job, page);
}
