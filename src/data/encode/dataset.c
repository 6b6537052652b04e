/* A dataset from a table: by the load options, or by the schema or the width of a model. */
#include "data/encode/dataset.h"

#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "io/reading/reader.h"
#include "io/table/table.h"

#include <stdio.h>
#include <string.h>

ald_status ald_dataset_new(ald_run *run, ald_dataset **dataset)
{
    const ald_allocator *allocator = run->call.allocator;
    *dataset = allocator->resize(allocator->user, NULL, sizeof **dataset);
    if (!*dataset) return ald_out_of_memory(run, 1, 1, sizeof **dataset);
    memset(*dataset, 0, sizeof **dataset);
    (*dataset)->allocator = *allocator;
    ald_arena_init(&(*dataset)->memory, &(*dataset)->allocator);
    return ALD_OK;
}

const char *ald_dataset_beside(const ald_dataset *dataset)
{
    if (dataset->graph.values) return "a graph";
    if (dataset->distances.values) return "a matrix of distances";
    if (dataset->response_kernel.values) return "a kernel of the response";
    return dataset->start.values ? "a start" : NULL;
}

int64_t ald_dataset_file_number(const ald_dataset *dataset, int64_t i)
{
    return dataset->first_row + (dataset->places ? dataset->places[i] : i) + 1;
}

/* "3 of 6 rows left out: 2 with a missing cell, 1 without a target" */
void ald_tell_dropped(ald_run *run, const char *source, const ald_reading_notes *notes)
{
    char holes[64] = "", targets[64] = "";
    if (notes->holed + notes->untargeted == 0) return;
    if (notes->holed) snprintf(holes, sizeof holes, "%lld with a missing cell", (long long)notes->holed);
    if (notes->untargeted)
        snprintf(targets, sizeof targets, "%lld without a target", (long long)notes->untargeted);
    ald_log(run, ALD_LOG_WARNING, "%s: %lld of %lld rows left out: %s%s%s", source,
            (long long)(notes->holed + notes->untargeted), (long long)notes->rows, holes,
            notes->holed && notes->untargeted ? ", " : "", targets);
}

ald_status ald_tell_unseen(ald_run *run, const char *source, const ald_reading_notes *notes)
{
    ald_text list;
    ald_text_init(&list, &run->scratch);
    if (notes->n_unseen == 0) return ALD_OK;
    for (int64_t k = 0; k < notes->n_unseen; k++) {
        const ald_unseen_note *note = &notes->unseen[k];
        ALD_TRY(ald_text_print(run, &list, "%s%s holds '%.60s'%s in %lld row%s", k ? ", " : "", note->column,
                               note->shown, note->several ? " and others" : "", (long long)note->rows,
                               note->rows == 1 ? "" : "s"));
    }
    ald_log(run, ALD_LOG_WARNING,
            "%s: categories that did not occur in the rows of the model: %s; the variable is set to its mean "
            "there (`unseen=error` refuses such rows)",
            source, list.data);
    return ALD_OK;
}

static ald_status dataset_prepare(ald_run *run, ald_table *table, const ald_load_options *options,
                                  const ald_schema *schema, ald_dataset *dataset)
{
    ald_preparation p = {
        .options = options,
        .table = table,
        .dataset = dataset,
        .schema = schema,
        .weights = -1,
    };
    if (table->rows < 1 || table->cols < 1)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s contains no data: %lld rows, %lld columns",
                        table->source, (long long)table->rows, (long long)table->cols);
    ALD_TRY(ald_prepare(run, &p));
    ald_arena_drop(table->arena, table->lines);
    table->lines = NULL;
    dataset->target.rows = dataset->x.rows;
    return schema ? ALD_OK : ald_schema_write(run, &p);
}

