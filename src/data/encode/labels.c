/* Multi-label targets of svmlight files: lists of numbers become the columns of a sparse 0/1 matrix, in
 * numerical order. */
#include "base/core/text.h"
#include "base/numbers/ordering.h"
#include "data/encode/preparation.h"
#include "data/encode/schema.h"
#include "data/levels/categories.h"
#include "io/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ald_has_label_lists(const ald_preparation *p)
{
    if (!p->use_labels) return 0;
    if (p->schema) return p->schema->kind == ALD_TARGET_LABELS;
    return p->target_table->many_labels || p->task == ALD_TASK_MULTILABEL;
}

ald_status ald_prepare_label_rows(ald_run *run, ald_preparation *p)
{
    const ald_table *table = p->target_table;
    ald_response *response = &p->response;
    response->table = table;
    response->rows = table->rows;
    if (p->task == ALD_TASK_REGRESSION || p->task == ALD_TASK_CLASSIFICATION)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "%s: rows have lists of labels: `task=%s` takes one per row", table->source,
                        p->task == ALD_TASK_REGRESSION ? "regression" : "classification");
    if (!table->labelled) return ALD_OK;
    ALD_TRY(ald_get(run, &p->dataset->memory, table->rows, 1, 1, &response->labelled));
    memcpy(response->labelled, table->labelled, (size_t)table->rows);
    for (int64_t i = 0; i < table->rows; i++) response->n_unlabelled += !table->labelled[i];
    return ALD_OK;
}

static int is_kept(const ald_preparation *p, int64_t row)
{
    return !p->dropped || !p->dropped[row];
}

/* The labels of the kept rows, one after the other. */
static ald_status kept_labels(ald_run *run, const ald_preparation *p, double **labels, int64_t *count)
{
    const ald_table *table = p->target_table;
    ALD_TRY(ald_scratch_reals(run, table->label_pointers[table->rows], 1, labels));
    *count = 0;
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t e = table->label_pointers[i]; e < table->label_pointers[i + 1]; e++)
            if (is_kept(p, i)) (*labels)[(*count)++] = table->label_values[e];
    return ALD_OK;
}

static ald_status find_labels(ald_run *run, ald_preparation *p, ald_categories **categories)
{
    const ald_column unnamed = {0};
    if (p->schema)
        return ald_categories_match(run, &unnamed, p->schema->classes, p->schema->n_classes, categories);
    double *labels;
    int64_t count;
    ALD_TRY(kept_labels(run, p, &labels, &count));
    const ald_column_cells cells = {.first = labels, .stride = 1, .rows = count};
    return ald_categories_find(run, &p->dataset->memory, &unnamed, 0, &cells, categories);
}

/* Sorts a row's codes and takes out what is there twice; gives how many stay. */
static int64_t sort_codes(int64_t *codes, int64_t count)
{
    ald_sort_whole(count, codes);
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || codes[k] != codes[k - 1]) codes[kept++] = codes[k];
    return kept;
}

static ald_status code_row(ald_run *run, const ald_preparation *p, const ald_categories *categories,
                           int64_t row, int64_t *codes, int64_t *count)
{
    const ald_table *table = p->target_table;
    *count = 0;
    for (int64_t e = table->label_pointers[row]; e < table->label_pointers[row + 1]; e++) {
        const int64_t code = ald_category_of(categories, table->label_values[e]);
        if (code < 0)
            return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), 0,
                               "%s: %s has the label %g, which the model does not know", table->source,
                               ald_row_place(table, row).text, table->label_values[e]);
        codes[(*count)++] = code;
    }
    *count = sort_codes(codes, *count);
    return ALD_OK;
}

static ald_status build_matrix(ald_run *run, ald_preparation *p, const ald_categories *categories,
                               ald_matrix *matrix)
{
    const ald_table *table = p->target_table;
    ald_arena *memory = &p->dataset->memory;
    const int64_t room = table->label_pointers[table->rows];
    int64_t *pointers = ald_arena_get(memory, p->rows + 1, 1, sizeof *pointers);
    int64_t *indices = ald_arena_get(memory, room, 1, sizeof *indices);
    double *ones = ald_arena_get(memory, room, 1, sizeof *ones);
    if (!pointers || !indices || !ones) return ald_out_of_memory(run, room, 3, sizeof *ones);
    int64_t kept = 0, end = 0;
    pointers[0] = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t count;
        if (!is_kept(p, i)) continue;
        ALD_TRY(code_row(run, p, categories, i, indices + end, &count));
        end += count;
        pointers[++kept] = end;
    }
    for (int64_t e = 0; e < end; e++) ones[e] = 1.0;
    *matrix = ald_matrix_csr(p->rows, categories->count, pointers, indices, ones);
    return ALD_OK;
}

ald_status ald_prepare_labels(ald_run *run, ald_preparation *p)
{
    ald_categories *categories;
    ald_matrix matrix;
    ALD_TRY(find_labels(run, p, &categories));
    if (categories->count == 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s: no row has a label", p->target_table->source);
    ALD_TRY(ald_keep_names(run, &p->dataset->memory, (const char *const *)categories->levels,
                           categories->count, &p->dataset->response_names));
    ALD_TRY(build_matrix(run, p, categories, &matrix));
    ald_target *target = &p->dataset->target;
    const double *weights = target->weights;
    *target = ald_target_labels(matrix);
    target->names = (const char *const *)p->dataset->response_names;
    target->labelled = p->response.labelled;
    target->weights = weights;
    return ald_note(run, p, "labels: %lld of them, any number per row", (long long)categories->count);
}
