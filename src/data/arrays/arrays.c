#include "data/arrays/arrays.h"

#include "base/core/utf8.h"
#include "data/arrays/array_schema.h"

#include <stdio.h>
#include <string.h>

/* `count` elements of `size` bytes in the dataset's memory, a copy of `from`; NULL stays NULL. */
static ald_status copy_block(ald_run *run, ald_dataset *dataset, const void *from, int64_t count, size_t size,
                             void *to)
{
    void *block = NULL;
    if (from) {
        block = ald_arena_get(&dataset->memory, count, 1, size);
        if (!block) return ald_out_of_memory(run, count, 1, size);
        if (count > 0) memcpy(block, from, (size_t)count * size);
    }
    memcpy(to, &block, sizeof block);
    return ALD_OK;
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
    ALD_TRY(copy_block(run, dataset, m->pointers, slices + 1, size, &m->pointers));
    ALD_TRY(copy_block(run, dataset, m->indices, entries, size, &m->indices));
    return copy_block(run, dataset, m->values, entries, size_of_type(m->type), &m->values);
}

static ald_status copy_target(ald_run *run, ald_dataset *dataset)
{
    ald_target *y = &dataset->target;
    ALD_TRY(copy_block(run, dataset, y->classes, y->rows, sizeof *y->classes, &y->classes));
    ALD_TRY(copy_block(run, dataset, y->labelled, y->rows, 1, &y->labelled));
    ALD_TRY(copy_block(run, dataset, y->weights, y->rows, sizeof *y->weights, &y->weights));
    return y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS ? copy_matrix(run, dataset, &y->values)
                                                                      : ALD_OK;
}

/* Names are always copied: a program makes them for the call. They go into JSON, which is UTF-8. */
static ald_status copy_names(ald_run *run, ald_dataset *dataset, const char *const *names, int64_t count,
                             char ***to)
{
    if (!names) return ALD_OK;
    char **kept = ald_arena_get(&dataset->memory, count, 1, sizeof *kept);
    if (!kept) return ald_out_of_memory(run, count, 1, sizeof *kept);
    for (int64_t k = 0; k < count; k++) {
        kept[k] = ald_utf8_copy(&dataset->memory, names[k], strlen(names[k]));
        if (!kept[k]) return ald_out_of_memory(run, (int64_t)strlen(names[k]), 1, 1);
    }
    *to = kept;
    return ALD_OK;
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
    dataset->task_note = ald_arena_text(&dataset->memory, note, strlen(note));
    return dataset->task_note ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(note), 1, 1);
}

ald_status ald_dataset_from_inputs(ald_run *run, const ald_inputs *inputs, int copy, ald_dataset *dataset)
{
    dataset->x = *inputs->x;
    dataset->target = inputs->y ? *inputs->y : (ald_target){0};
    dataset->target.rows = dataset->x.rows;
    if (inputs->graph) dataset->graph = *inputs->graph;
    if (inputs->target_distances) dataset->distances = *inputs->target_distances;
    if (copy) {
        ALD_TRY(copy_matrix(run, dataset, &dataset->x));
        ALD_TRY(copy_target(run, dataset));
        ALD_TRY(copy_matrix(run, dataset, &dataset->graph));
        ALD_TRY(copy_matrix(run, dataset, &dataset->distances));
    }
    ALD_TRY(name_target(run, inputs, dataset));
    ALD_TRY(copy_names(run, dataset, inputs->feature_names, dataset->x.cols, &dataset->feature_names));
    ALD_TRY(copy_names(run, dataset, inputs->row_names, dataset->x.rows, &dataset->row_names));
    ALD_TRY(note_task(run, dataset));
    return ald_schema_of_arrays(run, dataset);
}