static ald_status check_width(ald_run *run, const ald_table *table, int64_t width, ald_dataset *dataset)
{
    if (dataset->x.storage == ALD_CSR && dataset->x.cols < width) dataset->x.cols = width;
    if (dataset->x.cols == width) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%s gives %lld feature columns, but the model was fitted on %lld", table->source,
                    (long long)dataset->x.cols, (long long)width);
}

/* A model that was fitted from memory has no schema: its features are all columns, unless there are more than
 * it wants and the caller names the target. */
static ald_status prepare_without_schema(ald_run *run, ald_table *table, const ald_load_options *options,
                                         int64_t width, ald_dataset *dataset)
{
    ald_load_options plain = *options;
    plain.like = NULL;
    if (table->cols <= width) plain.target = NULL;
    if (table->sparse && table->cols > width && !plain.target) return ald_refuse_wide(run, table, width);
    ALD_TRY(dataset_prepare(run, table, &plain, NULL, dataset));
    dataset->schema = NULL;
    return check_width(run, table, width, dataset);
}

ald_status ald_dataset_from_table(ald_run *run, ald_table *table, const ald_load_options *options,
                                  ald_dataset *dataset)
{
    if (!options->like) return dataset_prepare(run, table, options, NULL, dataset);
    const int64_t width = ald_model_feature_count(options->like);
    const char *text = ald_model_text(options->like, "alidade.schema");
    if (!text) return prepare_without_schema(run, table, options, width, dataset);
    ald_schema schema;
    ALD_TRY(ald_schema_read(run, options->like, &schema));
    ALD_TRY(dataset_prepare(run, table, options, &schema, dataset));
    const ald_target *y = &dataset->target;
    if (y->kind == ALD_TARGET_CLASSES && y->n_classes > schema.n_classes)
        ALD_TRY(
            ald_schema_set_classes(run, &dataset->memory, text, y->names, y->n_classes, &dataset->schema));
    else
        ALD_TRY(ald_keep_text(run, &dataset->memory, text, strlen(text), &dataset->schema));
    return check_width(run, table, width, dataset);
}

/* Rows without a target from a second file: read like those of the dataset, and put behind them. */

/* What tells how to read new rows is a model: one with the schema and the names of the dataset and nothing
 * else. */
static ald_status unlabelled_describe(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    ald_text names;
    ALD_TRY(ald_model_set_printed(run, model, "alidade.n_features", "%lld", (long long)dataset->x.cols));
    ALD_TRY(ald_model_set_text(run, model, "alidade.schema", dataset->schema));
    if (!dataset->feature_names) return ALD_OK;
    ald_text_init(&names, &run->scratch);
    ALD_TRY(ald_text_json_list(run, &names, (const char *const *)dataset->feature_names, dataset->x.cols));
    return ald_model_set_text(run, model, "alidade.feature_names", names.data);
}

static ald_status read_rows(ald_run *run, const ald_load_options *options, const ald_dataset *dataset,
                            const ald_model *model, ald_dataset *rows)
{
    ald_table table = {0};
    ald_load_options like = *options;
    like.like = model;
    like.no_target = 1;
    like.unseen = "error"; /* they are fitted too */
    like.target_file = NULL;
    if (ald_reader_by_ending(options->unlabelled_file)) like.format = NULL;
    ALD_TRY(ald_table_read(run, options->unlabelled_file, &like, &rows->memory, &table));
    ALD_TRY(ald_dataset_from_table(run, &table, &like, rows));
    if (rows->x.storage == dataset->x.storage) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "%s is %s and the rows with a target are %s: use the same kind of file for both (`ald_convert`)",
        options->unlabelled_file, rows->x.storage == ALD_DENSE ? "dense" : "sparse",
        dataset->x.storage == ALD_DENSE ? "dense" : "sparse");
}

