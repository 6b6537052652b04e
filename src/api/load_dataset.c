/* Datasets: load, look at, free. */
#include "base/core/error.h"
#include "base/core/known_rows.h"
#include "base/settings/options.h"
#include "cluster/sharing/share_rows.h"
#include "cluster/sharing/share_sums.h"
#include "data/arrays/arrays.h"
#include "data/encode/dataset.h"
#include "fit/prepare/check.h"
#include "io/csv/csv_columns.h"
#include "io/formats/square.h"
#include "io/reading/reader.h"
#include "math/operator/all_rows.h"

#include <string.h>

/* What may come beside the rows: matrices of all pairs of them, and a start. */
static ald_status read_beside(ald_run *run, const ald_load_options *options, ald_dataset *dataset)
{
    const struct {
        const char *file;
        ald_matrix *matrix;
    } squares[] = {
        {options->graph_file, &dataset->graph},
        {options->distances_file, &dataset->distances},
        {options->response_kernel_file, &dataset->response_kernel},
    };
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (squares[i].file)
            ALD_TRY(
                ald_read_square(run, squares[i].file, &dataset->memory, dataset->x.rows, squares[i].matrix));
    if (!options->start_file) return ALD_OK;
    return ald_read_start(run, options->start_file, &dataset->memory, dataset->x.cols, dataset->feature_names,
                          &dataset->start);
}

static ald_status take_table(ald_run *run, ald_table *table, const ald_load_options *options,
                             ald_dataset *dataset)
{
    ALD_TRY(ald_dataset_from_table(run, table, options, dataset));
    if (options->unlabelled_file) ALD_TRY(ald_dataset_add_unlabelled(run, options, dataset));
    return read_beside(run, options, dataset);
}

/* The table is read into the dataset's own memory, where X then takes the place of its cells. */
static ald_status load(ald_run *run, const char *path, const ald_load_options *options, ald_dataset **dataset)
{
    ald_table table = {0};
    ald_portion portion;
    ALD_TRY(ald_dataset_new(run, dataset));
    if (options->portion) ALD_TRY(ald_share_begin(run, *dataset));
    const ald_all_rows *all = (*dataset)->all;
    if (all) ALD_TRY(all->divide(run, path, options, 0, &portion));
    ald_status status =
        ald_table_read_portion(run, path, options, all ? &portion : NULL, &(*dataset)->memory, &table);
    if (status >= 0) status = take_table(run, &table, options, *dataset);
    return all ? ald_share_rows(run, status, path, options, *dataset) : status;
}

/* Frees what was made of a dataset after a failure. */
static ald_status end_with(ald_run *run, ald_dataset **dataset, ald_status status)
{
    if (status < 0) {
        ald_dataset_free(*dataset);
        *dataset = NULL;
    }
    return ald_run_end(run, status);
}

ald_status ald_dataset_load(ald_context *context, const char *path, const ald_load_options *options,
                            ald_dataset **dataset, ald_error *error)
{
    ald_load_options whole;
    ald_run run;
    if (dataset) *dataset = NULL;
    ALD_GIVEN(error, context, path, dataset);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, options, &whole));
    ald_run_begin(&run, context, error);
    const ald_status status = load(&run, path, &whole, dataset);
    return end_with(&run, dataset, whole.portion ? ald_share_end(&run, status) : status);
}

ald_status ald_context_set_rows(ald_context *context, const ald_dataset *dataset, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    context->between.rows = (ald_known_rows){0};
    if (!dataset) return ALD_OK;
    context->between.rows = (ald_known_rows){
        .values = dataset->x.values,
        .target = ald_target_cells(&dataset->target),
        .count = dataset->x.rows,
        .first = dataset->first_row,
        .places = dataset->places,
        .all = dataset->all,
    };
    return ALD_OK;
}

static ald_status from_columns(ald_run *run, const ald_table_column *columns, int64_t count, int64_t rows,
                               const ald_load_options *options, ald_dataset **dataset)
{
    ald_table table = {0};
    ALD_TRY(ald_dataset_new(run, dataset));
    ALD_TRY(ald_table_from_columns(run, columns, count, rows, options, &(*dataset)->memory, &table));
    return take_table(run, &table, options, *dataset);
}

