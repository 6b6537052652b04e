/* The steps from a table to a dataset, in order; preparation.h says what each does. */
#include "data/encode/preparation.h"

#include "base/core/text.h"
#include "io/table/columns.h"
#include "io/table/csr.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int64_t ald_kept_row(const ald_preparation *p, int64_t kept)
{
    int64_t row = 0;
    for (int64_t left = kept; p->dropped && row < p->table->rows; row++)
        if (!p->dropped[row] && left-- == 0) break;
    return p->dropped ? row : kept;
}

/* Readers that do not count cells have no columns, and numbers only. */
static int is_plain(const ald_table *table, int64_t column)
{
    if (!table->columns) return 1;
    const ald_column *of = &table->columns[column];
    return of->n_numbers == table->rows && of->n_texts == 0 && of->n_missing == 0 && of->n_infinite == 0;
}

int ald_features_are_plain(const ald_preparation *p)
{
    for (int64_t k = 0; k < p->n_features; k++) {
        const int64_t before = k ? p->features[k - 1].column : -1, column = p->features[k].column;
        if (p->features[k].categorical || column <= before || !is_plain(p->table, column)) return 0;
    }
    return 1;
}

ald_status ald_features_of(ald_run *run, const ald_preparation *p, int64_t **feature_of)
{
    ALD_TRY(ald_scratch(run, p->table->cols, 1, sizeof **feature_of, feature_of));
    for (int64_t j = 0; j < p->table->cols; j++) {
        (*feature_of)[j] = -1;
        ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK));
    }
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t k = 0; k < p->n_features; k++)
        if (p->features[k].column >= 0) (*feature_of)[p->features[k].column] = k;
    return ALD_OK;
}

ald_status ald_ask_for_features(ald_run *run, const ald_preparation *p)
{
    const double values = (double)(sizeof *p->features / sizeof(double));
    return ald_ask_after(run, ALD_VALUE_WORK * values * (double)p->n_features);
}

ald_status ald_note(ald_run *run, ald_preparation *p, const char *format, ...)
{
    char sentence[600];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    ald_text text;
    ald_text_init(&text, &p->dataset->memory);
    ALD_TRY(ald_text_print(run, &text, "%s", sentence));
    if (p->target_table && p->response.n_unlabelled > 0)
        ALD_TRY(ald_text_print(run, &text, "; %lld of %lld rows unlabelled",
                               (long long)p->response.n_unlabelled, (long long)p->response.rows));
    p->dataset->task_note = text.data;
    return ALD_OK;
}

/* The name is put together in scratch and kept in the dataset's memory. */
static ald_status name_row(ald_run *run, const ald_preparation *p, int64_t row, ald_text *name, char **kept)
{
    name->length = 0;
    int first = 1;
    for (int64_t k = 0; k < p->table->n_kept; k++) {
        const ald_kept_column *column = &p->table->kept[k];
        if (!column->is_id) continue;
        if (!first) ALD_TRY(ald_text_add(run, name, "/", 1));
        ALD_TRY(ald_text_add(run, name, column->texts[row], strlen(column->texts[row])));
        first = 0;
    }
    return ald_keep_text(run, &p->dataset->memory, name->data ? name->data : "", name->length, kept);
}

/* Where rows were left out: the row of the file that each of X comes from. */
static ald_status note_places(ald_run *run, ald_preparation *p)
{
    int64_t kept = 0;
    p->dataset->file_rows = p->table->rows;
    if (!p->dropped) return ALD_OK;
    int64_t *places = ald_arena_get(&p->dataset->memory, p->rows, 1, sizeof *places);
    if (!places) return ald_out_of_memory(run, p->rows, 1, sizeof *places);
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped[i]) places[kept++] = i;
    p->dataset->places = places;
    return ALD_OK;
}

/* The names of the rows that stay: the cells of the columns that the option `id` names, as texts, joined by
 * "/"; "" for a missing one. Also the columns that are kept, and which rows of the file these are. */
static ald_status name_rows(ald_run *run, ald_preparation *p)
{
    ald_text name;
    int64_t kept = 0;
    ALD_TRY(note_places(run, p));
    p->dataset->kept = p->table->kept;
    p->dataset->n_kept = p->table->n_kept;
    p->dataset->columns = p->table->columns;
    if (p->table->n_kept == 0 || !p->table->kept[0].is_id) return ALD_OK;
    char **names = ald_arena_get(&p->dataset->memory, p->rows, 1, sizeof *names);
    if (!names) return ald_out_of_memory(run, p->rows, 1, sizeof *names);
    ald_text_init(&name, &run->scratch);
    for (int64_t i = 0; i < p->table->rows; i++)
        if (!p->dropped || !p->dropped[i]) ALD_TRY(name_row(run, p, i, &name, &names[kept++]));
    p->dataset->row_names = names;
    return ALD_OK;
}

/* In a categorical column zero is a level like any other: a sparse table with one becomes dense. */
static ald_status make_dense_if_categorical(ald_run *run, ald_preparation *p)
{
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t k = 0; p->table->sparse && k < p->n_features; k++) {
        if (!p->features[k].categorical) continue;
        ald_log(run, ALD_LOG_WARNING,
                "%s: the sparse rows are converted to dense, because %s is categorical: leave it out with "
                "`ignore` to keep them sparse",
                p->table->source, ald_column_label(p->table, p->features[k].column).text);
        ALD_TRY(ald_table_make_dense(run, p->table));
    }
    return ALD_OK;
}

/* The first categorical feature by its name, for those that work on numbers only. */
static ald_status name_categorical(ald_run *run, ald_preparation *p)
{
    ALD_TRY(ald_ask_for_features(run, p));
    for (int64_t k = 0; k < p->n_features && !p->dataset->categorical; k++) {
        if (!p->features[k].categorical) continue;
        const char *label = ald_column_label(p->table, p->features[k].column).text;
        ALD_TRY(ald_keep_text(run, &p->dataset->memory, label, strlen(label), &p->dataset->categorical));
    }
    return ALD_OK;
}

static ald_status take_target(ald_run *run, ald_preparation *p)
{
    if (!p->target_table) return ald_note(run, p, "no target");
    return ald_has_label_lists(p) ? ald_prepare_labels(run, p) : ald_prepare_target(run, p);
}

ald_status ald_prepare(ald_run *run, ald_preparation *p)
{
    ALD_TRY(ald_prepare_choices(run, p));
    ALD_TRY(ald_prepare_second_files(run, p));
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
    ALD_TRY(name_rows(run, p));
    ALD_TRY(ald_prepare_weights(run, p));
    ALD_TRY(take_target(run, p));
    ALD_TRY(ald_prepare_fills(run, p));
    return ald_prepare_x(run, p);
}
