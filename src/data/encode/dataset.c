/* A dataset from a table: by the load options, or by the schema or the width of a model. */
#include "data/encode/dataset.h"

#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "io/table/columns.h"
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
        dataset->schema = ald_arena_text(&dataset->memory, text, strlen(text));
    if (!dataset->schema) return ald_out_of_memory(run, (int64_t)strlen(text), 1, 1);
    return check_width(run, table, width, dataset);
}
