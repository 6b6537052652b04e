/* A dataset over arrays in memory, with the schema and the names that one from a file would have. */
#include "data/arrays/arrays.h"

#include "base/core/text.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "io/table/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t target_columns(const ald_target *y)
{
    if (y->kind == ALD_TARGET_NONE) return 0;
    return y->kind == ALD_TARGET_CLASSES ? 1 : y->values.cols;
}

/* Names of the columns of X, or of the target. */
static void name_columns(ald_column *columns, int64_t count, char *const *names)
{
    for (int64_t j = 0; names && j < count; j++) columns[j].name = *names[j] ? names[j] : NULL;
}

/* Classes without names are called by their codes. */
static ald_status name_classes(ald_run *run, ald_target *y)
{
    char **names;
    if (y->kind != ALD_TARGET_CLASSES || y->names) return ALD_OK;
    ALD_TRY(ald_scratch(run, y->n_classes, 1, sizeof *names, &names));
    for (int64_t k = 0; k < y->n_classes; k++) {
        char code[24];
        const int length = snprintf(code, sizeof code, "%lld", (long long)k);
        ALD_TRY(ald_keep_text(run, &run->scratch, code, (size_t)length, &names[k]));
    }
    y->names = (const char *const *)names;
    return ALD_OK;
}

/* Writes dataset->schema, as of a table that has the features first and the target behind them. */
static ald_status schema_of_arrays(ald_run *run, ald_dataset *dataset)
{
    static const ald_load_options none;
    const char *const *names = dataset->target.names;
    const int64_t d = dataset->x.cols, q = target_columns(&dataset->target);
    ald_table table = {.cols = d + q, .sparse = dataset->x.storage != ALD_DENSE};
    ald_preparation p = {
        .options = &none,
        .table = &table,
        .dataset = dataset,
        .n_features = d,
        .weights = -1,
    };
    ALD_TRY(ald_scratch_clear(run, d + q, 1, sizeof *table.columns, &table.columns));
    ALD_TRY(ald_scratch(run, d, 1, sizeof *p.features, &p.features));
    ALD_TRY(ald_scratch(run, q, 1, sizeof *p.targets, &p.targets));
    name_columns(table.columns, d, dataset->feature_names);
    name_columns(table.columns + d, q, dataset->response_names);
    for (int64_t j = 0; j < d; j++) p.features[j] = (ald_feature){.column = j, .fill = NAN};
    for (int64_t k = 0; k < q; k++) p.targets[p.n_targets++] = d + k;
    if (q > 0) p.target_table = &table;
    ALD_TRY(name_classes(run, &dataset->target));
    const ald_status status = ald_schema_write(run, &p);
    dataset->target.names = names;
    return status;
}

static size_t size_of_type(ald_type type)
{
    return type == ALD_F32 ? sizeof(float) : sizeof(double);
}

/* Dense, of any strides: row major without gaps. */
static ald_status copy_dense(ald_run *run, ald_dataset *dataset, ald_matrix *m)
{
    const size_t size = size_of_type(m->type);
    const unsigned char *from = m->values;
    unsigned char *to = ald_arena_get(&dataset->memory, m->rows, m->cols, size);
    if (!to) return ald_out_of_memory(run, m->rows, m->cols, size);
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->cols; j++)
            memcpy(to + (size_t)(i * m->cols + j) * size,
                   from + (i * m->row_stride + j * m->col_stride) * (int64_t)size, size);
    m->values = to;
    m->row_stride = m->cols;
    m->col_stride = 1;
    return ALD_OK;
}

static ald_status copy_matrix(ald_run *run, ald_dataset *dataset, ald_matrix *m)
{
    if (m->storage == ALD_DENSE) return m->values ? copy_dense(run, dataset, m) : ALD_OK;
    const size_t size = m->index_bits == 32 ? sizeof(int32_t) : sizeof(int64_t);
    const int64_t slices = m->storage == ALD_CSR ? m->rows : m->cols;
    const int64_t entries =
        m->index_bits == 32 ? ((const int32_t *)m->pointers)[slices] : ((const int64_t *)m->pointers)[slices];
    ALD_TRY(ald_keep(run, &dataset->memory, m->pointers, slices + 1, size, &m->pointers));
    ALD_TRY(ald_keep(run, &dataset->memory, m->indices, entries, size, &m->indices));
    return ald_keep(run, &dataset->memory, m->values, entries, size_of_type(m->type), &m->values);
}

static ald_status copy_target(ald_run *run, ald_dataset *dataset)
{
    ald_target *y = &dataset->target;
    ALD_TRY(ald_keep(run, &dataset->memory, y->classes, y->rows, sizeof *y->classes, &y->classes));
    ALD_TRY(ald_keep(run, &dataset->memory, y->labelled, y->rows, 1, &y->labelled));
    ALD_TRY(ald_keep(run, &dataset->memory, y->weights, y->rows, sizeof *y->weights, &y->weights));
    ALD_TRY(ald_keep(run, &dataset->memory, y->events, y->rows, 1, &y->events));
    return y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS ? copy_matrix(run, dataset, &y->values)
                                                                      : ALD_OK;
}