/* Dense rows are row major without gaps, as the encoding leaves them. */
static ald_status join_dense(ald_run *run, const ald_matrix *more, ald_dataset *dataset)
{
    const ald_matrix *x = &dataset->x;
    double *all = NULL;
    ALD_TRY(ald_get(run, &dataset->memory, x->rows + more->rows, x->cols, sizeof *all, &all));
    memcpy(all, x->values, (size_t)(x->rows * x->cols) * sizeof *all);
    memcpy(all + x->rows * x->cols, more->values, (size_t)(more->rows * x->cols) * sizeof *all);
    dataset->x = ald_matrix_row_major(all, x->rows + more->rows, x->cols, x->cols);
    return ALD_OK;
}

static ald_status join_sparse(ald_run *run, const ald_matrix *more, ald_dataset *dataset)
{
    const ald_matrix *x = &dataset->x;
    const int64_t *first = x->pointers, *second = more->pointers;
    const int64_t entries = first[x->rows], added = second[more->rows];
    int64_t *pointers = NULL, *indices = NULL;
    double *values = NULL;
    ALD_TRY(ald_get(run, &dataset->memory, x->rows + more->rows + 1, 1, sizeof *pointers, &pointers));
    ALD_TRY(ald_get(run, &dataset->memory, entries + added, 1, sizeof *indices, &indices));
    ALD_TRY(ald_get(run, &dataset->memory, entries + added, 1, sizeof *values, &values));
    memcpy(pointers, first, (size_t)(x->rows + 1) * sizeof *pointers);
    for (int64_t i = 1; i <= more->rows; i++) pointers[x->rows + i] = entries + second[i];
    if (entries > 0) {
        memcpy(indices, x->indices, (size_t)entries * sizeof *indices);
        memcpy(values, x->values, (size_t)entries * sizeof *values);
    }
    if (added > 0) {
        memcpy(indices + entries, more->indices, (size_t)added * sizeof *indices);
        memcpy(values + entries, more->values, (size_t)added * sizeof *values);
    }
    dataset->x = ald_matrix_csr(x->rows + more->rows, x->cols, pointers, indices, values);
    return ALD_OK;
}

/* The target of n rows with `count` rows without one behind them: classes 0, numbers 0, no labels. */
static ald_status extend_target(ald_run *run, int64_t n, int64_t count, ald_dataset *dataset)
{
    ald_target *y = &dataset->target;
    unsigned char *labelled = NULL;
    int32_t *classes = NULL;
    int64_t *pointers = NULL;
    double *values = NULL;
    ALD_TRY(ald_get(run, &dataset->memory, n + count, 1, 1, &labelled));
    for (int64_t i = 0; i < n; i++) labelled[i] = y->labelled ? y->labelled[i] : 1;
    memset(labelled + n, 0, (size_t)count);
    if (y->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_get(run, &dataset->memory, n + count, 1, sizeof *classes, &classes));
        memcpy(classes, y->classes, (size_t)n * sizeof *classes);
        memset(classes + n, 0, (size_t)count * sizeof *classes);
        y->classes = classes;
    } else if (y->values.storage == ALD_DENSE) {
        const int64_t q = y->values.cols;
        ALD_TRY(ald_get(run, &dataset->memory, n + count, q, sizeof *values, &values));
        memcpy(values, y->values.values, (size_t)(n * q) * sizeof *values);
        memset(values + n * q, 0, (size_t)(count * q) * sizeof *values);
        y->values = ald_matrix_row_major(values, n + count, q, q);
    } else {
        ALD_TRY(ald_get(run, &dataset->memory, n + count + 1, 1, sizeof *pointers, &pointers));
        memcpy(pointers, y->values.pointers, (size_t)(n + 1) * sizeof *pointers);
        for (int64_t i = n + 1; i <= n + count; i++) pointers[i] = pointers[n];
        y->values = ald_matrix_csr(n + count, y->values.cols, pointers, y->values.indices, y->values.values);
    }
    y->rows = n + count;
    y->labelled = labelled;
    return ALD_OK;
}

