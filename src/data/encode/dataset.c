/* The steps from a table to a dataset, in order; prepare.h says what each does. */
#include "data/encode/dataset.h"

#include "base/core/text.h"
#include "data/encode/encode.h"
#include "data/encode/encode_sparse.h"
#include "data/encode/groups.h"
#include "data/encode/labels.h"
#include "data/encode/match.h"
#include "data/encode/missing.h"
#include "data/encode/response.h"
#include "data/encode/roles.h"
#include "data/encode/row_names.h"
#include "data/encode/schema.h"
#include "data/encode/target.h"
#include "io/table/names.h"
#include "io/table/place.h"

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

int64_t ald_dataset_file_number(const ald_dataset *dataset, int64_t i)
{
    return dataset->first_row + (dataset->places ? dataset->places[i] : i) + 1;
}

/* Names and levels go into JSON and pictures, which take UTF-8 only. */
static ald_status make_texts_utf8(ald_run *run, ald_table *table)
{
    for (int64_t j = 0; table && table->columns && j < table->cols; j++) {
        ald_column *column = &table->columns[j];
        ALD_TRY(ald_text_make_utf8(run, table->arena, &column->name));
        for (int64_t k = 0; k < column->n_levels; k++)
            ALD_TRY(ald_text_make_utf8(run, table->arena, &column->levels[k]));
    }
    return ALD_OK;
}

/* In a categorical column zero is a level like any other: a sparse table with one becomes dense. */
static ald_status make_dense_if_categorical(ald_run *run, ald_preparation *p)
{
    for (int64_t k = 0; p->table->sparse && k < p->n_features; k++) {
        if (!p->features[k].categorical) continue;
        ald_log(run, ALD_LOG_WARNING,
                "%s: the sparse rows are made dense, as %s is categorical: leave it out with `ignore` to "
                "keep them",
                p->table->source, ald_column_label(p->table, p->features[k].column).text);
        ALD_TRY(ald_table_make_dense(run, p->table));
    }
    return ALD_OK;
}

/* The first categorical feature by its name, for those that work on numbers only. */
static ald_status name_categorical(ald_run *run, ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features && !p->dataset->categorical; k++) {
        if (!p->features[k].categorical) continue;
        const char *label = ald_column_label(p->table, p->features[k].column).text;
        p->dataset->categorical = ald_arena_text(&p->dataset->memory, label, strlen(label));
        if (!p->dataset->categorical) return ald_out_of_memory(run, 1, 1, strlen(label) + 1);
    }
    return ALD_OK;
}

static ald_status take_target(ald_run *run, ald_preparation *p)
{
    if (!p->target_table) return ald_note(run, p, "no target");
    return ald_has_label_lists(p) ? ald_prepare_labels(run, p) : ald_prepare_target(run, p);
}

static ald_status run_steps(ald_run *run, ald_preparation *p)
{
    ALD_TRY(ald_prepare_choices(run, p));
    ALD_TRY(ald_prepare_second_files(run, p));
    ALD_TRY(make_texts_utf8(run, p->table));
    ALD_TRY(make_texts_utf8(run, p->target_table));
    ALD_TRY(ald_prepare_ids(run, p));
    ALD_TRY(p->schema ? ald_prepare_match(run, p) : ald_prepare_roles(run, p));
    if (p->schema) ALD_TRY(ald_prepare_group_columns(run, p));
    ALD_TRY(ald_refuse_infinite(run, p));
    ALD_TRY(make_dense_if_categorical(run, p));
    ALD_TRY(name_categorical(run, p));
    if (p->target_table)
        ALD_TRY(ald_has_label_lists(p) ? ald_prepare_label_rows(run, p) : ald_prepare_response(run, p));
    ALD_TRY(ald_prepare_dropped(run, p));
    ald_response_compress(&p->response, p->dropped);
    ALD_TRY(ald_prepare_groups(run, p));
    ALD_TRY(ald_prepare_row_names(run, p));
    ALD_TRY(ald_prepare_weights(run, p));
    ALD_TRY(take_target(run, p));
    ALD_TRY(ald_prepare_fills(run, p));
    ALD_TRY(p->table->sparse ? ald_prepare_sparse(run, p) : ald_prepare_dense(run, p));
    return ald_prepare_names(run, p);
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
        return ald_fail(run->error, ALD_ERROR_DATA, "%s holds no data: %lld rows, %lld columns",
                        table->source, (long long)table->rows, (long long)table->cols);
    ALD_TRY(run_steps(run, &p));
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
        dataset->schema = ald_arena_text(&dataset->memory, text, strlen(text));
    if (!dataset->schema) return ald_out_of_memory(run, (int64_t)strlen(text), 1, 1);
    return check_width(run, table, width, dataset);
}