ald_status ald_dataset_from_columns(ald_context *context, const ald_table_column *columns, int64_t count,
                                    int64_t rows, const ald_load_options *options, ald_dataset **dataset,
                                    ald_error *error)
{
    ald_load_options whole;
    ald_run run;
    if (dataset) *dataset = NULL;
    ALD_GIVEN(error, context, columns, dataset);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_load_options, options, &whole));
    ald_run_begin(&run, context, error);
    return end_with(&run, dataset, from_columns(&run, columns, count, rows, &whole, dataset));
}

void ald_dataset_free(ald_dataset *dataset)
{
    if (!dataset) return;
    const ald_allocator allocator = dataset->allocator;
    if (dataset->store) dataset->free_store(dataset->store);
    ald_arena_free(&dataset->memory);
    allocator.resize(allocator.user, dataset, 0);
}

const ald_matrix *ald_dataset_x(const ald_dataset *dataset)
{
    return dataset ? &dataset->x : NULL;
}

const ald_target *ald_dataset_target(const ald_dataset *dataset)
{
    return dataset ? &dataset->target : NULL;
}

int ald_dataset_has_categories(const ald_dataset *dataset)
{
    return dataset && dataset->categorical != NULL;
}

const char *ald_dataset_feature_name(const ald_dataset *dataset, int64_t column)
{
    if (!dataset || !dataset->feature_names || column < 0 || column >= dataset->x.cols) return NULL;
    return dataset->feature_names[column];
}

const char *ald_dataset_row_name(const ald_dataset *dataset, int64_t row)
{
    if (!dataset || !dataset->row_names || row < 0 || row >= dataset->x.rows) return NULL;
    return dataset->row_names[row];
}

int64_t ald_dataset_kept_count(const ald_dataset *dataset)
{
    return dataset ? dataset->n_kept : 0;
}

const char *ald_dataset_kept_name(const ald_dataset *dataset, int64_t kept)
{
    if (!dataset || kept < 0 || kept >= dataset->n_kept || !dataset->columns) return NULL;
    return dataset->columns[dataset->kept[kept].column].name;
}

const char *ald_dataset_kept_text(const ald_dataset *dataset, int64_t kept, int64_t file_row)
{
    if (!dataset || kept < 0 || kept >= dataset->n_kept || file_row < 0 || file_row >= dataset->file_rows)
        return NULL;
    return dataset->kept[kept].texts[file_row];
}

int64_t ald_dataset_file_rows(const ald_dataset *dataset)
{
    if (!dataset) return 0;
    return dataset->file_rows ? dataset->file_rows : dataset->x.rows;
}

int64_t ald_dataset_file_row(const ald_dataset *dataset, int64_t row)
{
    if (!dataset || row < 0 || row >= dataset->x.rows) return -1;
    return dataset->places ? dataset->places[row] : row;
}

static int64_t response_count(const ald_target *target)
{
    if (target->kind == ALD_TARGET_NONE) return 0;
    return target->kind == ALD_TARGET_CLASSES ? 1 : target->values.cols;
}

const char *ald_dataset_response_name(const ald_dataset *dataset, int64_t index)
{
    if (!dataset || !dataset->response_names || index < 0 || index >= response_count(&dataset->target))
        return NULL;
    const char *name = dataset->response_names[index];
    return name[0] ? name : NULL;
}

const int64_t *ald_dataset_groups(const ald_dataset *dataset)
{
    return dataset ? dataset->groups : NULL;
}

const int64_t *ald_dataset_parts(const ald_dataset *dataset, int64_t *n_parts, int64_t *test_part)
{
    if (n_parts) *n_parts = dataset ? dataset->n_parts : 0;
    if (test_part) *test_part = dataset ? dataset->test_part : 0;
    return dataset ? dataset->parts : NULL;
}

const char *ald_dataset_task_note(const ald_dataset *dataset)
{
    return dataset ? dataset->task_note : NULL;
}

ald_status ald_dataset_from_arrays(ald_context *context, const ald_inputs *inputs, int copy,
                                   ald_dataset **dataset, ald_error *error)
{
    ald_inputs whole;
    ald_run run;
    if (dataset) *dataset = NULL;
    ALD_GIVEN(error, context, inputs, dataset);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_inputs, inputs, &whole));
    ald_run_begin(&run, context, error);
    ald_status status = ald_check_inputs(&run, &whole);
    if (status >= 0) status = ald_dataset_new(&run, dataset);
    if (status >= 0) status = ald_dataset_from_inputs(&run, &whole, copy, *dataset);
    return end_with(&run, dataset, status);
}