/* Numbers of groups or parts, 0 for the rows behind them: those train whatever the split. */
static ald_status extend_numbers(ald_run *run, int64_t n, int64_t count, ald_dataset *dataset,
                                 int64_t **numbers)
{
    int64_t *longer = NULL;
    if (!*numbers) return ALD_OK;
    ALD_TRY(ald_get(run, &dataset->memory, n + count, 1, sizeof *longer, &longer));
    memcpy(longer, *numbers, (size_t)n * sizeof *longer);
    memset(longer + n, 0, (size_t)count * sizeof *longer);
    *numbers = longer;
    return ALD_OK;
}

/* Names of the rows of both files; those of a file without any are "". */
static ald_status extend_names(ald_run *run, int64_t n, const ald_dataset *rows, ald_dataset *dataset)
{
    char **longer = NULL;
    if (!dataset->row_names && !rows->row_names) return ALD_OK;
    ALD_TRY(ald_get(run, &dataset->memory, n + rows->x.rows, 1, sizeof *longer, &longer));
    for (int64_t i = 0; i < n + rows->x.rows; i++) {
        const char *name = "";
        if (i < n && dataset->row_names) name = dataset->row_names[i];
        if (i >= n && rows->row_names) name = rows->row_names[i - n];
        ALD_TRY(ald_keep_text(run, &dataset->memory, name, strlen(name), &longer[i]));
    }
    dataset->row_names = longer;
    return ALD_OK;
}

static ald_status tell(ald_run *run, const ald_load_options *options, int64_t count, ald_dataset *dataset)
{
    ald_text text;
    ald_text_init(&text, &dataset->memory);
    ALD_TRY(ald_text_print(run, &text, "%s; %lld rows without a target from %s",
                           dataset->task_note ? dataset->task_note : "", (long long)count,
                           options->unlabelled_file));
    dataset->task_note = text.data;
    return ALD_OK;
}

static ald_status join(ald_run *run, const ald_load_options *options, const ald_dataset *rows,
                       ald_dataset *dataset)
{
    const int64_t n = dataset->x.rows;
    ALD_TRY(rows->x.storage == ALD_DENSE ? join_dense(run, &rows->x, dataset)
                                         : join_sparse(run, &rows->x, dataset));
    ALD_TRY(extend_target(run, n, rows->x.rows, dataset));
    ALD_TRY(extend_numbers(run, n, rows->x.rows, dataset, &dataset->groups));
    ALD_TRY(extend_numbers(run, n, rows->x.rows, dataset, &dataset->parts));
    ALD_TRY(extend_names(run, n, rows, dataset));
    return tell(run, options, rows->x.rows, dataset);
}

static void free_rows(ald_dataset *rows)
{
    if (!rows) return;
    const ald_allocator allocator = rows->allocator;
    ald_arena_free(&rows->memory);
    allocator.resize(allocator.user, rows, 0);
}

ald_status ald_dataset_add_unlabelled(ald_run *run, const ald_load_options *options, ald_dataset *dataset)
{
    ald_model *model = NULL;
    ald_dataset *rows = NULL;
    if (dataset->target.kind == ALD_TARGET_NONE || !dataset->schema)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "rows without a target (`unlabelled_file`) are added to rows that have one: name the "
                        "columns of the target (`target`)");
    if (dataset->target.events)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "times with events (`event`) take no rows without a target: leave out `unlabelled_file`");
    if (dataset->target.weights)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "the rows of %s have no weights: leave out `weights` or `unlabelled_file`",
                        options->unlabelled_file);
    ald_status status = ald_model_new(run, &model);
    if (status >= 0) status = unlabelled_describe(run, dataset, model);
    if (status >= 0) status = ald_dataset_new(run, &rows);
    if (status >= 0) status = read_rows(run, options, dataset, model, rows);
    if (status >= 0) status = join(run, options, rows, dataset);
    free_rows(rows);
    ald_model_free(model);
    return status;
}