/* Names are always copied: a program makes them for the call. They go into JSON, which is UTF-8. */
static ald_status copy_names(ald_run *run, ald_dataset *dataset, const char *const *names, int64_t count,
                             char ***to)
{
    return names ? ald_keep_names(run, &dataset->memory, names, count, to) : ALD_OK;
}

/* Classes have names of their own and one for their column; responses and labels have a column each. */
static ald_status name_target(ald_run *run, const ald_inputs *inputs, ald_dataset *dataset)
{
    ald_target *y = &dataset->target;
    const int classes = y->kind == ALD_TARGET_CLASSES;
    char **names = NULL;
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    ALD_TRY(copy_names(run, dataset, y->names, classes ? y->n_classes : y->values.cols, &names));
    y->names = (const char *const *)names;
    if (!classes) dataset->response_names = names;
    if (classes && inputs->target_name)
        return copy_names(run, dataset, &inputs->target_name, 1, &dataset->response_names);
    return ALD_OK;
}

static ald_status note_task(ald_run *run, ald_dataset *dataset)
{
    static const char *const notes[] = {
        [ALD_TARGET_NONE] = "no target",
        [ALD_TARGET_CLASSES] = "classes, given in memory",
        [ALD_TARGET_REAL] = "real, given in memory",
        [ALD_TARGET_LABELS] = "labels, given in memory",
    };
    const char *note = notes[dataset->target.kind];
    return ald_keep_text(run, &dataset->memory, note, strlen(note), &dataset->task_note);
}

ald_status ald_dataset_from_inputs(ald_run *run, const ald_inputs *inputs, int copy, ald_dataset *dataset)
{
    dataset->x = *inputs->x;
    dataset->target = inputs->y ? *inputs->y : (ald_target){0};
    dataset->target.rows = dataset->x.rows;
    if (inputs->graph) dataset->graph = *inputs->graph;
    if (inputs->target_distances) dataset->distances = *inputs->target_distances;
    if (inputs->response_kernel) dataset->response_kernel = *inputs->response_kernel;
    if (inputs->start) dataset->start = *inputs->start;
    if (copy) {
        ALD_TRY(copy_matrix(run, dataset, &dataset->x));
        ALD_TRY(copy_target(run, dataset));
        ALD_TRY(copy_matrix(run, dataset, &dataset->graph));
        ALD_TRY(copy_matrix(run, dataset, &dataset->distances));
        ALD_TRY(copy_matrix(run, dataset, &dataset->response_kernel));
        ALD_TRY(copy_matrix(run, dataset, &dataset->start));
    }
    ALD_TRY(name_target(run, inputs, dataset));
    ALD_TRY(copy_names(run, dataset, inputs->feature_names, dataset->x.cols, &dataset->feature_names));
    ALD_TRY(copy_names(run, dataset, inputs->row_names, dataset->x.rows, &dataset->row_names));
    ALD_TRY(note_task(run, dataset));
    return schema_of_arrays(run, dataset);
}

static ald_status check_names(ald_run *run, const char *const *names, int64_t count, const char *what)
{
    for (int64_t k = 0; names && k < count; k++)
        if (!names[k])
            return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: number %lld of %lld is NULL", what,
                            (long long)k + 1, (long long)count);
    return ALD_OK;
}

/* Columns are found again by their names: one name, one column. */
static ald_status check_distinct(ald_run *run, const char *const *names, int64_t count)
{
    ald_name_index index;
    if (!names) return ALD_OK;
    ALD_TRY(ald_name_index_new(run, count, &index));
    for (int64_t k = 0; k < count; k++) {
        const int64_t before = ald_name_index_find(&index, names[k], strlen(names[k]));
        if (before >= 0)
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "feature_names: numbers %lld and %lld are both '%.80s'", (long long)before + 1,
                            (long long)k + 1, names[k]);
        ald_name_index_add(&index, names[k], k);
    }
    return ALD_OK;
}

ald_status ald_check_input_names(ald_run *run, const ald_inputs *inputs)
{
    const ald_target *y = inputs->y;
    const int64_t d = inputs->x->cols;
    if (y && y->kind == ALD_TARGET_CLASSES) ALD_TRY(check_names(run, y->names, y->n_classes, "target names"));
    if (y && y->kind != ALD_TARGET_CLASSES && y->kind != ALD_TARGET_NONE)
        ALD_TRY(check_names(run, y->names, y->values.cols, "target names"));
    ALD_TRY(check_names(run, inputs->feature_names, d, "feature_names"));
    ALD_TRY(check_distinct(run, inputs->feature_names, d));
    return check_names(run, inputs->row_names, inputs->x->rows, "row_names");
}
