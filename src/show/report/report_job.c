/* What the sections share: the rows and columns shown, projection, target, importance. */
#include "show/report/report_job.h"

#include "base/core/json.h"
#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "fit/prepare/check.h"
#include "judge/dimension/dimension.h"
#include "math/operator/entry.h"

#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_rows = 200000, sample_size = 50000, most_columns = 20000, leading_columns = 5000 };

const ald_dataset *ald_report_place(const ald_report_job *job, int64_t i, int64_t *row)
{
    *row = i < job->n_data ? i : i - job->n_data;
    return i < job->n_data ? job->data : job->test;
}

ald_status ald_report_warn(ald_run *run, ald_report_job *job, const char *format, ...)
{
    char sentence[2 * ALD_MESSAGE_SIZE];
    va_list list;
    if (job->n_warnings == ALD_REPORT_WARNINGS) return ALD_OK;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    char *copy = ald_arena_text(&run->scratch, sentence, strlen(sentence));
    if (!copy) return ald_out_of_memory(run, (int64_t)strlen(sentence), 1, 1);
    job->warnings[job->n_warnings++] = copy;
    return ALD_OK;
}

ald_status ald_report_optional(ald_run *run, ald_report_job *job, const char *what, ald_status status,
                               int *have)
{
    *have = status >= 0;
    if (ald_ends_all(status)) return status;
    if (!*have && job) ALD_TRY(ald_report_warn(run, job, "%s: %s", what, run->error->message));
    ald_clear_error(run->error);
    return ALD_OK;
}

/* All rows, or a sample of them. */
static ald_status choose_rows(ald_run *run, ald_report_job *job)
{
    int64_t *rows;
    job->n_data = job->data->x.rows;
    job->n_test = job->test ? job->test->x.rows : 0;
    job->total = job->n_data + job->n_test;
    ALD_TRY(ald_scratch(run, job->total, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < job->total; i++) rows[i] = i;
    job->shown = job->total;
    if (job->total > most_rows) {
        ald_random random;
        ald_random_seed(&random, job->options.seed, 0);
        ald_random_permutation(&random, job->total, rows);
        job->shown = sample_size;
        ald_sort_whole(job->shown, rows);
    }
    job->rows = rows;
    return ALD_OK;
}

static int is_labelled(const ald_target *y, int64_t row)
{
    return y->kind != ALD_TARGET_NONE && (!y->labelled || y->labelled[row]);
}

static void measure_row(const ald_report_job *job, const ald_target *y, int64_t row, double *measured)
{
    for (int64_t j = 0; j < job->outputs; j++) measured[j] = NAN;
    if (!is_labelled(y, row) || y->kind != job->kind) return;
    if (y->kind == ALD_TARGET_CLASSES)
        measured[0] = y->classes[row];
    else
        for (int64_t j = 0; j < job->outputs; j++) measured[j] = ald_matrix_at(&y->values, row, j);
}

static ald_status read_target(ald_run *run, ald_report_job *job)
{
    const ald_target *y = &job->data->target;
    if (y->kind == ALD_TARGET_NONE && job->test) y = &job->test->target;
    job->times = y->events != NULL;
    job->kind = job->times ? ALD_TARGET_NONE : y->kind;
    if (job->kind == ALD_TARGET_NONE) return ALD_OK;
    job->n_classes = job->kind == ALD_TARGET_CLASSES ? y->n_classes : 0;
    job->outputs = job->kind == ALD_TARGET_CLASSES ? 1 : y->values.cols;
    ALD_TRY(ald_scratch_reals(run, job->total, job->outputs, &job->measured));
    for (int64_t i = 0; i < job->total; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, i, &row);
        measure_row(job, &rows->target, row, job->measured + i * job->outputs);
    }
    return ALD_OK;
}

/* A method without a map for new rows has the projection of its own rows in the model. */
static const double *stored_projection(const ald_report_job *job)
{
    const char *map = ald_model_text(job->model, "alidade.map");
    if (!map || strcmp(map, "none") != 0) return NULL;
    return ald_model_reals(job->model, "embedding", job->n_data, job->r);
}

static ald_status project(ald_run *run, ald_report_job *job)
{
    const double *stored = stored_projection(job);
    double *z;
    ALD_TRY(ald_scratch_reals(run, job->total, job->r, &z));
    job->z = z;
    if (stored)
        memcpy(z, stored, (size_t)(job->n_data * job->r) * sizeof *z);
    else
        ALD_TRY(ald_transform(job->context, job->model, &job->data->x, z, run->error));
    if (!job->test) return ALD_OK;
    return ald_transform(job->context, job->model, &job->test->x, z + job->n_data * job->r, run->error);
}

static ald_status find_importance(ald_run *run, ald_report_job *job)
{
    const ald_target *y = job->data->target.kind == ALD_TARGET_NONE ? NULL : &job->data->target;
    int have;
    ALD_TRY(ald_scratch_reals(run, job->d, 1, &job->importance));
    const ald_status status = ald_importance(job->context, job->model, ALD_IMPORTANCE_VIP, &job->data->x, y,
                                             job->importance, run->error);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &have));
    if (!have) job->importance = NULL;
    return ALD_OK;
}

static ald_status choose_columns(ald_run *run, ald_report_job *job)
{
    int64_t *columns;
    job->n_columns = job->d > most_columns ? leading_columns : job->d;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *columns, &columns));
    ALD_TRY(ald_order_by_importance(run, job, columns));
    ald_sort_whole(job->n_columns, columns);
    job->columns = columns;
    return ALD_OK;
}

ald_status ald_report_prepare(ald_run *run, ald_report_job *job)
{
    job->r = ald_model_component_count(job->model);
    job->d = ald_model_feature_count(job->model);
    ALD_TRY(choose_rows(run, job));
    ALD_TRY(read_target(run, job));
    ALD_TRY(project(run, job));
    ALD_TRY(ald_report_names(run, job));
    ALD_TRY(find_importance(run, job));
    return choose_columns(run, job);
}

/* From the model's JSON list ("": unnamed; NULL: none), the data, or numbered. */
static ald_status name_one(ald_run *run, ald_report_job *job, const json_t *list, int64_t column)
{
    const char *known = json_string_value(json_array_get(list, (size_t)column));
    ald_text text;
    if (known && !*known) known = NULL;
    if (!known && job->data->feature_names && column < job->data->x.cols)
        known = job->data->feature_names[column];
    ald_text_init(&text, &run->scratch);
    ALD_TRY(known ? ald_text_add(run, &text, known, strlen(known))
                  : ald_text_print(run, &text, "x%lld", (long long)column + 1));
    job->column_names[column] = text.data;
    return ALD_OK;
}

ald_status ald_report_names(ald_run *run, ald_report_job *job)
{
    const char *text = ald_model_text(job->model, "alidade.feature_names");
    json_t *list = NULL;
    ald_status status = ALD_OK;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *job->column_names, &job->column_names));
    if (text)
        ALD_TRY(ald_json_parse(run, text, strlen(text), "the feature names of the model are damaged", &list));
    const json_t *usable = (int64_t)json_array_size(list) == job->d ? list : NULL;
    for (int64_t j = 0; j < job->d && status >= 0; j++) status = name_one(run, job, usable, j);
    json_decref(list);
    return status;
}

ald_status ald_order_by_importance(ald_run *run, const ald_report_job *job, int64_t *order)
{
    ald_ranked *list;
    ALD_TRY(ald_scratch(run, job->d, 1, sizeof *list, &list));
    for (int64_t j = 0; j < job->d; j++) {
        const double importance = job->importance ? job->importance[j] : 0.0;
        list[j] = (ald_ranked){isfinite(importance) ? importance : -1.0, j};
    }
    ald_rank_falling(job->d, list);
    for (int64_t j = 0; j < job->d; j++) order[j] = list[j].place;
    return ALD_OK;
}

size_t ald_name_unit(const char *name, size_t *begins)
{
    const size_t length = strlen(name);
    const char last = length > 0 ? name[length - 1] : '\0';
    const char *open = NULL;
    if (last == ')') open = strrchr(name, '(');
    if (last == ']') open = strrchr(name, '[');
    *begins = open ? (size_t)(open - name) + 1 : 0;
    return open && open > name && *begins + 1 < length ? length - 1 - *begins : 0;
}
